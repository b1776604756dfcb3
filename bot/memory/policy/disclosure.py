"""The disclosure policy: what a member is told about another one, by the settings of the guild, the kind
of the fact and the words that it uses.
"""

import re
from collections.abc import Collection
from enum import IntEnum
from functools import cache
from typing import Final, assert_never

from bot.core.domain import GUILD_SUBJECT, DisclosurePolicy, Fact, FactCategory, FactOrigin, Guild
from bot.memory.policy.redaction import sentences_of
from bot.text.en.extraction import PARTS as ENGLISH
from bot.text.extraction import is_private
from bot.text.ru.extraction import PARTS as RUSSIAN
from bot.text.sensitive import says_sensitive
from bot.text.tokens import content_stems
from bot.text.topics import Topic, stems_about

_MATTERS: Final = {
    "medicines": r"""
        [a-z]{3,}(?:zepam|zolam|oxetine|traline|opram|prazole|cillin|statin|sartan|olol|azine|apine|idone|triptan|codone)
        prozac|zoloft|lexapro|xanax|xans?|valium|ativan|klonopin|adderall|addy|ritalin|vyvanse|seroquel|lithium
        ozempic|wellbutrin|metformin|oxy\w*|percs?|percocet|morphine|opioids?|painkillers?|steroids|inhaler|dosage
        прозак\w*|ксанакс\w*|феназепам\w*|золофт\w*|антибиотик\w*|снотворн\w+|успокоительн\w+|обезбол\w+|инсулин\w*
        укол(?:ы|ов|а)?|капельниц\w+|таблы|табл[её]т\w+|кол[её]с(?:а|ах) (?:пью|жру|сижу)
        сижу на (?:таблетк|кол[её]с)\w+""",
    "the body": r"""
        (?:i|we|she|he) weighs? \d+|my weight|obese|overweight|chubby|anorexi\w+|bulimi\w+|bing(?:e|ed|ing)|purging
        puk\w+|throw(?:ing)? up|threw up|rash|biops\w+|tests? (?:came|were) (?:back )?positive|std|sti|herpes
        chlamydia|(?:my |missed (?:my )?|a late )period|period is late|knocked up|ultrasound|due date|ivf
        contracept\w+|condoms?|iud|nudes?|naked|virgin\w*|horny|hook(?:ed|ing)? up|slept with|sleeping with
        one[- ]night|onlyfans|fetish\w*|erection|psych ?ward|er visit|ambulance|bald(?:ing)?|scars?|месячн\w+
        задержк\w+ (?:месяч|две|три|уже)\w*|залетел\w*|две полоск\w+|узи|презерватив\w*|голы(?:е|м|ми)|переспал\w*
        девственни\w+|жирн(?:ый|ая|ой)|толст(?:ый|ая|ею)|вешу|анорекси\w+|булими\w+|блю|блевал\w*|рвот\w+|сыпь
        скор(?:ая|ую)""",
    "despair": r"""
        (?:kill|hang|shoot|drown|hurt|harm|unalive|off) (?:myself|himself|herself|themselves)|end(?:ing)? it all
        end(?:ing)? (?:my|his|her|their) life|cut(?:ting|s)? (?:myself|my (?:arms?|wrists?|thighs?|legs?)|again)
        (?:want|wanna|wanted|ready) to die|wanna die|wish i was(?:n't)? (?:dead|born)|better off without me
        overdos\w+|don'?t want to (?:live|be here|wake up|exist)|no reason to live|(?:mental|nervous) breakdown
        can'?t go on|поконч\w+ с собой|уб(?:ить|ью) себя|сдохнуть|подохнуть|не хоч(?:у|ет) жить|жить не хоч\w+
        надоело жить|резать? себя|реж(?:у|ет) (?:себя|руки|вены)|порезал\w* (?:себя|руки|вены)|вскры\w+ вены
        повеси\w+|выпил\w* пачку|ненавижу себя""",
    "quarrels": r"""
        divorc\w+|cheat(?:s|ed|ing) on|my ex|exes|custody
        (?:had|having) (?:a |an )?(?:\w+ )?(?:fights?|arguments?|row)
        (?:fight|fought|fighting|argu(?:ed|ing)|row|split(?:ting)?) (?:up )?with (?:my|his|her|their)|dumped|abus\w+
        (?:hits?|beats?|slapp\w+|chok\w+|scream\w*|yell\w*) (?:at )?(?:me|him|her|my)|restraining order|tinder
        grindr|ссор\w+|поссор\w+|поруга\w+|ругал(?:ся|ась|ись)|разв[её]л\w*|развод\w*|изменя\w+|изменил\w*
        любовни\w+|тиндер\w*|бь[её]т (?:меня|его|е[её]|мать|жену)|ударил\w* (?:меня|е[её]|его)|бросил\w* меня
        алимент\w+|скандал\w*|ненавиж\w+ (?:мать|отца|брата|сестру|мужа|жену)""",
    "drink and play": r"""
        relaps\w+|sober|hammered|hungover|blackout|booze|vodka|whisk(?:e)?y|stoned|high as|shrooms|molly|ketamine
        lsd|meth|fentanyl|heroin|opium|dealer|aa meeting|gambl\w+|casino|betting|бух(?:ал|аю|ает|ает|ло|ой)\w*
        забухал\w*|запо(?:й|е|я)\w*|напил(?:ся|ась)|нажр\w+|похмель\w+|бодун\w*|водк\w+|травк\w+|закладк\w+
        торч(?:ок|ит|у)|меф\w*|казино|ставк(?:и|ах)|проиграл\w* (?:все|зарплат|деньг)\w*|кодир\w+|бросил\w* пить""",
    "the law": r"""
        arrest\w*|probation|parole|in court|court date|lawsuits?|sued|suing|shoplift\w*|stole|stealing|dui|jails?
        prisons?|felon\w*|convict\w*|police|cops|bail|warrant|illegal\w*|undocumented|deport\w*|tax evasion|fraud
        lawyer said|арест\w*|задержали|полици\w+|менты|ментовк\w+|судим\w+|суд(?:а|у|ом|ился|илась)?|условк\w+
        условн(?:ый|ое) срок|тюрьм\w+|сид(?:ел|ела) (?:год|два|три|в тюрьме)|украл\w*|спёр\w*|спер(?:ла)?|взятк\w+
        кража|штраф\w*|адвокат сказал""",
    "pay": r"""
        (?:earn|earns|earning|make|makes|making|paid|pays|owes?|owed) (?:\w+ ){0,2}[$€£]?\d[\d.,]*k?
        \d[\d.,]*\s?(?:k|grand|bucks|dollars|euros?|pounds|rub(?:les)?) (?:a|per|in|of)|can'?t (?:afford|pay)
        paycheck|behind on (?:the )?(?:rent|bills?)|in the hole|maxed out|credit cards?|food stamps|foodbank
        food bank|laid off|got fired|got sacked|lost (?:my|his|her|their) job|получа(?:ю|ет) (?:\w+ )?\d+
        зарабатыва\w+|зп|оклад\w*|\d+ ?(?:к|тыс\w*|тыщ\w*|руб\w*|₽) (?:в месяц|в мес)|на мели|коллектор\w*|занял\w*
        задолж\w+|нечем платить|микрозайм\w*|рассрочк\w+|уволил\w*|сократили|без копейки|ни копейки""",
    "being away": r"""
        (?:nobody|no one|noone)(?:'s| is|s| will be)? (?:at|home|in|around)
        (?:house|flat|apartment|place) (?:is|will be|stays|sits) empty|empty (?:house|flat|apartment)|home alone
        alone at home|out of town|away (?:from home|until|till|all|for (?:a|the|two))|keys? (?:is|are) under
        under the (?:mat|doormat)|left the (?:door|window) (?:open|unlocked)|alarm code
        никого (?:не будет |нет )?дома|дома (?:никого|один|одна|пусто)|квартира (?:пуст\w+|стоит пуст\w+)
        пустая квартира|уезжа\w+ (?:до|на)|нас не будет|меня не будет|ключ(?:и)? под ковр\w+|под ковриком""",
    "insults": r"""
        bitch\w*|whore\w*|sluts?|assholes?|idiots?|morons?|bastards?|cunts?|retard\w*|losers?|scum|dickheads?
        creeps?|сук(?:а|и|ой)|твар\w+|мраз\w+|урод\w*|дебил\w*|идиот\w*|шлюх\w+|придур\w+|ублюд\w+|козел|козёл
        дур(?:а|ак)""",
}
"""Each line of a table holds words and phrases that stand for it; lines go on with one another."""

