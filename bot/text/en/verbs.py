"""English verbs: which words are verbs, and the forms that they take."""

import re
from typing import Final

from bot.text.tokens import words

MODALS: Final = words(
    """can cannot can't could couldn't may might must mustn't shall should shouldn't will won't would wouldn't
    ought better did didn't cant couldnt wont wouldnt shouldnt didnt"""
)
UNCHANGED: Final = MODALS | words("was wasn't were weren't had hadn't ain't used")

SINGULAR: Final = {
    "am": "is",
    "have": "has",
    "haven't": "hasn't",
    "havent": "hasn't",
    "do": "does",
    "don't": "doesn't",
    "dont": "doesn't",
    "go": "goes",
    "wanna": "wants to",
    "gotta": "has to",
}
"""The forms after he and she that follow no rule."""

INVERTED: Final = {"am": "is", "do": "does", "have": "has", "don't": "doesn't", "haven't": "hasn't"}
AFTER_THEY: Final = {"am": "are", "was": "were", "wasn't": "weren't"}

IRREGULAR_PAST: Final = words(
    """ate became began bent bit bled blew bought broke brought built burnt came caught chose clung crept dealt did
    dreamt drew drank drove dug fed fell felt fled flew forbade forgot forgave fought found froze gave got grew
    had heard held hid hung kept knew laid leant learnt led left lent lit lost made meant met misunderstood paid
    ran rang rode rose said sang sank sat saw sent sewed shone shook shot showed shrank slept slid smelt sold
    sought spelt spent spoke spoilt sprang stole stood struck stuck stung stank swore swept swam swung taught
    thought threw told took tore understood undertook was went were wept woke won wore wound wove wrote"""
)
"""Past forms that differ from the present one; the regular ones end in -ed."""

SHORT_PAST: Final = words("died lied tied used owed aged iced dyed vied")
"""Regular past forms of four letters; others of that length are things: "shed", "sled"."""

ONE_FORM: Final = words("beat bet cast cost cut fit hit hurt let put quit read set shut split spread")
"""Verbs whose present form is their past form too."""

PRESENT_IN_ED: Final = words(
    "bleed breed embed exceed feed heed need proceed seed shed shred speed succeed weed wed"
)

STATIVE: Final = words("love like hate prefer need want enjoy live have adore dislike own")
CLEAR: Final = words(
    """hate prefer enjoy live need want have own eat speak know think go make take wear read write sing adore
    dislike collect teach learn listen play am do believe keep feel get bake do wash buy build grow visit don't
    haven't can't bring choose consider forget become belong exist hear understand remember sell send
    admire avoid detest loathe despise appreciate attend volunteer babysit"""
)
"""Verbs that are hardly ever things: after "and" they are something that is done."""

NOUNS_TOO: Final = words(
    "like love work drink watch study use cook drive dance run sleep walk travel code paint hope plan"
)
"""Verbs that may be things as well, of which the words behind them tell which they are."""

