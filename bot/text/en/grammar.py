"""The rules by which commands are given in English."""

import re
from collections.abc import Sequence
from typing import Final

from bot.text.commands import (
    AskHelp,
    AskMemory,
    AskWhy,
    BePrivate,
    Command,
    EraseMine,
    ExportMine,
    Forget,
    ForgetEverything,
    ForgetThis,
    Remember,
    RememberAgain,
    RememberThis,
    Search,
    StopRemembering,
    TellCategories,
)
from bot.text.grammar import corrections, kinds, periods
from bot.text.grammar.clauses import is_english_clause, is_english_memory, starts_a_clause
from bot.text.grammar.kinds import MEMORY_KIND, keep_kind, keep_kind_for, leave_kind_out
from bot.text.grammar.rules import Rule, SpokenText, fixed, idiom, plain, rule
from bot.text.grammar.words import means_the_bot, word_set

_NO_MORE: Final = (
    r"(?:,? (?:any ?more|anymore|from now on|ever again|again|at all|here|on this server|for now|now))*"
)
_OF_MINE: Final = (
    r"(?:me|(?:anything|things|everything|stuff|all)(?: (?:about|of|from) me| (?:that )?i (?:say|write))"
    r"|what i (?:say|write)|my (?:messages|words|data|chats?))"
)
_OWN_KEEP: Final = r"(?:remember|keep|save|store|record|track|log|memori[sz]e)"
_KEEPING: Final = r"(?:remembering|keeping|saving|storing|recording|tracking|logging|memori[sz]ing)"
_NOT: Final = r"(?:don't|do not|dont)"
_TELL_SOMEBODY: Final = (
    r"(?:anyone|anybody|others|other people|the others|everyone|everybody|people|them)(?: else)?"
)
_YOU_HAVE: Final = (
    r"(?:all )?(?:what(?:ever)?|everything|all|anything)(?: that)? (?:you|u)(?:'ve| have)?"
    r"(?: (?:keep|kept|have|store|stored|saved|know|got|recorded))(?: stored| saved)?(?: (?:about|of|on) me)"
)
_KEPT_OF_ME: Final = r"everything(?: that)? (?:you|u) (?:keep|store|have (?:kept|stored)) (?:about|of|on) me"
_WHOLLY: Final = r"(?:completely|entirely|totally|altogether|wholly|for good|for ?ever|everywhere)"

