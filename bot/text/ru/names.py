"""What shows in a Russian sentence that a word is somebody's name, and that it is not."""

from collections.abc import Sequence
from typing import Final

from bot.text.grammar.words import DETERMINERS, is_function_word
from bot.text.languages import rows
from bot.text.ru.dictionary import parses
from bot.text.ru.words import LETTERS

_TABLE: Final = """
human_verbs: любить жить работать играть предпочитать ненавидеть учиться изучать говорить хотеть обожать
    коллекционировать пить есть ездить преподавать уметь владеть переехать переезжать родиться звать купить сдать
    сдавать поступить закончить окончить уехать приехать прийти уйти сказать рассказать написать читать прочитать
    смотреть слушать спать проснуться встать вставать болеть заболеть выздороветь сломать потерять найти думать знать
    помнить забыть помочь помогать готовить печь варить рисовать петь танцевать бегать плавать гулять служить водить
    летать лететь улететь вернуться жениться развестись бросить курить устать болтать опоздать опаздывать победить
    выиграть проиграть кодить программировать стримить вязать шить держать завести взять получить дать подарить
    пригласить встретить встречаться ждать бояться мечтать верить злиться радоваться смеяться плакать кричать молчать
    ответить спросить просить попросить обещать выйти стать носить храпеть тренироваться заниматься дружить скучать
    ругаться мыть стирать убирать чинить починить собирать продавать продать снимать снять платить заплатить ходить
    сходить поехать пойти учить выучить дежурить участвовать
about_people: нравиться хотеться надо нужно нужный нельзя исполниться хватать казаться сниться везти холодно жарко
    скучно грустно лень важно можно интересно звать раздражать радовать бесить тошнить повысить уволить укусить
    пригласить дать подарить
after_a_name: не очень тоже также всегда уже еще часто никогда вчера сегодня завтра скоро недавно
people: беременна замужем женат женатый замужняя веган веганка вегетарианец вегетарианка болен больна больной жив жива
    рад рада занят занята свободна свободен голодна голоден аллергик левша правша холост устал устала дома
kin: брат сестра мама папа мать отец сын дочь дочка дядя тетя племянник племянница муж жена девушка парень жених
    невеста бабушка дедушка дед друг подруга приятель приятельница коллега сосед соседка начальник начальница учитель
    учительница тренер напарник напарница одноклассник одноклассница однокурсник бывший бывшая кум кума крестный
    братик сестренка сестричка подружка внук внучка ребенок малыш дети родители
belongings: день др днюха имя ник прозвище работа жена муж кот кошка собака пес телефон почта номер мама папа мать
    отец брат сестра сын дочь дети девушка парень адрес дом машина фамилия квартира велосипед велик лодка рождение
    хобби питомец хомяк попугай друг подруга начальник семья родители свадьба годовщина комната рост размер аккаунт
    компьютер ноутбук гитара
naming: звать кличка назвать называть имя прозвище ник
between_naming_and_name: меня его ее их тебя себя нас — – -
pets: кот кошка котенок пес собака щенок хомяк кролик попугай птица рыбка черепаха лошадь змея ящерица питомец крыса
    хорек
guild_things: рейд рейды сервер гильдия канал встреча встречи сходка собрание ивент ивенты турнир созвон стрим кино
    игра вечеринка репетиция войс вайфай пароль правила правило патч техработы кампания событие объявление сайт
    майнкрафт матч вайп квиз киновечер тренировка митап концерт
in_a_place: в во из
beside_names: с со к ко у о об обо для от за на про без по до над под перед при через из-за вместо между кроме и
obliques_of_topic: у для
all_of_us: рейд сервер гильдия канал встреча сходка собрание ивент турнир созвон стрим команда клан чат сообщество
    матч правило сайт бот админ модератор пати партия группа войс игра
authors_own: веган веганка вегетарианец вегетарианка замужем женат левша аллергик беременна холост
"""
"""Words by what they tell of a name beside them, verbs by their infinitive, the others in the nominative."""
_WORDS: Final = {name: frozenset(said.split()) for name, said in rows(_TABLE, joint=" ")}

