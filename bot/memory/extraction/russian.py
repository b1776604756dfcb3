"""How people tell something about themselves in Russian."""

import re
from typing import Final

from bot.memory.extraction.russian_words import EVENT_NEVER, NO_DISLIKING, NO_LIKING, PARTS, WORDS
from bot.memory.extraction.shapes import Cleaner, Kind, Tongue, patterns, shape, small, told
from bot.memory.extraction.values import as_shaped, day_of_year, happenings, names, places, things
from bot.memory.phrasing.russian import parses

_MONTHS: Final = ("янв", "фев", "мар", "апр", "ма[йя]", "июн", "июл", "авг", "сен", "окт", "ноя", "дек")
_PARTS: Final = {
    **PARTS,
    "month": "(?:" + "|".join(f"{month}[а-я]*" for month in _MONTHS) + ")",
    "date": r"(?:[12]\d|3[01]|0?[1-9])(?:-?го)? {month}(?:,? (?:19|20)\d\d(?: года?|г\.?)?)?",
    "pronouns": r"(?:он|она|они|оно)(?:\s?/\s?(?:его|ему|её|ее|ей|их|им|она|он|они))+",
    "very": """(?:(?:очень|тоже|также|безумно|больше всего|всегда|реально|действительно|правда|ещё|еще|искренне
    |особенно
        |вообще|сильно|сам|сама|просто|всё ещё|до сих пор|дико) )*""",
    "now": "сегодня|сейчас|теперь|опять|снова|немного|очень|ужасно|весь день|в последнее время|на этой неделе",
    "favorite": "(?:самый |самая |самое |самые )?любим(?P<ending>ый|ая|ое|ые)",
    "is": r"(?:\s?(?:—|–|-|:)(?: это)?\s|\sэто\s)",
    "x": r"<@!?\d+>",
    "degree": """(?:(?:очень|так|такой|такая|немного|чуть-чуть|ужасно|страшно|дико|сегодня|сейчас|просто|что-то
        |совсем|снова|опять|уже) )*""",
    "because": "(?:,? (?:(?:{now})|(?:от|после|из-за|потому) .+))?",
    "like": "(?:люблю|обожаю)",
    "dislike": """(?:(?:больше |совсем |вообще )?не (?:очень |особо |сильно )?люблю|ненавижу|терпеть не могу
        |не переношу)""",
    "pleases": "нрав(?:ится|ятся)",
    "displeases": "(?:больше |совсем |вообще )?не (?:очень |особо |сильно )?нрав(?:ится|ятся)",
}  # fmt: skip
_PATTERNS: Final = r"""
name: меня (?:вообще-то |на самом деле )?зовут (?P<value>.+) -> меня зовут {value}
name: (?:моё|мое) (?:настоящее |полное )?имя(?: это|\s?[—–:-])? (?P<value>.+) -> меня зовут {value}
name: (?:привет|здравствуйте|всем привет|добрый (?:день|вечер)|доброе утро|хай)(?: (?:всем|народ|ребята|друзья))?,?
    \sя(?: [—–-])? (?!(?:новичок|новеньк\w+|админ|модератор|бот|человек|девушка|парень|студент\w*|новый|новая)\b)
    (?P<value>{capital}.+) -> меня зовут {value}
alias: (?:(?:можно|просто|пожалуйста|лучше) )*(?P<verb>зовите|зови|называйте|называй) меня (?:просто )?
    (?P<value>{capital}.*) -> {verb} меня {value}
pronouns: (?:мои )?местоимения(?:\s?[—–:-]|\sэто)? (?P<value>{pronouns}) -> мои местоимения {value}
lives_in: (?:я )?(?:сейчас |теперь |давно |уже )?живу (?P<where>в|во|на) (?P<value>.+) -> я живу {where} {value}
works_as: (?:я )?(?:сейчас |уже )?работаю (?P<value>(?:[а-яё-]+(?:ым|им|ой|ей) )?[а-яё-]+(?:ом|ем|ём|ой|ей))
    (?: (?:в|на|из) .+)? -> я работаю {value}
works_as: я(?: [—–-]| по профессии(?: [—–-])?| по специальности(?: [—–-])?)? (?P<value>{jobs})
    (?: (?:по профессии|по специальности|(?:в|на|из) .+))? -> я {value}
works_at: (?:я )?(?:сейчас |уже )?работаю (?P<where>в|во|на) (?P<value>{at_work}) -> я работаю {where} {value}
studies: (?:я )?(?:сейчас )?(?P<verb>учусь|изучаю) (?P<value>{studied})(?: на .+ курсе)? -> я {verb} {value}
birthday: (?:мой|у меня) (?:день рождения|др|днюха)(?:\s?[—–:-]
    |\sэто)? (?P<value>{date}) -> мой день рождения {value}
birthday: (?:я )?(?P<born>родился|родилась) (?P<value>{date}) -> я {born} {value}
favorite: (?:мо(?:й|я|ё|е|и)|у меня) {favorite} (?P<thing>[\w-]+(?: [\w-]+){0,3}?){is}(?P<value>.+)
    -> у меня любим{ending} {thing} — {value}
favorite: (?:мо(?:й|я|ё|е|и)|у меня) {favorite} (?P<thing>(?!\w+(?:ый|ий|ая|яя|ое|ее|ые|ие)\b)[\w-]+)
    \s(?P<value>[\w-]+(?: [\w-]+){0,2}) -> у меня любим{ending} {thing} — {value}
favorite: (?P<value>.+?){is}(?:мо(?:й|я|ё|е|и)) {favorite} (?P<thing>[\w-]+(?: [\w-]+){0,3})
    -> у меня любим{ending} {thing} — {value}
likes: (?:я )?(?P<verb>{very}{like}) (?P<value>.+) -> я {verb} {value}
dislikes: (?:я )?(?P<verb>{very}{dislike}) (?P<value>.+) -> я {verb} {value}
likes: мне (?P<verb>{very}{pleases}) (?P<value>.+) -> мне {verb} {value}
dislikes: мне (?P<verb>{very}{displeases}) (?P<value>.+) -> мне {verb} {value}
feeling: я (?P<no>(?:не )?)(?P<degree>{degree})(?P<value>{moods}){because} -> я {no}{degree}{value}
feeling: мне (?P<no>(?:не )?)(?P<degree>{degree})(?P<value>{states}){because} -> мне {no}{degree}{value}
feeling: (?:я )?чувствую себя (?P<no>(?:не )?)(?P<degree>{degree})(?P<value>{as_felt}){because}
    -> я чувствую себя {no}{degree}{value}
event: (?P<value>(?:(?:{when}),? )?я (?:(?:{when}|наконец-то|наконец|уже|всё-таки
    |снова) )*(?:{went}) (?!спать\b|с ума\b).+) -> {value}
event: (?P<value>(?:(?:{when}),? )?я (?:(?:{when}|наконец-то|наконец|уже|всё-таки) )*(?:{done}) .+) -> {value}
"""
_TOLD: Final = r"""
name: {x} зовут (?P<value>.+)
name: у {x} имя(?: [—–-])? (?P<value>.+)
alias: {x} просит (?:звать|называть) себя (?P<value>.+)
pronouns: у {x} местоимения(?: [—–-])? (?P<value>{pronouns})
lives_in: {x} жив[ёе]т (?:в|во|на) (?P<value>.+)
works_as: {x} работает (?P<value>[а-яё-]+(?: [а-яё-]+)?)
works_as: {x}(?: [—–-])?(?: по профессии)? (?P<value>{jobs})
works_at: {x} работает (?:в|во|на) (?P<value>{at_work})
studies: {x} (?:учится|изучает) (?P<value>{studied})
birthday: у {x} день рождения(?: [—–-])? (?P<value>{date})
birthday: {x} (?:родился|родилась) (?P<value>{date})
favorite: у {x} {favorite} (?P<thing>[\w-]+(?: [\w-]+){0,3}?){is}(?P<value>.+)
favorite: у {x} {favorite} (?P<thing>(?!\w+(?:ый|ий|ая|яя|ое|ее|ые|ие)\b)[\w-]+) (?P<value>[\w-]+(?: [\w-]+){0,2})
favorite: (?P<value>[^<>]+?){is}у {x} {favorite} (?P<thing>[\w-]+(?: [\w-]+){0,3})
likes: {x} {very}(?:любит|обожает|{pleases}) (?P<value>.+)
dislikes: {x} {very}(?:(?:больше |совсем |вообще )?не (?:очень |особо |сильно )?любит|ненавидит|терпеть не может
    |не переносит|{displeases}) (?P<value>.+)
"""
_THINGS: Final = frozenset(("NOUN", "ADJF", "PRTF", "INFN", "None"))
_BETWEEN: Final = frozenset(("CONJ", "PREP", "NUMR", "ADJS"))
"""What things are called by, and what may stand between such words; anything else makes a clause."""