_STOP: Final = (
    rule(rf"(?:stop|quit) {_KEEPING} {_OF_MINE}{_NO_MORE}", fixed(StopRemembering())),
    rule(
        rf"{_OWN_KEEP} nothing(?: more)?(?: (?:about|of) me| (?:that )?i say){_NO_MORE}",
        fixed(StopRemembering()),
    ),
)
_STOP_OUTRIGHT: Final = (
    rule(
        rf"(?:{_NOT} {_OWN_KEEP}|never {_OWN_KEEP}|i {_NOT} want (?:you|u) to {_OWN_KEEP}) {_OF_MINE}{_NO_MORE}",
        fixed(StopRemembering()),
    ),
    rule(
        r"(?:i(?: want to|'d like to| would like to)? )?opt (?:me )?out|leave me out of your memory",
        fixed(StopRemembering()),
    ),
)
_GO_ON: Final = (
    rule(rf"{_OWN_KEEP} (?:me|things about me|what i say) again", fixed(RememberAgain())),
    rule(
        r"start (?:remembering|keeping) (?:me|things about me|what i say)(?: again)?", fixed(RememberAgain())
    ),
    rule(
        rf"(?:you|u) (?:may|can|are allowed to) {_OWN_KEEP} (?:me|things about me|what i say)(?: again)?",
        fixed(RememberAgain()),
    ),
    rule(
        r"(?:i(?: want to|'d like to| would like to)? )?opt (?:me )?(?:back )?in|i agree to be remembered",
        fixed(RememberAgain()),
    ),
)
_HIDE: Final = (
    rule(r"(?:keep|make|set) me (?:to )?private", fixed(BePrivate(True))),
    rule(
        r"(?:keep|make) (?:my (?:memories|memory|profile)|(?:what|everything) (?:you|u) know about me) private",
        fixed(BePrivate(True)),
    ),
    rule(r"tell (?:nobody|no one|noone)(?: else)?(?: anything)? about me", fixed(BePrivate(True))),
)
_HIDE_OUTRIGHT: Final = (
    rule(
        rf"(?:{_NOT}|never) (?:tell|talk to) {_TELL_SOMEBODY}(?: (?:anything|things))? about me{_NO_MORE}",
        fixed(BePrivate(True)),
    ),
    rule(r"i want to be private", fixed(BePrivate(True))),
)
_SHOW: Final = (
    rule(rf"(?:you|u) (?:may|can) tell {_TELL_SOMEBODY} about me(?: again)?", fixed(BePrivate(False))),
    rule(rf"tell {_TELL_SOMEBODY} about me again", fixed(BePrivate(False))),
    rule(
        rf"i(?:'m| am) (?:no longer|not) private(?: any ?more)?|i {_NOT} (?:want|need) to be private(?: any ?more)?"
        r"|make me public(?: again)?",
        fixed(BePrivate(False)),
    ),
)
_LEAVE_OUT: Final = (rule(rf"stop {_KEEPING} my {MEMORY_KIND}{_NO_MORE}", leave_kind_out),)
_KEEP_KIND: Final = (
    rule(rf"(?:{_NOT}|never) {_OWN_KEEP} my {MEMORY_KIND}{_NO_MORE}", leave_kind_out),
    rule(
        rf"keep my {MEMORY_KIND} (?:only )?for (?P<y>\d{{1,5}} (?:day|week|month|year)s?)(?: only)?",
        keep_kind_for,
    ),
    rule(rf"{_OWN_KEEP} my {MEMORY_KIND} (?:again|for ?ever)", keep_kind),
)
_WHICH_KINDS: Final = rule(
    r"(?:which|what) (?:kinds?|categories|sorts?)(?: of (?:things|memor(?:y|ies)|facts))?"
    rf" (?:do|may|can) (?:you|u) {_OWN_KEEP}(?: (?:about|of|on|from) me)?",
    fixed(TellCategories()),
)
_HAND_OUT: Final = (
    rule(rf"(?:send|give|dm|mail|hand) me (?:a (?:file|copy) (?:of|with) )?{_YOU_HAVE}", fixed(ExportMine())),
    rule(
        r"(?:send|give|dm|mail|export|download)(?: me)? (?:a copy of )?(?:all )?(?:of )?my"
        r" (?:data|memor(?:y|ies)|export)",
        fixed(ExportMine()),
    ),
    rule(rf"(?:export|download) (?:me|{_YOU_HAVE})", fixed(ExportMine())),
)
_MAY_I_HAVE: Final = rule(
    r"(?:can|could|may) i (?:have|get|export|download|see) (?:a copy of )?(?:all )?(?:of )?my (?:data|export)",
    fixed(ExportMine()),
)
_ERASE: Final = (
    rule(rf"(?:forget|erase|delete|remove|wipe)(?: about)? me,? {_WHOLLY}", fixed(EraseMine())),
    rule(
        r"(?:erase|wipe|delete|remove) me(?: from (?:your|the) (?:memory|memories|database|records))?",
        fixed(EraseMine()),
    ),
    rule(
        r"(?:erase|wipe|delete|remove|forget) (?:all )?(?:of )?my (?:personal )?(?:data|memories|memory)",
        fixed(EraseMine()),
    ),
    rule(rf"(?:erase|wipe|delete|remove|forget) {_KEPT_OF_ME}(?:,? {_WHOLLY})?", fixed(EraseMine())),
    rule(
        rf"(?:forget|erase|delete|wipe|remove) (?:everything|all) (?:about|of|on) me,? {_WHOLLY}",
        fixed(EraseMine()),
    ),
)

OWN_ASKS: Final = (_WHICH_KINDS, _MAY_I_HAVE)
"""What may be asked as a question: nothing is changed by it."""

OWN_RULES: Final[tuple[Rule, ...]] = (
    *_STOP,
    *_STOP_OUTRIGHT,
    *_GO_ON,
    *_HIDE,
    *_HIDE_OUTRIGHT,
    *_SHOW,
    *_LEAVE_OUT,
    *_KEEP_KIND,
    *_HAND_OUT,
    *_ERASE,
    *OWN_ASKS,
)

OWN_REQUESTS: Final[tuple[Rule, ...]] = (
    *_STOP,
    *_HIDE,
    *_LEAVE_OUT,
    *_HAND_OUT,
    *_ERASE,
    rule(r"forget (?:about )?(?P<x>me|myself)", ForgetEverything),
)
"""What "can you ...?" asks for politely: less is kept or told by it, or it is asked about once more."""