_DIMINUTIVES: Final = """
александр: саша шура саня сашка сашенька шурик санек алекс сашуля
александра: саша шура саня сашка сашенька аля сашуля
алексей: леша алеша лешка леха алекс
алена: аленка аленушка
анастасия: настя настенька ася стася настюша
анатолий: толя толик
андрей: андрюша андрюха дрон
анна: аня анечка анюта нюра нюша анька ася
антон: тоша антоша тоха
артем: тема темка артемка
борис: боря борька
вадим: вадик
валентин: валя валик
валентина: валя
валерия: лера лерочка валера
валерий: валера
василий: вася васек васька
вера: верочка веруня
виктор: витя витек
виктория: вика викуля
виталий: виталик витя
владимир: вова володя вовка вован влад
владислав: влад владик слава
вячеслав: слава славик
галина: галя
геннадий: гена
георгий: гоша жора гога
григорий: гриша
дарья: даша дашенька дашуля
денис: деня дэн
дмитрий: дима митя димка димон
евгений: женя женька жека
евгения: женя женька
егор: егорка гоша
екатерина: катя катюша катенька катька
елена: лена леночка ленка
елизавета: лиза лизонька лизка
иван: ваня ванек ванька
игорь: игорек гарик
илья: илюша илюха
ирина: ира иришка ирочка
кирилл: кира кирюша
константин: костя костик
ксения: ксюша
лариса: лара
лев: лева
лидия: лида
любовь: люба
людмила: люда мила люся
максим: макс максимка
маргарита: рита марго
мария: маша маруся маня мария машенька машуля машка
михаил: миша мишка миха
надежда: надя надюша
наталья: наташа ната наталия
никита: никитос
николай: коля колян
оксана: ксюша ксана
ольга: оля оленька
павел: паша пашка павлик
петр: петя петька петруха
полина: поля
роман: рома ромка
светлана: света светик
семен: сема
сергей: сережа серега серый
софья: соня софа софия
станислав: стас слава
степан: степа
тамара: тома
татьяна: таня танюша
тимофей: тима тимоша
федор: федя
филипп: филя
юлия: юля юлька
юрий: юра юрка
яков: яша
ярослав: слава ярик
яна: яночка
"""
"""What the bearer of a full name is called as well."""


def families() -> list[frozenset[str]]:
    """Return names that one person goes by: whoever is Саша is also Шура."""
    return [frozenset((full, *short.split())) for full, short in rows(_DIMINUTIVES)]


_LIKELY: Final = 0.25
"""Share of its uses from which a reading of a word counts; the dictionary also knows plurals of names."""


def is_spoken(word: str) -> bool:
    """Return whether `word` is written in this language's letters."""
    return not LETTERS.isdisjoint(word)


def split_suffix(word: str, lower: str, after: Sequence[str]) -> tuple[str, str]:
    """Return the name in a word and what is glued to it, which is nothing here."""
    del lower, after
    return word, ""


def words_owned(word: str, after: Sequence[str]) -> int:
    """Return how many words are the thing of which an adjective says whose it is: two behind «Петин день рождения»."""
    if not after or (is_word(word.lower()) and not word[:1].isupper()):
        return 0
    kinds = [str(parses(one)[0].tag.POS) for one in after[:2]]
    if kinds == ["ADJF", "NOUN"] or list(after[:2]) == ["день", "рождения"]:
        return 2
    return int(kinds[0] == "NOUN")


def is_of_topic(word: str) -> bool:
    """Return whether a sentence that begins with `word` and a name is about its bearer: «у Пети есть кот»."""
    return word in _WORDS["obliques_of_topic"]


def _lemmas(word: str) -> frozenset[str]:
    return frozenset(one.normal_form.replace("ё", "е") for one in parses(word)[:4])


def _any(word: str, table: str) -> bool:
    return not _WORDS[table].isdisjoint(_lemmas(word))


def is_first_name(word: str) -> bool:
    """Return whether people are called `word`, in lower case, in whatever case it stands."""
    return any(one.is_known and "Name" in one.tag and one.score >= _LIKELY for one in parses(word))


def is_word(word: str) -> bool:
    """Return whether a name, in lower case, may be an ordinary word or a place as well."""
    readings = parses(word)
    names = {one.normal_form for one in readings if one.score >= _LIKELY and "Name" in one.tag}
    return any(
        one.is_known
        and str(one.tag.POS) in _OPEN_CLASSES
        and not _PROPER.intersection(one.tag.grammemes)
        and (not names or one.normal_form in names)
        for one in readings
        if one.score >= _RARELY and "GRND" not in one.tag
    )


def is_living(word: str) -> bool:
    """Return whether `word`, in lower case, is also what animals or people are called: «котик спит»."""
    return any({"NOUN", "anim"} in one.tag and not _PROPER & one.tag.grammemes for one in parses(word))