def _parts(said: str) -> list[str]:
    return re.findall(r"[а-яё]+(?:-[а-яё]+)*", said.lower())


def _of_things(clean: Cleaner) -> Cleaner:
    """Return `clean` for values of which every Russian word names something or belongs to what does."""

    def checked(said: str) -> tuple[str, ...]:
        values = clean(said)
        return values if all(_names_things(value) for value in values) else ()

    return checked


def _names_things(value: str) -> bool:
    """Return whether the Russian words of `value` name something or belong to what does."""
    kinds = [{str(parse.tag.POS) for parse in parses(part)} for part in _parts(value)]
    if not kinds:
        return True
    return any(kind & _THINGS for kind in kinds) and all(kind & (_THINGS | _BETWEEN) for kind in kinds)


def _known_as(clean: Cleaner, *, marks: frozenset[str]) -> Cleaner:
    """Return `clean` for values that are written with a capital, or that the dictionary knows as such a name."""

    def checked(said: str) -> tuple[str, ...]:
        values = clean(said)
        small = [part for value in values for part in value.split() if part[0].islower() and part != "на"]
        if all(any(mark in parse.tag for parse in parses(part) for mark in marks) for part in small):
            return values
        return ()

    return checked


def _job(said: str) -> tuple[str, ...]:
    """Return an occupation in the nominative or the instrumental: somebody who does something."""
    last = parses(_parts(said)[-1])[0].tag if _parts(said) else None
    first = [str(parses(part)[0].tag.POS) for part in _parts(said)[:-1]]
    return (said,) if last is not None and {"NOUN", "anim"} in last and set(first) <= {"ADJF", "NOUN"} else ()