_ANY: Final = re.compile(
    rf"(?<![\w<@])(?:{'|'.join(line.strip() for table in _MATTERS.values() for line in table.strip().splitlines())})"
    r"(?!\w)"
)


def is_private_matter(text: str) -> bool:
    """Tell whether `text` speaks of medicines, the body, despair, quarrels, drink, the law, pay, absence or abuse."""
    return _ANY.search(text.lower().replace("’", "'")) is not None


_LIKED: Final = (
    Topic.FOOD,
    Topic.DRINK,
    Topic.MUSIC,
    Topic.GAMES,
    Topic.SCREEN,
    Topic.READING,
    Topic.SPORT,
    Topic.TRAVEL,
    Topic.PETS,
    Topic.COMPUTERS,
)
_NOT_LIKED: Final = """
    hungry starving diet allergic allergy gluten lactose drinks drinking bar pub beer wine whisky vodka rum gin
    cocktail alcohol poker raid visa passport abroad fat
    голоден голодный голодная диета аллергия глютен лактоза пить выпить бар пиво вино виски водка ром джин коктейль
    алкоголь покер рейд виза паспорт заграница
"""
"""Of those topics what may say more of somebody than their taste."""

_BESIDES: Final = """
    black white green red blue yellow purple pink orange dark light hot cold iced warm sweet sour salty fresh old new
    big small long short distance indoor outdoor classical electronic indie retro board video card strategy
    italian french thai japanese korean chinese indian mexican spanish greek turkish russian english german american
    morning evening winter summer spring autumn snow rain sun sea lake forest mountain city flower garden tree star
    painting drawing knitting sewing photography gardening puzzle chess lego walk dance dancing theatre theater museum
    science history mathematics physics language
    черный белый зеленый красный синий желтый розовый темный светлый горячий холодный теплый сладкий кислый соленый
    свежий старый новый большой маленький итальянский французский тайский японский корейский китайский индийский
    русский английский немецкий утро вечер зима лето весна осень снег дождь солнце море озеро лес гора горы город цветы
    сад дерево звезды рисовать рисование вязание вязать шить шитье фотография фотографировать прогулка гулять танцевать
    танцы театр музей наука история математика физика
"""
_FAVOURITE: Final = """
    color colour season month weekday day number animal bird city country team club brand flower holiday letter word
    emoji character genre artist programming place
    цвет сезон месяц день число животное птица город страна команда клуб марка цветок праздник буква слово эмодзи
    персонаж жанр художник место
"""
_QUALIFIED: Final = """
    software web senior junior lead data school primary high secondary private head pastry truck bus taxi train
    freelance backend frontend full stack game graphic music english maths math science history sound light video
    старший младший ведущий школьный главный детский частный
"""
_LETTERS: Final = re.compile(r"[^\W\d_]{3,}")

