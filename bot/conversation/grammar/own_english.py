"""How members say in English what shall be kept of them: stop, go on, tell nobody, hand it out, erase it."""

from typing import Final

from bot.conversation.commands import ForgetEverything
from bot.conversation.grammar.kinds import KIND, kept, kept_for, left_out
from bot.conversation.grammar.rules import Rule, fixed, rule
from bot.conversation.own_commands import (
    BePrivate,
    EraseMine,
    ExportMine,
    RememberAgain,
    StopRemembering,
    TellCategories,
)

_NO_MORE: Final = (
    r"(?:,? (?:any ?more|anymore|from now on|ever again|again|at all|here|on this server|for now|now))*"
)
_OF_MINE: Final = (
    r"(?:me|(?:anything|things|everything|stuff|all)(?: (?:about|of|from) me| (?:that )?i (?:say|write))"
    r"|what i (?:say|write)|my (?:messages|words|data|chats?))"
)
_KEEP: Final = r"(?:remember|keep|save|store|record|track|log|memori[sz]e)"
_KEEPING: Final = r"(?:remembering|keeping|saving|storing|recording|tracking|logging|memori[sz]ing)"
_NOT: Final = r"(?:don't|do not|dont)"
_SOMEBODY: Final = (
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
        rf"{_KEEP} nothing(?: more)?(?: (?:about|of) me| (?:that )?i say){_NO_MORE}", fixed(StopRemembering())
    ),
)
_STOP_OUTRIGHT: Final = (
    rule(
        rf"(?:{_NOT} {_KEEP}|never {_KEEP}|i {_NOT} want (?:you|u) to {_KEEP}) {_OF_MINE}{_NO_MORE}",
        fixed(StopRemembering()),
    ),
    rule(
        r"(?:i(?: want to|'d like to| would like to)? )?opt (?:me )?out|leave me out of your memory",
        fixed(StopRemembering()),
    ),
)
_GO_ON: Final = (
    rule(rf"{_KEEP} (?:me|things about me|what i say) again", fixed(RememberAgain())),
    rule(
        r"start (?:remembering|keeping) (?:me|things about me|what i say)(?: again)?", fixed(RememberAgain())
    ),
    rule(
        rf"(?:you|u) (?:may|can|are allowed to) {_KEEP} (?:me|things about me|what i say)(?: again)?",
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
        rf"(?:{_NOT}|never) (?:tell|talk to) {_SOMEBODY}(?: (?:anything|things))? about me{_NO_MORE}",
        fixed(BePrivate(True)),
    ),
    rule(r"i want to be private", fixed(BePrivate(True))),
)
_SHOW: Final = (
    rule(rf"(?:you|u) (?:may|can) tell {_SOMEBODY} about me(?: again)?", fixed(BePrivate(False))),
    rule(rf"tell {_SOMEBODY} about me again", fixed(BePrivate(False))),
    rule(
        rf"i(?:'m| am) (?:no longer|not) private(?: any ?more)?|i {_NOT} (?:want|need) to be private(?: any ?more)?"
        r"|make me public(?: again)?",
        fixed(BePrivate(False)),
    ),
)
_LEAVE_OUT: Final = (rule(rf"stop {_KEEPING} my {KIND}{_NO_MORE}", left_out),)
_KEEP_KIND: Final = (
    rule(rf"(?:{_NOT}|never) {_KEEP} my {KIND}{_NO_MORE}", left_out),
    rule(
        rf"keep my {KIND} (?:only )?for (?P<y>\d{{1,5}} (?:day|week|month|year)s?)(?: only)?",
        kept_for,
    ),
    rule(rf"{_KEEP} my {KIND} (?:again|for ?ever)", kept),
)
_WHICH_KINDS: Final = rule(
    r"(?:which|what) (?:kinds?|categories|sorts?)(?: of (?:things|memor(?:y|ies)|facts))?"
    rf" (?:do|may|can) (?:you|u) {_KEEP}(?: (?:about|of|on|from) me)?",
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

ASKS: Final = (_WHICH_KINDS, _MAY_I_HAVE)
"""What may be asked as a question: nothing is changed by it."""

RULES: Final[tuple[Rule, ...]] = (
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
    *ASKS,
)

REQUESTS: Final[tuple[Rule, ...]] = (
    *_STOP,
    *_HIDE,
    *_LEAVE_OUT,
    *_HAND_OUT,
    *_ERASE,
    rule(r"forget (?:about )?(?P<x>me|myself)", ForgetEverything),
)
"""What "can you ...?" asks for politely: less is kept or told by it, or it is asked about once more."""
