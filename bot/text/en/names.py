"""What shows in an English sentence that a word is somebody's name, and that it is not."""

import re
from collections.abc import Sequence
from typing import Final

from bot.text.en.words import LETTERS, TOPICS, WORDS
from bot.text.grammar.words import DETERMINERS, is_function_word
from bot.text.languages import rows

_TABLE: Final = """
first_names: aaron abby abigail adam adrian aisha alan albert alex alexander alexandra alexis alfred ali alice alicia
    alison allison amanda amber amelia amy ana andre andrea andrew andy angela anita ann anna anne annie anthony anton
    april arthur ashley audrey austin ava barbara beatrice becky ben benjamin bernard beth betty bill billy bob bobby
    brad brandon brenda brian bridget bruce bruno caleb cameron carl carla carlos carmen carol caroline carter
    catherine cathy cecilia charles charlie charlotte chloe chris christian christina christine christopher cindy
    claire clara claudia colin connor craig crystal curtis cynthia daisy dan dana daniel daniela danny darren dave
    david dawn dean deborah debbie denise dennis derek diana diane diego dmitri dominic donald donna doris dorothy
    doug douglas drew dylan eddie edgar edward edwin elaine eleanor elena eli elijah elizabeth ella ellen emily emma
    eric erica erik erin ethan eugene eva evan eve evelyn faith felix fiona florence frances francis frank fred
    gabriel gary gavin george gerald gina gloria grace graham greg gregory gus guy hannah harold harriet harry harvey
    hassan hazel heather hector helen helena henry holly hope howard hugh hugo ian ibrahim igor ingrid irene iris
    isaac isabel isabella ivan ivy jack jackie jacob jade jake james jamie jan jane janet janice jasmine jason jay
    jean jeff jeffrey jen jennifer jenny jeremy jerry jesse jessica jessie jill jim jimmy joan joanna joe joel joey
    johan john johnny jon jonas jonathan jordan jorge jose joseph josh joshua joy joyce juan judith judy julia julian
    julie june justin kai karen karl kate katherine kathleen kathy katie keith kelly ken kenneth kevin kim kimberly
    kurt kyle larry lars laura lauren laurie lawrence leah lee lena leo leon leonard leslie lewis liam lily linda lisa
    liz lola lorenzo louis louise lucas lucy luis luke lydia lynn madison maggie malcolm marc marcus margaret maria
    marie mario marion marius mark marko marta martha martin marvin mary mateo matt matthew maurice max maya megan
    melanie melissa mia michael michelle miguel mike mohammed molly monica morgan nadia nancy naomi natalia natalie
    natasha nathan neil nicholas nick nicola nicole nina noah nora norman oliver olivia omar oscar otto pablo pamela
    pat patricia patrick paul paula pedro penny perry peter phil philip philippe phoebe pierre polly priya rachel
    ralph raj ramon randy ray rebecca regina renee rhys ricardo richard rick rita rob robert roberto robin rodney
    roger roland ron ronald rosa rose rosie ross roy ruby russell ruth ryan sabrina sally sam samantha samir samuel
    sandra sara sarah scott sean sebastian sergei shane shannon sharon shaun sheila shirley silvia simon sofia sophia
    sophie stacy stan stanley stella stephanie stephen steve steven stuart sue susan suzanne sven sylvia tara ted
    teresa terry theo theodore theresa thomas tim timothy tina todd tom tommy toni tony tracy travis trevor tyler
    valentina valerie vanessa vera vernon veronica victor victoria vincent viola violet viktor vivian vladimir wally
    walter wanda warren wayne wendy wesley will william willow xavier yuki yuri yusuf yvonne zach zachary zara zoe
    zoltan
also_words: april amber angel archer art ash august aurora autumn bailey baker bean bear bee berry bill birch bishop
    blaze blossom blue brook bunny buddy cat captain carol cash chance chase cherry chip clay cliff cloud clover
    cookie cooper coral cricket crow crystal daisy dawn dean destiny diamond doc dog dot dragon dream drew duke dusty
    earl echo ember eve faith fern fire flora forest fox frank gene ghost ginger glen gold grace grant guy harmony
    harper hawk hazel heather heaven holly honey hope hunter ice iris ivy jack jade jasmine jay jazz jean jewel josh
    joy june kitty knight lance lane lark leaf lily lion lotus love lucky luna lynx major mark mason may melody mercy
    merry miles mint misty mocha moon muffin nick nova oak olive onyx opal owl page panda parker pat patience peach
    peaches pearl pepper penny pete petal phoenix piper pixie poppy porter pumpkin queen king prince princess rabbit
    rain raven ray reed rich river rob robin rock rocky rod rose ruby rusty sage sandy shadow sienna silver sky snow
    sparrow spike spirit star stone storm sue sugar summer sun sunny sunshine sweetie teddy terra tiger tom treasure
    trinity trip turtle ty van victor viola violet wade ward waffle will willow wind winter wolf woody world zen
    noodle potato pickle biscuit mango kiwi berlin paris london milan sydney florence chelsea austin dallas jordan
    georgia virginia carolina dakota brooklyn savannah madison israel china india kenya asia rome vienna geneva
    houston orlando victoria nancy lourdes
weak_verbs: died dies won lost wins loses released launched made makes bought started starts raised needs has works
    says plays speaks drives teaches wants knows
human_verbs: moved moves broke breaks buys went goes said told tells married marries graduated graduates passed failed
    found finds visited visits learned learns learnt learning quit quits joined joins called calls asked asks cooked
    cooks baked bakes ran runs swims swam rides rode sleeps slept hated loved liked lived worked played wanted
    preferred studied drank ate drove taught knew thought sang wrote reads draws drew paints painted dances danced
    climbs climbed hikes hiked travels travelled traveled flew flies met meets dated dates dislikes adores adored
    fears forgot forgets remembers remembered promised promises offered hopes wishes feels felt looks sounds smokes
    smoked vapes vaped grew raises keeps kept adopted adopts got gets owes owed borrowed lent gave gives sold sells
    builds built fixes fixed codes coded programs streams streamed hosts hosted organises organizes organised
    organized leads led coaches coached volunteers volunteered retired retires resigned fell caught cries cried laughs
    laughed jokes complained complains apologised apologized arrived arrives left leaves came comes stayed stays
    turned turns celebrated celebrates invited invites helps helped mentioned collects collected practises practices
    practiced speaks spoke understands wakes woke wears wore weighs watches watched listens listened hangs supports
    supported believes believed thinks enjoys enjoyed speedruns mains maintains knits knitted gardens bikes cycles
    cycled skis skied surfs surfed boxes boxed paid pays saved saves stopped began begins finished proposed cheated
    lied sneezed
human_bases: like love hate live work play prefer study speak own want enjoy dislike collect drink eat drive teach
    need know think say sing write move break buy go tell marry come leave be stay cook bake run swim sleep smoke help
    pay join meet call ask make visit travel arrive bring swear lie cry dance read watch wear have
be: is was isn't wasn't isnt wasnt are were aren't 's am
modals: can can't cannot cant could couldn't will won't wont would wouldn't should shouldn't must may might doesn't
    doesnt didn't didnt does did has hasn't had hadn't
after_a_name: never always often really usually sometimes also still just actually recently finally already probably
    definitely absolutely secretly currently now once only even both totally sort kinda not
people: nurse doctor teacher student engineer developer programmer designer lawyer accountant chef cook driver pilot
    artist musician singer writer author actor actress dancer painter photographer vet dentist surgeon paramedic
    firefighter policeman policewoman soldier farmer baker butcher barber hairdresser plumber electrician carpenter
    mechanic builder architect scientist biologist chemist physicist mathematician professor lecturer researcher
    translator journalist editor librarian manager director boss ceo freelancer streamer gamer mod moderator admin
    owner leader captain coach healer tank dm gm host winner champion vegan vegetarian pescatarian person man woman
    guy girl boy lady gentleman kid child adult teenager friend mate colleague roommate flatmate neighbour neighbor
    brother sister mother father mom mum dad son daughter cousin uncle aunt niece nephew husband wife girlfriend
    boyfriend fiance fiancee partner spouse grandma grandpa twin mother-in-law godmother godfather pregnant allergic
    married single divorced engaged tired ill sick busy late asleep awake drunk sad happy angry afraid scared shy
    jealous bored hungry thirsty born retired unemployed colourblind colorblind deaf blind left-handed right-handed
    lefty tall short blond blonde german french english british american russian polish spanish italian irish scottish
    dutch swedish norwegian danish finnish chinese japanese korean indian turkish greek ukrainian canadian australian
    brazilian mexican portuguese catholic christian muslim jewish atheist intern trainee apprentice barista waiter
    waitress bartender guitarist drummer pianist bassist cellist violinist introvert extrovert linguist historian
    psychologist therapist nanny au-pair sailor veteran widow widower orphan expat immigrant native fluent away back
    home
doing: moving coming going visiting learning studying working living getting leaving looking trying playing
things: month flower colour color season spring summer word name virtue city capital country town place river mountain
    language game song movie film book show band website site app server channel thing food drink fruit dish dessert
    plant tree animal star planet emotion feeling important beautiful everything nothing necessary brand company stone
    gem spice herb year day week holiday library framework editor engine mineral metal
belongings: birthday bday b-day name nickname job wife husband cat dog phone email number favourite favorite fav
    pronouns timezone mom mum dad mother father brother sister son daughter kids girlfriend boyfriend partner hobby
    address house car surname flat place bike boat pet parents family room wedding anniversary friend boss child baby
    handle username account shift flight hair eyes age height desk laptop computer keyboard camera guitar
kin: brother sister mother father mom mum mama dad papa son daughter cousin uncle aunt niece nephew husband wife
    girlfriend boyfriend fiance fiancee partner ex grandma grandpa grandmother grandfather twin friend bestie bff mate
    colleague coworker co-worker roommate flatmate housemate neighbour neighbor boss manager teacher tutor coach
    therapist doctor dentist landlord kid baby bro sis
pets: cat dog kitten puppy hamster rabbit parrot bird fish turtle horse snake lizard pet goldfish ferret pony gecko
    tortoise
named_by: called named nicknamed name
calls: call calls called nicknamed
in_a_place: in into near via throughout across outside
beside_names: with for to at from of by about like than without behind beside between against after before on via and
authors_things: birthday bday b-day timezone pronouns nickname height job hometown hobbies allergies diet
titles: mr mrs ms miss dr prof professor
all_of_us: raid server guild channel meeting meetup event tournament session stream party standup team clan group game
    campaign community discord crew admins mods moderators voice rules wifi bot website match scrim faction
we_at_home: have live moved married bought adopted got own rent had divorced met
guild_things: raid raids server guild channel meeting meetings meetup meetups event events tournament session stream
    movie game party standup practice rehearsal voice wifi password rules rule bot patch maintenance campaign
    announcement website minecraft match scrim scrims wipe reset concert gig call
"""
"""Words by what they tell of a name beside them.

`also_words` are names that are words or places as well; of `weak_verbs` things are the subject as often as people;
`people` and `things` are what somebody or something "is"; `guild_things` belong to all.
"""
_WORDS: Final = {name: frozenset(said.split()) for name, said in rows(_TABLE, joint=" ")}
FIRST_NAMES: Final = _WORDS["first_names"]
_DIMINUTIVES: Final = """
alexander: alex xander
alexandra: alex sandy
andrew: andy drew
anthony: tony
barbara: barb babs
benjamin: ben benny
catherine: cathy cat
charles: charlie chuck
christopher: chris
christina: chris tina
daniel: dan danny
david: dave davey
deborah: debbie deb
edward: ed eddie ted
elizabeth: liz lizzie beth betty eliza
frederick: fred freddy
gregory: greg
james: jim jimmy jamie
jennifer: jen jenny
jonathan: jon
joseph: joe joey
joshua: josh
katherine: kate katie kathy
kenneth: ken kenny
margaret: maggie meg peggy
matthew: matt
michael: mike mikey
nathaniel: nate nathan
nicholas: nick
patricia: pat patty trish
peter: pete
philip: phil
rebecca: becky
richard: rick dick richie
robert: rob bob bobby robbie
samuel: sam
samantha: sam
stephanie: steph
steven: steve
susan: sue suzie
theodore: theo ted teddy
thomas: tom tommy
timothy: tim
victoria: vicky
william: will bill billy
zachary: zach
"""
"""What the bearer of a full name is called as well."""


