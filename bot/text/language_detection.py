"""Which language a text is in, as far as its commonest words tell; a guess to be cautious with, never to
rely on.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from bot.core.domain import Language


@dataclass(frozen=True)
class CommonWords:
    """A language by its commonest words."""

    name: str
    """What it is called in English: what a model is told."""
    code: str
    """What CLDR and the files of sentences call it."""
    language: Language
    """Its alphabet, as the fixed sentences know it."""
    common: frozenset[str]
    """Words that say nothing by themselves: articles, pronouns, "this", "said", "please"."""
    me: frozenset[str]
    """Words by which speakers speak of themselves."""

    @cached_property
    def words(self) -> frozenset[str]:
        """All words that give the language away."""
        return self.common | self.me


def _common_words(
    name: str, code: str, me: str, common: str, *, language: Language = Language.ENGLISH
) -> CommonWords:
    return CommonWords(name, code, language, frozenset(folded(common).split()), frozenset(folded(me).split()))


_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_WITH_DIGITS: Final = re.compile(r"\w*\d\w*")
_MARKED: Final = re.compile(r"<[@#][!&]?\d+>|@\w+|https?://\S+")


def folded(text: str) -> str:
    """Return `text` with one case, compatible letters and е for ё, so that spellings compare."""
    if text.isascii():
        # Nothing of it has another form, and most words are such.
        return text.casefold()
    return unicodedata.normalize("NFKC", text).casefold().replace("ё", "е").replace("’", "'")


COMMON_WORDS: Final = (
    _common_words(
        "English",
        "en",
        "i me my mine myself i'm i've i'll i'd",
        """the a an and or but of in on at to for with by is are was were be has have had do does did not he she it we
        they you your his her him them its this that these those what when where who which said told just please bot
        message everything thing things about there here some any also very so if as
        one down up out now well okay ok yes lol hang hold mate""",
    ),
    _common_words(
        "Russian",
        "ru",
        "я мне меня мной мой моя мое мои мою моего моей моих моим",
        """и а но или что чтобы в во на у к о об обо с со по за из от для это этот эта эти того тот та то как так же ли
        бы не он она они его ее их ему ей мы вы ты тебя тебе сказал сказала только пожалуйста бот сообщение все про вот
        когда где кто есть был была себе себя обязательно ну вот давай ладно""",
        language=Language.RUSSIAN,
    ),
    _common_words(
        "Ukrainian",
        "uk",
        "я мені мене мною мій моя моє мої мою мого моєї моїх",
        """і й та але або що щоб в у на до з із зі по за від для це цей ця ці того той те як так же чи би не він вона
        вони його її їх йому їй ми ви ти тебе тобі сказав сказала тільки будь ласка бот повідомлення все про коли де
        хто є був була""",
        language=Language.RUSSIAN,
    ),
    _common_words(
        "German",
        "de",
        "ich mir mich mein meine meinen meinem meiner meines",
        """der die das den dem des ein eine einen einem einer und oder aber von im in an am auf zu zum zur für mit ist
        sind war hat habe haben bin bist nicht kein keine er sie es wir ihr du dir dich sein ihre ihm dies diese dieses
        dass was wann wo wer gesagt gerade eben bitte bot nachricht alles über da hier auch sehr so wenn als
        mal doch schon noch dazu guck schau""",
    ),
    _common_words(
        "Spanish",
        "es",
        "yo me mi mis mío mía conmigo soy tengo estoy",
        """el la los las lo un una y o pero de del en a al para con por es son era fue está ha he no se su sus él ella
        nosotros tú te ti esto eso este esta ese esa que qué cuando dónde quién dijo dicho acaba favor bot mensaje todo
        sobre aquí también muy si como le""",
    ),
    _common_words(
        "French",
        "fr",
        "je j me m moi mon ma mes j'ai j'aime j'habite j'adore m'appelle",
        """le la les l un une des et ou mais de du d en à au aux pour avec par est sont était a ai ne pas se son sa ses
        il elle nous vous tu te toi ceci cela ça ce cet cette que qu quand où qui dit vient plaît bot message tout sur
        ici aussi très si comme lui bien c'est qu'il qu'elle d'un d'une""",
    ),
    _common_words(
        "Polish",
        "pl",
        "ja mnie mi mną mój moja moje moi mojego mojej moich jestem mam",
        """i a ale lub albo że żeby w we na do z ze po za od dla to ten ta te tego tamto jak tak czy nie on ona oni jego
        jej ich mu my wy ty ciebie ci cię sobie się powiedział powiedziała właśnie proszę bot wiadomość wszystko o kiedy
        gdzie kto jest są był była ma""",
    ),
    _common_words(
        "Portuguese",
        "pt",
        "eu me mim meu minha meus minhas comigo sou tenho estou",
        """o a os as um uma e ou mas de do da dos das em no na para com por é são era foi está não se seu sua ele ela
        nós você te isto isso este esta esse essa que quando onde quem disse acabou favor bot mensagem tudo sobre aqui
        também muito como lhe""",
    ),
    _common_words(
        "Italian",
        "it",
        "io mi me mio mia miei mie sono ho",
        """il lo la i gli le un uno una e o ma di del della in a al alla per con da è era ha non si suo sua lui lei noi
        voi tu ti te questo questa quello quella che quando dove chi detto appena favore bot messaggio tutto su qui
        anche molto se come gli""",
    ),
    _common_words(
        "Dutch",
        "nl",
        "ik mij me mijn",
        """de het een en of maar van in op aan te voor met is zijn was heeft heb niet geen hij zij ze wij jij je dit dat
        deze die wat wanneer waar wie gezegd net alsjeblieft bot bericht alles over hier ook zeer als""",
    ),
    _common_words(
        "Turkish",
        "tr",
        "ben bana beni benim bende",
        """bir ve veya ama bu şu o bunu şunu onu için ile de da mi mı ne ki var yok çok daha gibi değil sen sana dedi
        lütfen bot mesaj her şey hakkında nasıl nerede""",
    ),
    _common_words(
        "Swedish",
        "sv",
        "jag mig min mitt mina",
        """en ett och eller men av i på till för med är var har inte han hon det den de vi du dig detta att som sa just
        snälla bot meddelande allt om här också""",
    ),
)


