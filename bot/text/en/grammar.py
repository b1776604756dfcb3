"""English commands: what can be a statement, and a table of sentences with what they mean.

The names of the rows are those of `bot/text/grammar/meanings.py` and of `_OWN_MEANINGS`.
"""

from typing import Final

from bot.text.attributes import NOT_NAMES
from bot.text.commands import AskMemory, Command, Forget, ForgetKind, Remind
from bot.text.grammar.corrections import is_plausible
from bot.text.grammar.meanings import COMMON_PARTS, Grammar, Meanings, Speech, asks_inside, is_mention
from bot.text.grammar.rules import fixed, plain
from bot.text.grammar.words import PERSON_VERBS, means_the_bot
from bot.text.languages import compiled_rows, either, every_word, rows
from bot.text.tokens import words

_POINTED_AT: Final = (
    "(?:times?|days?|nights?|evening|morning|moment|summer|winter|years?|weekend|guys?|girls?|man|woman|dude|kid|one|things?"
    "|stuff|movie|film|game|song|show|episode|place|party|trip|story|joke|meme|photo|picture|video|message|post|link|bug"
    "|stream|match|fight|feeling|name|face)"
)
_CLAUSES: Final = compiled_rows(
    r"""
that_time: (?:(?:one|first|last|other|great|good|old|crazy|silly|stupid|funny|weird) ){0,2}{pointed_at}(?:$
    | (?:when|where|that|who|which|with|from|i|we|you|he|she|they|it|my|our|back)\b.*)
that_day: (?:one )?(?:time|moment)s? (?!(?:is|was|are|zone|zones|flies|will)\b).*
finite: .*\b(?:is|isn't|are|aren't|am|was|wasn't|were|weren't|has|hasn't|have|haven't|had|will|won't|can|can't|cannot
    |does|doesn't|don't|did|didn't|must|should|means|costs|starts|begins|ends|happens|opens|closes|moved|goes
    |{person_verbs})\b.+
subject: (?:(?:i|we|he|she|they|it|everyone|everybody|nobody|someone|there)|(?:i'(?:m|ve|d|ll)|we'(?:re|ve|ll|d)
    |(?:he|she|it)'(?:s|ll|d)|they'(?:re|ve|ll|d)|im|ive)) \S.*
named_subject: (?-i:(?!(?:The|A|An|This|That|These|Those|All|Our|Your)\s)(?:{capital}\w*|<@!?\d+>|@\S+)\s+
    (?!\w*(?:ss|ous|ings)\s)[a-z]{2,}(?:s|ed)\s+\S.*)
never_told: (?:when|how|what|who|whom|whose|where|why|which|if|whether|to
    |me(?! and \S+ (?!(?:when|if|as|from|in|at|with|to|for|on|and|or|but|who|that)\b)\w+ \S)
    |us|him|them|those|back|last|never|not|nothing|everything|anything|all|always|about
    |this(?! \w+(?: \S+)? (?:is|was|has|will|are)\b)
    |the (?:\w+ ){0,2}{pointed_at} (?!is\b|was\b|are\b)|that (?:\w+ ){0,2}{pointed_at}\b
    |(?:the|those|these|this|your) (?:\w+ ){1,3}(?:i|we|you|he|she|they|that|who|which|when|where)\b
    |(?:her|your|my|our|his|their)$)(?:\b.*|$)
labelled: (?:my|our|\w+'s) (?:[^\s:=]+ ){0,3}[^\s:=]+\s?(?:[:=] ?)\S.*
clause_start: (?:(?:i|i'\w+|im|my|mine|we|we'\w+|our|he|she|he's|she's|they|they're|it|it's|the|there|his|her|their
    |this|these|every|everyone|nobody)(?![\w'])|(?-i:{capital})|<@!?\d+>|@\w).*\s.*
""",
    {
        "person_verbs": "|".join(sorted(verb for verb in PERSON_VERBS if verb.isascii())),
        "capital": either("capital"),
        "pointed_at": _POINTED_AT,
    },
)


def _is_memory(words: str) -> bool:
    even = plain(words)
    if asks_inside(words) or len(even.split()) < 2:
        return False
    return not (_CLAUSES["that_time"].fullmatch(even) or _CLAUSES["that_day"].fullmatch(even))


def _is_clause(words: str) -> bool:
    even = plain(words)
    if asks_inside(words) or _CLAUSES["never_told"].fullmatch(even):
        return False
    return any(_CLAUSES[name].fullmatch(even) for name in ("subject", "finite", "named_subject", "labelled"))


def _starts_a_clause(words: str) -> bool:
    """Return whether `words` begin as a sentence of their own does: a pronoun, an article, a name."""
    return _CLAUSES["clause_start"].fullmatch(plain(words)) is not None


def _is_own(words: str) -> bool:
    return _starts_a_clause(words) and _is_clause(words)


def _may_tell(words: str) -> bool:
    return not asks_inside(words) and _CLAUSES["never_told"].fullmatch(plain(words)) is None


_SPEECH: Final = Speech(
    subject="me",
    me=frozenset({"me", "myself"}),
    guild="(?:all of )?us(?: all)?|(?:this|the|our|that) (?:whole )?(?:server|guild|place|community|group)|here",
    pointed_at=frozenset({"it", "this", "that"}),
    is_memory=_is_memory,
    is_clause=_is_clause,
    is_own=_is_own,
    may_tell=_may_tell,
    notes="remember: *",
)
_MEANINGS: Final = Meanings(_SPEECH)
_NOT_WHO: Final = words("""
    online offline here there coming playing winning losing right wrong it this that these those he she they we
    ready next free up in on out first last best worst going talking left around awake alive afk live new old
    better responsible everyone anyone someone nobody hungry tired married single engaged divorced pregnant
    allergic away back sick ill sober drunk busy
""")
"""What may follow "who is" without being somebody's name."""
_NO_NAMES: Final = every_word("small_talk")