def families() -> list[frozenset[str]]:
    """Return names that one person goes by. Two short forms of one name are of two people: Bob and Rob."""
    return [frozenset((full, one)) for full, short in rows(_DIMINUTIVES) for one in short.split()]


_KNOWN: Final = (
    frozenset(
        word for table in (WORDS, TOPICS) for _, said in rows(table, joint=" ") for word in said.split()
    )
    | frozenset().union(
        *(_WORDS[name] for name in ("also_words", "human_verbs", "human_bases", "people", "things"))
    )
    | frozenset().union(*(_WORDS[name] for name in ("belongings", "kin", "pets", "guild_things")))
)
_MOST_WORDS_OF_PREDICATE: Final = 8
_AGE: Final = re.compile(r"\d{1,2}")
_SUFFIX: Final = re.compile(r"(?P<name>.*?[^\W_])(?P<suffix>['’](?:s|ll|d|re|ve|m)?)", re.DOTALL)


def is_spoken(word: str) -> bool:
    """Return whether `word` is written in this language's letters, its accents aside."""
    return not LETTERS.isdisjoint(word)


def split_suffix(word: str, lower: str, after: Sequence[str]) -> tuple[str, str]:
    """Return the name in a word and what is glued to it: "bob'll" is bob and 'll, "annas birthday" is Anna's."""
    if found := _SUFFIX.fullmatch(word):
        return found["name"], found["suffix"].replace("’", "'")
    lacks_apostrophe = lower.endswith("s") and lower not in _KNOWN | FIRST_NAMES
    return (
        (word[:-1], "'s") if lacks_apostrophe and _WORDS["belongings"].intersection(after[:1]) else (word, "")
    )