VERBS: Final = (
    CLEAR
    | NOUNS_TOO
    | ONE_FORM
    | PRESENT_IN_ED
    | words(
        """accept ache act add adjust adopt advise afford agree aim allow animate answer apologise apologize
        apply argue arrange arrive ask assemble assume attack bathe be bear beg begin behave believe bend
        bike bind bite blame bleach blog blow blush boil book boost boulder bounce bowl box brag braid
        breathe brew broadcast brush budget burn buzz cackle calculate call camp campaign carry carve catch
        celebrate change charge chat check cheer chew clean climb cling close coach code collaborate color
        colour comb come commute compete complain compose conduct confess confuse connect cosplay count
        cover craft crash crave create crochet cross cry cuddle curate curse cycle dabble dance dare
        deadlift deal debug decide declutter decorate deliver demand depend deploy deserve design develop
        die dig disagree discover discuss dive donate doodle doubt draft drag draw dread dream dress drift
        drink drool drop drum dry dye earn edit embroider emigrate emulate encourage end engage enter envy
        escape examine exercise expect experience experiment explain explore express face fail faint fall
        fancy farm fast fear feed fence fetch fight figure fill film find finish fish fix flip flirt float
        fly fold follow forage foster freak freelance freeze fry garden gather giggle give glow golf
        graduate greet grill grind groom grow grumble guess guide hack handle hang happen harvest haul help
        hike hire hitchhike hoard hold homebrew homeschool host hug hum hunt hurry identify ignore imagine
        import improve ink inspire intend interpret interview invest invite involve iron itch jam jog join
        joke juggle jump keep kick kiss knead knit knock lack laugh launch lead lean leave lend lie lift
        light limit listen load lock look lose maintain major manage march mark marry mash master match
        matter mean measure meditate meet melt mend mentor mess mind mine miss mix mod moderate modify mop
        motivate mount mourn move mow nap neglect nod note notice object observe obsess offer open operate
        oppose order organise organize oversleep overthink owe pack paddle parent park participate pass pay
        peel perform photograph pick pickle pilot pitch place plant play please plough plow polish possess
        post pour practice practise pray preach predict prepare present press pretend print produce program
        promise pronounce protest prove provide publish pull push quilt quote race rage raise ramble rap
        rate reach react realise realize rebuild receive recharge recommend record recover recycle reenact
        refer refuse regret relax rely remain remind remove rent repair repeat reply report represent
        require rescue research resell resemble reside respect respond rest restore retire return review
        ride ring rinse rise roast roll root row run rush sail save say scare schedule scream scuba search
        see seem serve sew shake share shave shine ship shiver shoot shop shout show shower shred sigh sign
        sip sit skate skateboard sketch ski skip sleep sleepwalk smell smile smoke snack sneeze snooze snore
        snorkel snowboard soak solve sound spar speak speedrun spell spend spin split squat stack stan stand
        stare start starve stay steal stick stop store stream stretch struggle study stumble suck suffer
        suggest supervise support suppose surf survive suspect swap swear sweat sweep swim swing switch talk
        tan tango taste tattoo teach tell tend test text thank throw tidy tie tinker tolerate touch track
        trade train translate travel treat trim trust try turn tutor twitch type unwind upload urge use
        vacation vacuum value vape vent veto vlog voice volunteer vote wait wake wakeboard walk wander want
        warm waste watch water wave weave weigh weightlift welcome whisper whistle win wish wonder work
        worry wrap wrestle yawn yell zone"""
    )
)
"""Base forms of verbs: what no table holds is not known to be one."""

THINGS_TOO: Final = words(
    """water fish book film paint plant color colour work travel drink snack golf polish play butter music cheer design
    code coach craft farm garden photograph record dance tango sketch ink sail
    roll chat test"""
)
"""Verbs that are things where nothing follows them: "likes tea and water"."""

REQUESTS: Final = words("tell show suggest recommend give make")
"""What somebody is asked to do behind what is told of how one is: "I'm vegan and suggest a recipe"."""

_BEHIND_A_VERB: Final = words(
    """a an the my our his her their your this that these those some no any every all two three four five it them him me
    you myself lots"""
)
"""What stands behind a verb and never behind a thing."""

_PREPOSITIONS: Final = words("at in for as from with on to")
_LOVE_THINGS: Final = words(
    "song songs story stories letter letters life affair affairs island triangle button"
)
OF_THINGS: Final = words("like love hate enjoy prefer want need miss adore dislike")
"""Verbs that are of things rather than of what is done at the same time."""


def is_surely_verb(word: str, following: str, *, behind: str) -> bool:
    """Return whether `word`, joined to the verb `behind`, is a verb rather than another thing that it is about.

    "I keep bees and coach a rowing team", "I live in Oslo and work at a school"; not "I like tea and work".
    """
    if word not in VERBS or following in {"", "and", "or", "but", "is", "are"}:
        return False
    if word in CLEAR or following in _BEHIND_A_VERB or following.startswith("<@") or following.isdigit():
        return True
    if word in {"like", "love"}:
        return following not in _PREPOSITIONS | _LOVE_THINGS
    return following in _PREPOSITIONS and behind not in OF_THINGS and word in NOUNS_TOO


def is_participle(word: str) -> bool:
    """Return whether `word` is the form in -ing or -ed of a known verb: "crashing", "winning", "closed"."""
    found = re.fullmatch(r"([a-z]{2,})(?:ing|ed)", word)
    if found is None:
        return False
    stem = found[1]
    single = stem[:-1] if stem[-1] == stem[-2] else stem
    return not VERBS.isdisjoint((stem, f"{stem}e", single, f"{stem[:-1]}y"))


def third_form(verb: str) -> str:
    """Return the form of a verb in the present after he and she."""
    if verb in SINGULAR:
        return SINGULAR[verb]
    if re.search(r"(?:s|sh|ch|x|z|o)$", verb):
        return f"{verb}es"
    return re.sub(r"(?<=[^aeiou])y$", "ie", verb) + "s"
