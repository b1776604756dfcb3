"""The English words that are understood, by what they mean: of the calendar, of times, and of sentences."""

from typing import Final

NUMBERS: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
VAGUE_NUMBERS: Final = {"couple of": 2, "a couple of": 2, "few": 3, "a few": 3}
UNITS: Final = {
    "minute": "m min mins minute minutes",
    "hour": "h hr hrs hour hours",
    "day": "d day days",
    "week": "w week weeks",
    "weekend": "weekend weekends",
    "month": "month months",
    "year": "year years",
}
MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
"""What each begins with."""
WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""What each begins with, Monday first."""
SEASONS: Final = {"winter": "winter", "spring": "spring", "summer": "summer", "autumn": "autumn|fall"}
NEAR_DAYS: Final = {
    "day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "tomorrow": 1,
    "tmrw": 1, "day after tomorrow": 2,
}  # fmt: skip
OPENINGS: Final = {"since": "since", "after": "after", "before": "until", "until": "until", "till": "until"}
"""What stands before a span that is open at one end, and which."""
RANGE: Final = ("between|from", "and|to|till|until")
"""What stands before the first and before the last part of a range."""

MONTH: Final = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
WEEKDAY: Final = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
IN_YEAR: Final = "(?:,? (?:of )?{year})?"
SPANS: Final = r"""
day: (?:on )?(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)? (?:of )?{month}{in_year}
day: (?:on )?{month} (?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)?(?!\d){in_year}
near: (?:the )?(?P<said>day before yesterday|yesterday|today)|(?P<night>last night)
ago: (?<!\d\s)(?:about |around )?(?:{count} )?{unit} ago
past: (?:(?:in|over|during|within|for) )?(?:the )?(?:last|past) {count} {unit}
past: (?:(?:in|over|during|within|for) )?the past (?P<unit>hour|day|week|month|year)
period: (?:(?:on|in|during) )?(?:(?P<gone>last|previous)|past|this) (?P<unit>weekend|week|month|year)
weekend: (?:on|over|at|at the|on the) weekend
weekday: (?:(?P<gone>last|past|previous)|on) {weekday}
month: (?:in|last|during|back in|this) {month}{in_year}
month: {month} {year}
season: (?:(?:in|during) (?:the )?)?(?P<gone>last|past|previous) {season}{in_year}
season: (?:in|during|this) (?:the )?{season}{in_year}
year: (?:in|during|back in) {year}
"""
NAMED: Final = r"""
month: {month}{in_year}
year: {year}
weekday: {weekday}
"""
"""What names a span only where something before it says that there is one."""
ORDINALS: Final = ("first one", "second two", "third three", "fourth four", "fifth five")
"""What counts places of a list."""
WHICH: Final = {"nex": "next", "las": "last"}
"""What a day is picked out by begins so; anything else says "this"."""
UNTIL: Final = "until"
HOLDS_NOW: Final = (
    r"\b(?:is|are|am|will|stays?|staying|going|leaves?|leaving)\b|['’](?:m|re|ll)\b|(?<=[\w>])['’]s\b"
)
"""What has to stand before a span at the end that says how long something is so from now on."""
IS_NO_LIMIT: Final = r"\b(?:has|have|had|been|was|were)\b|['’]ve\b"
"""What may not stand there."""

WORDS: Final = """
person_verbs: likes loves hates lives works has plays prefers studies speaks owns wants enjoys dislikes collects
    drinks eats drives teaches needs knows thinks says sings writes
the_bot: you yourself u urself
determiners: a an the my your his her its our their this that these those some any no every each of
function_words: i me you he she it we they us him them who what when where why how which there here and or but not if
    so as at by for from in into on to up with is are was were be been am do does did has have had can could will
    would shall should may might must everyone everybody someone somebody anyone nobody all both many most more much
    very just only also than then now never always often today tomorrow yesterday yes
never_a_first_name: server guild channel people person life work home nothing something anything one two three nobody
    none another other others let maybe perhaps please thanks sometimes usually normally actually apparently
belongings: birthday bday name nickname job wife husband cat dog phone email favourite favorite pronouns timezone mom
    dad mother father brother sister son daughter kids girlfriend boyfriend partner hobby address house car surname
beside_a_span: night morning evening ago later
articles: the a one
makes_a_length_a_time: ago later
beside_a_time: on next last this in the of at
after_a_spoken_time: is was will are were the a an at of
beside_a_date: on at in by the of next this last every around about after before from to until am pm o'clock morning
    afternoon evening night noon half past quarter
never_inside_a_value: i i'm im i'd i'll i've you you're u your yours he she they we it it's its he's she's they're
    we're is are was were am be been do does did don't doesn't didn't can can't could would should will won't have has
    had that that's what who how why when where because if whether think know like want me myself them him us
small_talk: nothing never anything something everything so no yes yeah yep nope ok okay thanks thank please fine good
    great bad sorry not really true false right wrong correct incorrect fun funny cool nice well better worse best
    worst complicated hard easy over too very pretty quite just also still maybe perhaps now later soon already enough
    more less all none sure done gone dead broken late early hot cold weird strange stupid dumb crazy lame bot alright
    impossible possible interesting boring amazing awesome awful terrible horrible perfect ridiculous obvious unfair
    fair lol lmao haha hi hello hey bye stop wait go come a an as like kind sort only even either neither about up
    down out off hilarious sad happy lovely ugly beautiful clear unclear normal hopeless useless fuck shit damn hell