def words_owned(word: str, after: Sequence[str]) -> int:
    """Return how many words are the thing of which the adjective before says whose it is; there is none such."""
    del word, after
    return 0


def is_of_topic(word: str) -> bool:
    """Return whether a sentence that begins with `word` and a name is about its bearer; none does."""
    del word
    return False


def is_first_name(word: str) -> bool:
    """Return whether people are called `word`, in lower case and without accents."""
    return word in FIRST_NAMES


def is_word(word: str) -> bool:
    """Return whether a name, in lower case, may be an ordinary word or a place as well."""
    return word in _KNOWN


def is_kin(word: str) -> bool:
    """Return whether a person is what `word` says: "brother"."""
    return word in _WORDS["kin"] or word.removesuffix(".") in _WORDS["titles"]


def is_guild_thing(words: Sequence[str]) -> bool:
    """Return whether a sentence that begins with `words` is about something that belongs to all."""
    for at, word in enumerate(words[:6]):
        if word.removesuffix("'s") in _WORDS["guild_things"] and (word.endswith("'s") or at < len(words)):
            return not _WORDS["people"].intersection(words[at + 1 : at + 2])
        if word in _WORDS["be"] or word in _WORDS["beside_names"] or word in _WORDS["human_verbs"]:
            return False
    return False


