"""English for extraction: the words it has to know, and the clauses in which people tell something about
themselves.
"""

import re
from typing import Final

from bot.text.en.verbs import CLEAR, NOUNS_TOO, is_participle
from bot.text.en.words import FIRST_NAMES, MONTHS
from bot.text.extraction_rules import (
    ExtractionLanguage,
    StatementKind,
    ValueWords,
    day_values,
    event_values,
    name_values,
    place_values,
    shapes,
    thing_values,
)
from bot.text.languages import rows
from bot.text.tokens import words

_WORLDS: Final = words(
    """valorant fortnite roblox minecraft skyrim overwatch teyvat genshin stardew runeterra hyrule runescape terraria
    dota gta csgo cs2 warcraft wow eorzea fallout vrchat palworld osu los_santos night_city vice_city
    liberty_city san_andreas flight_sim truck_simulator sims forza overcooked animal_crossing acnh dark_souls
    elden_ring baldurs_gate bg3 cyberpunk ffxiv subnautica tf2 rdr2 pubg whiterun riften windhelm goldshire
    stormwind orgrimmar ironforge monopoly hogwarts narnia westeros"""
)
"""Games and what lies in them; several words with a line below between them."""

PARTS: Final = dict(rows(r"""
iam: (?:i'm|im|i am|i m)
jobs: (?:[\w-]+ ){0,2}(?:accountant|actor|actress|analyst|archaeologist|architect|artist|assistant|astronomer|author
    |baker|banker|barber|barista|bartender|biologist|bookkeeper|builder|butcher|caretaker|carpenter|cashier|chef
    |chemist|cleaner|coach|composer|consultant|cook|copywriter|courier|dancer|dentist|designer|developer|director
    |doctor|driver|economist|editor|electrician|engineer|farmer|firefighter|fisherman|florist|gardener|geologist
    |hairdresser|historian|illustrator|interpreter|janitor|journalist|judge|lawyer|lecturer|librarian|linguist|manager
    |marketer|mathematician|mechanic|midwife|miner|musician|nurse|optician|painter|paralegal|paramedic|pharmacist
    |photographer|physicist|physiotherapist|pilot|plumber|poet|policeman|postman|potter|programmer|professor
    |psychologist|realtor|receptionist|reporter|researcher|sailor|scientist|sculptor|secretary|singer|soldier
    |statistician|student|surgeon|surveyor|sysadmin|tailor|teacher|technician|tester|translator|trucker|tutor
    |veterinarian|vet|waiter|waitress|welder|writer)
subjects: (?:(?!my |the |for |some |any )\w+ )?(?:engineering|science|law|design|studies|history|arts?|literature
    |languages?)|accounting|ai|anatomy|anthropology|archaeology|architecture|astronomy|biology|business|chemistry
    |computer science|dentistry|ecology|economics|education|english|french|geography|geology|german|informatics
    |italian|japanese|journalism|linguistics|management|marketing|mathematics|maths?|mechanics|medicine|music|nursing
    |pharmacy|philosophy|photography|physics|psychology|russian|sociology|spanish|statistics|theatre|theater
moods: (?:angry|annoyed|anxious|bored|cheerful|cranky|devastated|disappointed|drained|ecstatic|embarrassed|excited
    |exhausted|frustrated|furious|gloomy|grumpy|happy|heartbroken|hungry|inspired|irritated|jealous|jetlagged|lonely
    |mad|melancholic|miserable|motivated|nervous|nostalgic|optimistic|overjoyed|overwhelmed|refreshed|relaxed|relieved
    |restless|sad|scared|sleepy|stressed|thirsty|thrilled|tired|unhappy|unmotivated|upset|worried|worn out
    |stressed out|burnt out|burned out)
done: (?:adopted|arrived|ate|baked|booked|bought|built|celebrated|completed|cooked|finished|graduated|installed|joined
    |landed|launched|left|lost|made|married|met|moved|ordered|painted|passed|planted|quit|returned|signed|sold|started
    |upgraded|visited|watched|won|woke|wrote|saw)
no_workplace: .*\b(?:games?|dreams?|this|that|heart|training|love|{worlds})\b
workplace: (?:(?:the|an?|my|our) .+|(?P<place>.+?)(?: (?:area|city|region|now|right now|currently|rn|atm))*)
now: now|right now|these days|nowadays|currently|at the moment|today|tonight|lately|this (?:morning|afternoon|evening
    |week)
capital: (?-i:[^\Wa-z\d_])
proper: (?-i:[^\Wa-z\d_][^\WA-Z\d_])
day: (?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?
date: (?:on )?(?:the )?(?:{day}(?: of)? {month}|{month} (?:the )?{day}|(?:19|20)\d\d-\d\d-\d\d)(?:,? (?:19|20)\d\d)?
pronouns: (?:he|she|they|it|xe|ze|fae|any)(?:\s?/\s?(?:him|his|he|hers?|she|them|theirs?|they|its?|xem|xyr|zir|hir
    |faer|any))+
very: (?:(?:really|also|still|absolutely|truly|always|definitely|personally|particularly|especially|genuinely|actually
    |mostly|do|honestly|deeply) )*
like: (?:like|love|enjoy|adore|prefer)
much: (?:(?:really|rly|rlly|even|particularly|actually|much|especially) )?
fan: (?:really )?(?:such )?an? (?:(?:big|huge|massive|great|lifelong|real|die-hard|true) )?fan of
degree: (?: (?:feeling|so|really|very|pretty|quite|a bit|a little bit|a little|super|extremely|rather|too|incredibly
    |still|just|always|absolutely|completely|also|all))*
surely: (?: (?:definitely|actually|still|always|just|simply|easily|currently|by far|hands down|of course))*
ever: (?: (?:ever|of all time|in the world|too|by far|so far))?
favorite: (?:(?:all[- ]time|absolute|personal) )*(?P<favorite>favou?rite|fav|fave)
thing: (?P<thing>(?!(?:things?|parts?|ones?|ways?|bits?|moments?|memor\w+|lines?|quotes?|person|people|is|are|was
    |places?|times?)\b)[\w-]+(?: (?:of )?(?!(?:is|are|was|were|to|in|at|on|about|when|from|that|has
    |have)\b)[\w-]+){0,4}?)
lasting: (?: (?:of all time|rn|atm|at the moment|right now|currently))?
bday: (?:birthday|bday|b-?day|birth ?date|date of birth)
languages: (?:english|german|french|spanish|italian|russian|polish|dutch|swedish|norwegian|danish|finnish|japanese
    |chinese|mandarin|cantonese|korean|portuguese|turkish|ukrainian|arabic|greek|czech|hungarian|romanian|hindi|hebrew
    |persian|farsi|vietnamese|thai|catalan|welsh|irish|latin|esperanto|croatian|serbian|bulgarian|urdu|bengali|tagalog
    |sign language|asl)
instrument: (?:(?:electric |acoustic |bass |double |classical |french )?(?:guitars?|bass|piano|drums?|violin|viola|cello
    |flute|clarinet|saxophone|sax|trumpet|trombone|horn|tuba|harp|organ|keyboards?|accordion|banjo|ukulele|mandolin|oboe
    |bassoon|harmonica|synth|recorder|kazoo|bagpipes|sitar|fiddle))
game: (?:chess|go|poker|bridge|checkers|mahjong|board ?games|video ?games|football|soccer|basketball|volleyball|tennis
    |badminton|hockey|rugby|cricket|baseball|golf|table tennis|ping[- ]pong|squash|handball|water polo|lacrosse|darts
    |pool|snooker|minecraft|tetris|zelda|wow|world of warcraft|dota(?: 2)?|valorant|fortnite|factorio|stardew valley
    |d&d|dnd|pathfinder|pokemon|overwatch(?: 2)?|counter-?strike|csgo|cs2|league of legends|rocket league|apex
    |magic|warhammer|civ(?:ilization)?(?: \w+)?|terraria|hearthstone|roblox|elden ring|skyrim|runescape|osu)
animal: (?:dogs?|cats?|pupp(?:y|ies)|kittens?|hamsters?|rabbits?|bunn(?:y|ies)|parrots?|budgies?|guinea pigs?|ferrets?
    |turtles?|tortoises?|goldfish|horses?|pon(?:y|ies)|snakes?|lizards?|geckos?|chickens|hens|goats?|rats?|axolotls?
    |corgis?|labradors?|poodles?|huskies|husky|beagles?|dachshunds?|greyhounds?|retrievers?|canar(?:y|ies))
breed: (?:(?:old|young|big|small|little|black|white|ginger|orange|grey|gray|tabby|rescue|golden|german|border|french
    |siamese|persian|shepherd|fluffy|three-legged|pet|brown|cute|lovely) )*
count: (?:an?|one|two|three|four|five|six|seven|[2-9])
kin: (?:sisters?|brothers?|sons?|daughters?|kids?|children|siblings?|twins|nephews?|nieces?|grandchildren|grandkids)
zone: (?:(?:utc|gmt)(?: ?[+-] ?\d{1,2}(?::?\d\d)?)?|(?:cet|cest|est|edt|cst|cdt|mst|mdt|pst|pdt|msk|bst|ist|jst|kst
    |aest|aedt|nzst|eet|eest|wet|brt|sgt|hkt)|(?:central european|eastern|pacific|mountain|central)(?: standard)? time
    |(?:europe|america|asia|africa|australia|pacific)/\w+)
moved_once: (?: (?:(?:last|this) (?:week|weekend|month|year|yr|summer|winter|spring|autumn|fall)|recently|yesterday
    |today|now|already|(?:back )?in (?:{month}|(?:19|20)\d\d)(?: (?:19|20)\d\d)?|(?:an?|two|three|four|five|six|\d+
    |a few|a couple of?)\s(?:day|week|month|yr|year)s? (?:ago|back)|(?:over|in|during) the (?:summer|winter|spring
    |autumn|fall)|for (?:work|uni|university|school|love|good|a job|my job)|from \w+|with my \w+|on my own))
moved_when: {moved_once}*
moved: (?:(?:just|finally|recently|only|then|actually|also) )*(?:moved|relocated) (?:from [\w'-]+(?: [\w'-]+)? )?
    (?:(?:back|over|down|up|out|here) )*to
dont: (?:don't|dont|do not)
not_a_name: (?:the|an?|my|your|her|his|its|not|no|so|very|too|really|kinda|just|pretty|still|weird|long|short|funny|cute
    |hard|unknown|missing|after|from|something|nothing|what|like|also|stupid|silly|dumb|great|good|bad|cool|on|in
    |by|home|out|off|away|up|over|here|back|for|to|of)
pet_name: (?:{capital}[\w'-]+|(?!{not_a_name}\b)[a-z'-]+)
partner: (?:girlfriend|boyfriend|partner|wife|husband|gf|bf|fiancee?|spouse)
anymore: (?:,? (?:any ?more|any longer|these days))
lately: (?: (?:today|yesterday|now|recently|(?:last|this) \w+|on \w+day|in {month}|an? \w+ ago|\w+ \w+ ago|for good))?
just: (?:(?:just|finally|recently|officially|have|also|already|actually) )*
we: (?:i|we|i've|ive|i have|we've|weve|we have)
rank: (?:bronze|silver|gold|plat(?:inum)?|diamond|emerald|masters?|grand ?master|immortal)\b
ever_since: (?: (?:for (?:\w+ )?(?:years|months|weeks|ages)|since .+|now|rn|too|as well|btw|irl|fluently|natively|a lot
    |in a band|in an orchestra|as a hobby|online|every \w+|on \w+days?|at home|sometimes|professionally))*
kinds_of_people: (?:people|persons|wom[ae]n|men|girls|boys|guys|kids|children|babies|gays|lesbians|teens|teenagers
    |boomers|foreigners|cops|(?:americ|mexic|afric|germ|rom|kore)ans|(?:ind|russ|ukrain|as|ital)ians|europeans|brits)
weekday: (?:mon|tues|wednes|thurs|fri|satur|sun)day
when: yesterday|today|tonight|earlier|recently|this (?:morning|afternoon|evening|week|weekend)
    |(?:on|last|this past) {weekday}|last (?:night|week|weekend|tues|wed|thurs?|fri|sat|sun)|(?:a few|two|three|\d
    |a couple of?) (?:days|hours) ago|the other day|a week ago|over the weekend|just now
strict_pronouns: (?:she/her|he/him|they/them|she/they|they/she|he/they|they/he)(?:/(?:hers|his|theirs))?
x: <@!?\d+>
somebody: (?:(?:{first_names})(?: [\w'-]+)?|(?:my )?(?:him|her|them|mom|mum|dad|boss|teacher|neighbou?rs?|ex|wife
    |husband|sister|brother|parents|roommate|flatmate|coworkers?|colleagues?|landlord))
""")) | {"first_names": "|".join(FIRST_NAMES.split())} | {
    "month": f"(?:{'|'.join(MONTHS)})[a-z]*",
    "worlds": "|".join(sorted(_WORLDS)).replace("_", " "),
}  # fmt: skip
"""Parts of shapes, by their names."""