_RARELY: Final = 0.1
_OPEN_CLASSES: Final = {"NOUN", "ADJF", "ADJS", "ADVB", "VERB", "INFN", "COMP", "PRED", "NPRO"}
_PROPER: Final = frozenset({"Name", "Surn", "Patr"})


def is_kin(word: str) -> bool:
    """Return whether a person is what `word` says: «брат»."""
    return _any(word, "kin")


def is_guild_thing(words: Sequence[str]) -> bool:
    """Return whether a sentence that begins with `words` is about something that belongs to all."""
    for word in words[:4]:
        if _any(word, "guild_things"):
            return True
        if word in _WORDS["beside_names"] or "VERB" in parses(word)[0].tag:
            return False
    return False


def is_beside(before: Sequence[str]) -> bool:
    """Return whether a name behind `before` is only beside what is spoken of: «с Петей»."""
    return bool(before) and before[-1] in _WORDS["beside_names"]


def is_place(before: Sequence[str]) -> bool:
    """Return whether a name behind `before` is rather that of a place."""
    return bool(before) and before[-1] in _WORDS["in_a_place"]


def is_anothers_name(before: Sequence[str]) -> bool | None:
    """Return whether what follows «зовут» is a pet's or thing's name; `False`: a person's, `None`: nothing's."""
    at = -2 if before[-1:] and before[-1] in _WORDS["between_naming_and_name"] else -1
    if len(before) < -at or not _any(before[at], "naming"):
        return None
    return not any(_any(word, "kin") for word in before[-5:])


def speaks_of_us(words: Sequence[str]) -> bool:
    """Return whether what is «наше» is its author's family's, not the guild's."""
    for at, word in enumerate(words):
        if word.startswith("наш") and "наш" in _lemmas(word):
            return not any(_any(one, "all_of_us") for one in words[at + 1 : at + 3])
    return any(words[at : at + 2] == ["у", "нас"] and _ours(words[at + 2 :]) for at in range(len(words)))


def _ours(words: Sequence[str]) -> bool:
    return any(_any(word, "kin") or _any(word, "pets") or _any(word, "belongings") for word in words[:5])


def names_own(words: Sequence[str]) -> bool:
    """Return whether a sentence begins by how one of the author's is called: «маму зовут Лена»."""
    if len(words) < 2 or not _any(words[1], "naming"):
        return False
    return _any(words[0], "kin") or _any(words[0], "pets")


def speaks_of_own(words: Sequence[str]) -> bool:
    """Return whether a sentence that names nobody tells of its author: «веганка», «жена врач», «др 4 июля»."""
    first = words[0] if words else ""
    is_own = first in _WORDS["authors_own"] or first in _WORDS["kin"] or names_own(words)
    return is_own or " ".join(words[:2]).startswith(tuple(_OWN_THINGS))


_OWN_THINGS: Final = ("аллергия на ", "день рождения", "др ", "днюха ", "часовой пояс", "местоимения")


def is_used_as_word(after: Sequence[str], *, is_capitalised: bool) -> bool:
    """Return whether what follows shows that a word that begins a sentence is no name: «вера в бога»."""
    return not after or (not is_capitalised and is_function_word(after[0]))


def is_person(before: Sequence[str], suffix: str, after: Sequence[str]) -> bool | None:
    """Return whether a name between these words, all in lower case, is a person's; `None` if that is not sure."""
    if not after:
        return None
    at = next((at for at, word in enumerate(after) if word not in _WORDS["after_a_name"]), len(after) - 1)
    first = after[at]
    if first in DETERMINERS and len(after) > at + 1 and is_kin(after[at + 1]):
        return True
    if is_function_word(first):
        return None
    if "Patr" in parses(first)[0].tag:
        return True
    if first.isdigit():
        return True
    if _any(first, "human_verbs") or _any(first, "about_people") or first in _WORDS["people"]:
        return True
    if _any(first, "belongings") and bool(before):
        return True
    if first in _DASHES and len(after) > at + 1:
        return _predicate(after[at + 1 :])
    return None


_DASHES: Final = frozenset("— – - это".split())


def _predicate(words: Sequence[str]) -> bool | None:
    """Return whether a person, `False`: a thing is what `words` say that somebody or something is."""
    for word in words[:4]:
        if word in _WORDS["people"]:
            return True
        tag = parses(word)[0].tag
        if {"NOUN", "nomn"} in tag:
            return "anim" in tag and not _any(word, "pets")
    return None
