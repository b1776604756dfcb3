"""The English words that are understood, by what they mean: of the calendar, of times, and of sentences."""

from typing import Final

LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz")
"""Small, as all words of the tables are."""
STEMMER: Final = "english"
"""What the Snowball stemmer of the language is called."""
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
MONTH_WORDS: Final = (
    "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
    "september sep sept", "october oct", "november nov", "december dec",
)  # fmt: skip
"""By what words a question names each."""
WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""What each begins with, Monday first."""
FIRST_NAMES: Final = """
adam adrian alan albert alex alexander alexandra alfred alice alicia allison amanda amelia amy andrea andrew andy
angela
anna annie anne anthony anton arthur barbara ben benjamin beth bella bill billy bob bobby brandon brenda brian bruce
carl carla carlos carol caroline catherine charles charlie charlotte chloe chris christian christina christine
christopher claire clara
craig cynthia daisy dan daniel danny dave david dean deborah dennis derek diana diane donald donna doug dylan ed eddie
edward elena eli elijah elizabeth ella ellen emily emma eric erik erin ethan eva evelyn fiona francis frank fred
gabriel
gary george gerald gina greg gregory hannah harold harry heather helen henry howard hugo ian irene isaac isabel
isabella
ivan jacob jake james jamie jane janet jason jeff jeffrey jennifer jenny jeremy jerry jesse jessica jill jim jimmy
joan
joe joel john johnny jon jonathan jordan jose joseph josh joshua juan judith judy julia julian julie justin karen karl
kate katherine kathleen kathy katie keith kelly ken kenneth kevin kim kyle larry laura lauren leah leo leon leonard
lisa
linda liam logan lori louis louise lucas lucy luis luke lydia madison maggie manuel marcus margaret maria marie
marilyn
mario marta martha martin mary matt matthew max megan melanie melissa michael michelle miguel mike molly monica nancy
naomi natalie nathan neil nicholas nick nicole nina noah nora olivia oliver oscar pam pamela patricia patrick paul
paula
pedro peter phil philip phoebe rachel ralph raymond rebecca richard rick robert robin roger ronald ross roy russell
ruth
ryan sally sam samantha samuel sandra sara sarah scott sean sebastian sergey sergei sharon shirley simon sofia sophia
sophie stacy stephanie
stephen steve steven stuart sue susan tammy ted teresa terry theresa thomas tim timothy tina todd tom tommy tony tracy
tyler valerie vanessa victor victoria vincent walter wendy william xavier yvonne zach zachary zoe
"""
"""First names that are hardly ever another word."""
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
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?)"
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
question_words: what who whom whose which how why what's who's how's whats hows
person_verbs: likes loves hates lives works has plays prefers studies speaks owns wants enjoys dislikes collects
    drinks eats drives teaches needs knows thinks says sings writes
verbs_of_statements: is are was were has have had am does did doesn't didn't isn't will can
the_bot: you yourself u urself
determiners: a an the my your his her its our their this that these those some any no every each of
function_words: i me you he she it we they us him them who what when where why how which there here and or but not if
    so as at by for from in into on to up with is are was were be been am do does did has have had can could will
    would shall should may might must everyone everybody someone somebody anyone nobody all both many most more much
    very just only also than then now never always often today tomorrow yesterday yes
never_a_first_name: server guild channel people person life work home nothing something anything one two three nobody
    none another other others let maybe perhaps please thanks sometimes usually normally actually apparently
after_a_spoken_time: is was will are were the a an at of
beside_a_date: on at in by the of next this last every around about after before from to until am pm o'clock morning
    afternoon evening night noon half past quarter
never_inside_a_value: i i'm im i'd i'll i've you you're u your yours he she they we it it's its he's she's they're
    we're is are was were am be been do does did don't doesn't didn't can can't could would should will won't have has
    had that that's what who how why when where because if whether think know like want me myself them him us
    mine ours theirs not im ive hes shes theyre dont doesnt didnt cant wont isnt thats
only_closes: ok okay kk lol lmao haha thx thanks ty sorry
pointing: that that's thats this it it's its there here what who why how
before_a_word_told: say says said saying give gives of to with about for by at from as than my his her their our your
    many no not the a an and or is are am 'm im was were 's 're be being been all everyone everybody everything feel
    feels felt doing went goes looks sounds very really pretty kinda just only called named call_me calls_me nicknamed
    like likes love loves hate hates met dating forget remember that
before_an_emoji_told: emoji want wants need needs have has had got eat eats drink drinks enjoy enjoys prefer prefers
    adore adores in on two three four have_2 have_3 have_4 has_2 has_3 has_4
small_talk: problem problems worries way biggie nothing never anything something everything so no yes yeah yep nope ok
    okay thanks thank please fine good great bad sorry not really true false right wrong correct incorrect fun funny
    cool nice well better worse best worst complicated hard easy over too very pretty quite just also still maybe
    perhaps now later soon already enough more less all none sure done gone dead broken late early hot cold weird
    strange stupid dumb crazy lame bot alright impossible possible interesting boring amazing awesome awful terrible
    horrible perfect ridiculous obvious unfair fair lol lmao haha hi hello hey bye stop wait go come a an as like kind
    sort only even either neither about up down out off hilarious sad happy lovely ugly beautiful clear unclear normal
    hopeless useless chill fuck shit damn hell rush doubt idea need offense offence stress joke clue chance comment
    pressure sweat wonder hurry matter bro bruh dude mate fam channel chat server thread person useful helpful insane
    based same probably hopefully definitely certainly obviously clearly tho though nevermind nvm idk idc whatever
    forget drop leave ignore skip
yes: yes yess yesss y ye yea yeah yep yup ya aye sure ok okay kk do it that's right go ahead confirm confirmed ofc
    correct absolutely definitely
beside_a_yes: i i'm im am want that this thats for please pls plz thing thanks thx ty lol bot keepsake
all_of_them: all both everywhere
no: no n nope nah noo nooo not don't dont cancel stop nvm
head_words: hey hi hello yo ok okay oh so and also now well just please pls plz kindly can could would will do you i
    want need like to mind don't not then but bot stop quit
orders_typed: remember remembering forget memorize memorise delete erase remind
asks_typed: what know remember about everything anything tell who
never_slips: memory memories memorial memorized memorised forgot forgets forge forged forges forger forgotten member
    members remembers remembered remembering december november decembers deleted deletes elected delegate erased eraser
    erases reminds remand rewind remained kind knew known knows show that than then them they there wheat whom whose
    tall tells telling sell bell fell well will till abort above
none_of_them: none neither nothing nobody nevermind never mind forget cancelled
the_offered: them these those that it this one ones
beside_a_choice: of the please thanks thank you i mean meant actually sorry bot keepsake is was just
beside_a_no: do want wait now yet im i'm good that
last_of_them: last
after_noon: pm
before_noon: am
capitalised_but_no_name: american australian austrian belgian brazilian british bulgarian canadian chinese croatian
    czech danish dutch egyptian english estonian finnish french georgian german greek hungarian indian iranian irish
    israeli italian japanese korean latvian lithuanian mexican norwegian polish portuguese romanian russian scottish
    serbian slovak spanish swedish swiss turkish ukrainian vietnamese welsh catholic christian muslim jewish buddhist
    hindu atheist vegan vegetarian monday tuesday wednesday thursday friday saturday sunday
said_of_many_things: like love enjoy adore hate dislike prefer play speak know want read watch collect study visit own
    eat drink listen met meet bought went learn
small_numbers: two three four five six seven eight nine ten eleven twelve no
stop_words: a an the and or but so of in on at to for with by as is are was were be been being am do does did has have
    had having will would can could should i me my mine myself you your he him his she her they them their theirs
    themselves themself we us our who s m re ve ll d
beside_a_negation: anymore any more longer after all now again actually
negations: not no never none nobody nothing nowhere neither nor cannot dont doesnt didnt isnt arent wasnt werent cant
    couldnt wont wouldnt hasnt havent hadnt shouldnt aint
abbreviations: st mr ms mrs dr mt ft jr vs e.g i.e
inside_a_name: de da del della di du la le van von der den bin ibn al el st y ter ten
joins_a_clause: that
and: and &
who: who whose
beside_a_place: the of and city area town
either_of_two: he they
goes_on_after_a_name: is isn't isn’t was wasn't wasn’t has hasn't hasn’t had can can't can’t cannot could will won't
    won’t would does doesn't doesn’t did didn't didn’t goes got keeps never always usually often also still really
    used
stops: off stop 0
switched_on: on yes
switched_off: off no
chatter: lol lmao rofl haha hahaha heh hehe hey hi hello hiya yo sup morning evening night bye cya ok okay okey k kk
    yeah yep yes yup nah nope no nice cool great good awesome amazing wow omg wtf damn thanks thank thx ty tysm please
    pls sorry np welcome sure right exactly true indeed hmm hm uh um oh ah well anyway btw gg brb afk fine lovely
    sweet agreed same really totally absolutely bro dude man guys guy folks everyone everybody friend buddy going
    doing today
light: see seen saw think thinks thought thoughts know knew hear heard feel feeling feels felt want wants wanted need
    needs like likes love loves loved hate hates let's lets let go goes going gone come comes came get gets got give
    take make makes made do does did done help helps try tell say ask asks use work works thing things stuff lot lots
    bit kind sort time times day days week today tomorrow yesterday tonight now later soon again still ever never
    always often much many more most less little big small old new long short best better bad worst happy sad bored
    tired hungry funny fun joke jokes story weather life people person someone somebody something anything nothing
    everything one two first last next same different way idea question questions answer answers reason point mind
    matter problem sense luck beautiful interesting possible ready back here there home name names mean means start
    stop wait call talk chat play write read look looks looking find found keep put leave believe guess hope wish care
    understand remember forget agree disagree bot human model language program code poem song list explain translate
    sing draw
frame: tell remind remember recall know find search show look say said says saying speak spoke talk talked talking
    mention mentioned discuss discussed chat chatted write wrote written message messages told ask asked last first
    time ever about did when who what where which how why
not_only_taste: hungry starving diet allergic allergy gluten lactose drinks drinking bar pub beer wine whisky vodka
    rum gin cocktail alcohol poker raid visa passport abroad fat
besides_topics: black white green red blue yellow purple pink orange dark light hot cold iced warm sweet sour salty
    fresh old new big small long short distance indoor outdoor classical electronic indie retro board video card
    strategy italian french thai japanese korean chinese indian mexican spanish greek turkish russian english german
    american morning evening winter summer spring autumn snow rain sun sea lake forest mountain city flower garden
    tree star painting drawing knitting sewing photography gardening puzzle chess lego walk dance dancing theatre
    theater museum science history mathematics physics language
favourites: color colour season month weekday day number animal bird city country team club brand flower holiday
    letter word emoji character genre artist programming place
beside_a_job: software web senior junior lead data school primary high secondary private head pastry truck bus taxi
    train freelance backend frontend full stack game graphic music english maths math science history sound light
    video
says_nothing: record records entry entries note notes memory memories fact facts thing things stuff info information
    detail details data item items bit part anything everything something really actually truly very much lot lots
    quite totally absolutely huge big also just still now anymore about all whole entire any more saved stored
    remembered remember saying said told where when who what how
joins_a_place: the of and city de la am upon
small_in_a_place: the of and on upon by in under de la le del da do
places_in_capitals: uk us usa uae nyc la sf dc nz
before_a_place_name: san santa santo sao los las el st saint port fort mount lake north south east west great upper
    lower royal palm puerto costa villa bad
behind_a_place_name: beach springs falls bay island islands valley heights city lake creek hills grove ridge spa
known_places: england scotland wales uk usa us uae nyc sf dc nz britain alabama alaska arizona arkansas california
    colorado connecticut delaware florida idaho illinois indiana iowa kansas kentucky louisiana maine maryland
    massachusetts michigan minnesota mississippi missouri montana nebraska nevada ohio oklahoma oregon pennsylvania
    tennessee texas utah vermont virginia washington wisconsin wyoming north_carolina south_carolina north_dakota
    south_dakota west_virginia rhode_island new_york new_jersey new_mexico new_hampshire new_orleans new_delhi
    new_haven new_england new_plymouth new_westminster ontario quebec alberta manitoba nova_scotia british_columbia
    queensland victoria tasmania bavaria catalonia tuscany sicily andalusia normandy brittany provence flanders
    kerala punjab bengal rajasthan seattle boston philadelphia pittsburgh baltimore nashville memphis austin dallas
    houston atlanta miami orlando tampa minneapolis milwaukee cleveland cincinnati columbus portland sacramento
    oakland san_francisco san_diego san_jose santa_cruz las_vegas vegas salt_lake_city new_bedford saint_louis st_louis
    leeds hastings naples nantes rennes reims cannes tours angers brussels bruges ghent arles nimes grenoble
    poitiers st_andrews st_albans st_ives dumfries barnes wells widnes staines lewes crewe cowes athens thebes delphi
    patras buenos_aires tirana kuala_lumpur hong_kong tel_aviv rio_de_janeiro cape_town the_hague the_bronx brooklyn
    queens manhattan harlem reading worthing woking dorking kettering epping barking beijing nanjing chongqing
    kunming shenyang geelong cumbernauld den_haag den_bosch la_paz la_rochelle le_havre abu_dhabi novi_sad milton_keynes
    bay_area east_bay silicon_valley middle_east turkey
known_but_no_place: world central eastern pacific mountain general universal zulu troll center palmer casey davis
    south north west east egypt_time
"""
"""Sets of words, by what they mean; a language leaves out what it has no words for."""
PATTERNS: Final = r"""
without_partner: single|divorced|widow\w*|separated|broke up|not
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
past_or_present: (?<!to )(?<!a )(?<!the )(?<!my )(?<!his )(?<!her )(?<!their )(?:beat|bet|cast|cost|cut|fit|hit|hurt|put
    |quit|read|set|shut|split|spread)
reports: (?:said|promised|announced|mentioned|agreed|decided|planned|offered
    |(?:told|promised) (?:me|us|him|her|them|you|everyone|everybody|<@\d+>))
    (?= (?:(?:that|to|i|we|you|he|she|it|they|there|my|our|his|her|their)\b|<@\d+>))
day_said: (?:mon|tues|wednes|thurs|fri|satur|sun)day
near_day: (?:the )?(?:day after )?tomorrow|today|tonight|yesterday
month_said: (?:jan|febr)uary|march|april|may|june|july|august|(?:septem|octo|novem|decem)ber
third_pronoun: he|she|they
place_of_work: (?:works?|worked|working|shifts?|job|hired|(?:starts?|started|begins?|began)(?: work)?)
    (?: (?:at|in|for|by) (?:an?|the|his|her|their) )(?:new )?(?:clinic|hospital|hospice|church|pharmacy|prison|court)
subject_pronoun: i|i'(?:m|ve|d|ll)|he|she|they|we
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
agreed: ok|okay|alright|will you|would you|can you|could you|got it|understood
agreed_at_once: ok|okay|alright
please: pleas+e+|k thx|kthx|thx|tysm|pl[sz]+|pretty please
please_first: pleas+e+|pl[sz]+|kindly|pretty please
closing: (?:(?:please|pls|plz) (?:and|n) )?(?:thanks|thank (?:you|u)|thx|ty(?:sm|vm)?|cheers)(?: (?:a lot|so much|bro
    |dude|man|mate|bud|buddy|pal))?|k ?thx(?: ?bye)?|k ?bye|bye|ok(?:ay)?|kk|lo+l|lmf?ao+|(?:ha){2,}h?|xd|sorry|btw
    |(?:it'?s|this is) (?:very |really )?important
opening: (?:hey|hi|hello|yo)(?: (?:everyone|everybody|all|guys|folks|y'?all|there|again)){0,2}|ok|okay|oh|um+|uh+|hm+|so
    |and|also|now|well|alright|then|just|btw|anyways?|nvm|(?:bro|bruh|dude|man|mate
    |buddy)(?=,?\s+(?:please |pls )?(?:remember|forget|don't forget|dont forget|what|when)\b)|(?:actually
    |wait)(?=,? (?:please |pls )?(?:remember|forget|erase|delete|don'?t forget)\b)|good (?:morning|evening|afternoon)
    |(?:yeah|yep|yes|sure|cool)(?=,?\s+(?:please |pls )?(?:remember|forget|don't forget|dont forget|keep in mind)\b)
joins_commands: (?:and|then|also|but|&)(?:,? (?:then|also|please|pls|btw))*
begins_a_command: (?:remember|forget|don't forget|(?:don't|dont) (?:remember|save)|delete|erase|remind me|tell me
    |(?:what|who|when|where)(?:'?s)?)\b
heads_a_list: (?:remember|note(?: down)?|save|store|keep in mind)(?: (?:these|the following|all of this|this
    |some) ?(?:things?|facts?|stuff)?)?(?: (?:about|for) me)?
says_that: (?:remember|forget|note|know|mind|memory|erase|delete|down),? that\b
opens_a_statement: that
never_before_a_call: the|an?|have|has|got|wants?|needs?|my|your|his|her|our|their|this|that|these|those|no|any|some
    |of|to|as|with|at|in|on|for|from|like|about|and|or|not|is|are|was|be|play|plays|playing|main|mains|go|goes|top|mid|jungle|good|bad|stupid
    |dumb|best|new|old|real|discord|music|going|gank|ganking|roam|roaming|ward|push|pushing|playing|queue|queued|carry
    |carried|fed|camp|camped
order_first: (?:please |pls |plz )?(?:(?:can|could|would) (?:you|u) (?:please |pls |plz )?)?(?:remember|memori[sz]e
    |forget|erase|delete|don't forget|do not forget|dont forget)
about_remembering: remember(?:ing)?|memori[sz]e|(?:your|the) memory|write (?:it|that|this) down|remind me
about_forgetting: forget(?:ting)?|unremember|erase|delete|wipe
denies_first: (?:no+|nope|nah|actually|correction|update|(?:that'?s|you'?re) wrong|wrong)(?=[\s,.:!])
excepts: (?:everything|all|anything|whatever)\b.*(?:\b(?:but|except(?:ing)?|excluding|besides|other than|apart from
    |aside from|save for|minus)|,\s*not)\b.*|nothing (?:but|except|about|of)\b.*|not (?:my\b|me\b|the\b|about\b|<@).*
order_last: (?:forget|remember) (?:it|that|this)
erases: (?:please )?(?:erase|wipe|delete)
hails: he+y+(?: there)?|hi+(?: there)?|hiya|ayy*|ayo+|oi|sup|hello+(?: there)?|hallo|gm|good (?:morning|evening
    |afternoon|day|night)|thank(?:s|(?: you| u))(?: a lot| so much)?|thx|tys?m?|bye
no_order_first: (?:forget|remember)(?: (?:about )?(?:it|that|this|me|you|us|him|her|them))?|(?:remember
    |forget) (?:when|how|what|who|why|where|to be|the|those|last)\b.*
farewell: (?:see|c) (?:you|ya|u)(?: (?:all|later|soon|then|there|around|tomorrow))*|(?:good)?bye(?: .{0,20})?|cya
    |cheers|later|laters|take care|that's (?:all|it)(?: .{0,20})?|got it|ok(?:ay)?|thanks?(?: you)?(?: .{0,20})?
    |thx(?: .{0,20})?|ty|good night|gn
nothing_but_laughter: (?:(?:a*(?:ha){2,}h?|lo+l|lmao|rofl|xd|:d|jk|just kidding
    |(?:i'm |i am |im )?(?:just )?(?:joking|kidding)|/s)[\s.,!?)]*)+
puts_right_surely: (?<!has )(?<!have )(?<!had )(?<!is )(?<!was )(?<!got )(?<!with )no,? wait|wait,? no|no,? i mean
    |scratch that|or rather|make that|no,? sorry|sorry,? no|oops,? i mean
puts_right_a_date: actually|no|sorry|wait|i mean|oops
revokes: (?:(?:no+|nah|oh|wait|actually|sorry|hm+|but|lol|ok)[\s,.!]+)*(?:no+|wait|nvm|never ?mind
    |(?:pls |please )?don'?t|do not|cancel(?: that| it)?|not yet|i changed my mind)
just_kidding: jk|just kidding|(?:i'm |i am |im )?(?:just |only )(?:joking|kidding)|not really|/s|/j
may_ask: (?:can|could) (?:you|u)(?: just| maybe| perhaps| like)?|(?:would|do) (?:you|u) mind
orders: (?:you|u) (?:can(?= (?:forget|call me)\b)|should|must|need to|have to|gotta)|(?:would|will) you(?= please )
    |i(?: just)?(?:'?d like| want| need| would like) (?:you|u) to|(?:try to|(?:make|be) sure (?:to|you
    |u))(?= (?:remember|note|keep in mind)\b)|i(?:'?d like| would like| want| wish) that (?:you|u)
question_opening: hey|hi|so|and|but|ok|okay|well|please|now
question_start: (?:what(?! an?\b)|who|whom|whose|why|when|where|which|how|what's|who's|where's|when's|how's
    |whats)(?![\w'-])|(?:do|does|did|can|could|will|would|should|shall|have|has|had|are|were|am|may|don't|didn't|can't
    |aren't)\s+(?:you|u|i|we|he|she|they|it|this|that|there|these|those|my|your|our|his|her|their|the|anyone|anybody
    |someone|everyone|<@!?\d+>|@\w+)(?![\w-])|(?:you|u)\s|(?:is|was|isn't|wasn't)\s+(?:it|this|that|there|he|she|anyone
    |anybody|everyone|everything|my|your|<@|@\w)
who_is_the_bot: (?:who|what) (?:are|r) (?:you|u)|what'?s your name|what is your name
asked_without_mark: wh(?:o|at) (?:are|r) (?:you|u)|how (?:are|r) (?:you|u)(?: doing)?(?: today)?|what'?s up
    |wyd|what(?:cha| (?:are|r) (?:you|u)) doing|(?:you|u) (?:there|here|ok|okay|good|alive|awake|around)
    |how's it going|what can (?:you|u) do|what do you do|are you there|what's your name|who made you
    |(?:are|r) (?:you|u) (?:an? |the |really |even |still |just )*(?:ai|bot|robot|machine|program|human|person|real
        |alive|awake|online|working|broken|listening|sentient|chatgpt|gpt|gemini|ok|okay)\b[^.!?]{0,40}
    |what(?:'s| is|s| does| do)? (?:this|the) (?:thing|bot)(?: even)?(?: do| for)?
    |how (?:do|can) i (?:use|stop|mute|turn|switch|disable|remove|get rid of) (?:you|u|it|this)\b[^.!?]{0,30}
    |how (?:do|does) (?:you|u|this|it) work|who (?:made|built|created|runs|owns) (?:you|u)
    |(?:do|can) (?:you|u) (?:remember|know|save|store|record|read|listen|understand|speak|hear|see|keep)\b[^.!?]{1,60}
kind_birthday: birthday|bday|b-day|birth ?date|date of birth
kind_name: (?:real |first |full )?name
kind_alias: nick ?names?|alias(?:es)?
kind_pronouns: pronouns
kind_age: age
kind_time_zone: time ?zone|tz
kind_pets: pets?
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
    |(?:works?|working|study|studies|open|school|classes|shifts?|office) [^.!?;\n]{0,40}?(?:mon|tues?)(?:day)? (?:to
    |till|through|until) (?:thu|fri|sat|sun)\w*|(?:mon|tues?)(?:day)? (?:to|till|through|until)
    \s(?:thu|fri|sat|sun)\w*,?\W+(?:i )?(?:works?|study|studies)
yearly: birthdays?|b-?day|anniversary|annual(?:ly)?|yearly|(?:every|each) year|born|holiday|christmas|halloween
    |new year|(?-i:[A-Z][a-z]+ Day)|is (?:[a-z'’]+ ){1,3}day\b
is_a_birthday: birthdays?|b-?day|birth day
celebrated: part(?:y|ies)|celebrat\w+|cakes?|gifts?|presents?|dinner|cards?|bash|trip|drinks|week(?:end)?|wish\w*
    |was
ordinal_ending: st|nd|rd|th
naming: name|named|called|nickname|nicknamed
week_from: week(?:end)?\s+of
until_a_day: (?:until|till|['’]til|through)(?:\s+on|\s+the\s+end\s+of)?
not_yet: \bnot|n['’]t
for_a_time: for\s+(?:(?:about|around|the\s+next|another|at\s+least)\s+)*
capital: [A-Z]
place_in_a_list: (?:the )?(?:number|no\.?|nr\.?|item|fact|entry|line|point|memory) #?\d{1,3}|#\d{1,3}|(?:the )?\d{1,3}
    (?:st|nd|rd|th)(?: one| fact| thing| item| line)?|the (?:first|second|third|fourth|fifth) (?:one|fact|thing|item
    |line)(?: (?:on|of|in) (?:the|that|your) list)?
number_first: (?:the|number|i mean|i meant|option|choice|take|it's)\s|no\.?\s?
after_a_number: ,?\s(?:one|please|pls|thanks|option)
greeting: (?:he+y+|hi+|hello+)(?: there)?|hiya|sorry|um+|uh+|hm+|hallo|alright|and|btw|anyways?|gm|lol|lmao|bro|dude|ok
    |okay|yo+|ayy*|ayo+|oi|sup|so|dear|well|please|pls|thanks|also|oh|good (?:morning|evening|afternoon|day)|morning
before_an_object: about|of|with|to|for|by|from|at|on|is|are|and|or|like|than|as|love|hate|know|ask
to_the_bot: you|your|you're|you’re|yourself
but_not: not|but not|and not
joins_clauses: and|but|so|because
asks_for_words: (?:(?:can|could|would|will) (?:you|u) )?(?:tell|explain|describe|write|give|show|list|name|compare
    |recommend|suggest|advise|translate|summari[sz]e|define|teach|help|imagine|invent|make up|come up with|draft
    |continue|go on|sing|rate|guess|pick|choose|entertain|convince|elaborate|talk)\b
changed: no longer|any ?more|not|never|now|nowadays|actually|instead|quit|stopped|gave up|broke up|left|moved|switched
    |changed|used to|over|wrong|hate
first_person: I|I['’]m|my|me
has_the_name: {subject}(?:'s|’s)? (?:(?:real|first|full|actual) )?name is|{subject} is (?:called|named)
is_somebody: is
before_a_place: the|my|our|his|her|their
begins_a_value: the|an?|my(?! bad)|at|on|in|from
joins_sentences: and|but|while|because|though|although
joins_statements: and|but|or|if|unless|when|while|because|except|though|although|so|since|until
joins_facts: and|but
adds: (?:and |oh |but )?(?:also|plus)|and
joins_names: and
fact_subject: i|my|i['’](?:m|ve|d|ll)
oneself: i|me|my|mine|myself
acts: i|im|ima|ive|i['’](?:m|ve|d|ll)
of_oneself: me|my|mine|myself
is_also: (?:is|am|aka|goe?s? by|(?:is )?(?:also |otherwise |better )?known as|wants to be called)
between_people: ,?\s+(?:and|&|n)\s+|,\s+
is_mine: (?:is|are|was|were|it's|that's|today's|tomorrow's)\s+(?:my|mine)
all: all
filler: hey|hi|ok|okay|well|so|and|alright|right|great|cool|nice|good|perfect|thanks|thank you|thx|no|nope|nah|yes|yep
that_is_all: that(?: is|'?s|'ll be| will be) all(?: for (?:now|today|tonight)| i (?:need|needed|wanted|have)| then
    | folks)?
thanks_or_bye: thanks|thank you|thx|bye
decided: decid\w+|decision|agreed?|agreement|settled|chose|chosen|choose|pick(?:ed)?|we(?:'ll| will| are going)|let's
    |going with|plan(?:s|ned)?|deadline|must|promised?|deal|conclusion|vote[ds]?|book(?:ed)?|remember|important
changes_a_plan: moved?|postponed?|rescheduled?|cancell?ed|cancelled|called off|shifted|pushed|instead|no longer
    |changed|not
    |won['’]t|replaced|off|earlier|later
says_when: (?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|tonight|tomorrow|noon|midnight|weekend|(?:jan|febr)uary
    |march|april|may
    |june|july|august|(?:sept|nov|dec)ember|october|a\.?m|p\.?m|next week|morning|afternoon|evening|o'clock
group_decides: we(?:'ll|’ll| will| are going| decided| agreed| chose| moved| settled| meet| play| start)|let['’]?s
    |(?:we['’]re|we are) (?:going|meeting|moving|doing|starting|playing)|(?:everyone|everybody) (?:agreed|meets
    |brings|needs)
    |agreed to|(?:is|was|are|were|been|got|gets)(?: now)? (?:moved|postponed|rescheduled|cancell?ed|called off
    |decided|settled
    |agreed|shifted)|(?:decision|decided|plan|deal|agreed|settled|final)(?: is| was)?:|moved (?:the
    |our) \w+(?: \w+)? to
    |(?:is|are) (?:on|at)(?: next| this)? (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d)
only_greets: hi|hey|hello|hiya|yo|sup|good|morning|afternoon|evening|back|again|i'?m|all|everyone|everybody|folks
    |there|guys
talk: sa(?:y|ys|id|ying)|speak|spoke|talk(?:s|ed|ing)?|mention(?:s|ed)?|discuss(?:ed|ing)?|chat(?:ted|ting)?|wr(?:ite
    |ote|itten)|told|tell|ask(?:ed)?|message[sd]?|post(?:ed|s)?|argu(?:ed|ing)|decid(?:e|ed)|agreed?|suggest(?:ed)?
    |happen(?:ed)?|miss(?:ed)?
asks: what|who|whom|whose|when|where|which|how|why|do|does|did|is|are|was|were|has|have|had|can|could
asks_of_oneself: did i|have i|had i|i (?:said|told|wrote|mentioned)
counted: st|nd|rd|th|s|k|am|pm|px
somebody: i|i'[a-z]{1,2}|im|ive|me|my|mine|myself|he|she|him|his|her|hers|he's|she's|hes|shes
"""
"""Patterns, by what they mean; each blank is a gap."""
SPELLINGS: Final = """
you: u ya yu yuo
your: ur
are: r
about: abt bout abut
what: wat wut wht waht
what do you: whatcha watcha whaddya whaddaya
what is: whats wats
who is: whos
don't: dont dnt
everything: evrything everythin evrythin
remember: rmbr rmb rember rmember
that: dat tht taht tath thta tgat thag
know: kno
want: wanna
"""
"""How words are typed in a hurry that command or ask: what is meant, and its spellings."""
SYNONYMS: Final = """
like: like likes liked liking love loves loved loving enjoy enjoys adore adores fond fan keen into dig digs prefer
    prefers obsessed
dislike: dislike dislikes hate hates loathe loathes detest detests despise despises
own: own owns owned possess possesses got gotten
live: live lives lived living reside resides address home based dwell moved
work: work works worked working job jobs employed employer employment profession occupation career workplace
study: study studies studied studying student university uni college major degree
birthday: birthday birthdays bday born birthdate
phone: phone mobile cell cellphone telephone tel number
mail: mail email mails emails inbox
name: name names named call called calls
age: age aged old
partner: husband wife spouse partner girlfriend boyfriend bf gf married fiance fiancee
child: child children kid kids son daughter
allergy: allergy allergies allergic alergy alergies alergic
favourite: favourite favorite fave fav favourites favorites
mother: mother mum mom mama mummy mommy
father: father dad papa daddy
grandmother: grandmother grandma granny nana
grandfather: grandfather grandpa granddad
car: car cars vehicle automobile
bike: bike bicycle bikes bicycles
flat: flat apartment flats apartments
film: film films movie movies
holiday: holiday holidays vacation vacations
colour: colour color colours colors
from: hometown origin native hail hails
"""
"""Words that mean one thing where it is looked up what somebody said; `bot/text/concepts.py` has these."""
PHRASES: Final = r"""
dislike: (?:can(?:no|')?t|can not) (?:stand|bear|abide)
birthday: b-day|birth ?date|date of birth
mail: e-mail
own: have got|has got
"""
"""The same, of several words."""
TOPICS: Final = """
food: food eat eats ate eaten eating cook cooks cooked cooking meal dish recipe lunch dinner supper breakfast brunch
    snack hungry starving restaurant menu cuisine taste tasty delicious kitchen bake baking grill fry diet vegan
    vegetarian meat beef pork chicken fish seafood shrimp egg cheese bread pasta noodle noodles ramen udon pizza
    burger sushi curry soup salad stew steak taco burrito dumpling rice potato tomato onion garlic mushroom vegetable
    fruit apple banana mango strawberry nut nuts peanut chocolate cake cookie dessert pie candy honey spicy pepper
    salt sauce sandwich pancake yogurt tofu gluten lactose allergic allergy
drink: drink drinks drank drinking thirsty bar pub tea coffee espresso latte cocoa juice lemonade soda cola water milk
    beer wine whisky vodka rum gin cocktail smoothie alcohol
work: work works worked working job career profession office boss manager colleague coworker company employer client
    customer salary hired fired promotion interview meeting standup deadline project shift startup freelance
    freelancer engineer developer programmer designer nurse doctor teacher lawyer accountant chef driver
learning: study studies studied studying student school university college exam exams class lecture homework degree
    thesis professor grade semester learn learning language
music: music song songs sing singing singer band album concert gig playlist listen listening guitar piano drums bass
    violin choir jazz rock metal punk rap techno opera vinyl
games: game games gaming gamer boardgame chess poker console playstation xbox nintendo steam minecraft tetris zelda
    rpg mmo shooter raid boss quest level multiplayer coop speedrun
screen: movie movies film films cinema series episode season anime cartoon actor actress director netflix watch
    watching trailer documentary comedy horror thriller
reading: book books read reads reading novel author writer poem poetry poet comic manga library fiction
sport: sport sports football soccer basketball tennis volleyball hockey run runs running jog marathon gym workout swim
    swimming bike cycling climb climbing bouldering hike hiking yoga ski skiing snowboard surf match team league
    fitness
travel: travel travels traveling travelling trip journey vacation holiday holidays flight fly flies flying plane
    airport train hotel hostel passport visa abroad beach tour tourist visit visited luggage
home: home house flat apartment live lives living move moved moving rent landlord neighbour neighbor roommate city
    town country village street address garden balcony room
pets: pet pets dog dogs puppy cat cats kitten hamster rabbit parrot bird fish turtle horse snake lizard vet leash
    retriever poodle
family: family mother mom mum father dad parent parents brother sister sibling son daughter child children kid kids
    baby wife husband girlfriend boyfriend partner married marriage wedding grandma grandpa grandmother grandfather
    aunt uncle cousin niece nephew
body: sleep sleeps sleeping insomnia tired wake allergic allergy glasses tall height tattoo hair
computers: computer laptop phone pc linux windows mac android iphone code coding program programming python rust
    javascript java keyboard monitor gpu bug software app website
dates: today tonight tomorrow weekend week month date dates when soon plan plans calendar upcoming schedule monday
    tuesday wednesday thursday friday saturday sunday birthday
"""
"""Words by the topics that they belong to; `bot/text/topics.py` has these."""
