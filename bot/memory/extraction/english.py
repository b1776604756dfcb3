"""How people tell something about themselves in English."""

import re
from typing import Final

from bot.memory.extraction.english_words import EVENT_NEVER, NO_DISLIKING, NO_LIKING, PARTS, WORDS
from bot.memory.extraction.shapes import Kind, Tongue, patterns, shape, small, told
from bot.memory.extraction.values import as_shaped, day_of_year, happenings, names, places, things

_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_PARTS: Final = {
    "iam": "(?:i'm|im|i am)",
    **PARTS,
    "month": f"(?:{'|'.join(_MONTHS)})[a-z]*",
    "day": r"(?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?",
    "date": r"(?:on )?(?:the )?(?:{day}(?: of)? {month}|{month} (?:the )?{day})(?:,? (?:19|20)\d\d)?",
    "pronouns": r"""(?:he|she|they|it|xe|ze|fae|any)
        (?:\s?/\s?(?:him|his|he|hers?|she|them|theirs?|they|its?|xem|xyr|zir|hir|faer|any))+""",
    "very": """(?:(?:really|also|still|absolutely|truly|always|definitely|personally|particularly|especially
    |genuinely
        |actually|mostly|do|honestly|deeply) )*""",
    "like": "(?:like|love|enjoy|adore|prefer)",
    "much": "(?:(?:really|even|particularly|actually|much|especially) )?",
    "fan": "(?:really )?(?:such )?an? (?:(?:big|huge|massive|great|lifelong|real|die-hard|true) )?fan of",
    "degree": """(?: (?:feeling|so|really|very|pretty|quite|a bit|a little bit|a little|super|extremely|rather|too
        |incredibly|still|just|always|absolutely|completely|also|all))*""",
    "surely": """(?: (?:definitely|actually|still|always|just|simply|easily|currently|by far|hands down
        |of course))*""",
    "ever": "(?: (?:ever|of all time|in the world|too|by far|so far))?",
    "favorite": "(?:(?:all[- ]time|absolute|personal) )*(?P<favorite>favou?rite|fav|fave)",
    "thing": r"""(?P<thing>(?!(?:things?|parts?|ones?|ways?|bits?|moments?|memor\w+|lines?|quotes?|person|people|is
    |are|was
        |places?|times?)\b)[\w-]+(?: (?:of )?(?!(?:is|are|was|were|to|in|at|on|about|when|from|that|has
        |have)\b)[\w-]+){0,4}?)""",
    "weekday": "(?:mon|tues|wednes|thurs|fri|satur|sun)day",
    "when": r"""yesterday|today|tonight|earlier|recently|this (?:morning|afternoon|evening|week|weekend)
        |(?:on|last|this past) {weekday}|last (?:night|week|weekend|tues|wed|thurs?|fri|sat|sun)
        |(?:a few|two|three|\d|a couple of?) (?:days|hours) ago|the other day|a week ago|over the weekend
        |just now""",
    "x": r"<@!?\d+>",
}  # fmt: skip
_PATTERNS: Final = r"""
name: my (?:(?:real|first|full|actual|given) )?name(?: is|'s|s|:) (?:actually |really |just )?(?P<value>.+)
    -> my name is {value}
name: (?:hi|hello|hey|hiya|greetings|good (?:morning|evening|afternoon|day))
    (?: (?:there|all|everyone|everybody|guys|folks|y'all
    |again))*,? {iam} (?P<value>{capital}.+) -> my name is {value}
alias: (?:(?:please|just|so|but|you can|you may) )*call me (?P<value>{capital}.*) -> call me {value}
alias: i (?:usually |mostly |just )?go by (?P<value>{capital}.*) -> I go by {value}
pronouns: (?:(?:my )?(?:preferred )?pronouns(?: are|'re|:)?|i (?:use|go by)) (?P<value>{pronouns})
    (?: pronouns)?(?: (?:btw|please|by the way|thanks))? -> my pronouns are {value}
lives_in: (?:i (?:currently |now |actually |still )?(?:live|reside)|{iam} (?:currently |now )?(?:living|based))
    \sin (?P<value>.+?)(?: with (?:my|a|an|some|two|three|our) .+)? -> I live in {value}
works_as: (?:i (?:currently |now )?work|{iam} (?:currently )?working|my job is(?: being)?|my job is to work)
    \sas (?P<a>an?) (?P<value>{jobs})(?: (?:at|for|in) .+)? -> I work as {a} {value}
works_as: {iam} (?:(?:actually|currently|also) )?(?P<a>an?)
    \s(?P<value>(?!(?:bad|terrible|good|great|mere|poor|horrible|former|retired|bit|born|wannabe|fake|big
    |future) ){jobs})
    (?: (?:by (?:trade|profession|day)|irl|(?:from|at|in|for) (?!.*\b(?:games?|dreams?|this|that|heart|training
    |love)\b).+))?
    -> I am {a} {value}
works_at: i (?:currently |now )?work (?P<where>at|for) (?P<value>(?:an? |{capital}).+) -> I work {where} {value}
studies: (?:i (?:currently )?(?:study|major in)|{iam} (?:currently )?(?:studying|majoring in)) (?P<value>{subjects})
    (?: (?:at|in) .+)? -> I study {value}
birthday: my (?:birthday|bday|b-day)(?: is|'s|:) (?P<value>{date}) -> my birthday is {value}
birthday: i was born (?P<value>{date}) -> I was born {value}
favorite: my {favorite} {thing}(?: of all time)?(?: is|'s
    |\s?:){surely} (?P<value>.+) -> my {favorite} {thing} is {value}
favorite: my {favorite} {thing}(?: of all time)? are{surely} (?P<value>.+) -> my {favorite} {thing} are {value}
favorite: (?P<value>.+?) is{surely} my {favorite} {thing}{ever} -> my {favorite} {thing} is {value}
favorite: (?P<value>.+?) are{surely} my {favorite} {thing}{ever} -> my {favorite} {thing} are {value}
likes: i (?P<verb>{very}{like}) (?P<value>.+) -> I {verb} {value}
dislikes: i (?P<verb>{very}(?:(?:don't|dont|do not|no longer) {much}(?:like|enjoy|love)
    |(?:just )?(?:hate|dislike|detest|despise|loathe)|(?:can't|cannot|cant
    |can not) stand)) (?P<value>.+) -> I {verb} {value}
likes: {iam} (?P<verb>{fan}) (?P<value>.+) -> I am {verb} {value}
dislikes: {iam} (?P<verb>not {fan}) (?P<value>.+) -> I am {verb} {value}
feeling: (?:{iam}|i (?:still |just )?feel)(?P<no>(?: not)?)(?P<degree>{degree}) (?P<value>{moods}(?: and {moods})?)
    (?:,? (?:(?:{now}|again|already|tbh|man|guys)|(?:from|after|about|because
    |since) .+))? -> I am{no}{degree} {value}
event: (?P<value>(?:(?:{when}),? )?i (?:(?:just|finally|recently|also) )?went (?:back )?(?:to (?!bed\b|sleep\b)
    |home\b
    |out |on an? |for an? |\w+ing\b).*) -> {value}
event: (?P<value>(?:(?:{when}),? )?i(?:'ve| have)? (?:just|finally|recently) (?:{done}|got (?!to\b
    |it\b)).*) -> {value}
"""
_TOLD: Final = r"""
name: {x}'s (?:(?:real|first|full|actual) )?name is (?P<value>.+)
alias: {x} (?:wants to be called|goes by) (?P<value>.+)
pronouns: {x}(?:'s pronouns are| uses| goes by) (?P<value>{pronouns})(?: pronouns)?
lives_in: {x} (?:lives|is living|is based) in (?P<value>.+)
works_as: {x} (?:works as|is) an? (?P<value>{jobs})
works_at: {x} works (?:at|for) (?P<value>.+)
studies: {x} (?:studies|is studying) (?P<value>{subjects})
birthday: {x}(?:'s birthday is| was born) (?P<value>{date})
favorite: {x}'s {favorite} {thing} (?:is|are) (?P<value>.+)
favorite: (?P<value>[^<>]+) (?:is|are) {x}'s {favorite} {thing}
likes: {x} (?:{very}(?:likes|loves|enjoys|adores|prefers)|{very}does {like}|is {fan}) (?P<value>.+)
dislikes: {x} {very}(?:(?:doesn't|does not|no longer) {much}(?:likes?|enjoys?|loves?)
    |(?:just )?(?:hates|dislikes|detests|despises|loathes)|(?:can't|cannot|can not) stand
    |is not {fan}) (?P<value>.+)
"""