_MOST_WORDS: Final = 4
"""A favourite in more words is a story."""

_JOINING: Final = frozenset({"the", "of", "and", "city", "de", "la", "am", "upon", "на"})


def is_harmless(fact: Fact) -> bool:
    """Tell whether a fact that was read out of plain words is of a kind that may be told to others."""
    kind, _, thing = fact.key.partition(":")
    match kind:
        case "name" | "alias" | "pronouns" | "birthday":
            return True
        case "lives_in":
            return _is_place(fact.value)
        case "works_as":
            return _all_in(fact.value, _jobs())
        case "studies":
            return _all_in(fact.value, _subjects())
        case "likes":
            return _all_in(thing, _things())
        case "favorite":
            return _all_in(thing, _favourite_things()) and len(fact.value.split()) <= _MOST_WORDS
        case _:
            return False


def _all_in(words: str, known: frozenset[str]) -> bool:
    stems = content_stems(words)
    return bool(stems) and stems <= known


def _is_place(value: str) -> bool:
    """Tell whether a value is the name of a town or country: "Portland, Oregon", not "poverty"."""
    names = [word for word in value.replace(",", " ").split() if word.lower() not in _JOINING]
    return 0 < len(names) <= _MOST_WORDS and all(
        name[0].isupper() and not any(map(str.isdigit, name)) for name in names
    )