def _keyed(kind: Kind, said: str) -> str:
    """Return a thing as keys have it: each word in its first form; a birthday as month and day."""
    if kind is Kind.BIRTHDAY:
        return day_of_year(said, _MONTHS)
    if kind is Kind.PRONOUNS:
        return re.sub(r"\s*/\s*", "/", said)
    return re.sub(r"[а-я]+", lambda word: _first_form(word[0]), said)


def _first_form(word: str) -> str:
    """Return the nominative of a thing, the infinitive of an activity."""
    readings = [parse for parse in parses(word) if str(parse.tag.POS) in _THINGS] or parses(word)
    return str(readings[0].normal_form).replace("ё", "е")


TONGUE: Final = Tongue(
    letters=small("[а-я]"),
    hint=small(
        r"""зовут|зовите|зови меня|называйте|называй меня|люб(?:им|лю)|обожаю|ненавижу|терпеть|не переношу
        |нрав(?:ится|ятся)|живу|работаю
        |учусь|изучаю|день рожд|днюха|местоимения|чувствую|(?<!\w)(?:имя|др|родил(?:ся|ась)
        |мне (?:\w+ ){0,2}?{states}
        |я (?:[\w-]+ ){0,3}?(?:{moods}|{went}|{done}|{jobs})|я [—–-] |(?:привет|здравствуйте|всем|добр\w+
        |хай)\b[^\n]{0,30}? я )""",
        **_PARTS,
    ),
    play=small(
        r"""(?<!\w)(?:шучу|шутка|шутейка|пошутил[аи]?|прикалыва\w+|прикол|стеб|рофл\w*|лол+|кек+|лмао|ахах\w*|аха+
        |ха[- ]?ха\w*|хе[- ]?хе\w*
        |хи[- ]?хи\w*|хах\w*|бугага\w*|гыгы|ору|ржу|ага,? (?:конечно|щас|щаз|как же)|ну да,? (?:конечно|ну да)
        |ну конечно|сарказм\w*|ирони\w+
        |мечтать не вредно|в (?:своих|моих) мечтах|ла-ла\w*|тра-ля-ля|на-на-на|эй-гей|троллю|рп|отыгры\w+|мо(?:й
        |его) персонаж\w*|в роли
        |по ролевой|песн[яюи] поется|как в песне|я свободен,? словно|я календарь переверну|меня зовут бонд
        |люблю тебя,? жизнь
        |группа крови на|я сошла с ума|я спросил у ясеня|владимирский централ|какой мужчина|я хочу быть с тобой
        |я буду долго гнать
        |меня зовут никак|люблю грозу в начале мая|я помню чудное|я вас любил|люблю тебя,? петра творенье
        |хорош,? как бог)(?!\w)|\){3,}"""
    ),
    takes_back=small(
        r"""(?:(?:да|нет|ой|лол|ладно|не|я|это|ну|просто|ахах\w*|всё|все)[,.]? )*(?:шучу|шутка|прикалываюсь
        |пошутил[аи]?|рофл\w*|забудь(?:те)?
        |неправда|не правда|вру|соврал[аи]?|сарказм|не всерьез|не серьезно|троллю|прикол|стеб)(?!\w)"""
    ),
    doubt=small(
        r"""(?<!\w)(?:наверн\w+|может|могу|могла?|возможно|кажется|вроде|думаю|думал[аи]?|если(?! честно)|бы|б
        |вероятно|пожалуй|похоже|будто
        |якобы|допустим|представ\w+|скорее всего|не знаю|не уверен\w*|сомневаюсь|собираюсь|планирую|хочу|хотел[аи]?
        |мечта\w+|сказал[аи]?
        |говорит|говорят|говорил[аи]?|пишет|пишут|спросил[аи]?|ответил[аи]?|мол|дескать|типа|цитат\w+|поет|поёт
        |снилось|снится|притвор\w+
        |чуть не|почти|как бы|ли|разве|неужели|в шутку|раньше|в детстве|надеюсь|считаю|полагаю|видимо|отчасти
        |слышал[аи]?|по-моему|наоборот
        |слова|словами)(?!\w)(?<!не могу)"""
    ),
    asks=shape(
        r"""(?:а )?(?:что|как|где|когда|куда|откуда|почему|зачем|кто|кого|кому|какой|какая|какое|какие|какую|каким
        |чей|чья|сколько|разве
        |неужели|знаешь|знаете|помнишь)(?![\w-])"""
    ),
    greeting=shape(r"(?:привет|здравствуйте|всем привет|добрый (?:день|вечер)|доброе утро|хай)(?: [\w]+)?[,!] (?=я )"),
    joints=shape(
        r"""\s*(?:[,;]|[()\[\]])\s*|\s+(?:и|а|но|ещё|также)\s+(?=(?:я|мне|меня|мой|моя|моё|мое|мои|у меня|ещё|еще
        |ты|он|она|мы|вы|они|это|его
        |её|ее|их)\b)|\s+(?=(?:и|а|но)\s+(?:не |очень |ещё |терпеть )*(?:люблю|ненавижу|обожаю|живу|работаю|учусь
        |могу)\b)"""
    ),
    leads=shape(
        r"""(?:привет(?:ик)?|здравствуйте|всем|народ|ребята|друзья|ну|да|нет|ок|окей|кстати|вообще|вообще-то
        |честно говоря|если честно|честно
        |короче|в общем|и|а|но|лично|так|вот|ой|ого|ух|на самом деле|бот|хм+|спасибо|ещё|еще|тоже|добрый день
        |доброе утро|добрый вечер
        |о себе|слушай|знаете|блин|господи|факт|к слову|по правде|пожалуйста|опять|сначала)(?![\w-])[\s,.!:;—-]*
        |<@[!&]?\d+>[\s,:]*"""
    ),
    aside=shape(
        r"""(?:в|во|на|с|со|к|по|при|когда|пока|если|после|до|как|из|от|у(?! меня)
        |для|без|где|хотя|будучи|играя)(?!\w)|[^\s:]+:|\w+ \w+:"""
    ),
    hangs=shape(r"(?<!\w)(?:когда|пока|где|чтобы|что|котор\w+)(?!\w)"),
    turns=shape(
        r"""(?:а |но )?(?:не(?! могу| люблю| переношу| нрав)|котор\w+|что|когда|если|где|чтобы|как|только|или|кроме
        |да|верно|правда)(?!\w)"""
    ),
    joined=shape(r"(?:и|а|но) (?=(?:не |очень |ещё |терпеть )*(?:люблю|ненавижу|обожаю|живу|работаю|учусь|могу)\b)"),
    pronoun="я ",
    lists=shape(r"(?:(?P<before>\S.*?) )?(?:и|или|ни) (?P<last>\S.*)"),
    correction=shape(
        r"""(?:(?:нет|ой|ну|хотя|стоп|погоди|подожди|извините|сорри|упс|а|но|да)[,.!]? )*
        (?:на самом деле,?|вообще-то,?|точнее,?|вернее,?|то есть,?|я хотела? сказать,?|поправка:?,?
        |нет, (?=это ))\s?
        (?:это |[—–-] )?(?P<value>\S.*)"""
    ),
    remark=shape(r"(?:да|нет|так|не|правда|всё|все|ложь|шутка|бред|ерунда|очень|просто|дождь|снег|поздно|рано)(?:\s.*)?"),
    patterns=patterns(_PATTERNS, **_PARTS),
    told=told(_TOLD, **_PARTS),
    clean={
        Kind.NAME: _known_as(names(WORDS), marks=frozenset(("Name", "Surn", "Patr"))),
        Kind.ALIAS: names(WORDS),
        Kind.PRONOUNS: as_shaped,
        Kind.LIVES_IN: _known_as(places(WORDS), marks=frozenset(("Geox",))),
        Kind.WORKS_AS: _job,
        Kind.WORKS_AT: things(WORDS, most_words=4),
        Kind.STUDIES: as_shaped,
        Kind.BIRTHDAY: as_shaped,
        Kind.FAVORITE: _of_things(things(WORDS, most_words=6, titles=True)),
        Kind.LIKES: _of_things(things(WORDS, most_words=5, splits=True, refuses=NO_LIKING)),
        Kind.DISLIKES: _of_things(things(WORDS, most_words=5, splits=True, refuses=NO_DISLIKING)),
        Kind.FEELING: as_shaped,
        Kind.EVENT: happenings(
            when=shape(r"(?:^|\s+)(?:{when})(?=[\s,]|$)", **_PARTS),
            never=EVENT_NEVER,
        ),
    },
    keyed=_keyed,
)  # fmt: skip