yes: yes y yeah yep sure ok okay do it that's right go ahead confirm confirmed
all_of_them: all both everywhere
no: no n nope don't cancel stop
after_noon: pm
before_noon: am
"""
"""Sets of words, by what they mean; a language leaves out what it has no words for."""
PATTERNS: Final = r"""
calendar_word: (?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri
    |sat(?:ur)?|sun)(?:day)?s?|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may
    |june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|today|tomorrow|tonight|yesterday
    |noon|midnight|weekends?|christmas|easter
day_ending: st|nd|rd|th
value_ending: st|nd|rd|th|am|pm|h|k
own: i|i'(?:m|ve|d|ll)|im|my
the_bot_inside: you|your
on_a_day: on
which_day: next|last|this
day_said: (?:mon|tues|wednes|thurs|fri|satur|sun)day
near_day: (?:the )?(?:day after )?tomorrow|today|tonight|yesterday
month_said: (?:jan|febr)uary|march|april|may|june|july|august|(?:septem|octo|novem|decem)ber
before_a_value: on|at
at_a_time: at
stands_alone: tomorrow|today
link: is|are|was|were
about: about|around
the_last: (?:the )?(?:last|past)
ago: ago
half_of_a_day: am|pm|o'clock
today: today|this (?:morning|afternoon|evening)
yesterday: yesterday
since: since|from|after|in|over|during|for
while_away: while i was (?:away|gone|out|off|offline|asleep|sleeping|afk|at work|at school|on holiday)
in_here: (?:in |on )?(?:here|this channel|this thread)
everywhere: (?:on|in) (?:this|the|our) (?:server|guild)|anywhere|everywhere
in_a_channel: in|on|from
missed_since: (?:since|over|during|in|from)\s.+|today|yesterday|th.*|last.*
said_here: (?:(?:in|from|about|of|on) )?(?:this|the) (?:whole )?(?:channel|thread|chat|room)|(?:in|from )?here
said_since: (?:since|from|in|over|during|within|of)\s.+|today|yesterday|(?:the )?(?:last|past)\s.+
agreed: ok|okay|alright|will you|would you|can you|could you
please: please|pls|plz
please_first: please|pls|plz|kindly
thanks: (?:thanks|thank you|thx|ty|cheers)(?: (?:a lot|so much))?
opening: hey|hi|hello|ok|okay|oh|so|and|also|now|well|alright|then|just
may_ask: (?:can|could) (?:you|u)
orders: (?:would|will) you(?= please )|i(?:'d like| want| need| would like) you to
question_opening: hey|hi|so|and|but|ok|okay|well|please|now
question_start: (?:what(?! an?\b)|who|whom|whose|why|when|where|which|how|what's|who's|where's|when's|how's
    |whats)(?![\w'-])|(?:do|does|did|can|could|will|would|should|shall|have|has|had|are|were|am|may|don't|didn't|can't
    |aren't)\s+(?:you|u|i|we|he|she|they|it|this|that|there|these|those|my|your|our|his|her|their|the|anyone|anybody
    |someone|everyone|<@!?\d+>|@\w+)(?![\w-])|(?:is|was|isn't|wasn't)\s+(?:it|this|that|there|he|she|anyone|anybody
    |everyone|everything|my|your|<@|@\w)
asked_without_mark: who are (?:you|u)|what are you|how are (?:you|u)(?: doing)?(?: today)?|what's up|whats up
    |how's it going|what can (?:you|u) do|what do you do|are you there|what's your name|who made you
kind_birthday: birthday|bday|b-day|birth ?date|date of birth
kind_name: (?:real |first |full )?name
kind_alias: nick ?names?|alias(?:es)?
kind_pronouns: pronouns
kind_home: home ?town|home|address|city|town
kind_work: job|work|workplace|work place|profession|occupation|employer
kind_studies: studies|school|university|major
kind_favourites: favou?rites|favou?rite things
kind_likes: likes(?: and dislikes)?|dislikes
kind_tastes: preferences?|tastes?
kind_events: events?|plans?|appointments?
kind_feelings: feelings?|moods?|emotions?
kind_places: places?
memory_tastes: preferences?|likes|tastes
memory_events: events?|plans?|appointments?
memory_feelings: feelings?|moods?|emotions?
memory_places: places?
memory_facts: facts?
memory_others: other things?|rest
memory_profile: profile
recurring: every|each|weekly|monthly|always|usually|often|(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends
yearly: birthdays?|b-?day|anniversary|annual(?:ly)?|yearly|(?:every|each) year|born|holiday|christmas|halloween
    |new year|(?-i:[A-Z][a-z]+ Day)
naming: name|named|called|nickname|nicknamed
week_from: week(?:end)?\s+of
until_a_day: (?:until|till|['’]til|through)(?:\s+on|\s+the\s+end\s+of)?
not_yet: \bnot|n['’]t
for_a_time: for\s+(?:(?:about|around|the\s+next|another|at\s+least)\s+)*
capital: [A-Z]
number_first: (?:the|number)\s|no\.?\s?
"""
"""Patterns, by what they mean; each blank is a gap."""