@cache
def _things() -> frozenset[str]:
    return (stems_about(_LIKED) | content_stems(_BESIDES)) - content_stems(_NOT_LIKED)


@cache
def _favourite_things() -> frozenset[str]:
    return _things() | content_stems(_FAVOURITE)


@cache
def _jobs() -> frozenset[str]:
    listed = _LETTERS.findall(f"{ENGLISH['jobs']} {RUSSIAN['jobs']}")
    return content_stems(" ".join(listed)) | content_stems(_QUALIFIED)


@cache
def _subjects() -> frozenset[str]:
    listed = _LETTERS.findall(f"{ENGLISH['subjects']} {RUSSIAN['studied']}")
    return content_stems(" ".join(listed)) | content_stems("computer science")


_FELT: Final = (
    ENGLISH["moods"],
    r"(?:feel|feels|felt|feeling|feelings|mood|moods|moody|cr(?:y|ies|ied|ying)|sadness|anger|fears?|anxiety|lonel\w+)",
    r"(?:joy|joyful\w*|delight\w*|enthusias\w+|frustrat\w+|despair\w*|insecur\w+|grie(?:f|v\w+)|jealous\w*|homesick)",
    *(RUSSIAN[part] for part in ("moods", "states", "as_felt")),
    r"(?:настроени\w+|чувств\w+|переживает|переживал\w*|грусть|грусти\w*|тоск\w+|тревог\w+|тревож\w+|злит\w*|злил\w*)",
    r"(?:радовал\w+|радуется|огорч\w+|расстро\w+|обидел\w*|обижен\w*|плакал\w*|плачет|боится|боял\w+|скучает по)",
)
_LOVED: Final = (
    r"(?:crush\w*|dating|flirt\w*|romantic\w*|romance|sweetheart|in love|fell for|falling for|has a thing for|ex-)",
    r"(?:breakup|broke up|breaking up|girlfriend|boyfriend|love life|loves? <@!?\d+>|kiss\w*|affair)",
    r"(?:влюбл\w+|влюби\w+|встречается с|ухажива\w+|флирт\w*|роман с|романтич\w+|любит <@!?\d+>|целова\w+)",
    r"(?:рассталась|расстался|расстались|бывш(?:ий|ая|его|ей) (?:парень|девушка)|его девушка|её парень|ее парень)",
)
_HOURS: Final = (
    r"(?:awake|asleep|insomnia|sleep schedule|night owl|early bird|stay(?:s|ed)? up)",
    r"up (?:until|till|late|all night|at \d+)",
    r"(?:(?:active|online|writes?|wrote|posts?|posted|around|there) (?:mostly |usually |often |only )?"
    r"(?:at night|in the (?:morning|evening|afternoon)|late|from \d|at \d|between \d|after \d|before \d))",
    r"(?:бессонниц\w*|не спит|не спал\w*|полуночни\w+|сова по натуре|до утра|засиж\w+|ложится спать)",
    r"(?:(?:активн\w+|онлайн|пишет|писал\w*|сидит) (?:обычно |чаще |в основном )?"
    r"(?:ночью|ночами|по ночам|по утрам|по вечерам|утром|вечером|с \d|в \d|до \d|после \d))",
)
_PERSONAL: Final = re.compile(rf"(?<![\w<@])(?:{'|'.join((*_FELT, *_LOVED, *_HOURS))})(?!\w)")
_SOMEBODY: Final = re.compile(
    r"(?<![\w'])(?:i|i'[a-z]{1,2}|im|ive|me|my|mine|myself|he|she|him|his|her|hers|he's|she's|hes|shes"
    r"|я|меня|мне|мной|мною|мой|моя|мо[её]|мои|моего|моей|моему|моих|моим|моими|мою|мо[её]м"
    r"|он|она|его|е[её]|ему|ей|ним|ней|нему)(?![\w'])|<@!?\d+>"
)
_MENTION: Final = re.compile(r"<@!?(\d{1,19})>")