_GUILD: Final = re.compile(
    r"(?:all of )?us(?: all)?|(?:this|the|our|that) (?:whole )?(?:server|guild|place|community|group)|here",
    re.IGNORECASE,
)
_POINTED_AT: Final = frozenset({"it", "this", "that"})
_MENTION: Final = re.compile(r"(?:<@!?\d+>|@\S+)")
_NOT_WHO: Final = word_set("""
    online offline here there coming playing winning losing right wrong it this that these those he she they we
    ready next free up in on out first last best worst going talking left around awake alive afk live new old
    better responsible everyone anyone someone nobody hungry tired
""")
"""What may follow "who is" without being somebody's name."""

MOST_WORDS_ABOUT: Final = 12
"""Words of a topic; more are a story, and what it asks for is not sure."""


def _remember(statement: str) -> Command | None:
    return Remember(statement) if is_english_memory(statement) else None


def _remember_clause(statement: str) -> Command | None:
    return _remember(statement) if is_english_clause(statement) else None


def _remember_for(limit: str, statement: str) -> Command | None:
    """How long it is to be remembered stands in brackets behind what is."""
    return _remember(f"{statement.rstrip(' .!')} ({limit})")


def _remember_for_clause(limit: str, statement: str) -> Command | None:
    return _remember_for(limit, statement) if is_english_clause(statement) else None


def _remember_request(statement: str) -> Command | None:
    return _remember(statement) if starts_a_clause(statement) else None


def _remember_noted(statement: str) -> Command | None:
    return None if re.search(r"\?(?:\s|$)", plain(statement)) else Remember(statement)


def _remember_this(about: str) -> Command | None:
    return RememberThis(about or None) if len(about.split()) <= 4 and ":" not in about else None


def _forget_clause(statement: str) -> Command | None:
    return Forget(statement) if starts_a_clause(statement) or len(statement.split()) > 1 else None


def _forget(statement: str) -> Command | None:
    """A bare mention is somebody: all about them; other words are what the facts say."""
    if statement.lower() in {"me", "myself"} or _MENTION.fullmatch(statement):
        return ForgetEverything(statement)
    return Forget(statement)


def _ask(about: str) -> Command | None:
    if _GUILD.fullmatch(about):
        return AskMemory(None)
    if about.lower() in _POINTED_AT or len(about.split()) > MOST_WORDS_ABOUT:
        return None
    return AskMemory(about)


def _tell(about: str) -> Command | None:
    """The bot is asked to tell of itself by way of talk."""
    return None if means_the_bot(about) else _ask(about)


def _who(about: str) -> Command | None:
    words = about.split()
    if _MENTION.fullmatch(about):
        return AskMemory(about)
    if len(words) == 1:
        ordinary = about.lower() in _NOT_WHO or means_the_bot(about) or about.lower().endswith("ing")
        return None if ordinary or not about[0].isalnum() else AskMemory(about)
    return AskMemory(about) if len(words) <= 4 and all(word[0].isupper() for word in words) else None


def _search(topic: str, when: str = "") -> Command | None:
    """When it was said is one of the words that are searched for."""
    return Search(f"{topic} {when}".strip()) if len(topic.split()) <= MOST_WORDS_ABOUT else None


_KEEP: Final = (
    r"(?:remember|memori[sz]e|keep in mind|bear in mind|note|please note|take note|make a note"
    r"|don't forget|do not forget)"
)
_SAID: Final = (
    r"(?:what|the thing|everything) (?:i|i've) (?:just )?(?:said|wrote|told you|posted|written)(?: just now)?"
)
_DROP: Final = r"(?:forget|erase|delete|remove|wipe|clear)"
_NOT_KEEP: Final = r"(?:don't|do not|dont) (?:remember|save|keep|store|record|memori[sz]e)"
_ALL: Final = (
    r"(?:everything|all|anything|whatever|what(?= (?:you|u) ))(?: that)?"
    r"(?: (?:you|u)(?: (?:ever|still))? (?:know|remember|have|learned|saved)| there is)?"
)
_TALKED: Final = r"(?:talk|talked|speak|spoke|spoken|chat|chatted)"
_WHO_TALKED: Final = r"(?:we|i|you|they|people|anyone|anybody|someone|somebody)"
_ALL_OF_US: Final = r"(?:we|they|people|anyone|anybody|everyone|everybody)"
_SAY: Final = r"(?:say|said|write|written|talk|chat|decide|decided)"
_WHEN: Final = (
    r"(?:yesterday|today"
    r"|(?:last|this|past|in|on|during|since|before|after) (?:the )?[^\s,]+(?: [^\s,]+){0,2}?)"
)
_OFTEN: Final = r"(?: (?:ever|last|first|recently|already))?"
_ENDING: Final = r"(?: so far| already| exactly| now| right now| at the moment)?"

