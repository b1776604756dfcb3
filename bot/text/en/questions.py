"""English questions: their forms, by which word they ask, and the words that mean the same in question and fact.

`bot/text/questions.py` reads them.
"""

from typing import Final

SPELT: Final = r"""
when is: whens|when's
where is: wheres|where's
who is: whos|who's
what is: whats|what's|wuts|wats|wut's|whts|wots
how is: hows|how's
when: wehn|whne|wen|hwen
where: wher|whre|whare
what: wut|wat|waht|wht|whta
like: liek
you: u
who: woh|hwo
your: ur
about: abt
anyone: any1|anybody
someone: some1|somebody
everyone: every1|everybody
favorite: favourite|fav|fave|favorit|favourit|favrite
birthday: bday|b-day|b day|birth day|birthdya|brithday|birtday|bithday
people: ppl
do you: d'you|dya|d'ya
what do you: whaddya|whatcha
is not: isn't|isnt
does not: doesn't|doesnt
do not: don't|dont
did not: didn't|didnt
cannot: can't|cant
"""
"""What stands for how words are typed; the words themselves are without case."""
PARTS: Final = r"""
be: (?:is|are|was|were|am|does|do|did|has|have|had)
of_all: (?: (?:here|else|all|in here|on here|of us|of you|among us|around here|on this server|in this server))*
any: (?:any(?:one|thing)|some(?:one)|everyone|people|who)
x: (?P<x>\S.*)
y: (?P<y>\S.*?)
kind: (?:(?:kinds?|types?|sorts?|brands?) of )?
"""
LEADS: Final = r"""
filler: (?:(?:so|and|ok|okay|hey|but|also|well|oh|btw|pls|please|um|hmm|yo|(?:(?:i have a )?(?:quick )?)?question
    |real quick|(?:i'm |im )?(?:just )?(?:curious|wondering)|(?:i (?:want|need) to|i wanna|let me) know)[,:]? )*
lead: (?:(?:(?:do|did|can|could|would|will|have) you|do not you|does anyone(?: here)?|do any of you)
    (?: happen to| still| also| even| ever| maybe| by chance)?(?: know| remember| recall| tell (?:me|us)| say
    | remind (?:me|us)| forget| forgotten| learn| save| note)|tell (?:me|us)|remind (?:me|us)|any (?:idea|clue)
    |i (?:forgot|forget|wonder|wanna know|want to know|need to know)|remember)(?: again)?(?: of| about)?,?
    (?= (?:wh|how |if |that )){gap}
wants_told: tell (?:me|us) (?:again )?(?=wh|how )
"""
"""What may stand before a question in the order of a statement: "do you know where Bob lives"."""
ASKS: Final = r"""
when*: (?:when|(?:on |at |from )?(?:what|which) (?:day|date|time)(?: of the (?:year|week|month))?) {be} {x}
where*: (?:where|in (?:what|which) (?:city|town|country|place|street)|(?:what|which) (?:city|town|country)) {be} {x}
how_old*: how old (?:is|are|was|am) {x}
how_old*: what(?: is|'s) the age of {x}
where*: where (?P<x>\S+ (?:lives|works|studies|(?:is|comes) from))(?: now)?
when*: when (?P<x>\S+ birthday)
how_old*: how old (?P<x>\S+) (?:is|am|are)
how_many*: how (?:many|much) {y} (?:does|do|did|has|have|is|are) {x}
how_many*: how much (?:does|do|did|is|are) {x}
how_many*: how tall (?:is|are|am) {x}
how_many: how (?:big|long|heavy) (?:is|are) {x}
who*: who(?:m)?{of_all} (?P<x>(?:is|are|was|has|have|had|can|will|does|do|did|got|\w+s|\w+ed|play|like|love|hate|speak
    |know|live|own|eat|drink|study) .*)
who: who(?:m)?{of_all} {x}
who: anyone{of_all} (?P<x>(?:from|plays?|speaks?|likes?|lives?|vegan|vegetarian|allergic)\b.*)
whose*: whose {x}
who*: (?:is|are|does|do|has|have|can|did|was) {any}{of_all} {x}
who*: (?:is|are) there {any}{of_all} (?:who |that |with )?{x}
work*: what (?:does|do|did) {x} do(?: (?:for (?:a )?(?:living|work|a job|money)|as a job|at work|professionally))?
what_when: (?:what|which)(?: is| was| are) {x} (?:time|date|day)
what*: (?:what|which)(?: else)? (?:does|do|did|has|have|is|are|am|was|were) {x}
what*: (?:what|which) {kind}{y} (?:does|do|did|has|have|is|are|am) {x}
what: (?:for what|about what|with what) (?:does|do|did|is|are|am) {x}
what*: (?:(?:tell|give|show|remind) (?:me|us)(?: again)?(?: of)?|do you(?: still)? (?:know
    |remember|have)|what about) (?P<x>(?:my|[\w@<>!]+'?s) \S.*)
whether*: (?:does|do) (?P<x>(?!(?:not|this|that|it|they|the|a|an|my|your|\w*thing|\w*things|like|you)\b)\S+(?: \S+)?
    \s(?:play|like|love|hate|have|live|work|know|speak|eat|drink|own|study|want|need|enjoy|drive)\b.*)
whether*: (?:is|am) (?P<x>(?!(?:not|this|that|it|the|a|an|my|your|so|too|also|still|now|just|always|never|already)\b)\S+
    \s(?:an? )?(?:vegan|vegetarian|married|single|engaged|divorced|left.?handed|deaf|colou?r.?blind|allergic to .+))
whether: (?:{be}|can) (?P<x>\S+ \S.*)
"""
"""The forms; what has a star is one without its mark too."""
EMBEDDED: Final = r"""
when: (?:when|what (?:day|date|time)) {x}?(?: (?:is|are|was|were))?
where: where {x}?(?: (?:is|are))?
how_old: how old {x} (?:is|are|am|was)
how_many: how (?:many|much) {x}
whose: whose {x}
who: who{of_all} {x}
what: (?:what|which) {x}?(?: (?:is|are|was))?
whether: (?:that|if|whether) {x}
"""
"""The same behind what may stand before them."""
BARE: Final = r"""
what: (?P<x>(?:my|<@!?\d+>'?s|\w+'s) \S.*|\w{2,}s (?:age|birthday|job|pronouns|time ?zone|name|favorite \S+))
"""
"""What is a question by its mark alone: "my birthday?"."""
WHOLE: Final = r"""
remembered: (?:do|did|can) you(?: still| even)? (?:know|remember|recogni[sz]e) (?P<x>(?!wh|how|that|if|my|the|our)(?:\S+
    |(?-i:[A-Z]\S+ [A-Z]\S+)))
    |what (?:(?:do|did|can) )?you (?:know|remember|have|recall)(?: (?:about|of|on))? (?P<y>me|us|myself)
    |what (?:did|have) (?:i|(?P<v>we)) (?:ask|asked|tell|told|have|had) you (?:to )?(?:remember|keep|save|note)
    |(?:list|show|give|tell)(?: me| us)? (?:everything|all|anything|what)(?: that)? you (?:know|remember|have
    |have stored|stored|have saved|saved) (?:about|of|on) (?P<z>.+)|who am i(?: to you)?|remember (?P<w>me)
    |(?:list|show|give|tell)(?: me)? (?:all )?(?:of )?my (?:facts|memories|notes|stored facts)
said: (?:what|when) (?:did|has|have) (?P<x>(?!you )\S+(?: \S+)?) (?:say|said|tell you|told you|mention|mentioned|write
    |written|wrote|post|posted)(?: (?:here|again|to you|to us|to me))?(?: about| regarding)? (?P<y>.+)
no_question: (?:(?:are|do|did|can|could|will|would|have|should|is|was|were|does|has|am)(?: not)? )?(?:you|your|yours
    |yourself|it|its|this|that|these|those|there|up|new|he|she|him|her|his|they|them|their|going on|wrong|good|next
    |happening|the (?:matter|point|weather|time|date|difference|news|plan|deal|hell|fuck)|what|why|who|how|when|where
    |which|to)(?:'\w+)?(?![\w'-]).*|.*(?<![\w'-])(?:you|u|this|that|it|them|him|her)
"""
"""What asks for all that is known about somebody, and what may follow the word that asks without asking for facts."""
CONCEPTS: Final = r"""
birthday: birthdays?|birth days?|born|date of birth|birthdate|dob
age: ages?|years? old|year-old|turn(?:s|ed|ing)? \d+
home: liv(?:e|es|ed|ing)(?: in| at)?|resid\w+|address|based|hometown|home town|lives|moved to
work: works?(?! out)|working(?! out)|worked(?! out)|jobs?|careers?|profession|occupation|employ\w+|for a living|boss of
study: stud(?:y|ies|ied|ying)|major(?:s|ed|ing)? in|degree|uni|university|college
from: from
origin: (?:is|am|are|was|were|comes?|came|hails?|originally|i'm|im|he's|she's)(?: originally)? from|grew up in|native of
name: names?|named|called|goes by
pronouns: pronouns?
dislike: (?:dislikes?|disliked|hates?|hated|hating)(?! (?:it )?(?:when|if|that|how|being))
    |can'?t stand|cannot stand|detests?|despises?|loath\w+|(?:does not
    |doesn't|do not|don't|did not|didn't|not) (?:really |much )?(?:like|enjoy|love|eat|drink|care for)s?
like: likes?|liked|loves?|loved|enjoys?|enjoyed|adores?|adored|fond of|fans? of|prefers?|obsessed with|crazy about
    |into|big on|keen on
favourite: fav(?:ou?rites?|es?|s)?
allergy: al+erg\w+|intoleran\w+
speak: speaks?|speaking|spoke|fluent|languages?|native speaker
play: plays?|playing|played|players?
have: has|have|having|got|owns?|owned|keeps?|bought|adopted
relationship: married|single|divorced|engaged|widowed|dating|relationship|wife|husband|girlfriend|boyfriend|partner
    |spouse|fianc[eé]e?
diet: diets?|vegan|vegetarian|pescatarian
pet: pets?|animals?
food: foods?|dish(?:es)?|meals?|eats?|eating|cuisine
drink: drinks?|drinking|beverages?
movie: movies?|films?
music: music|singers?
instrument: instruments?
game: games?|gaming
sport: sports?
book: books?|novels?|reads?|reading
hobby: hobb(?:y|ies)|interests?|free time|spare time|for fun
colour: colou?rs?
phone: phones?|phone number|mobile|cell
vehicle: cars?|vehicles?|drives?|driving
timezone: timezones?|time zones?
"""
"""Patterns of words that mean the same."""
NOISE: Final = """
a an the my your our me i we us bot please really actually again currently now nowadays exactly some any also all most
much usually ever still already ones one stuff things thing kind kinds type sort of to for in on at by with and or that
be is are was were am do does did will would should can this these those there time date day number here right today
so very just get gets s else know knows best called anything something anyone someone everyone people own go goes
start starts begin begins happen happens
"""
RELATIONS: Final = """
mother mom mum father dad parent parents brother brothers sister sisters sibling siblings son sons daughter daughters
child children kid kids baby wife husband spouse partner girlfriend boyfriend ex fiance fiancee aunt uncle cousin
cousins niece nephew grandma grandpa grandmother grandfather granny friend friends bestie boss colleague coworker
manager roommate flatmate neighbour neighbor neighbors neighbours teacher landlord dog dogs cat cats kitten puppy
hamster rabbit parrot bird fish turtle horse snake pet pets car company band team crew
"""
"""Whose things are not those of whoever has them: "Bob's sister lives in York"."""
BEFORE_NAMES: Final = "of about"
WHO_IS: Final = "is was are"
ASKER: Final = "i me my mine myself i'm im"
TIMES: Final = (
    r"\d|noon|midnight|every|daily|weekly|monthly|o'clock|soon|after|before|spring|summer|autumn|winter"
)
PLACES: Final = (
    r"\b(?:in|at|on|near|from|to|for|by|around|behind|under|inside|outside|upstairs|downstairs|abroad"
    r"|next to|home)\b"
)
NEXT: Final = (
    r"birthday(?: (?:is|comes))?(?: (?:up|coming))?(?: up)? ?(?:next|soonest|soon|first|closest)"
    r"|next birthday"
)