class DisclosureLevel(IntEnum):
    """How much about somebody may be told to one who asks; of two the smaller one holds."""

    NOTHING = 0
    SAID = 1
    """What was said openly and what they did."""
    ALL = 2
    """Whatever may be seen where it is asked."""


def disclosure_level(
    guild: Guild | None, *, asker_id: int, subject_id: int, from_moderator: bool, is_private: bool
) -> DisclosureLevel:
    """Return how much about `subject_id` may be told to `asker_id`.

    Of oneself and of the guild all; of those who are private nothing; of others as the guild's managers set it.
    """
    if subject_id in {asker_id, GUILD_SUBJECT}:
        return DisclosureLevel.ALL
    if is_private:
        return DisclosureLevel.NOTHING
    telling = DisclosurePolicy.SAID if guild is None else guild.telling_others
    match telling:
        case DisclosurePolicy.OPEN:
            return DisclosureLevel.ALL
        case DisclosurePolicy.SAID:
            return DisclosureLevel.SAID
        case DisclosurePolicy.MODERATORS:
            return DisclosureLevel.SAID if from_moderator else DisclosureLevel.NOTHING
    assert_never(telling)


def may_be_disclosed(fact: Fact, how: DisclosureLevel, *, asker_id: int) -> bool:
    """Tell whether a fact may be told to `asker_id`, who may know about its subject as `how` says.

    Whoever told it knows it, and must see it to have it forgotten. What nobody asked to have remembered is told
    where it is of a kind that is known to be harmless.
    """
    if how is not DisclosureLevel.SAID or fact.author_id == asker_id:
        return how is not DisclosureLevel.NOTHING
    return may_be_prompted(fact, how, asker_id=asker_id) and (
        fact.origin is not FactOrigin.PATTERN or is_harmless(fact)
    )


def may_be_prompted(fact: Fact, how: DisclosureLevel, *, asker_id: int) -> bool:
    """Tell whether a model that replies to `asker_id` may be given a fact, whose words it does not repeat as such."""
    if how is not DisclosureLevel.SAID or fact.author_id == asker_id:
        return how is not DisclosureLevel.NOTHING
    guessed = fact.origin is FactOrigin.LEARNING and fact.tentative
    return not guessed and fact.category is not FactCategory.FEELING and not says_personal(fact.content)


def told_openly(text: str, how: DisclosureLevel) -> str:
    """Return of a text about somebody the sentences that may be told to one who may know as `how` says."""
    match how:
        case DisclosureLevel.ALL:
            return text
        case DisclosureLevel.NOTHING:
            return ""
        case DisclosureLevel.SAID:
            return "".join(one for one in sentences_of(text) if not says_personal(one)).strip()
    assert_never(how)


def without_naming(text: str, user_ids: Collection[int]) -> str:
    """Return `text` without the sentences that name one of these members."""
    if not user_ids or not any(int(found[1]) in user_ids for found in _MENTION.finditer(text)):
        return text
    kept = (
        one
        for one in sentences_of(text)
        if not any(int(found[1]) in user_ids for found in _MENTION.finditer(one))
    )
    return "".join(kept).strip()


def says_personal(text: str) -> bool:
    """Tell whether `text` speaks of feelings, love, what is sensitive or private, or of when somebody is there."""
    return _PERSONAL.search(text.lower()) is not None or says_sensitive(text) or is_private_matter(text)


def speaks_of_somebody(text: str) -> bool:
    """Tell whether `text` speaks of whoever says it, or of another single person."""
    return _SOMEBODY.search(text.lower().replace("’", "'")) is not None


def may_be_quoted(text: str) -> bool:
    """Tell whether what somebody said in a channel may be quoted to those who can read it there."""
    return not says_personal(text) and not is_private(text)