_SHAPES: Final = shapes(
    r"""
tails: ,?\s+(?:hands down|by far|too|also|any ?more|any longer|as well|a lot|a bunch|so much|very much|really|tbh
    |honestly|though|tho|the most|{now}|anyways?|for sure|of course|indeed|instead|ok|okay|man|dude|guys|bro|folks
    |everyone|please|pls|plz|thx|thanks|rip|rn|atm|with a passion
    |(?<!\bthe )(?<!\bmy )(?<!\ba )(?<!this )(?<!that )(?<!ur )(?<!your )bot|keepsake|myself|again|personally|fr+
    |for real|frfr|ngl|no cap|istg|obviously|ofc|unfortunately|sadly|luckily|in general|ever|of all time|in the world
    |more than anything|already|nice to meet (?:you|y'?all|everyone)|for (?:(?:about|over|almost|nearly) )?(?:\d+|a few
    |many|several|two|three|four|five|ten) (?:year|month|week)s?(?: now)?)$|,?\s+(?:because|cause|'cause|cuz|coz|bc
    |since|so|as|but|though|although|even though|while|(?:and )?not)\s.*$
after_a_name: (?:bot|not|keepsake|and|but|from|btw|by the way|nice to|pleased|whats|what|i|i'm|im|i've|my|so|by|or|here
    |too|though|for short|in case|then)\b(?!')
letters: [a-z]
hint: (?<![\w'])(?:my (?:\w+ ){0,2}?(?:names?\b|fav|pronouns|birthday|bday|b-day|job is|all[ -]time)|pronouns\b
    |calls? me |go by|i (?:\w+ ){0,2}?(?:like|lo+ve+|luv|enjoy|adore|prefer|hate|dislike|detest|despise|loathe|live
    |reside|work|study|major|feel|use (?:he|she|they|it|xe|ze|fae|any)|went|was born|grew up|go by)\b
    |i (?:\w+ )?(?:can't|cannot|cant|can not) stand|i (?:\w+ )?(?:don't|dont|do not) (?:\w+ )?(?:like|enjoy|love)|(?:i
    |i've|i have) (?:just|finally|recently)\b|{iam} (?:\w+ ){0,4}?(?:{moods}|fan of|living|based|working|studying
    |majoring|an? )|(?:hi|hello|hey|hiya|greetings|good \w+)\b[^\n]{0,30}? (?:i'?m|i am) |(?:just|finally
    |recently) got (?:back|home)|(?:she/|he/|they/)(?:her|him|them|they|she|he)\b|my (?:\w+ ){0,2}?(?:time ?zone|tz
    |{animal}|wife|husband|sister|brother|son|daughter|mom|mum|mother|dad|father|girlfriend|boyfriend|fiancee?)\b
    |i (?:\w+ ){0,3}?(?:speak|play|moved|turned|have|own|got|adopted|drive|ride|quit|stopped|started|passed|graduated
    |drink|smoke|eat|became|retired|ran|bought|come)\b|i'?ve got\b|been vege?[at]|{iam} (?:\w+ ){0,2}?(?:\d\d|\d'\d|from
    |left-?|right-?|lefty|vegan|vegetarian|pescatarian|obsessed|into|passionate|fluent|learning|married|engaged
    |ambidextrous|in\b|on\b|\d\.?\d* ?c?m)|i (?:\w+ )?(?:don't|dont|do not|never) (?:\w+ )?(?:drink|smoke|eat)|(?:i|we
    |i've|ive|we've|weve|we're|we are|have) (?:\w+ ){0,2}?(?:moved|relocated|live|reside|living|based)\b|(?:^
    |(?<=[.!?\n,] ))(?:(?:just|finally|recently|so|well|oh|btw|and) )*moved (?:\w+ ){0,4}?to\b)
ends_hint: (?<![\w'])(?:no longer|any ?more|any longer|broke up|split up|divorced|moved|quit|left|stopped|gave up
    |resigned|fired|laid off|dropped out|passed away|died|sold my|lost my)(?![\w'])
play: (?<![\w'])(?:lo+l+|lmf?ao+|rofl\w*|jk+|j/k|jks|(?:just |only |i'm |im )?(?:kidding|joking)|ha(?:ha)+h?|ha ha
    |he(?:he)+|hihi|b?wahaha\w*|teehee|xd+|sarcas\w+|iron(?:y|ic|ically)|as if|yeah,? right|not!|psych|sike|trolling
    |trolled|lulz?|kek+w?|april fools|rp|ooc|role-?play\w*|roleplaying|in my dreams|said (?:no one|nobody) ever
    |what could go wrong|oh,? (?:great|joy|yay|goody|sure|really|wow)|big surprise|parody|in character|my character
    |(?:la )+la|(?:na )+na|(?:ooh|yeah|oh|hey|baby)(?:,? (?:ooh|yeah|oh|hey|baby))+|i shall call|m'lady|in soviet russia
    |slim shady|in(?:i|í)go montoya|my name is (?:jonas|luka|prince|nobody|legion|bond|what)|years old and what is this
    |big butts|rock '?n'? ?roll baby|put another dime|move it move it|i shot the sheriff|called to say i love
    |wrecking ball|call me (?:maybe|ishmael|al\b.*betty)|i(?:'m| am) (?:your father|groot|batman|the walrus|iron man
    |legend)|long walks? on the beach|smell of napalm|i live in a yellow|like it like that|and i cannot lie
    |i want it that way|love the way you lie|i went to the animal fair|i just shot a man|my precious)(?![\w'])
takes_back: (?:(?:lol|ok|okay|no|nah|wait|oh|sorry|haha\w*|i'm|im|i am|i was|was|only|just|and|but|all
    |totally),? )*(?:(?:jk+|j/k|jks|kidding|psych|sike|/s|/j|/jk|nvm|never ?mind|scratch that|ignore that|i lied
    |april fools|just messing)(?![\w'/])|(?:not|not really|sarcasm|joking|a joke|trolling|that was (?:a joke|sarcasm
    |a lie|not true))[ ,.!]*(?:lol|haha\w*|guys|everyone|obviously|of course)?\W*$)
doubt: (?<![\w'])(?:might|maybe|mebbe|perhaps|probably|possibly|prolly
    |(?<!\d )(?<!th )(?<!of )(?<!is )(?<!in )(?<!last )(?<!this )(?<!since )may(?! \d)|could|couldn't|would|wouldn't
    |(?:i|you|he|she|we|they)'d|if|whether|unless|think|thinks|thought|thinking|guess|suppose|supposed|supposedly
    |seem\w*|apparently|allegedly|wonder\w*|wish\w*|pretend\w*|imagin\w+|hypothetical\w*|assum\w+|dunno|unsure|(?:not
    |isn't|never) sure|doubt\w*|believe|planning|considering|used to|gonna(?! lie)|(?:'m|am|is|are|be|was) going to
    |want to|wanna|let's say|say|says|said|saying|tell|tells|told|telling|ask(?:s|ed|ing)?|wrote|writes|quot\w+|claim\w*
    |heard|goes like|(?:was|is|were|be|'m|am) like|sings?|dream\w*|nightmares?|joke|secretly|in[- ]?game|(?:in
    |to) (?:the |my |our )?(?:{worlds})(?: ?\d+)?|as a (?:kid|child)|back when|almost|nearly|kinda|sorta|(?:kind
    |sort) of (?:like|love|hate)|trying to|opposite|lyrics)(?![\w'])
asks: (?:who|what|when|where|why|how|which|whose|do|does|did|am|is|are|was|were|can|could|would|will|should|shall|have
    |has|may(?! \d)|isn't|aren't|don't you|doesn't|didn't|wasn't|won't|can't (?:i|you|we))(?:'s|'re|'d)?\b
greeting: (?:hi|hello|hey|hiya|greetings|good (?:morning|evening|afternoon|day))(?: [\w']+){0,2}[,!] (?=i'?m |i am )
joints: \s*(?:[,;](?!\s*(?:19|20)\d\d\b)|[()\[\]])(?!\d)\s*|\s+[-–—]+\s+|\s+(?:and|but|so|then|plus)\s+(?=(?:i|i'm|im
    |i've|my|we|you|he|she|it|they|it's|he's|she's|that's|there|this|his|her|their|our|your|what|how|please|can|call
    |actually|mine|its|hes|shes|theyre|thats|u)\b)|\s+(?=(?:what|how) about (?:u|you|y'?all|yours)\b)
    |(?<!:)\s+(?=my name(?:'?s| is) (?:{capital}|(?:{first_names})\b))|\s+(?=(?:and|but)\s+(?:(?:really|also
    |absolutely)\s+)?(?:hate|dislike|don't|dont|can't|cannot|live in|work as|study)\b)|(?<=\d)\s+and\s+(?=from\b)
leads: (?:hi|hey|hello|hiya|yo|sup|guys|everyone|everybody|all|folks|there|well|oh|ok|okay|so|yeah|yes|yep|yup|no|nope
    |nah|and|but|also|btw|fyi|honestly|personally|tbh|ngl|imo|imho|hmm+|um+|uh+|anyways?|by the way|to be honest
    |not go(?:nna|ing to) lie|fun fact|good (?:morning|evening|afternoon|day)|in my opinion|as for me|actually|seriously
    |thanks|cool|nice|welcome|sorry|please|ah|aw+|wow|omg|for the record|just so you know|you know|bot|keepsake|man|dude
    |bro|edit|update|ps|same|me too|intro|about me|lastly|first of all|first|haha|(?:(?:that|it)(?:'?s| is)|you(?:'?re
    | are)|ur|u r) (?:wrong|incorrect|untrue|not (?:true|right))(?: about (?:me|that|this|it))?|that (?:isn'?t
    |is not) (?:true|right))(?![\w'])[\s,.!:;-]*|<@[!&]?\d+>[\s,:]*
trails: (?:,?\s+(?:btw|by the way|fyi|tbh|to be honest|for the record|just so you know))+[\s.!]*$
aside: (?:in|on|at|as|for|like|unlike|with|without|when|while|according|after|before|during|until|because|since|though
    |although|by|from|of|once|where|whenever|speaking|under|among|playing|being|even|except)\b|[^\s:]+:|\w+ \w+:
hangs: (?<![\w'])(?:when|whenever|while|until|once|where|that|who|which|as soon as)(?![\w'])
turns: (?:and )?(?:i (?:actually |really |absolutely )?(?:love|adore) (?:it|them)|not|which|who|that|when|unless|until
    |but not|except|only|depending|or|whose|where|right|huh|eh|no)\b
joined: (?:and|but) (?=(?:(?:really|also|absolutely) )?(?:hate|dislike|don't|dont|can't|cannot|live in|work as
    |study)\b)
introduced: (?:and )?(?=from\b|[1-5]\d(?: (?:years? old|yrs? old|y/?o))?$)
lists: (?:(?P<before>\S.*?) )?(?:and|or|&) (?P<last>\S.*)
correction: (?:(?:no|oh|oops|sorry|wait|hmm|well|ah|edit|erm|uh|and|but|or|ok)[,.!]? )*(?:actually,?|no wait,?
    |wait,? no,?|i meant?|scratch that,?|correction:?,?|or rather,?|make that|sorry(?:,| (?=it'?s\b))|(?=it'?s actually)
    |(?<=no, )(?=it)|(?<=no )(?=it))\s?(?:(?:it'?s|it is|that'?s|they'?re|i meant?|make that)(?: actually| rather
    | more like)? )?(?P<value>\S.*)
remark: (?:nevermind|no|yes|true|same|right|wrong|fine|okay|ok|cool|great|good|nice|bad|sad|funny|late|early|sunny|hot
    |cold|cloudy|worse|better|done|both|nothing|everything|broken|weird|easy|hard|fun|awesome|terrible|horrible
    |possible|impossible|time|over|me|him|her|you|them|here|there|everyone|thanks|thank|sorry|wait|what|why|how|yeah
    |yep|nope|lol|important|enough|free|expensive|delicious|gross|beautiful|hilarious|today|tomorrow|tonight|yesterday
    |{weekday}|good|crazy|wild|perfect|cheap|quiet|loud|dark|safe|old|new|about|just|like|for|from|in|on|at|to|so
    |pretty|quite|really|too|very|more|less|guys|folks|all|nvm|brb|bbl|gtg|g2g|gotta|afk|idk|idc|ngl|ofc|tho|lag|lags
    |laggy|hi|hey|hello|bye|hungry|starving|dead|hold on|come on|whatever|duh|typo|typos|bedtime|lunchtime|dinnertime
    |bro|bruh|dude|nah|mum|mom|dad|kids|phone|lunch|dinner|breakfast|\w+ time|\w+(?:ing|ed|ly|able
    |ible))(?:\s.*)?
no_liking: {somebody}$|(?:[\w-]+ )+(?:wo)?men$|to$|the (?!{proper}|(?:oceans?|sea|beach|mountains?|outdoors|rain|cold
    |snow|sun|countryside|forest|city|piano|guitar|violin|drums|gym|theatre|theater|cinema|movies|arts|summer|winter
    |autumn|fall|spring|moon|stars)\b)|to (?:see|hear|know|say|think|be|believe|imagine|help|keep|make|use|try|do|add
    |point|get|have|just|at|not|hate)\b|my\b|(?!jelly|family|flying|italy|lily|fly\b)\w+ly\b|(?:mondays?|traffic
    |tax(?:es)?|spam|ads|commercials|meetings|queues|hangovers?|headaches?|deadlines?|homework|exams?|delays?|layoffs
    |lag|crashes|migraines?|overtime|chores|paperwork|failing|crying|suffering|dying|bugs|paying .+|doing (?:laundry
    |taxes|dishes|homework|chores|nothing)|getting .+|working (?:overtime|weekends|late).*)$
no_disliking: (?:[\w-]+ )*{kinds_of_people}$|{somebody}$|my\b|the (?!{proper})|to\b|\w+ly\b|(?:myself|life|school|work)$
when_event: (?:^|\s+)(?:{when})(?=[\s,]|$)
""",
    PARTS,
)
WORDS: Final = ValueWords(
    tails=_SHAPES["tails"],
    after_a_name=_SHAPES["after_a_name"],
    never=words(
        """i i'm i've i'd i'll you you're he he's she she's it it's its we they me him us them your yours his her
        hers ours our their theirs this that that's these those there here what who which whom whose when where why
        how if whether than more less better worse is are was were am be been being do does did don't doesn't
        didn't has had can can't will won't would could shall should may might must not never yes no yet such same
        other ones another neither anything something nothing everything everyone someone anyone nobody stuff thing
        things way ways idea look looks sound fact until unless because like too enough rather instead even isn't
        aren't wasn't very much error errors message messages 'em segfault bug crash prompt output lot got option
        options approach version suggestion answer lives likes loves hates dislikes prefers enjoys wants speaks
        goes needs eats works plays owns studies whatever idk im ive shes hes theyre thats whats isnt doesnt
        didnt wont u ur"""
    ),
    never_first=words(
        """all both every each so very about of with at in on and or but like just some any most one up out off
        over back really totally actually literally only definitely seriously basically feel getting having seeing
        hearing knowing waiting losing watching people how's good bad nice cheap fast easy hot cold old new live
        from for into"""
    ),
    never_a_name=words(
        """a an the my your his her our their this that these those it its is are was not no never none nobody
        nothing what who on in at to for of with by from as if so too very also only just already long short weird
        common rare unique hard easy difficult different same similar pronounced spelled spelt written taken known
        hidden private secret mud irrelevant important unimportant wrong right misspelled red green blue black gone
        shown listed displayed legion null test root admin user anonymous unknown everywhere somewhere there here
        like being going getting gonna kinda actually really probably maybe mine yours hers and or but german
        french russian english american british italian spanish indian chinese japanese polish canadian dutch new
        back done sorry sure fine good great ok okay late early ready home tired sad happy me you him them us we i
        error stuck lost confused looking trying dad daddy mom mommy sir boss king queen master god lord crazy
        stupid dumb old later when anytime whatever anything everything batman superman spiderman santa satan jesus
        groot bond inevitable awesome hell monday tuesday wednesday thursday friday saturday sunday january
        february bored hungry busy free available alone alive dead online called out
        cursed doomed forgotten trending blank"""
    ),
    never_a_place=words(
        """a an my your his our hope fear denial bed peace towns cities poverty terminal vim emacs linux windows
        constant world house apartment flat basement dorm hostel village country countryside suburbs past present
        future moment dream dreams fantasy hell heaven matrix simulation cloud clouds box cave woods harmony shadow
        shadows rented small big different one two middle nowhere somewhere capital student darkness interesting
        times chaos pain squalor luxury sin style nature north south east west hotel van car tent shelter terror
        exile bubble person general theory practice wonderland narnia hogwarts mordor gotham atlantis westeros
        azeroth tamriel work school home scratch above below level debian ubuntu kubuntu xubuntu fedora arch gentoo
        mint kde gnome xfce firefox chrome python java rust git mac macos android ios beyond afar mars space tomorrow
        yesterday beginning start scratch here there
        couch sofa chair floor kitchen bathroom bedroom garage attic garden yard desk office room lounge hall halls
        campus dorms uni college university therapy rehab prison jail hospital hospice court church base camp town
        downtown uptown suburb abroad overseas home homes limbo silence misery agony bliss sin hiding isolation
        quarantine lockdown squalor pyjamas pajamas sweatpants leggings jeans hoodie slippers socks plan phase stage
        step tier rank round part chapter season episode page line slot column row tab second third first last next
        place front back top bottom mid middle center centre left right side lane jungle support attack defense defence
        offense midfield goal bench reserve healer tank melee ranged plan-b
        slack discord teams zoom notion obsidian jira trello asana github gitlab bitbucket kanban scrum agile waterfall
        postgres postgresql mysql mariadb sqlite mongo mongodb redis docker podman kubernetes aws azure gcp cloudflare
        heroku netlify vercel terraform ansible typescript javascript golang kotlin swift ruby perl php react vue
        angular svelte django flask node deno bun nixos manjaro opensuse wayland neovim nvim vscode sublime jetbrains
        intellij pycharm brave safari opera vivaldi chromium edge signal telegram whatsapp matrix element mastodon
        bluesky twitter x reddit threads spotify tidal netflix steam xbox playstation switch pc console desktop laptop
        tablet phone iphone pixel dvorak colemak qwerty markdown latex excel sheets
        marketing sales accounting finance engineering legal ops operations hr it support management leadership
        logistics
        purchasing procurement research qa security design devops product payroll backend frontend nights days mornings
        evenings nightshift dayshift afternoons remote freelance contract part-time full-time
        dismiss adjourn strike block help leave stay sit stand escape save avoid vote second close open defend
        protect intervene ban mute kick stop tears anger action despair rage submission tomorrow tonight
        monday tuesday wednesday thursday friday saturday sunday decaf oat almond keto paleo metric imperial
        cash crypto gold silver bronze platinum diamond memory storage shock uncertainty debt bliss ignorance
        retirement adulthood comfort secret glory joy doubt anticipation expectation love pods tents dormitories
        accommodation vc voicechat lodgings digs squat squats caravan trailer motel airbnb penthouse mansion bungalow
        bedsit studio shed barn treehouse"""
    )
    | _WORLDS
    | CLEAR
    | NOUNS_TOO,
    separator=re.compile(r",?\s+(?:and|or|nor|&)\s+", re.IGNORECASE),
    pairs=frozenset(
        """mac and cheese|rock and roll|fish and chips|salt and vinegar|drum and bass|black and white
        |bread and butter
        arts and crafts|tom and jerry|rick and morty|bed and breakfast|dungeons and dragons|peace and quiet|d & d
        |r & b
        cookies and cream|surf and turf|biscuits and gravy|bacon and eggs|ham and eggs|hide and seek|drum & bass
        gin and tonic|track and field|sweet and sour|rhythm and blues|truth or dare|trial and error|pen and paper
        bits and pieces|magic the gathering|point and click|hack and slash|barnes and noble
        |h and m""".replace("\n        ", "|").split("|")
    ),
)  # fmt: skip
_EVENT_NEVER: Final = words(
    """you he she it it's they him her them this that these those there here what which who where when if how
        your his hers their years months year month ahead through thing things stuff one ones something anything
        nothing everything somewhere someone because so but error errors message messages crash bug segfault was
        were is are can't cannot couldn't don't didn't before as same channel link page crazy wrong nuts mad
        bananas well viral until killed died dead rekt ganked hell mid afk rampage"""
)