_THIS: Final = (
    rule(rf"{_KEEP} (?:this|that)(?: one| message)?(?: for (?:me|us|later))?", fixed(RememberThis())),
    rule(
        r"(?:save|keep|store|record) (?:this|that)(?: one| message)?(?: in mind| for (?:me|us|later))?",
        fixed(RememberThis()),
    ),
    rule(rf"(?:remember|save|keep|store) {_SAID}", fixed(RememberThis())),
    rule(r"(?:remember|save|keep|note|store) (?:this|that) about (?P<x>.+)", _remember_this),
)

_FORGET: Final = (
    rule(
        rf"{_DROP} (?:this|that)(?: one| message)?|forget (?:{_SAID}|i (?:just )?said (?:that|this|it))",
        fixed(ForgetThis()),
    ),
    rule(rf"{_DROP} (?:my|the) (?:last|previous|latest) (?:message|one)", fixed(ForgetThis())),
    rule(rf"{_NOT_KEEP} (?:this|that|it)(?: one| message)?|{_NOT_KEEP} {_SAID}", fixed(ForgetThis())),
    idiom(rf"{_DROP} {_ALL} (?:about|of|on) (?:this|that|it)"),
    rule(rf"{_DROP} {_ALL} (?:about|of|on) (?P<x>.+)", ForgetEverything),
    rule(rf"forget {_SAID} about (?P<x>.+)", Forget),
    # Idioms and first-person talk: nobody asks for anything by these.
    idiom(
        r"forget (?:about )?(?:it|you|us|him|her|them|everything|all|all of it|all (?:this|that)|nothing"
        r"|yourself|this|that|the rest|i (?:asked|said|mentioned) .*|i (?:asked|said anything|exist))"
    ),
    idiom(r"forget (?:about )?(?:to|how|what|who|whom|whose|when|where|why|which|whether|if|never|not)\b.*"),
    rule(r"forget about (?P<x>.+)", _forget),
    rule(rf"(?:forget|{_NOT_KEEP})(?: that|:) (?P<x>.+)", _forget_clause),
    rule(r"forget (?P<x>(?!,|that\b|this\b).+)", _forget),
)

_LIMIT: Final = (
    r"(?:(?:until|till|through) (?!.*\b(?:i|you|he|she|they|we|it)\b.* that\b)[^\s,:]+(?: [^\s,:]+){0,4}?"
    r"|for (?:(?:about|the next|another) )?(?:(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|a couple of|a few) )?(?:minute|hour|day|week|month|year)s?)"
)
_REMEMBER: Final = (
    rule(rf"{_KEEP},? (?P<x>{_LIMIT}),?(?: that,?|\s*:) (?P<y>.+)", _remember_for),
    rule(rf"{_KEEP},? that,? (?P<x>{_LIMIT}),? (?P<y>.+)", _remember_for_clause),
    rule(rf"{_KEEP}(?:,? (?:this|that))?(?:\s*:\s*| - )(?P<x>.+)", _remember_noted),
    rule(rf"{_KEEP},? that,? (?P<x>.+)", _remember),
    rule(r"(?:remember|don't forget|do not forget|note),? (?P<x>(?!that\b).+)", _remember_clause),
)

_KNOW: Final = (
    rule(
        r"what do (?:you|u)(?: (?:actually|already|still|really|even))? (?:know|remember|have saved|have)"
        rf"(?: so far)? (?:about|of|on) (?P<x>.+?){_ENDING}",
        _ask,
    ),
    rule(
        rf"what do (?:you|u)(?: (?:actually|already|still))? (?:know|remember){_ENDING}",
        fixed(AskMemory(None)),
    ),
    rule(r"what (?:can you tell (?:me|us)|have you got|have you learned) (?:about|on) (?P<x>.+)", _ask),
    rule(r"do (?:you|u) (?:know|remember) (?:anything|something) (?:about|of) (?P<x>.+)", _ask),
    rule(r"do (?:you|u) (?:know|remember) who (?P<x>\S+(?: \S+)?) (?:is|am)", _who),
    rule(r"who am i|(?:do (?:you|u) know|tell me) who i am", fixed(AskMemory("me"))),
    rule(r"who(?: is|'s) (?P<x>.+)", _who),
    rule(
        r"tell (?:me|us) (?:everything |all |something )?(?:what )?(?:that )?"
        r"(?:you (?:know|remember) )?about (?P<x>.+)",
        _tell,
    ),
)