def is_beside(before: Sequence[str]) -> bool:
    """Return whether a name behind `before` is only beside what is spoken of: "with Bob"."""
    return bool(before) and before[-1] in _WORDS["beside_names"]


def is_place(before: Sequence[str]) -> bool:
    """Return whether a name behind `before` is rather that of a place."""
    return bool(before) and before[-1] in _WORDS["in_a_place"]


def is_anothers_name(before: Sequence[str]) -> bool | None:
    """Return whether what follows "called" is a pet's or thing's name; `False`: a person's, `None`: nothing's."""
    is_called = before[-1:] and before[-1] in _WORDS["named_by"]
    is_called = is_called or (before[-2:-1] and before[-2] in _WORDS["calls"])
    if not is_called and before[-2:] not in (["name", "is"], ["names", "are"]):
        return None
    return not _WORDS["kin"].intersection(before[-6:])


def speaks_of_us(words: Sequence[str]) -> bool:
    """Return whether what is "ours" is its author's family's, not the guild's: "our cat", "we have two kids"."""
    for at, word in enumerate(words):
        then = words[at + 1 : at + 3]
        if word == "our" and then and not _WORDS["all_of_us"].intersection(then):
            return True
        if word == "we" and then and then[0] in _WORDS["we_at_home"]:
            return not _WORDS["all_of_us"].intersection(words)
        if word == "we" and then[:1] == ["are"] and then[-1] in _WORDS["people"]:
            return True
    return False