_PATTERNS: Final = r"""
name: my (?:(?:real|first|full|actual|given) )?name(?: is|'s|s|:) (?:actually |really |just )?(?P<value>.+)
    -> my name is {value}
name: (?:hi|hello|hey|hiya|greetings|good (?:morning|evening|afternoon|day))
    (?: (?:there|all|everyone|everybody|guys|folks|y'all
    |again))*,? {iam} (?P<value>{capital}.+) -> my name is {value}
alias: (?:(?:please|just|so|but|you can|you may) )*call me (?P<value>{capital}.*) -> call me {value}
alias: (?:everyone|everybody|people|(?:all )?my friends) (?:just |always )?calls? me (?P<value>{capital}[\w'-]+)
    -> call me {value}
alias: i (?:usually |mostly |just )?go by (?P<value>{capital}.*) -> I go by {value}
pronouns: (?:(?:my )?(?:preferred )?pronouns(?: are| r|'re|:)?|i (?:use|go by)) (?P<value>{pronouns})
    (?: pronouns)?(?: (?:please|pls|plz|thanks|thx))? -> my pronouns are {value}
lives_in: (?:(?:i|we) (?:currently |now |actually |still )?(?:live|reside)
    |(?:{iam}|we're|we are) (?:currently |now |still )?(?:living|based)
    |(?:i've|ive|i have|we've|weve|we have) been living)
    \s(?P<where>in|near) (?P<value>.+?)(?: with (?:my|a|an|some|two|three|our) .+| since .+)? -> I live {where} {value}
works_as: (?:i (?:currently |now )?work|{iam} (?:currently )?working|my job is(?: being)?|my job is to work)
    \sas (?P<a>(?:an? )?)(?P<value>{jobs})(?: (?:(?:at|for) (?!.*\b(?:{worlds})\b).+|in {workplace}))?
    -> I work as {a}{value}
works_as: {iam} (?:(?:actually|currently|also) )?(?P<a>an?)
    \s(?P<value>(?!(?:bad|terrible|good|great|mere|poor|horrible|former|retired|bit|born|wannabe|fake|big
    |future|ex|aspiring) ){jobs})
    (?: (?:by (?:trade|profession|day)|irl|(?:from|at|for) (?!{no_workplace}).+|in (?!{no_workplace}){workplace}))?
    -> I am {a} {value}
works_at: i (?:currently |now )?work (?P<where>at|for)
    \s(?P<value>(?!a (?:living|while|change|reason|cause)\b)(?:an? |{capital}).+) -> I work {where} {value}
studies: (?:i (?:currently )?(?:study|major in)|{iam} (?:currently )?(?:studying|majoring in)) (?P<value>{subjects})
    (?: (?:at|in) .+)? -> I study {value}
birthday: my {bday}(?: is|'?s|:)? (?P<value>{date}) -> my birthday is {value}
birthday: (?P<value>{date}) is my {bday} -> my birthday is {value}
birthday: i have my {bday} (?P<value>{date}) -> my birthday is {value}
pronouns: (?P<value>{strict_pronouns})(?: (?:pronouns|please|here|for me))* -> my pronouns are {value}
lives_in: (?:{we}|i (?:was born|grew up|was raised|lived) (?:and raised )?in [\w' -]+? (?:and|but)(?: later)?) {moved}
    \s(?P<value>(?!(?:the )?(?:next|level)\b).+?){moved_when} -> I moved to {value}
lives_in: (?:(?:just|finally|recently) )+{moved} (?P<value>(?!(?:the )?(?:next|level)\b).+?){moved_when}
    -> I moved to {value}
lives_in: {moved} (?P<value>(?!(?:the )?(?:next|level)\b).+?){moved_once}{moved_when} -> I moved to {value}
from: i come from (?P<value>.+?)(?: (?:originally|actually))* -> I am from {value}
from: (?:{iam}|i) (?:(?:originally|actually|also) )*from (?P<value>.+?)(?: (?:originally
    |actually))* -> I am from {value}
age: (?:{iam}|i) (?:(?:now|currently|already) )?(?P<value>[1-9]\d)[- ]?(?:years?[- ]old|y/?o|yrs old)(?: now)?
    -> I am {value} years old
age: (?:{iam}|i) (?:(?:now|currently|already) )?(?P<value>1[3-9]|[2-5]\d)(?: now)? -> I am {value} years old
age: i (?:(?:just|recently|finally|have) )*turned (?P<value>[1-9]\d)(?: (?:today|yesterday|last \w+|this \w+|on \w+))?
    -> I turned {value}
pet: (?:i (?:(?:just|finally|recently|also|do) )*(?:have|own|got|adopted)|i'?ve got) (?P<value>{count} {breed}{animal}
    (?: (?:named|called) {pet_name}(?: (?:and|&) {pet_name})?)?)(?: too| now| at home)? -> I have {value}
attribute: my (?P<animal>{animal})(?:'?s name(?: is|'s)| is (?:called|named)) (?:now )?(?P<value>{pet_name})(?: now)?
    -> my {animal} is called {value}
family: (?:i have|i've got) (?P<value>{count} (?:(?:older|younger|little|big|twin|half|elder|small|grown-?up|adult) )*
    {kin}) -> I have {value}
speaks: i (?:(?:also|can|fluently|natively|still|only|mostly) )*speak (?:(?:fluent|some|a little|a bit of) )?
    (?P<value>{languages}(?:(?:, | and |, and ){languages})*){ever_since} -> I speak {value}
speaks: {iam} (?:(?:also|currently|now) )?(?P<how>fluent in|learning) (?P<value>{languages}){ever_since}
    -> I am {how} {value}
plays: i (?:(?:also|can|still|mostly|usually|sometimes|often) )*play (?P<article>(?:the )?)(?P<value>{instrument}
    (?: and (?:the )?{instrument})?|{game}(?: and {game})?){ever_since} -> I play {article}{value}
trait: {iam} (?P<value>left[- ]handed|right[- ]handed|ambidextrous|a lefty|a southpaw)(?: too)? -> I am {value}
attribute: {iam} (?P<value>\d'\d{1,2}|\d\.\d\d ?m|[12]\d\d ?cm)(?: tall)? -> I am {value} tall
attribute: (?:{iam}|(?:i've|ive|i have) been) (?P<a>(?:an? )?)(?:strict )?(?P<value>vegan|vegetarian
    |pescatarian)(?: (?:now|too|for \w+ (?:\w+ )?years|since .+))? -> I am {a}{value}
attribute: {iam} (?:happily )?(?P<value>married|engaged)(?: now)? -> I am {value}
event: i (?:(?:just|finally|recently|have) )*(?P<value>quit my job)(?: (?:today|yesterday|last \w+
    |this \w+))? -> I have {value}
attribute: my (?P<kin>wife|husband|sister|brother|son|daughter|mom|mum|mother|dad|father|girlfriend|boyfriend|fiancee?
    |grandma|grandmother|grandpa|grandfather|aunt|uncle)(?:'s name is| is (?:called
    |named)) (?P<value>{capital}[\w'-]+)
    -> my {kin}'s name is {value}
attribute: i (?P<verb>drive|ride) an? (?P<value>(?:\w+ )?{capital}[\w-]+(?: [\w-]+)?) -> I {verb} a {value}
attribute: i (?:(?:just|recently|finally) )*started (?:working|a (?:new )?job) (?P<where>at
    |for) (?P<value>{capital}.+?)
    {moved_when} -> I started working {where} {value}
attribute: i (?:(?:just|recently|finally) )*started (?:working )?as (?P<a>an?) (?P<value>{jobs}){moved_when}
    -> I started working as {a} {value}
habit: i (?P<verb>don't|dont|do not|never) (?P<value>drink|smoke)(?: alcohol| anymore| at all)? -> I don't {value}
habit: i (?:(?:just|finally|recently|have) )*(?P<past>quit|stopped) (?P<value>smoking|vaping|caffeine|sugar|coffee
    |gluten|gambling)(?: .*ago| last \w+| this \w+)? -> I have {past} {value}
habit: i (?P<verb>don't|dont|do not|never) eat (?P<value>meat|pork|fish|beef|dairy|gluten|sugar|seafood|eggs|nuts)
    (?: anymore| at all)? -> I don't eat {value}
time_zone: my (?:time ?zone|tz)(?: is|'s|:) (?P<value>{zone}) -> my timezone is {value}
time_zone: {iam} (?:in|on) (?:the )?(?P<value>{zone})(?: time ?zone| time)? -> my timezone is {value}
birthday: i was born (?P<value>{date}) -> I was born {value}
favorite: my {favorite} {thing}{lasting}(?: is| has always been|'s
    |\s?:){surely} (?P<value>.+) -> my {favorite} {thing} is {value}
favorite: my {favorite} {thing}{lasting} are{surely} (?P<value>.+) -> my {favorite} {thing} are {value}
favorite: (?P<value>.+?) is{surely} my {favorite} {thing}{ever} -> my {favorite} {thing} is {value}
favorite: (?P<value>.+?) are{surely} my {favorite} {thing}{ever} -> my {favorite} {thing} are {value}
likes: i (?:rl+y )?(?P<verb>{very}{like}) (?P<value>.+) -> I {verb} {value}
likes: i (?:rl+y )?{very}(?:lo{2,}ve+|love{2,}|luv) (?P<value>.+) -> I love {value}
dislikes: i (?P<verb>{very}(?:(?:don't|dont|do not|no longer) {much}(?:like|enjoy|love)
    |(?:just )?(?:hate|dislike|detest|despise|loathe)|(?:can't|cannot|cant
    |can not) stand)) (?P<value>.+) -> I {verb} {value}
likes: {iam} (?P<verb>{fan}) (?P<value>.+) -> I am {verb} {value}
likes: {iam} (?P<verb>(?:(?:totally|absolutely|completely|really|so|super|very|currently) )*(?:obsessed with|into
    |passionate about)) (?P<value>.+) -> I am {verb} {value}
dislikes: {iam} (?P<verb>not {fan}) (?P<value>.+) -> I am {verb} {value}
feeling: (?:{iam}|i (?:still |just )?feel)(?P<no>(?: not)?)(?P<degree>{degree}) (?P<value>{moods}(?: and {moods})?)
    (?:,? (?:(?:{now}|again|already|tbh|man|guys)|(?:from|after|about|because
    |since) .+))? -> I am{no}{degree} {value}
event: (?P<value>(?:(?:{when}),? )?i (?:(?:just|finally|recently|also) )?went (?:back )?(?:to (?!bed\b|sleep\b)
    |home\b
    |out |on an? |for an? |\w+ing\b).*) -> {value}
event: (?:i )?(?:just|finally|recently) (?P<value>got (?:back|home) from (?:{capital}|(?:the|my|our|a) (?:holiday
    |holidays
    |vacation|trip|hike|concert|gym|beach|cinema|movies|honeymoon)\b).*) -> I just {value}
event: (?P<value>(?:(?:{when}),? )?i (?:passed|failed) (?:my|the|an?) (?:\w+ ){0,3}?(?:tests?|exams?|interview|course
    |class
    |finals|thesis|defen[cs]e)(?: (?:{when}|at .+|for .+|with .+))?) -> {value}
event: (?P<value>(?:(?:{when}),? )?i (?:graduated(?: (?:{when}|from (?:{capital}|(?:\w+ )?(?:school|college|university
    |uni)\b).*|with .+|in \d{4}))?$|got (?:married|engaged|promoted(?! to {rank})|hired|a (?:new )?(?:job|promotion))
    |retired|ran (?:a|my first) (?:\w+ )?marathon|became an? .+|had a baby|bought (?:a|my first
    |our first) (?:\w+ )?(?:house|flat|apartment|car|boat|bike))\b.*) -> {value}
event: (?P<value>(?:(?:{when}),? )?i(?:'ve| have)? (?:just|finally|recently) (?:{done}|got (?!to\b
    |it\b)).*) -> {value}
"""
_ENDINGS: Final = r"""
lives_in: i (?:no longer (?:live|reside) (?:in|near) (?P<value>.+?){anymore}?) -> I no longer live in {value}
lives_in: i {dont} (?:live|reside) (?:in|near) (?P<value>.+?){anymore} -> I no longer live in {value}
lives_in: {iam} (?:no longer|not) (?:living|based) in (?P<value>.+?){anymore}? -> I no longer live in {value}
lives_in: {we} {just}moved (?:out of|away from) (?P<value>(?!(?:my|the|our)\b).+?){moved_when}
    -> I no longer live in {value}
works_at: i no longer work (?:at|for) (?P<value>.+?){anymore}? -> I no longer work at {value}
works_at: i {dont} work (?:at|for) (?P<value>.+?){anymore} -> I no longer work at {value}
works_at: {iam} (?:no longer|not) (?:working (?:at|for)|at|with) (?P<value>.+?){anymore} -> I no longer work at {value}
works_at: (?:i|i've|ive|i have) {just}(?:quit|left|resigned from) (?:my job at |working (?:at|for) )?(?P<value>
    (?!my\b|the\b).+?){lately}
    -> I no longer work at {value}
works_at: i {just}(?:got|was) (?:fired|laid off) (?:from|by) (?P<value>.+?){lately} -> I no longer work at {value}
works_at works_as: (?:i|i've|ive|i have) {just}(?:quit|left|lost) my job{lately} -> I no longer have my old job
works_at works_as: i {just}(?:resigned|(?:got|was) (?:fired|laid off)){lately} -> I no longer have my old job
works_as: i no longer work as an? (?P<value>.+?){anymore}? -> I no longer work as a {value}
works_as: i {dont} work as an? (?P<value>.+?){anymore} -> I no longer work as a {value}
works_as diet: {iam} no longer (?P<a>(?:an? )?)(?P<value>[\w-]+(?: [\w-]+)?) -> I am no longer {a}{value}
works_as diet: {iam} not (?P<a>(?:an? )?)(?P<value>[\w-]+(?: [\w-]+)?){anymore} -> I am no longer {a}{value}
studies: i (?:no longer (?:study|major in) (?P<value>.+?){anymore}?) -> I no longer study {value}
studies: i {dont} (?:study|major in) (?P<value>.+?){anymore} -> I no longer study {value}
studies: i {just}dropped out(?: of (?:uni|university|college|school|.+))? -> I dropped out
pet: i (?:no longer (?:have|own)) (?P<a>an?|any|the|my|our) (?P<value>{breed}{animal}){anymore}?
    -> I no longer have {a} {value}
pet: (?:i|we) {dont} (?:have|own) (?P<a>an?|any|the|my|our) (?P<value>{breed}{animal}){anymore}
    -> I no longer have {a} {value}
pet: (?:my|our) (?P<value>{breed}{animal}) {just}(?:died|passed away|passed){lately} -> my {value} died
relationship: (?:we|we've|we have|me and my {partner}|my {partner} and (?:i|me)) {just}(?:(?:broke|broken) up|(?:got
    |are|have)? ?divorced){lately} -> I am no longer in that relationship
relationship: (?:i|i've|ive|i have) {just}(?:broke|broken|split) up with my {partner}{lately}
    -> I am no longer in that relationship
relationship: {iam} (?:no longer|not) (?P<value>married|engaged|dating|single|in a relationship){anymore}?
    -> I am no longer {value}
plays: i (?:no longer play) (?:the )?(?P<value>.+?){anymore}? -> I no longer play {value}
plays: i {dont} play (?:the )?(?P<value>.+?){anymore} -> I no longer play {value}
plays: (?:i|i've|ive|i have) {just}(?:quit|stopped|gave up|given up) (?:playing )?(?:the )?(?P<value>(?!my\b).+?)
    {lately}
    -> I no longer play {value}
vehicle: i no longer (?:drive|ride|own) (?:an?|my|the) (?P<value>.+?){anymore}? -> I no longer drive a {value}
vehicle: i {dont} (?:drive|ride) (?:an?|my|the) (?P<value>.+?){anymore} -> I no longer drive a {value}
vehicle: i {just}sold my (?:car|bike|motorbike|motorcycle|van|truck){lately} -> I sold my vehicle
"""
"""What is so no longer, under the beginnings of its keys; it counts only where something such is known."""
_TOLD: Final = r"""
name: {x}'s (?:(?:real|first|full|actual) )?name is (?P<value>.+)
alias: {x} (?:wants to be called|goes by) (?P<value>.+)
pronouns: {x}(?:'s pronouns are| uses| goes by) (?P<value>{pronouns})(?: pronouns)?
lives_in: {x} (?:lives|is living|is based) (?:in|near) (?P<value>.+)
works_as: {x} (?:works as(?: an?)?|is an?) (?P<value>{jobs})
works_at: {x} works (?:at|for) (?P<value>.+)
studies: {x} (?:studies|is studying) (?P<value>{subjects})
birthday: {x}(?:'s {bday}(?: is|:)?| was born| has their {bday}) (?P<value>{date})
birthday: (?:it is|it's|its|today is) {x}'s {bday} (?P<value>{date})
birthday: (?P<value>{date}) is {x}'s {bday}
speaks: {x} (?:speaks|is fluent in|is learning) (?P<value>{languages}(?:(?:, | and |, and ){languages})*)
plays: {x} plays (?:the )?(?P<value>{instrument}(?: and (?:the )?{instrument})?|{game}(?: and {game})?)
pet: {x} has (?P<value>{count} {breed}{animal}(?: (?:named|called) [\w'-]+(?: (?:and|&) [\w'-]+)?)?)
family: {x} has (?P<value>{count} (?:(?:older|younger|little|big|twin|half|elder|small|grown-?up|adult) )*{kin})
trait: {x} is (?P<value>left[- ]handed|right[- ]handed|ambidextrous|a lefty|a southpaw)
habit: {x} (?:doesn't|does not|never|don't) (?P<value>drink|smoke|eat \w+)
habit: {x} has (?P<value>(?:quit|stopped) \w+)
time_zone: {x}'s time ?zone is (?P<value>{zone})
likes: {x} is (?:(?:totally|absolutely|completely|really|so|super|very|currently) )*(?:obsessed with|into
    |passionate about)
    \s(?P<value>.+)
favorite: {x}'s {favorite} {thing} (?:is|are) (?P<value>.+)
favorite: (?P<value>[^<>]+) (?:is|are) {x}'s {favorite} {thing}
likes: {x} (?:{very}(?:likes|loves|enjoys|adores|prefers)|{very}does {like}|is {fan}) (?P<value>.+)
dislikes: {x} {very}(?:(?:doesn't|does not|no longer) {much}(?:likes?|enjoys?|loves?)
    |(?:just )?(?:hates|dislikes|detests|despises|loathes)|(?:can't|cannot|cant|can not) stand
    |is not {fan}) (?P<value>.+)
"""


