"""The words of English that extraction has to know: what people are, feel and do, and what is no value."""

import re
from typing import Final

from bot.memory.extraction.shapes import shape
from bot.memory.extraction.values import Words
from bot.memory.tokens import words

PARTS: Final = {
    "jobs": r"(?:[\w-]+ ){0,2}(?:" + "|".join("""accountant
        actor actress analyst archaeologist architect artist assistant
        astronomer author baker banker barber barista bartender biologist bookkeeper builder butcher caretaker
        carpenter
        cashier chef chemist cleaner coach composer consultant cook copywriter courier dancer dentist designer
        developer
        director doctor driver economist editor electrician engineer farmer firefighter fisherman florist gardener
        geologist hairdresser historian illustrator interpreter janitor journalist judge lawyer lecturer librarian
        linguist manager marketer mathematician mechanic midwife miner musician nurse optician painter paralegal
        paramedic pharmacist photographer physicist physiotherapist pilot plumber poet policeman postman potter
        programmer professor psychologist realtor receptionist reporter researcher sailor scientist sculptor
        secretary
        singer soldier statistician student surgeon surveyor sysadmin tailor teacher technician tester translator
        trucker
        tutor veterinarian vet waiter waitress welder writer""".split()) + ")",
    "subjects": r"""(?:(?!my |the |for |some |any )\w+ )?(?:engineering|science|law|design|studies|history|arts?
    |literature
        |languages?)|accounting|ai|anatomy|anthropology|archaeology|architecture|astronomy|biology|business
        |chemistry
        |computer science|dentistry|ecology|economics|education|english|french|geography|geology|german|informatics
        |italian|japanese|journalism|linguistics|management|marketing|mathematics|maths?|mechanics|medicine|music
        |nursing
        |pharmacy|philosophy|photography|physics|psychology|russian|sociology|spanish|statistics|theatre|theater""",
    "moods": "(?:" + "|".join("""angry annoyed anxious bored cheerful cranky devastated disappointed drained ecstatic
        embarrassed excited exhausted frustrated furious gloomy grumpy happy heartbroken hungry inspired
        irritated jealous jetlagged lonely mad melancholic miserable motivated nervous nostalgic optimistic
        overjoyed
        overwhelmed refreshed relaxed relieved restless sad scared sleepy stressed thirsty thrilled tired unhappy
        unmotivated upset worried""".split()) + "|worn out|stressed out|burnt out|burned out)",
    "done": "(?:" + "|".join("""adopted arrived ate baked booked bought built celebrated completed cooked finished
        graduated installed joined landed launched left lost made married met moved ordered painted passed planted
        quit
        returned signed sold started upgraded visited watched won woke wrote saw""".split()) + ")",
    "now": """now|right now|these days|nowadays|currently|at the moment|today|tonight|lately
        |this (?:morning|afternoon|evening|week)""",
    "capital": r"(?-i:[^\Wa-z\d_])",
    "proper": r"(?-i:[^\Wa-z\d_][^\WA-Z\d_])",
}  # fmt: skip
"""Parts of shapes."""