def _keyed(kind: Kind, said: str) -> str:
    """Return a thing as keys have it: American spelling, no article, one of several; a birthday as month and
    day."""
    if kind is Kind.BIRTHDAY:
        return day_of_year(said, _MONTHS)
    if kind is Kind.PRONOUNS:
        return re.sub(r"\s*/\s*", "/", said)
    said = re.sub(r"^(?:an?|the|some|my|their|to) (?=\S)", "", said)
    said = re.sub(r"\b(col|flav|hum|neighb|harb|hon)our(?=s?\b)", r"\1or", said).replace("theatre", "theater")
    if (
        kind is Kind.FAVORITE
        and re.search(r"[^su]s$", said)
        and not re.search(r"(?:series|news|sports|is)$", said)
    ):
        return re.sub(r"(?<=bb)ies$", "ys", said)[:-1]
    return said


TONGUE: Final = Tongue(
    letters=small("[a-z]"),
    hint=small(
        r"""(?<![\w'])(?:my (?:\w+ ){0,2}?(?:names?\b|fav|pronouns|birthday|bday|b-day|job is|all[ -]time)
        |pronouns\b|call me |go by
        |i (?:\w+ ){0,2}?(?:like|love|enjoy|adore|prefer|hate|dislike|detest|despise|loathe|live|reside|work|study
        |major|feel
        |use (?:he|she|they|it|xe|ze|fae|any)|went|was born|go by)\b|i (?:\w+ )?(?:can't|cannot|cant|can not) stand
        |i (?:\w+ )?(?:don't|dont|do not) (?:\w+ )?(?:like|enjoy|love)|(?:i|i've|i have) (?:just|finally|recently)\b
        |(?:i'm|im|i am) (?:\w+ ){0,4}?(?:{moods}|fan of|living|based|working|studying|majoring|an? )
        |(?:hi|hello|hey|hiya|greetings|good \w+)\b[^\n]{0,30}? (?:i'?m|i am) )""",
        **_PARTS,
    ),
    play=small(
        r"""(?<![\w'])(?:lo+l+|lmf?ao+|rofl\w*|jk+|j/k|jks|(?:just |only |i'm |im )?(?:kidding|joking)|ha(?:ha)+h?
        |ha ha|he(?:he)+
        |hihi|b?wahaha\w*|teehee|xd+|sarcas\w+|iron(?:y|ic|ically)|as if|yeah,? right|not!|psych|sike|trolling
        |trolled
        |lulz?|kek+w?|april fools|rp|ooc|role-?play\w*|roleplaying|in my dreams|said (?:no one|nobody) ever
        |what could go wrong|oh,? (?:great|joy|yay|goody|sure|really|wow)|big surprise|parody|in character
        |my character
        |(?:la )+la|(?:na )+na|(?:ooh|yeah|oh|hey|baby)(?:,? (?:ooh|yeah|oh|hey|baby))+|i shall call|m'lady
        |in soviet russia
        |slim shady|in(?:i|í)go montoya|my name is (?:jonas|luka|prince|nobody|legion|bond|what)|big butts
        |rock '?n'? ?roll baby
        |put another dime|move it move it|i shot the sheriff|called to say i love|wrecking ball|call me (?:maybe
        |ishmael|al\b.*betty)
        |i(?:'m| am) (?:your father|groot|batman|the walrus|iron man|legend)|long walks? on the beach
        |smell of napalm
        |i live in a yellow|like it like that|and i cannot lie|i want it that way|love the way you lie
        |i went to the animal fair
        |i just shot a man|my precious)(?![\w'])"""
    ),
    takes_back=small(
        r"""(?:(?:lol|ok|okay|no|nah|wait|oh|sorry|haha\w*|i'm|im|i am|i was|was|only|just|and|but|all|totally),? )*
        (?:(?:jk+|j/k|jks|kidding|psych|sike|/s|/j|/jk|nvm|never ?mind|scratch that|ignore that|i lied|april fools
        |just messing)(?![\w'/])
        |(?:not|not really|sarcasm|joking|a joke|trolling|that was (?:a joke|sarcasm|a lie|not true))
        [ ,.!]*(?:lol|haha\w*|guys|everyone|obviously|of course)?\W*$)"""
    ),
    doubt=small(
        r"""(?<![\w'])(?:might|maybe|mebbe|perhaps|probably|possibly|prolly
        |(?<!\d )(?<!th )(?<!of )(?<!is )may(?! \d)|could|couldn't
        |would|wouldn't|(?:i|you|he|she|we|they)'d|if|whether|unless|think|thinks|thought|thinking|guess|suppose
        |supposed
        |supposedly|seem\w*|apparently|allegedly|wonder\w*|wish\w*|pretend\w*|imagin\w+|hypothetical\w*|assum\w+
        |dunno|unsure
        |(?:not|isn't|never) sure|doubt\w*|believe|planning|considering|used to|gonna|(?:'m|am|is|are|be
        |was) going to|want to
        |wanna|let's say|say|says|said|saying|tell|tells|told|telling|ask(?:s|ed|ing)?|wrote|writes|quot\w+
        |claim\w*|heard
        |goes like|(?:was|is|were|be|'m|am) like|sings?|dream\w*|nightmares?|joke|secretly|as a (?:kid|child)
        |back when|almost
        |nearly|kinda|sorta|(?:kind|sort) of (?:like|love|hate)|trying to|opposite|lyrics)(?![\w'])"""
    ),
    asks=shape(
        r"""(?:who|what|when|where|why|how|which|whose|do|does|did|am|is|are|was|were|can|could|would|will|should
        |shall|have|has
        |may|isn't|aren't|don't you|doesn't|didn't|wasn't|won't|can't (?:i|you|we))(?:'s|'re|'d)?\b"""
    ),
    greeting=shape(
        r"(?:hi|hello|hey|hiya|greetings|good (?:morning|evening|afternoon|day))(?: [\w']+){0,2}[,!] (?=i'?m |i am )"
    ),
    joints=shape(
        r"""\s*(?:[,;](?!\s*(?:19|20)\d\d\b)|[()\[\]])(?!\d)\s*|\s+[-–—]+\s+
        |\s+(?:and|but|so|then|plus)\s+(?=(?:i|i'm|im|i've|my|we|you|he|she|it|they|it's|he's|she's|that's|there
        |this|his|her
        |their|our|your|what|how|please|can|call|actually|mine)\b)
        |\s+(?=(?:and|but)\s+(?:(?:really|also|absolutely)\s+)?(?:hate|dislike|don't|dont|can't|cannot|live in
        |work as|study)\b)"""
    ),
    leads=shape(
        r"""(?:hi|hey|hello|hiya|yo|sup|guys|everyone|everybody|all|folks|there|well|oh|ok|okay|so|yeah|yes|yep|yup
        |no|nope|nah
        |and|but|also|btw|fyi|honestly|personally|tbh|ngl|imo|imho|hmm+|um+|uh+|anyways?|by the way|to be honest
        |not gonna lie|fun fact|good (?:morning|evening|afternoon|day)|in my opinion|as for me|actually|seriously
        |thanks|cool
        |nice|welcome|sorry|please|ah|aw+|wow|omg|for the record|just so you know|you know|bot|keepsake|man|dude|bro
        |edit|update|ps|same|me too|intro|about me|lastly|first of all|first|haha)(?![\w'])[\s,.!:;-]*
        |<@[!&]?\d+>[\s,:]*"""
    ),
    aside=shape(
        r"""(?:in|on|at|as|for|like|unlike|with|without|when|while|according|after|before|during|until|because
        |since|though
        |although|by|from|of|once|where|whenever|speaking|under|among|playing|being|even|except)\b|[^\s:]+:
        |\w+ \w+:"""
    ),
    hangs=shape(r"(?<![\w'])(?:when|whenever|while|until|once|where|that|who|which|as soon as)(?![\w'])"),
    turns=shape(
        r"""(?:and )?(?:not|which|who|that|when|unless|until|but not|except|only|depending|or|whose|where|right
        |huh|eh|no)\b"""
    ),
    joined=shape(
        r"""(?:and|but) (?=(?:(?:really|also|absolutely) )?
        (?:hate|dislike|don't|dont|can't|cannot|live in|work as|study)\b)"""
    ),
    pronoun="I ",
    lists=shape(r"(?:(?P<before>\S.*?) )?(?:and|or|&) (?P<last>\S.*)"),
    correction=shape(
        r"""(?:(?:no|oh|oops|sorry|wait|hmm|well|ah|edit|erm|uh|and|but|or|ok)[,.!]? )*
        (?:actually,?|no wait,?|wait,? no,?|i meant?|scratch that,?|correction:?,?|or rather,?|make that|sorry,?
        |(?=it'?s actually)
        |(?<=no, )(?=it)|(?<=no )(?=it))\s?
        (?:(?:it'?s|it is|that'?s|they'?re|i meant?|make that)(?: actually| rather| more like)? )?(?P<value>\S.*)"""
    ),
    remark=shape(
        r"""(?:nevermind|no|yes|true|same|right|wrong|fine|okay|ok|cool|great|good|nice|bad|sad|funny|late|early
        |sunny|hot|cold
        |cloudy|worse|better|done|both|nothing|everything|broken|weird|easy|hard|fun|awesome|terrible|horrible
        |possible
        |impossible|time|over|me|him|her|you|them|here|there|everyone|thanks|thank|sorry|wait|what|why|how|yeah|yep
        |nope|lol
        |important|enough|free|expensive|delicious|gross|beautiful|hilarious|today|tomorrow|tonight|yesterday
        |{weekday}|good
        |crazy|wild|perfect|cheap|quiet|loud|dark|safe|old|new|about|just|like|for|from|in|on|at|to|so|pretty|quite
        |really
        |too|very|more|less|guys|folks|all|lunch|dinner|breakfast|\w+ time|\w+(?:ing|ed|ly|able|ible))(?:\s.*)?""",
        **_PARTS,
    ),
    patterns=patterns(_PATTERNS, **_PARTS),
    told=told(_TOLD, **_PARTS),
    clean={
        Kind.NAME: names(WORDS),
        Kind.ALIAS: names(WORDS),
        Kind.PRONOUNS: as_shaped,
        Kind.LIVES_IN: places(WORDS),
        Kind.WORKS_AS: as_shaped,
        Kind.WORKS_AT: things(WORDS, most_words=5),
        Kind.STUDIES: as_shaped,
        Kind.BIRTHDAY: as_shaped,
        Kind.FAVORITE: things(WORDS, most_words=8, titles=True, refuses=shape(r"about\b|.*\bor\b")),
        Kind.LIKES: things(WORDS, most_words=6, splits=True, refuses=NO_LIKING),
        Kind.DISLIKES: things(WORDS, most_words=6, splits=True, refuses=NO_DISLIKING),
        Kind.FEELING: as_shaped,
        Kind.EVENT: happenings(when=shape(r"(?:^|\s+)(?:{when})(?=[\s,]|$)", **_PARTS), never=EVENT_NEVER),
    },
    keyed=_keyed,
)