def _keyed(kind: StatementKind, said: str) -> str:
    """Return a thing as keys have it: American spelling, no article, one of several."""
    said = re.sub(r"^(?:an?|the|some|my|their|to) (?=\S)", "", said)
    said = re.sub(r"\b(col|flav|hum|neighb|harb|hon)our(?=s?\b)", r"\1or", said).replace("theatre", "theater")
    if (
        kind is StatementKind.FAVORITE
        and re.search(r"[^su]s$", said)
        and not re.search(r"(?:series|news|sports|is)$", said)
    ):
        return re.sub(r"(?<=bb)ies$", "ys", said)[:-1]
    return said


_STATES: Final = words(
    """broken dead laggy online offline banned unbanned washed gone over alive live free paid expensive cheap pricey
    trash garbage ass goated lit bad good great fine awful terrible horrible boring fun funny hard easy
    slow fast buggy bugged glitched glitchy nerfed buffed busted op dying lying lagging buffering missing cancelled
    canceled retired injured benched suspended sick ill tired late early busy empty full packed open shut ready new old
    tomorrow today tonight yesterday soon now here there away nearby underrated overrated stupid dumb ruined done
    finished available unavailable hot cold updating updated touring downloading loading ripped stolen"""
)
"""How something is or when, and never what: "my favourite game is dead"."""
_BESIDE_A_STATE: Final = words(
    """so pretty quite kinda still finally super totally completely rather currently always almost basically literally
    being getting back up down out off on in again already soon today tomorrow tonight rn"""
)
_DONE_THINGS: Final = words(
    """hobby hobbies sport sports activity activities pastime pastimes exercise exercises workout food foods dish dishes
    meal meals snack snacks dessert desserts breakfast lunch dinner sauce side subject subjects class skill craft chore
    art arts genre job task role mode profession word verb discipline"""
)
"""Favourites that may be called by what is done, or was done to them: "fishing", "stuffed peppers"."""