WORDS: Final = Words(
    tails=shape(
        r""",?\s+(?:too|also|as well|a lot|a bunch|so much|very much|really|btw|by the way|tbh|honestly|though|tho
        |the most
        |{now}|anyways?|for sure|of course|indeed|instead|ok|okay|man|dude|guys|bro|folks|everyone|please|myself
        |again
        |personally|in general|ever|of all time|in the world|more than anything|already|nice to meet (?:you|y'?all
        |everyone)
        |for (?:(?:about|over|almost|nearly) )?(?:\d+|a few|many|several|two|three|four|five|ten) (?:year|month
        |week)s?(?: now)?)$
        |,?\s+(?:because|cause|'cause|cuz|coz|bc|since|so|as|but|though|although|even though|while)\s.*$""",
        **PARTS,
    ),
    after_a_name=shape(
        r"""(?:and|but|from|btw|by the way|nice to|pleased|whats|what|i|i'm|im|i've|my|so|by|or|here|too|though
        |for short
        |in case|then)\b(?!')"""
    ),
    never=words(
        """i i'm i've i'd i'll you you're he he's she she's it it's its we they me him us them your yours his her
        hers ours
        our their theirs this that that's these those there here what who which whom whose when where why how if
        whether
        than more less better worse is are was were am be been being do does did don't doesn't didn't has had can
        can't
        will won't would could shall should may might must not never yes no yet such same other ones another neither
        anything something nothing everything everyone someone anyone nobody stuff thing things way ways idea look
        looks
        sound fact until unless because like too enough rather instead even isn't aren't wasn't very much error
        errors
        message messages 'em segfault bug crash prompt output lot got option options approach version suggestion
        answer
        lives likes loves hates dislikes prefers enjoys wants speaks goes needs eats works plays owns studies"""
    ),
    never_first=words(
        """all both every each so very about of with at in on and or but like just some any most one up out off
        over back
        really totally actually literally only definitely seriously basically feel getting having seeing hearing
        knowing
        waiting losing watching people how's good bad nice cheap fast easy hot cold old new live from for into"""
    ),
    never_a_name=words(
        """a an the my your his her our their this that these those it its is are was not no never none nobody
        nothing what who
        on in at to for of with by from as if so too very also only just already long short weird common rare
        unique hard
        easy difficult different same similar pronounced spelled spelt written taken known hidden private secret mud
        irrelevant important unimportant wrong right misspelled red green blue black gone shown listed displayed
        legion
        null test root admin user anonymous unknown everywhere somewhere there here like being going getting gonna
        kinda
        actually really probably maybe mine yours hers and or but german french russian english american british
        italian
        spanish indian chinese japanese polish canadian dutch new back done sorry sure fine good great ok okay late
        early
        ready home tired sad happy me you him them us we i error stuck lost confused looking trying dad daddy mom
        mommy
        sir boss king queen master god lord crazy stupid dumb old later when anytime whatever anything everything
        batman superman spiderman santa satan jesus groot bond inevitable awesome hell monday tuesday wednesday
        thursday
        friday saturday sunday january february bored hungry busy free available alone alive dead online called"""
    ),
    never_a_place=words(
        """a an my your his our hope fear denial bed peace towns cities poverty terminal vim emacs linux windows
        constant
        world house apartment flat basement dorm hostel village country countryside suburbs past present future
        moment
        dream dreams fantasy hell heaven matrix simulation cloud clouds box cave woods harmony shadow shadows rented
        small big different one two middle nowhere somewhere capital student darkness interesting times chaos pain
        squalor luxury sin style nature north south east west hotel van car tent shelter terror exile bubble person
        general theory practice wonderland narnia hogwarts mordor gotham atlantis westeros azeroth tamriel"""
    ),
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
NO_LIKING: Final = shape(
    r"""to$|the (?!{proper}|(?:oceans?|sea|beach|mountains?|outdoors|rain|cold|snow|sun|countryside|forest|city
    |piano|guitar
    |violin|drums|gym|theatre|theater|cinema|movies|arts|summer|winter|autumn|fall|spring|moon|stars)\b)
    |to (?:see|hear|know|say|think|be|believe|imagine|help|keep|make|use|try|do|add|point|get|have|just|at|not
    |hate)\b
    |my\b|(?!jelly|family|flying|italy|lily|fly\b)\w+ly\b
    |(?:mondays?|traffic|tax(?:es)?|spam|ads|commercials|meetings|queues|hangovers?|headaches?|deadlines?|homework
    |exams?
    |delays?|layoffs|lag|crashes|migraines?|overtime|chores|paperwork|failing|crying|suffering|dying|bugs|paying .+
    |doing (?:laundry|taxes|dishes|homework|chores|nothing)|getting .+|working (?:overtime|weekends|late).*)$""",
    **PARTS,
)
NO_DISLIKING: Final = shape(r"my\b|the (?!{proper})|to\b|\w+ly\b|(?:myself|life|school|work)$", **PARTS)
EVENT_NEVER: Final = words(
    """you he she it it's they him her them this that these those there here what which who where when if how your
    his hers
    their years months year month ahead through thing things stuff one ones something anything nothing everything
    somewhere someone because so but error errors message messages crash bug segfault was were is are can't cannot
    couldn't don't didn't before as same channel link page crazy wrong nuts mad bananas well viral until"""
)