def _tell(about: str) -> Command | None:
    """The bot is asked to tell of itself by way of talk."""
    return None if means_the_bot(about) else _MEANINGS.ask(about)


def _who(about: str) -> Command | None:
    words = about.split()
    if is_mention(about):
        return AskMemory(about)
    if len(words) == 1:
        ordinary = (
            about.lower() in _NOT_WHO | NOT_NAMES or means_the_bot(about) or about.lower().endswith("ing")
        )
        return None if ordinary or not about[0].isalnum() else AskMemory(about)
    return AskMemory(about) if len(words) <= 4 and all(word[0].isupper() for word in words) else None


def _forget_clause(statement: str) -> Command | None:
    return Forget(statement) if _starts_a_clause(statement) or len(statement.split()) > 1 else None


def _go_by(name: str) -> Command | None:
    """Somebody is called so; "call me stupid" says what to think of them."""
    return None if name.split()[0].lower() in _NO_NAMES else _MEANINGS.remember(f"call me {name}")


def _set(thing: str, value: str) -> Command | None:
    return _MEANINGS.remember(f"my {thing} {'are' if thing.lower() == 'pronouns' else 'is'} {value}")


_PARTS: Final = COMMON_PARTS | dict(rows(r"""
of_me: (?:birthday|bday|b-?day|(?:nick)?name|pronouns|location|city|home ?town|job|age|height|time ?zone|tz
    |fav(?:e|ou?rite)? [\w-]+(?: (?!(?:to|as|is|its)\b)[\w-]+)?)
state_of_oneself: (?:an? )?(?:vegan|vegetarian|left.?handed|right.?handed|colou?r.?blind|lactose intolerant
    |gluten.free|celiac|coeliac|married|single|retired|deaf|dyslexic|diabetic)
no_more: (?:,? (?:any ?more|anymore|from now on|ever again|again|at all|here|on this server|for now|now))*
this_channel: (?:here|(?:(?:in|to|from|of|about) )?(?:this|the) (?:channel|thread|room|chat)(?: here)?)
said_by_all: (?:anything|everything|things|stuff|us|messages|this|what (?:we|people|others) (?:say|write|post)
    |what(?:'s| is) (?:said|written|posted)|what goes on)(?: (?:(?:that )?(?:we|people) (?:say|write)|said|written
    |posted))?
of_mine: (?:me|(?:anything|things|everything|stuff|all)(?: (?:about|of|from) me| (?:that )?i (?:say|write))
    |what i (?:say|write)|my (?:messages|msgs|words|data|info|chats?|stuff|things))
own_keep: (?:remember|keep(?: track of)?|save|store|record|track|log|learn|collect|memori[sz]e)
keeping: (?:remembering|keeping(?: track of)?|saving|storing|recording|tracking|logging|learning|collecting
    |memori[sz]ing|listening to)
kept: (?:remembered|tracked|recorded|saved|stored|kept|logged|collected)
a_memory: (?:(?:your|ur|my|the) )?memory
not: (?:don't|do not|dont)
tell_somebody: (?:anyone|anybody|others|other people|the others|everyone|everybody|people|ppl|them)(?: else)?
you_have: (?:all )?(?:what(?:ever)?|everything|all|anything)(?: that)? (?:you|u)(?:'?ve| have)?(?: (?:keep|kept|have
    |store|stored|saved|know|got|recorded))(?: stored| saved)?(?: (?:about|of|on) me)
kept_of_me: everything(?: that)? (?:you|u) (?:keep|store|have (?:kept|stored)) (?:about|of|on) me
records: (?:your|ur|the) (?:memory|memories|database|records|list)
wholly: (?:completely|entirely|totally|altogether|wholly|for good|for ?ever|everywhere)
keep: (?:(?:remember(?: (?:me|us)(?= that\b))?|memori[sz]e|(?:keep|bear|have|take) (?:it )?in (?:your |ur )?mind
    |note(?: down)?|please note|take note|(?:make|keep) (?:a )?(?:mental )?note(?: of it)?|don't forget|do not forget
    |write down|jot down|add to (?:your |the )?memory|put (?:it |this )?in (?:your |the )?memory|write (?:it|this) down
    |(?:don't|dont|do not) let me forget|save (?:to|in) (?:your |the )?memory|remind yourself)(?: for (?:me|us
    |later))?{pls})
pls: (?:,? (?:please|pls|plz))*(?:(?:,? (?:ok|okay|btw|um+|uh+|lol|bro|dude|yo|hey|so|also|well|actually
    |basically))+(?=,? (?:i|i'm|im|i've|ive|my)\b))?
own_told: (?:my (?:\S+ ){1,4}(?:is|are|was)|(?:i|we) (?:am|have|own|like|love|hate|live|work|prefer|play|speak|eat|drink
    |study)|i'm|im)
no_order: (?=.{8,300}\Z)(?!.*(?:\b(?:when|how|who|that|if|because|people|anyone|everyone|nobody)\b.*
    |\b(?:i|you|u|we|they|to|can|can't|cant|will|would
    |could|must|should|and|or|but|not|never|always|still|also|says?|said|like|is)) (?:remember|(?:don'?t
    |do not) forget))
pointing: (?:(?:so|and|please|pls|plz|now|,) ?){0,4}(?:(?:remember|note|save|keep|write) (?:this|that
    |it)(?: down)?(?: for (?:me|us|later))?|(?:{not}|never) forget(?: (?:this|that|it))?)
tell_me: (?:tell|show|list|give|show me|tell me|give me)
some_things: (?:these |the following )?(?:\d|two|three|four|five|a few|some) (?:things?|facts?)
said: (?:what|the thing|everything|all what) (?:i|i've) (?:just )?(?:said|wrote|told (?:you|u)|posted
    |written)(?: just now)?
drop: (?:forget|erase|delete|remove|wipe|clear|unremember)
rid: (?:{drop}|get rid of)
from_memory: (?: from (?:your|the) (?:memory|memories|notes?|records?|database))?
not_keep: (?:don't|do not|dont) (?:remember|save|keep|store|record|memori[sz]e)
all: (?:(?:literally|absolutely|like) )?(?:everything|evrything|everythin|evrythin|all|anything|whatever|what(?= (?:you
    |u) ))(?: that| what)?(?: (?:you|u)(?: (?:ever|still))? (?:know|remember|have|learned|saved)| there is)?
talked: (?:talk|talked|speak|spoke|spoken|chat|chatted)
who_talked: (?:we|i|you|they|people|anyone|anybody|someone|somebody)
all_of_us: (?:we|they|people|anyone|anybody|everyone|everybody)
say: (?:say|said|write|written|talk|chat|decide|decided)
when: (?:yesterday|today|(?:last|this|past|in|on|during|since|before|after) (?:the )?[^\s,]+(?: [^\s,]+){0,2}?)
often: (?: (?:ever|last|first|recently|already))?
ending: (?: so far| already| exactly| now| right now| at the moment)?
why: (?:(?:right )?now|asap|already|(?:because|cause|bc|cuz|since|as|i|i'm|im|i've|it'?s) [^\d?]+)
limit: (?:(?:until|till|through) (?!.*\b(?:i|you|he|she|they|we|it)\b.* that\b)[^\s,:]+(?: [^\s,:]+){0,4}?
    |for (?:(?:about|the next|another) )?(?:(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten
    |a couple of|a few) )?(?:minute|hour|day|week|month|year)s?)
no: (?:(?:no+|nope|nah|wait|sorry|oops|typo|actual?ly|correction|update|scratch that|{untrue})(?:[\s,.!:;-]+(?=\S)))+
untrue: (?:(?:(?:(?:that|it)(?:'?s| is)|you(?:'?re| are)|ur|u r) )?(?:wrong|not true|untrue|false|not right|incorrect)
    |(?:you|u)(?:'ve)? (?:got|have|had|understood) (?:that|it|this|me) wrong|(?:you|u) (?:misunderstood
    |understood wrong)|(?:that|it)(?:'?s| is) not what i (?:said|meant|told (?:you|u))|(?:that|it) (?:isn'?t
    |is not) (?:true|right|correct))(?: about (?:me|that|this|it))?
mistaken: (?:(?:my (?:mistake|bad)|mb|i was wrong|i made a mistake|i misspoke|i typed (?:it|that) wrong
    |autocorrect|(?:correct|fix) (?:it|that))[\s,.!:;-]+)+
denied: (?:{no})?{untrue}[\s,.!:;-]+(?=\S)
maybe_no: (?:{no})?
plain_no: (?:no+|nope|nah),\s*
bare_no: (?:no+|nope|nah|{untrue})\s+(?=\w)
i_said: i (?:said|meant|wrote)(?: that)?
if_i_said: (?:i (?:said|meant|mean|wrote) (?:that )?)?
it_is: (?:it'?s|it is|it was|that'?s|that is|that was)
me: (?:me|myself|i|mine|<@!?\d+>|@\S+)
hold: (?:keep|store|save|record|log|collect|retain)
our_data: (?:all )?(?:of )?(?:my|our|the|this) (?:data|info|memories|messages|msgs|chats?|stuff)
held: (?:everything|messages|data|(?:my|our|the|all|any)(?: \S+)? (?:messages|data)|what (?:i|we) (?:say|write))
missed: (?:what (?:all |else )?(?:did|have) (?:i|we) miss(?:ed)?|what'?ve i missed|what'?d (?:i|we) miss|tl;?dr
    |what i miss(?:ed)?|(?:give me a )?(?:quick |short )?recap|anything (?:i|we) miss(?:ed)?|(?:did
    |have) i miss(?:ed)? (?:anything|something|smth|much|a lot)(?: (?:important|interesting|good))?|(?:tell
    |show) me what (?:i|i've|i have) missed|(?:please )?(?:catch me up|fill me in|bring me up to speed
    |get me up to speed|update me)(?: on (?:everything|what i missed|what happened))?)
happened: (?:what(?:'s| is| has| was)? (?:happened|been happening|been going on|new|been said|said|talked about
    |been discussed|discussed)|what did (?:people|everyone|everybody|they|you all) (?:talk about|say|discuss))
what_kept: (?:(?:tell|show) me )?what (?:(?:have|did) (?:you|u)|(?:you|u)(?:'?ve| have)?)
    \s(?:saved?|stored?|noted?|kept|keep|recorded?|learn(?:ed|t)?|wr(?:itten|ite) down)
what_for: (?:what are (?:your|ur|the) commands|what can (?:you|u) do(?: for (?:me|us))?
    |how (?:do|can) (?:i|we) use (?:you|u|this))
i_am_new: (?:i|i'm|im|just|we|we're) [^?.!]{2,40}?(?:,| so| and| but)?
every: (?:everything|all|anything|whatever|what)
mine: (?:{every}(?: that)? i(?:'ve| have)?(?: ever)? (?:said|wrote|written|posted|told (?:you|u))
    |(?:all )?(?:of )?my (?:messages|words))
anybodys: (?:{every}(?: that)?(?: was| has been| we| people)?(?: said| written| posted| talked about)?
    |(?:all )?(?:of )?(?:the )?messages)
""")) | {"pointed_at": _POINTED_AT}  # fmt: skip
_CHANGES: Final = r"""
keep_nothing_here*: (?:stop|quit) (?:{keeping}|listening(?: in)?|recording|reading|eavesdropping|spying)
    (?: {said_by_all})?
    \s{this_channel}{no_more}
keep_nothing_here: (?:{not}|never) (?:{own_keep}|listen(?: in)?(?: to)?|read|eavesdrop)
    (?: {said_by_all})? {this_channel}{no_more}
keep_nothing_here*: {own_keep} nothing(?: (?:said|written|that (?:is|we) \w+))? {this_channel}{no_more}
keep_nothing_here*: (?:ignore|leave out|skip) (?:this|the) (?:channel|thread|room)|leave (?:this|the) (?:channel|thread
    |room) (?:alone|out)(?: of (?:it|your memory))?
stop_remembering*: (?:stop|quit) (?:{keeping}|reading) {of_mine}{no_more}
stop_remembering*: {own_keep} nothing(?: more)?(?: (?:about|of) me| (?:that )?i say){no_more}
stop_remembering: (?:(?:{not}|never) (?:{own_keep}|read)|i {not} want (?:you|u) (?:to {own_keep}|{keeping})) {of_mine}
    {no_more}
stop_remembering*: (?:stop|quit) (?:spying on|learning about) me{no_more}
stop_remembering: i {not} want (?:to be {kept}|my (?:messages|msgs|data|info|words|stuff)(?: to be)? {kept}){no_more}
stop_remembering: i (?:{not} consent|revoke my consent)(?: to this| to being {kept})?|unsubscribe(?: me)?
stop_remembering*: (?:(?:turn|switch) )?{a_memory} off(?: for me)?{no_more}|(?:turn|switch) off {a_memory}(?: for me)?
    {no_more}|(?:disable|pause) {a_memory}(?: for me)?{no_more}
stop_remembering: (?:i(?: want to|'?d like to| would like to)? )?opt(?: me |-)? ?out(?: of (?:this|it|everything|all))?
    |(?:i'?m )?opting out|leave me out of your memory
remember_again*: (?:(?:turn|switch) )?{a_memory} (?:back )?on(?: for me)?(?: again)?
    |(?:(?:turn|switch) on|(?:re)?enable) {a_memory}(?: for me)?(?: again)?
remember_again: {own_keep} (?:me|things about me|what i say) again
remember_again: start (?:remembering|keeping|saving|tracking) (?:me|things about me|what i say)(?: again)?
remember_again: (?:you|u) (?:may|can|are allowed to) {own_keep}
    \s(?:me|things about me|what i say|my (?:messages|msgs|stuff))(?: again)?
remember_again: (?:i(?: want to|'d like to| would like to)? )?opt (?:me )?(?:back )?in|i agree to be remembered
private*: (?:keep|make|set) me (?:to )?private
private*: hide (?:me|my (?:info|data|stuff|profile|facts))(?: from {tell_somebody})?
private: {not} share my (?:info|data|stuff|facts)(?: with {tell_somebody})?{no_more}
private*: (?:keep|make) (?:my (?:memories|memory|profile|info|data|stuff|facts)
    |(?:what|everything) (?:you|u) know about me) private
private*: tell (?:nobody|no one|noone)(?: else)?(?: anything)? about me
private: (?:{not}|never) (?:tell|talk to) {tell_somebody}(?: (?:anything|things))? about me{no_more}
private: i want to be private
public: (?:(?:you|u) (?:may|can)|it'?s (?:ok|okay|fine) to) tell {tell_somebody} about me(?: again)?
public: tell {tell_somebody} about me again
public: i(?:'m| am) (?:no longer|not) private(?: any ?more)?|i {not} (?:want|need) to be private(?: any ?more)?
    |make me public(?: again)?
leave_out*: stop {keeping} my {memory_kind}{no_more}
leave_out: (?:{not}|never) {own_keep} my {memory_kind}{no_more}
keep_kind_for: keep my {memory_kind} (?:only )?for (?P<y>\d{1,5} (?:day|week|month|year)s?)(?: only)?
keep_kind: {own_keep} my {memory_kind} (?:again|for ?ever)
export*: (?:send|give|dm|mail|hand) me (?:a (?:file|copy) (?:of|with) )?{you_have}
export*: (?:send|give|dm|mail|export|download)(?: me)? (?:a copy of )?(?:all )?(?:of )?my (?:data|memor(?:y|ies)
    |export)
export*: (?:export|download) (?:me|{you_have})
export: (?:gimme|i want(?: to (?:see|have|get))?) (?:a copy of )?(?:all )?(?:of )?my (?:data|export)
erase*: (?:forget|erase|delete|remove|wipe)(?: about)? me,? {wholly}
erase*: (?:erase|wipe|delete|remove) me(?: from {records})?|take me (?:out of|off) {records}
erase*: (?:{rid}|purge|nuke) (?:all )?(?:of )?my (?:personal )?(?:data|info|memories|memory)
erase*: {rid} all (?:of )?(?:the |your )?(?:data|info|informations?|memories) (?:about|on|of) me
erase*: (?:erase|wipe|delete|remove|forget) {kept_of_me}(?:,? {wholly})?
erase*: (?:forget|erase|delete|wipe|remove) (?:everything|all) (?:about|of|on) me,? {wholly}
# What is excepted is never what is forgotten.
nothing*: {rid} (?:about )?{excepts}
forget_my_kind*: {rid}{pls}(?: {every})?(?: about| of)?(?: all)?(?: of)? my {fact_kind}{from_memory}(?:,? {why})?
forget_my_kind: i {not} want (?:you|u) to (?:{own_keep}|know|have) my {fact_kind}{no_more}
forget_my_kind*: {rid} {every} (?:you|u) (?:know|remember|have) (?:about|of|on) my {fact_kind}
forget_kind*: {rid}(?: {every})?(?: about)? {somebody}(?:'s|s') {fact_kind}
forget_where_i_live*: {drop}(?: about)?,? where i live
forget_where_i_work*: {drop}(?: about)?,? (?:where i work|what i do for a living)
forget_my_birthday*: {drop}(?: about)?,? when (?:my birthday is|i was born)
forget_my_messages*: {rid}(?: all)?(?: of)? my (?:messages|msgs)
forget_mine*: {drop} {mine} (?P<x>.+)
forget_anybodys*: {drop} {anybodys} (?P<x>.+)
forget_anybodys*: {drop} (?P<x>(?:this|the) (?:whole )?(?:channel|thread|chat|room))
forget_anybodys*: {drop} (?P<x>(?:the )?(?:last|past) .+)
take_back*: {maybe_no}undo
take_back*: {maybe_no}(?:scratch|scrap|strike|undo|revert|cancel) (?:that|this|it|(?:that |the |my )?(?:last|previous
    |latest)(?: (?:one|thing|note|fact|memory|change|edit))?)
take_back*: {maybe_no}(?:i )?take (?:that|it|this) back
move_subject: {maybe_no}(?:that was|this was|(?:that|it|this)(?: was| is|'?s) about|i meant) (?P<x>me
    |myself),? (?:and )?not (?:about )?{short}
named: {maybe_no}(?:that|it|this)(?: was| is|'?s) about {x},? (?:and )?not (?:about )?{me}
named: {maybe_no}(?:that|it|this)(?: was| is|'?s) about (?P<x>{capital}),? (?:and )?not (?:about )?{short}
named_or_definite: {maybe_no}(?:that|it|this)(?: was| is|'?s) {x},? (?:and )?not {me}
named: {maybe_no}(?:wrong (?:person|guy|girl|member|user)|(?:{it_is} )?not (?:about )?{me}),? {it_is} (?:about )?{x}
named_or_definite: {maybe_no}(?:that|this) was (?P<x>{capital}),? (?:and )?not {capital}
named_or_definite: {maybe_no}i (?:meant|mean|said|was talking about
    |was speaking of) (?:about )?{x},? (?:and )?not (?:about )?{me}
named_or_definite: {maybe_no}(?:about )?{x}(?:,| -) not (?:about )?{me}
named: {maybe_no}not (?:about )?{me},? but (?:about )?{x}
named: {maybe_no}not (?:about )?{me}, (?:about )?(?P<x>{capital}|<@!?\d+>|@\S+)
# Without "no" or "it's", only a date or a number is surely a correction: "bot lane, not top" is none.
definite_for: {maybe_no}not {x}(?:,? but|,) {y}
definite: {x},? not {y}
plausible_for: {maybe_no}(?:{it_is}|i (?:said|meant)) not {x},? (?:but|it'?s|it is) {y}
plausible_for: {no}not {x}(?:,? (?:but|it'?s|it is)|,) {y}
plausible: {maybe_no}(?:it'?s|it is|it was|i (?:said|meant)) {x}(?:,| -| and) not {y}
plausible: (?:{no}{it_is}|{maybe_no}i (?:said|meant)) {x} not {y}
definite: {maybe_no}i (?:said|meant) {x} no {y}
definite_for: {maybe_no}(?:is not|not is) {x},? (?:but |it )?is {y}
plausible_for: {maybe_no}i (?:(?:didn'?t|did not|never) (?:say|mean)|never said) {x},? (?:but )?i (?:said|meant) {y}
definite: {maybe_no}(?:{it_is}|(?:i )?(?:said|meant)) {x} not {y}
definite: {maybe_no}{x},? i (?:mean|meant|said)
plausible: {no}{x}(?:,| -) not {y}
plausible: {maybe_no}(?:change|edit|correct|fix|set|update) (?:it|that|this) to {x}
definite: {maybe_no}change to {x}
definite_for: (?:change|replace|swap) {x} (?:to|with|by|for) {y}
definite: {maybe_no}{x},? instead of {y}
definite: {mistaken}{x}
plausible: {mistaken}(?:{it_is}|i (?:said|meant)) {x}
plausible: {no}(?:it should be|it should say|should be|make (?:it|that)) {x}
said_anew: {no}(?:i (?:said|meant|mean|wrote)|meant) (?:to (?:say|write|type) )?(?:that )?(?!to\b){x}
plausible: {no}(?:i (?:said|meant|mean|wrote)|it'?s|it is|it was)(?: actually| spelled| spelt)? {x}
definite: (?:it'?s actually|it is actually|i (?:meant|said|mean|meaned|wanted to (?:say|write|type)):?
    |(?:it )?should (?:be|say)|(?:it was )?supposed to (?:be|say)|make (?:it|that)) {x}
definite: {maybe_no}\*\s?{x}
definite: {maybe_no}{x}\s?\*
definite: {no}(?:that'?s|that is|that was) {x}
said_anew: (?:correction|edit|fix|(?:correct|update) (?:that|this|it)):\s*{x}
whole: (?:correction|(?:correct|update) (?:that|this|it)):\s*(?P<x>[^?\n]+)
whole: correction (?P<x>(?:my|i(?! was\b)|i'm|im) [^?\n]+)
definite: {no}{x}
remember_this: {keep} (?:(?:this|that)(?: one| message)?|it)(?: for (?:me|us|later))?|write that down
remember_this: (?:save|keep|store|record) (?:this|that)(?: one| message| msg)?(?: in mind| for (?:me|us|later))?
remember_this: (?:remember|save|keep|store) {said}
remember_this_about: (?:remember|save|keep|note|store) (?:this|that) about (?P<x>.+)
forget_this: {drop} (?:this|that)(?: one| message| memory| note| fact)?|forget (?:{said}|i (?:just )?said (?:that|this
    |it))
forget_this: {maybe_no}{drop} (?:my|the|that) (?:last|previous|latest) (?:message|one|thing|part|bit|memory|note|fact
    |entry)(?: i said)?
forget_this: {not_keep} (?:this|that|it)(?: one| message)?|{not_keep} {said}|{not} write (?:this|that|it) down
nothing: {drop} {all} (?:about|of|on) (?:this|that|it)
forget_all: {rid} {all} (?:about|abt|bout|of|on) (?P<x>.+)
forget_words: (?:forget {said}|{rid} (?:the |that )?(?:thing|part|bit|note|stuff|fact|entry)) (?:about|on) (?P<x>.+?)
    (?:,? (?:it|that)(?:'?s| is| was) .+)?
forget: {rid} (?:the fact|from (?:your |the )?memory) that (?P<x>.+)
forget: stop {keeping} that (?P<x>.+)
forget: (?:delete|erase|remove|wipe) (?:that )?(?P<x>(?:i|my) .+?|\S*\d\S*){from_memory}
forget: {drop} (?:about )?(?P<x>where (?:i|we) (?:live|work|study|was born|am from|come from)|when (?:i was born
    |(?:my|our) .+ is)|how (?:old|tall) i am|(?:who|what) my .+ (?:is|are)|what i (?:do for a living|work as)
    |(?:where|when|who|how (?:old|tall|much|many)) (?:my \S+|<@!?\d+>|(?-i:[A-Z])[^\W\d_]+) \S.*
    |what (?:my \S+|<@!?\d+>|(?-i:[A-Z])[^\W\d_]+) (?!said\b|told\b|wrote\b|asked\b|just\b)\S.*)
forget_words: forget (?:that )?i said (?:that )?(?P<x>(?:i|i'm|im|my) .+)
# Idioms and first-person talk: nobody asks for anything by these.
nothing: forget (?:about )?(?:it|you|u|us|him|her|them|everything|all|all of it|all (?:this|that)|nothing|yourself|this
    |that|the rest|the whole thing|i (?:asked|said|mentioned) .*|i (?:asked|said anything|exist)
    |(?:my|the) (?:last |previous )?question)
nothing: forget (?:about )?(?:it|him|her|them|me),? (?:it'?s|that'?s|i'?m|im|no|never ?mind|nvm)\b.*
nothing: forget (?:about )?(?:to|how|what|who|whom|whose|when|where|why|which|whether|if|never|not)\b.*
# "Forget pizza, let's get tacos" says what is to be done instead.
nothing: forget (?!that\b|:).+\b(?:let'?s|let us|tell me|show me|give me|help me)\b.+
forget: forget about (?P<x>.+)
forget_clause: (?:forget{pls}|{not_keep})(?: that|:) (?P<x>.+)
forget: (?:forget|unremember) (?P<x>(?!,|that\b|this\b).+)
go_by*: (?:(?:(?:remember|don't forget|do not forget) to )?call me|i (?:prefer|want|wanna|like
    |would like)(?: to)? be called)\s(?!back\b|later\b|when|if\b|tomorrow|tonight|on\b|at\b|in\b|a\b|an\b|the\b|crazy
    |maybe)(?P<x>[^\s,.;:]+(?: (?!from\b|now\b|please\b)[^\s,.;:]+)?)(?:,? (?:from now on|from here on|please|instead))*
remind_to*: (?:remember|don't forget|do not forget|(?:remind|remember) (?:me|us)) to (?P<x>.+)
remind_about*: remind (?:me|us) (?!(?:what|who|whom|when|where|why|how|which|whether|if|whose|to)(?:'?s)?\b
    |(?:of )?my {of_me}$)(?:(?:about|of|that|:) )?(?P<x>.+)
correct_value: {maybe_no}my (?P<x>{of_me}) (?:isn'?t|is not) {short},? (?:but|it'?s|it is) (?P<y>{short})
correct_value: {maybe_no}my (?P<x>{of_me})(?: is|'?s) (?P<y>{short}),? not {short}
# Only what one has one of: "change my mind to ..." orders nothing.
remember_value*: (?:(?:you|u) (?:have|got) )?my (?P<x>{of_me})(?: is|'?s)? wrong[\s,.]+(?:it'?s|it is
    |it should be) (?P<y>.+)
remember_value*: (?:set|change|update) my (?P<x>{of_me}) (?:to|as|it'?s) (?P<y>(?!(?:the|an?|my|your|what|whatever
    |something)\b).+)
remember_value*: (?:set|save|add|put) my (?P<x>{of_me})(?:\s?[:=]\s?| (?:as|is|it'?s) |\s(?=\d))(?P<y>.+)
remember_for: {keep},? (?P<x>{limit}),?(?: that,?|\s*:) (?P<y>.+)
remember_for_clause: {keep},? that,? (?P<x>{limit}),? (?P<y>.+)
remember_noted: (?:{keep}|save|store|record|add|log|note to (?:self|yourself))
    (?:,? (?:this|that|these|the following|{some_things})(?: \w+)?)?(?: for (?:me|us|later))?(?:{colon}| - )(?P<x>.+)
remember: {keep},? that{pls},? (?P<x>.+)
remember_clause: (?:(?:do )?remember|(?:keep|bear) (?:it )?in (?:your |ur )?mind|(?:don't|do not
    |dont) (?:let me )?forget|note(?: down)?|write down|jot down|add to (?:your |the )?memory|memori[sz]e|take note
    |make a note|write (?:it|this) down|remind yourself){pls},?\s(?P<x>(?!that\b).+)
remember_clause: (?:save|store|record|log|add)(?:,? that|\s*:),? (?P<x>.+)
remember_own: (?P<x>[^?]{3,300}?)\s*(?:[,.;!]|\s-)\s*{pointing}
# Without a mark "my friends remember that" has to be told from an order.
remember_own: (?P<x>{no_order}{own_told} [^?.,;!\n]{2,200}?) (?:(?:please|pls|plz) remember|remember(?= (?:this|that
    |it)\b)|(?:don't|dont|do not) forget)(?: (?:this|that|it))?{pls}
"""
_REQUESTS: Final = r"""
forget_all: forget (?:about )?(?P<x>me|myself)
remember_this: (?:remember|save|keep|note) this|(?:remember|save) (?:this|that) for (?:me|us)
remember_this_about: (?:remember|save|note) this about (?P<x>.+)
remember_request: (?:{keep}|(?:remembering|noting)|save|store),? that,? (?P<x>.+)
remember: (?:keep in mind|bear in mind|write down|note down|make a note),? that,? (?P<x>.+)
remember_own: (?:remember|note|keep in mind|bear in mind),? (?P<x>(?!that\b).+)
forget_this: forget (?:this|{said})
forget_request: forget that (?P<x>.+)
forget_all: {drop} {all} (?:about|of|on) (?P<x>(?!this$|that$|it$).+)
"""
"""What "can you ...?" asks for beside the rows with a star, for it may be a question."""
_ASKS: Final = r"""
why: (?:and )?how (?:(?:the (?:hell|heck|fuck)|tf) )?(?:do|did|would|could|can) (?:you|u) know(?: (?:that|this
    |it))?(?: about (?:me|him|her|them))?|(?:and )?where (?:did|do|have) (?:you|u) (?:get|got|hear|heard|learn|learned
    |know) (?:that|this|it)(?: from)?|(?:and )?(?:who told|who said that to) (?:you|u)(?: (?:that|this))?
    |(?:and )?what(?: is|'s) (?:that|this) based on|why do (?:you|u) (?:say|think|believe) (?:that|so)
categories: (?:which|what) (?:kinds?|categories|sorts?)(?: of (?:things|memor(?:y|ies)|facts|stuff|data|info))? (?:do
    |may|can) (?:you|u) {own_keep}(?: (?:about|of|on|from) me)?
export: (?:can|could|may) i (?:have|get|export|download|see) (?:a copy of )?(?:all )?(?:of )?my (?:data|export)
privacy: privacy(?: policy| settings| info)?|gdpr(?: request)?|(?:and )?what (?:all )?(?:do|does) (?:you
    |u) (?:actually |all |really )?{hold}(?: here| of us all)?|(?:what|which) (?:kinds? of )?(?:data|information
    |info) do (?:you|u) {hold}(?: here| about us)?|how long (?:do|will|are) (?:you
    |u) (?:going to )?{hold} {held}(?: for)?|do (?:you|u) {hold} {held}(?: here)?|who (?:runs|operates|hosts
    |maintains) (?:you|u|this bot)|(?:what is|what's|show me|tell me) (?:your|the) privacy (?:policy|notice)
privacy: how (?:to|(?:do|can) (?:i|we)) (?:(?:delete|erase|remove|wipe|clear|see|get|download|export) {our_data}
    |opt (?:out|in)(?: of (?:this|it|(?:your |the )?memory))?|(?:turn|switch) (?:off {a_memory}|{a_memory} off)
    |(?:make|get|have) (?:you|u) (?:to )?forget (?:me|us|things|stuff|something))
privacy: (?:do|are|will) (?:you|u) (?:(?:sell|sharing|share|leak|spy|spying|record|recording|log|logging) ?)+
    (?:on )?(?:me|us|this|everything|all|{our_data})(?: here)?
privacy: who (?:all )?(?:can )?(?:sees?|reads?|(?:has|gets) access to|access(?:es)?) {our_data}
privacy: (?:is|are) {our_data} (?:private|confidential|encrypted|anonymous)
figures: (?:{tell_me}|what are|see) my (?:memory )?(?:stats|statistics|figures)|(?:my )?stats|how (?:much|many (?:things
    |facts|memories|messages)) (?:do|have) (?:you|u)(?: (?:actually|already|still))? (?:know|remember|keep|kept
    |store|stored|save|saved|have)(?: (?:about|of|on|from) me)?(?: (?:so far|by now|now|already))?
missed: {missed}
missed_since: {missed}(?P<x>,? .+)
happened: (?:(?:tell|show) me )?{happened}(?P<x>,? .+)
ask: what (?:data |info |information )?do (?:you|u|we)(?: (?:actually|already|still|really|even))? (?:know|remember
    |have saved|have|keep|store)(?: so far)? (?:about|of|on|from) (?P<x>.+?){ending}
ask: {what_kept} (?:about|of|on|from) (?P<x>.+?){ending}
who_am_i: {what_kept}{ending}
who_am_i: what do (?:you|u)(?: (?:actually|already|still))? remember{ending}
ask_guild: what do (?:you|u)(?: (?:actually|already|still))? know{ending}
ask: what (?:can (?:you|u) tell (?:me|us)|have (?:you|u) got|(?:you|u) got|have (?:you|u) learned|(?:you|u) (?:know
    |remember)|is known) (?:about|of|on) (?P<x>.+)
ask: (?:do (?:you|u) (?:know|remember|have) |got |is there )?(?:anything|something|any info) (?:about|of|on) (?P<x>.+)
who: do (?:you|u) (?:know|remember) who (?P<x>\S+(?: \S+)?) (?:is|am)
who_am_i: (?:{tell_me}|what are) (?:all )?(?:of )?my (?:facts|memories|notes|data|info)
who_am_i: who am i|(?:do (?:you|u) know|tell me) who i am
who: who(?: is|'s) (?P<x>.+)
tell: (?:tell|show|list)(?: me| us)? (?:everything |all |something )?(?:what )?(?:that )?(?:(?:you|u) (?:know
    |remember|have) )?(?:about|on) (?P<x>.+)
search: (?:when|where) (?:did|have) {who_talked}{often} {talked} (?:about|of) (?P<x>.+?)(?: last)?
search: (?:when|where) (?:did|have) {who_talked}{often} (?:discuss|discussed|mention|mentioned
    |bring up) (?P<x>.+?)(?: last)?
search: (?:did|have) {who_talked}{often} {talked} (?:about|of) (?P<x>.+)
search: (?:did|have) {who_talked}{often} (?:discuss|discussed|mention|mentioned) (?P<x>.+)
search: what (?:did|have) {all_of_us} {say} (?P<y>{when}) about (?P<x>.+)
search: what (?:did|have) {all_of_us} {say} about (?P<x>.+)
search: (?:did|have) {who_talked} {talked} (?P<y>{when}) (?:about|of) (?P<x>.+)
search: (?:find|show me|tell me|do you (?:know|remember)) (?:when|where) {who_talked}{often} (?:(?:talked|spoke
    |chatted) about|discussed|mentioned) (?P<x>.+)
search: (?:find|search for|show me) (?:the |all |any )?(?:messages?|msgs?) (?:about|with|on) (?P<x>.+)
search: search (?:for|the (?:chat|history|messages|log) for) (?P<x>.+)
help: help(?: me)?(?: out)?|(?:list )?(?:the |your |ur )?commands|(?:{i_am_new} )?{what_for}
"""