def _is_state(thing: str, value: str) -> bool:
    """Return whether a value in small letters says how a favourite thing is rather than what."""
    said = [word for word in value.split() if word not in _BESIDE_A_STATE]
    if not value.islower() or len(said) > 1:
        return False
    if not said or said[0] in _STATES:
        return True
    return is_participle(said[0]) and _DONE_THINGS.isdisjoint(thing.lower().split())


LANGUAGE: Final = ExtractionLanguage.of(
    _SHAPES,
    PARTS,
    pronoun="I ",
    patterns=_PATTERNS,
    endings=_ENDINGS,
    told=_TOLD,
    clean={
        StatementKind.NAME: name_values(WORDS),
        StatementKind.ALIAS: name_values(WORDS),
        StatementKind.LIVES_IN: place_values(WORDS),
        StatementKind.FROM: place_values(WORDS),
        StatementKind.BIRTHDAY: day_values(MONTHS),
        StatementKind.WORKS_AT: thing_values(WORDS, most_words=5),
        StatementKind.FAVORITE: thing_values(
            WORDS, most_words=8, titles=True, refuses=re.compile(r"about\b|.*\bor\b", re.IGNORECASE)
        ),
        StatementKind.LIKES: thing_values(WORDS, most_words=6, splits=True, refuses=_SHAPES["no_liking"]),
        StatementKind.DISLIKES: thing_values(
            WORDS, most_words=6, splits=True, refuses=_SHAPES["no_disliking"]
        ),
        StatementKind.EVENT: event_values(when=_SHAPES["when_event"], never=_EVENT_NEVER),
    },
    months=MONTHS,
    keyed=_keyed,
    is_state=_is_state,
)