_SEARCH: Final = (
    rule(
        rf"(?:when|where) (?:did|have) {_WHO_TALKED}{_OFTEN} {_TALKED} (?:about|of) (?P<x>.+?)(?: last)?",
        _search,
    ),
    rule(
        rf"(?:when|where) (?:did|have) {_WHO_TALKED}{_OFTEN} (?:discuss|discussed|mention|mentioned|bring up)"
        r" (?P<x>.+?)(?: last)?",
        _search,
    ),
    rule(rf"(?:did|have) {_WHO_TALKED}{_OFTEN} {_TALKED} (?:about|of) (?P<x>.+)", _search),
    rule(rf"(?:did|have) {_WHO_TALKED}{_OFTEN} (?:discuss|discussed|mention|mentioned) (?P<x>.+)", _search),
    rule(rf"what (?:did|have) {_ALL_OF_US} {_SAY} (?P<y>{_WHEN}) about (?P<x>.+)", _search),
    rule(rf"what (?:did|have) {_ALL_OF_US} {_SAY} about (?P<x>.+)", _search),
    rule(rf"(?:did|have) {_WHO_TALKED} {_TALKED} (?P<y>{_WHEN}) (?:about|of) (?P<x>.+)", _search),
    rule(
        rf"(?:find|show me|tell me|do you (?:know|remember)) (?:when|where) {_WHO_TALKED}{_OFTEN}"
        r" (?:(?:talked|spoke|chatted) about|discussed|mentioned) (?P<x>.+)",
        _search,
    ),
    rule(r"(?:find|search for|show me) (?:the |all |any )?messages? (?:about|with|on) (?P<x>.+)", _search),
    rule(r"search (?:for|the (?:chat|history|messages|log) for) (?P<x>.+)", _search),
)

_HELP: Final = rule(
    r"help(?: me)?|commands|what can (?:you|u) do(?: for (?:me|us))?|how (?:do|can) (?:i|we) use (?:you|this)",
    fixed(AskHelp()),
)

_WHY: Final = rule(
    r"(?:and )?how (?:do|did|would|could|can) (?:you|u) know(?: (?:that|this|it))?(?: about (?:me|him|her|them))?"
    r"|(?:and )?where (?:did|do|have) (?:you|u) (?:get|got|hear|heard|learn|learned|know) (?:that|this|it)(?: from)?"
    r"|(?:and )?(?:who told|who said that to) (?:you|u)(?: (?:that|this))?"
    r"|(?:and )?what(?: is|'s) (?:that|this) based on|why do (?:you|u) (?:say|think|believe) (?:that|so)",
    fixed(AskWhy()),
)
_ASKS: Final = (
    _WHY,
    *OWN_ASKS,
    *kinds.ASK_PRIVACY_ENGLISH,
    *periods.CATCH_UP_ENGLISH,
    *_KNOW,
    *_SEARCH,
    _HELP,
)

# "Can you remember X?" may be a question; only these are requests without a "please".
_REQUESTS: Final = (
    *OWN_REQUESTS,
    *periods.FORGET_SETS_ENGLISH,
    rule(
        r"(?:remember|save|keep|note) this|(?:remember|save) (?:this|that) for (?:me|us)",
        fixed(RememberThis()),
    ),
    rule(r"(?:remember|save|note) this about (?P<x>.+)", _remember_this),
    rule(rf"{_KEEP},? that,? (?P<x>.+)", _remember_request),
    rule(r"forget this", fixed(ForgetThis())),
    rule(r"forget that (?P<x>.+)", lambda x: Forget(x) if starts_a_clause(x) else None),
    rule(rf"{_DROP} {_ALL} (?:about|of|on) (?P<x>(?!this$|that$|it$).+)", ForgetEverything),
    *corrections.TAKE_BACK_ENGLISH,
    *_ASKS,
)

_ALL_RULES: Final = (
    OWN_RULES
    + periods.FORGET_SETS_ENGLISH
    + corrections.CORRECTIONS_ENGLISH
    + _THIS
    + _FORGET
    + _REMEMBER
    + _ASKS
)


def rules_for(spoken: SpokenText) -> Sequence[Rule]:
    """Return the rules that may be tried on `spoken`: a question is never tried on those that change anything."""
    if spoken.request:
        return _ALL_RULES if spoken.please else _REQUESTS
    return _ASKS if spoken.asks else _ALL_RULES