_DOUBTS: Final = r"""
forget everything about me: {drop} everything|forget (?:it all|all of it|all)|forget all (?:that )?you know
remember that *: (?:never(?: ever)?|(?:don't|dont|do not) ever) forget(?:,? that)?,? (?P<x>.+)
remember that *: (?P<x>(?!(?:you|u|you.re|ur|your|it|that|this)\b)[^?]{3,300}?)\s*(?:[,.;!]|\s-)\s*{pointing}
remember that *: (?:remember|note(?: down)?|save|store|record|log)(?: down)? this,? (?P<x>(?:i|i'm|im|i've|ive|my)
    \s\S+ \S.*)
remember that *: for (?:your |the )?(?:future reference|record)[,:]? (?P<x>(?:i|i'm|im|i've|ive|my) \S+.*)
remember that I'm *: (?:remember|note)(?: that)?,? (?P<x>{state_of_oneself})
remember:*: (?:remember|note(?: down)?|memori[sz]e|write down|jot down|(?:keep|bear) in mind)(?: for (?:me|us))?{pls},?
    (?: that(?! (?:\w+ ){0,2}{pointed_at}\b))? (?P<x>\S+ .+)
"""
"""What may be wanted: the words that would surely say so, and how it is said."""
_AFTER_WRITE: Final = r"""
take_back: (?:{no}|lol |forget (?:it|that),? )?(?:(?:(?:that|it)(?: was|'?s)|was) (?:just |only )?a joke
    |(?:(?:i was|i'm|im) )?(?:just |only )?(?:kidding|joking)|jk)
plausible: {maybe_no}{it_is} {x},? not {y}
plausible: {maybe_no}(?:i (?:meant|wanted) to (?:say|write|type)|{it_is} (?:spell?ed|spelt)) {x}
named: {maybe_no}not (?:about )?{me},? (?:about )?{x}
"""


GRAMMAR: Final = Grammar(
    _MEANINGS.by_name
    | {
        "tell": _tell,
        "who": _who,
        "forget_clause": _forget_clause,
        "forget_request": lambda said: Forget(said) if _starts_a_clause(said) else None,
        "remember_own": lambda said: _MEANINGS.remember(said) if _is_own(said) else None,
        "go_by": _go_by,
        "forget_where_i_live": fixed(ForgetKind("home", "me")),
        "forget_where_i_work": fixed(ForgetKind("work", "me")),
        "forget_my_birthday": fixed(ForgetKind("birthday", "me")),
        "remember_value": _set,
        "correct_value": lambda thing, value: _set(thing, value) if is_plausible(value) else None,
        "remind_to": lambda what: Remind(f"remember that I have to {what}"),
        "remind_about": lambda what: Remind(f"remember: {what}"),
        "remember_request": lambda said: _MEANINGS.remember(said) if _starts_a_clause(said) else None,
    },
    _PARTS,
    changes=_CHANGES,
    requests=_REQUESTS,
    asks=_ASKS,
    doubts=_DOUBTS,
    speech=_SPEECH,
    after_write=_AFTER_WRITE,
)