TELLING_LETTERS: Final = {
    "Polish": re.compile("[ąćęłńśźż]", re.IGNORECASE),
    "Spanish": re.compile("[ñ¿¡]", re.IGNORECASE),
    "Ukrainian": re.compile("[іїєґ]", re.IGNORECASE),
}
"""Letters that no other of these languages has; a word with them is as good as two common ones."""


def _numbers_by_word() -> Mapping[str, tuple[int, ...]]:
    """Return for each common word the places of its languages in `COMMON_WORDS`."""
    numbers: defaultdict[str, tuple[int, ...]] = defaultdict(tuple)
    for number, tongue in enumerate(COMMON_WORDS):
        for word in tongue.words:
            numbers[word] += (number,)
    return dict(numbers)


_NUMBERS_BY_WORD: Final = _numbers_by_word()
"""Detection looks a word up once, not once for each language: all that models tell passes through it."""


def words_of(text: str) -> list[str]:
    """Return the words of `text`, folded; mentions and addresses are none."""
    return _WORD.findall(folded(_MARKED.sub(" ", text)))


def detect_language(text: str, *, at_least: int = 2) -> CommonWords | None:
    """Return the language of which `text` has most common words, and `at_least` so many; `None` if that is unclear.

    Letters beside digits are of no language: the d of a d20 is no French word.
    """
    said = words_of(_WITH_DIGITS.sub(" ", _MARKED.sub(" ", text)))
    ranked = Counter(number for word in said for number in _NUMBERS_BY_WORD.get(word, ())).most_common(2)
    if not ranked or ranked[0][1] < at_least:
        return None
    is_unclear = len(ranked) > 1 and ranked[0][1] == ranked[1][1]
    return None if is_unclear else COMMON_WORDS[ranked[0][0]]


def language_by_letters(text: str) -> CommonWords | None:
    """Return the language of which alone a letter in `text` is; `None` if that is none or several."""
    said = _MARKED.sub(" ", text)
    found = [
        one for one in COMMON_WORDS if one.name in TELLING_LETTERS and TELLING_LETTERS[one.name].search(said)
    ]
    return found[0] if len(found) == 1 else None


def has_known_word(text: str) -> bool:
    """Tell whether `text` holds a common word of any of these languages."""
    return any(word in _NUMBERS_BY_WORD for word in words_of(text))