def names_own(words: Sequence[str]) -> bool:
    """Return whether a sentence begins by how one of the author's is called: "mom's name is Jane"."""
    first = words[0].removesuffix("'s") if words else ""
    is_own = first in _WORDS["kin"] or first in _WORDS["pets"]
    return is_own and (words[1:3] == ["name", "is"] or words[1:3] == ["is", "called"])


def speaks_of_own(words: Sequence[str]) -> bool:
    """Return whether a sentence that names nobody tells of its author: "mom lives in Rome", "birthday: 3 May"."""
    if not words:
        return False
    first, then = words[0], words[1] if len(words) > 1 else ""
    if first in {"from", "never"}:
        return words[-1] == "originally" or then in _WORDS["human_bases"]
    if first.removesuffix("'s") in _WORDS["kin"]:
        return first.endswith("'s") or then in _WORDS["be"] | _WORDS["weak_verbs"] | _SAID_OF_PEOPLE
    return first in _WORDS["authors_things"] and bool(then)


def is_living(word: str) -> bool:
    """Return whether `word`, in lower case, is also what animals or people are called: "cat sleeps"."""
    return word in _WORDS["pets"]


def is_used_as_word(after: Sequence[str], *, is_capitalised: bool) -> bool:
    """Return whether what follows shows that a word that begins a sentence is no name: "hope this helps"."""
    del is_capitalised
    return (
        not after or after[0] in DETERMINERS or (is_function_word(after[0]) and after[0] not in _WORDS["be"])
    )


def is_person(before: Sequence[str], suffix: str, after: Sequence[str]) -> bool | None:
    """Return whether a name between these words, all in lower case, is a person's; `None` if that is not sure."""
    if suffix in {"'ll", "'d", "'ve", "'re"}:
        return True
    if suffix and after and after[0] in _WORDS["belongings"]:
        return True
    words = [word for word in after if word not in _WORDS["after_a_name"]]
    if not words:
        return None
    if suffix:
        return _predicate(words)
    first = words[0]
    if first in _WORDS["be"] and words[1:2] == ["in"]:
        return None
    if first in {"and", "&"} and len(words) > 1:
        return True if words[1] in {"i", "me"} else None
    if first in _WORDS["be"]:
        return _predicate(words[1:])
    if first in _WORDS["weak_verbs"]:
        if words[1:2] in (["as"], ["for"]) or words[1:3] in (["at", "a"], ["at", "the"]):
            return True
        owned = _WORDS["belongings"] | _WORDS["pets"] | _WORDS["kin"] | _WORDS["people"]
        return True if owned.intersection(words[1:5]) else None
    if first in _SAID_OF_PEOPLE:
        return True
    if first in _WORDS["modals"] and len(words) > 1:
        return True if words[1] in _WORDS["human_bases"] else _predicate(words[1:])
    return None


_PERSON_VERBS: Final = frozenset(dict(rows(WORDS, joint=" "))["person_verbs"].split())
_SAID_OF_PEOPLE: Final = _WORDS["human_verbs"] | _PERSON_VERBS


def _predicate(words: Sequence[str]) -> bool | None:
    """Return whether a person, `False`: a thing is what `words` say that somebody or something is."""
    for at, word in enumerate(words[:_MOST_WORDS_OF_PREDICATE]):
        if word in _WORDS["things"] or word in _WORDS["pets"]:
            return False
        if word in _WORDS["people"] or word in _WORDS["kin"]:
            return True
        if at == 0 and (_AGE.fullmatch(word) or word == "from" or word in _WORDS["doing"]):
            return True
    return None
