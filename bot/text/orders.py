"""Which orders (keep, forget, correct) a message gives in any language that is told apart.

Also which of its words carry content, and which words are its author's own.
"""

import re
from enum import Enum
from functools import cache
from typing import Final

from bot.core.domain import Language
from bot.text.language_detection import COMMON_WORDS, folded, has_known_word, words_of
from bot.text.tokens import stems, telling_stems

QUOTED: Final = re.compile(
    r"""```.*?``` | `[^`\n]*` | ^\s*>.*?$
    | "[^"\n]*" | “[^”\n]*” | «[^»\n]*» | „[^“”\n]*[“”] | ‚[^‘’\n]*[‘’] | 「[^」\n]*」 | 『[^』\n]*』
    | (?<!\w)'(?=\S)[^'\n]*(?<=\S)'(?!\w) | (?<!\w)‘[^’\n]*’(?!\w)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
"""What is only quoted in a text."""


class Order(Enum):
    """What can be ordered, with the words that do so: English, Russian, Ukrainian, German, Spanish, French, Polish,
    Portuguese, Italian, Dutch, Turkish, Swedish, Indonesian, and at the end scripts without blanks.

    `*` stands for any ending. Where a question has another form ("recuerdas", "pamiętasz") only the order is here.
    """

    REMEMBER = (
        """remember memorize memorise save keep note notes noted store record write jot log learn mind reference fyi
        forget call add put
        запомни* запоми* запиши* записыва* сохрани* учти* учитыва* заметь* помни помните виду отметь* зафиксируй*
        зови* называй* занеси* добавь* заметку забудь* забывай*
        запам'ята* запиши* збережи* врахуй* занотуй* пам'ятай*
        merk* notier* speicher* behalt* vermerk* schreib* nenn* festhalten vergiss einpräg*
        recuerda recuerde recuérd* recordar acuérd* guarda guárd* guardar* anota anotar* anóta* apunta apúnt*
        memoriza* olvides olvide llámame
        souviens-toi souvenez-vous retiens retenez retenir note notez noter garde gardez enregistr* mémoris* n'oublie*
        rappelle-toi appelle-moi
        zapamięt* zapisz* zanotuj* zachowaj* pamiętaj* odnotuj* zapomnij* nazywaj*
        lembr* guarda* guarde* anote* anota* memorize* salve registre esqueça
        ricorda* ricordati segna* annota* memorizza* salva* tieni dimenticar*
        onthoud* noteer* bewaar* sla schrijf* vergeet
        hatırla* kaydet* unutma* aklında
        minns ihåg spara* anteckna* glöm
        husk noter glem
        pamatuj* zapiš* nezapomeň* zapamti* zapamätaj*
        jegyezd felejtsd emlékezz notează reține muista θυμήσου
        ingat* catat* simpan*""",
        "覚え 記憶 メモ 记住 記住 记下 保存 기억 저장 จำ",
    )
    FORGET = (
        """forget delete erase remove drop scrub wipe discard scratch undo cancel revert unremember
        забудь* забывай* удали* сотри* убери* вычеркни* отмени* стереть удалить убрать
        забудь* видали* зітри* прибери* скасуй*
        vergiss vergesst lösch* entfern* streich* zurück verwirf*
        olvida olvide olvíd* olvidar borra* bórra* elimina* quita* deshaz* cancela*
        oublie* oubli* efface* supprim* enlève* retire* annul*
        zapomn* usuń* skasuj* wymaż* cofnij*
        esquec* esqueça* apag* remov* delet* desfaz*
        dimentica* cancell* elimina* rimuov* togli*
        vergeet wis verwijder* schrap*
        unut sil silin geri
        glöm radera* glem slet
        zapomeň* smaž* zaboravi* zabudni* felejtsd töröld uită șterge unohda poista ξέχασε
        lupakan* hapus*""",
        "忘れ 消し 削除 忘记 忘記 删除 刪除 잊어 삭제 ลืม ลบ",
    )
    CORRECT = (
        """nope wrong incorrect actually meant mean correct correction instead sorry change fix typo mistake rather said
        wasn't isn't update
        неправ* неверно исправь* ошиб* поправ* точнее вернее виду вообще-то измени* замени* сказал* опечат*
        виправ* помил* зміни* точніше
        falsch sondern eigentlich meinte korrig* änder* stimmt vielmehr sagte berichtig* verbesser*
        sino quise mal corrige* cambia* realidad equivoc* dije error
        plutôt voulais corrig* erreur faux change* disais
        błąd chodziło popraw* zmień* pomyłk* raczej
        errado quis corrij* mud* engan*
        sbagliat* volevo corregg* cambia* anzi errore
        fout bedoelde corrigeer* verander*
        yanlış düzelt* değil
        fel menade rätta* ändra*
        bukan salah ubah*""",
        "違う 違い 訂正 間違 不是 错 錯 更正 아니 틀렸 ไม่ใช่",
    )


ORDERS_ABROAD: Final = (
    "vergiss|merke? dir|erinnere dich|speichere?|notiere?|lösche?|olvida|recuerda|acu[eé]rdate|apunta|anota|borra"
    "|elimina|oublie|souviens[- ]toi|rappelle[- ]toi|retiens|efface|supprime|zapomnij|zapamiętaj"
    "|esquece|esqueça|lembra|dimentica|ricorda|vergeet|onthoud|unut|hatırla|запам'ятай"
)
"""A pattern of the plainest orders in other languages, as they begin a message."""
_NO_ORDER: Final = re.compile(
    r"""(?<!\w)(?:(?:i|we|he|she|they|you)(?:\s+(?:all|always|still|just|never|really|even))*\s+
        |(?:can't|cannot|couldn't|didn't|doesn't|never|(?:can|do|did|does|could)\s+not)\s+)
        (?:remember|forget|keep|save|write|record|learn|note|mean|change|delete|drop|cancel|call|add|put)(?!\w)
        |(?<!\w)(?:don't|do\s+not|can't|cannot)\s+(?:remember|keep|mind)(?!\w)""",
    re.VERBOSE,
)
"""Who tells what somebody does or cannot do orders nothing; in other languages the form of the verb shows that."""

_NO_AT_FIRST: Final = re.compile(
    r"\A\W*(?:no|not|нет|не|ні|nein|nee|non|nie|não|hayır|nej|bukan)\s*(?:[,.!;:—–-]|\Z)"
    r"|,\s*(?:not|nicht|pas|no|non|nie|а\s+не|не)(?!\w)|(?<!\w)не\s.*,\s*а(?!\w)"
)
"""No by itself: before what is right, or "Tuesday, not Monday". Inside a sentence it says nothing of that."""


def own_words(text: str) -> str:
    """Return what the author of `text` says without what is only quoted in it."""
    return QUOTED.sub(" ", text)


_SMALL_TALK: Final = frozenset(
    """hello hi hey hiya heya yo morning evening afternoon night bye goodbye cya see ya later soon welcome thanks thank
    thx ty cheers congrats congratulations good great nice cool awesome amazing lovely sweet perfect fun funny
    wow oh ah aww haha hahaha lol lmao yep yup yeah yes nope nah sure right true exactly same agreed totally
    really maybe well done luck take care stay safe enjoy love loving sounds looks feels works working need help
    sorry back here there gone going go get got let's let come see try think know want can can't dunno idk omg
    gg wp brb wonderful fantastic interesting sad bad new old big all everyone guys friend buddy man dude day
    week weekend time today tomorrow tonight game play dinner lunch birthday happy merry who's how's what's
    that's it's i'm not never always again still too then only more less much many first last next off over
    under no ok okay into how why translate tell give show make find explain hallo moin servus guten gute morgen
    abend nacht tag zusammen hola buenos buenas días tardes noches bonjour salut coucou bonsoir bonne nuit cześć
    hej siema dobry dobranoc słychać ciao buongiorno buonasera olá oi bom boa dia noite merhaba selam günaydın
    god morgon""".split()
)
"""Greetings, and English that is said without any of the commonest words."""


def orders(text: str, order: Order) -> bool:
    """Tell whether the own words of `text` hold an order."""
    own = _NO_ORDER.sub(" ", folded(own_words(text)))
    if order is Order.CORRECT and _NO_AT_FIRST.search(own):
        return True
    return bool(_pattern(order).search(own))


_SELDOM_AN_ORDER: Final = re.compile(
    r"""keep|save|store|record|write|log|learn|note[sd]?|mind|call|add|put|salve
    |(?:delet|eras|remov|drop|wip|discard|scratch|undo|cancel|revert|mud|memoriz)\w*""",
    re.VERBOSE,
)
"""What is an order where a clause begins, and in English elsewhere any word: "keep that", "I'll keep my old one"."""

_CLAUSE_BEGINS: Final = re.compile(
    r"""(?:\A|[^\w\s'"<>@*_~-]|\n|\b(?:please|pls|plz|pl[sz]+|bot|can|could|would|will|you|you\s+to|sure\s+to|and|then|now|also|just
    |so|but|ok|okay|yes|yeah|hey|hi|let'?s|lets|don'?t|do|not|should|must|gotta|always|maybe|kindly|quickly|for\s+later
    |bitte|s'il\s+te\s+pla[iî]t|por\s+favor|prosz[eę]|per\s+favore|пожалуйста|бот))[\s*_~"']*\Z""",
    re.VERBOSE,
)
_IDIOM: Final = re.compile(
    r"""\bkeep\s+(?:\w+ing|it\s+up|up|on|us|you|each|our|calm|an?\s+eye|in\s+touch|the\s+faith)\b|\blog\s*(?:in|out)\b
    |\bno\s+(?:worries|problem\w*|probs?|matter|way|doubt|idea|one|thanks|need|stress|biggie|kidding)\b|\bnever\s*mind\b""",
    re.VERBOSE,
)
_PLAINLY_CORRECTS: Final = re.compile(
    r"""\A\W*(?:(?:please|pls|plz|bot)\W+)?(?:fix|change|update|correct)(?!\w)|\A(?:\W*[\w']+){0,2}\W*(?<!\w)(?:
    wrong|incorrect|correction|typo|mistake|not\s+true
    |неправ\w*|неверно|исправь\w*|поправ\w*|измени\w*|замени\w*|ошиб\w*|виправ\w*|зміни\w*|помил\w*
    |falsch|korrig\w*|berichtig\w*|änder\w*|verbesser\w*|stimmt\s+nicht|corrig\w*|corrij\w*|corregg\w*
    |cambia\w*|equivoc\w*|faux|erreur|błąd|popraw\w*|zmień\w*|pomyłk\w*|nieprawd\w*|errado|sbagliat\w*
    |fout|corrigeer\w*|verander\w*|yanlış|düzelt\w*|rätta\w*|ändra\w*|salah|ubah\w*)(?!\w)""",
    re.VERBOSE,
)
_SPEAKS_OF_MEMORY: Final = re.compile(r"\byour\s+(?:memory|notes?|records?)\b")


def may_order(text: str) -> bool:
    """Tell whether the own words of `text` may order a memory to keep, forget or correct something.

    Where they do not, `orders` may hold still: it also finds the English words of orders amid a remark, as in "I'll
    call you, sorry".
    """
    own = _IDIOM.sub(" ", _NO_ORDER.sub(" ", folded(own_words(text))))
    if any(found.search(own) for found in (_NO_AT_FIRST, _PLAINLY_CORRECTS, _SPEAKS_OF_MEMORY)):
        return True
    return any(
        _SELDOM_AN_ORDER.fullmatch(found[0]) is None or _CLAUSE_BEGINS.search(own, 0, found.start())
        for order in (Order.REMEMBER, Order.FORGET)
        for found in _pattern(order).finditer(own)
    )


def is_foreign(text: str) -> bool:
    """Tell whether `text` is in a language whose orders are not known here, as far as that can be told."""
    return (
        bool(words_of(own_words(text))) and Language.of(text) is Language.ENGLISH and not has_known_word(text)
    )


def may_order_abroad(text: str, *, points: bool) -> bool:
    """Tell whether `text`, in a language whose orders are not known here, says enough to order something.

    That is the order and what is ordered; where it `points` at another message, the order alone.
    """
    said = words_of(own_words(text))
    small = sum(word in _SMALL_TALK for word in said)
    return is_foreign(text) and 3 * small < len(said) and len(content_of(text)) >= (1 if points else 2)


_ASKS_TO_LIST: Final = re.compile(
    r"""(?<!\w)(?:was\s+(?:alles\s+)?(?:weißt|weisst|hast)\s+du|que\s+sabes|qué\s+(?:sabes|recuerdas|tienes)|que\s+sais[\s-]tu
    |(?:qu'est-ce\s+que\s+)?tu\s+(?:sais|connais)\s+(?:quoi|de|sur)|qu'est-ce\s+que\s+tu\s+(?:sais|retiens)|co\s+(?:o\s+\w+\s+)?(?:wiesz|pamiętasz)
    |(?:che|che\s+cosa|cosa|che\s+cos')\s*(?:sai|ricordi)|o\s+que\s+(?:você\s+|tu\s+)?(?:sabes?|lembras?)|що\s+ти\s+(?:знаєш|пам'ятаєш)
    |wat\s+weet\s+(?:je|jij)|vad\s+vet\s+du|ne\s+biliyorsun|mit\s+tudsz|mitä\s+tiedät)(?!\w)""",
    re.VERBOSE,
)
"""What do you know ...: in English and Russian a grammar knows it."""

_THANKS: Final = frozenset(
    """thanks thank you thx ty ok okay k kk lol haha hahaha cool nice great alright got it good night bye a lot so much
    very спасибо спс благодарю пасиб пасибо ок окей ладно понятно ясно хорошо пока лол ахах хаха большое дякую
    дякс добре danke dir vielmals schön dankeschön gut alles klar tschüss gracias muchas vale adiós merci
    beaucoup d'accord bien salut dzięki dziękuję bardzo dobra dobrze pa obrigado obrigada valeu tá bom grazie
    mille va bene ciao bedankt dank je wel prima teşekkürler tamam sağol tack tak så mycket kiitos köszönöm
    köszi ありがとう 谢谢 謝謝 감사합니다""".split()
)
_MOST_THANKS: Final = 4


_OF_LAST_WRITE: Final = frozenset(
    """undo last latest previous entry write note fact one thing change just now saved stored it that this back again
    последнее последнюю последнюю последний запись записанное сохраненное изменение назад обратно останнє запис
    rückgängig mach machen mache letzte letzten letztes eintrag notiz änderung gespeichert wieder
    último última ultimo ultima eso esto cambio nota guardado deshacer acabas dernier dernière note retour
    ostatni ostatnie ostatnią wpis notatkę zmianę zmiana modifica nota registo registro laatste senaste
    anteckning""".split()
)


def means_last_write(text: str) -> bool:
    """Tell whether `text`, which orders to undo or forget something, names nothing but what was written last."""
    own = _pattern(Order.FORGET).sub(" ", folded(own_words(text)))
    return all(
        word in _OF_LAST_WRITE or any(word in tongue.words for tongue in COMMON_WORDS)
        for word in words_of(own)
    )


def asks_to_list(text: str) -> bool:
    """Tell whether `text` asks, in a language without a grammar, for all that is known of somebody or something."""
    return _ASKS_TO_LIST.search(folded(own_words(text))) is not None


def wants_nothing(text: str) -> bool:
    """Tell whether `text` is nothing but thanks, a yes or a farewell, which may do without a reply."""
    said = words_of(text)
    return not {"?", "？"} & set(text) and len(said) <= _MOST_THANKS and all(word in _THANKS for word in said)


def content_of(text: str) -> frozenset[str]:
    """Return the stems of what the own words of `text` tell, without the words that order it."""
    own = folded(own_words(text))
    for order in (Order.REMEMBER, Order.FORGET):
        own = _pattern(order).sub(" ", own)
    return telling_stems(own) - stems("please bitte пожалуйста porfavor not")


@cache
def _pattern(order: Order) -> re.Pattern[str]:
    spaced, unspaced = order.value
    words = [re.escape(word).replace(r"\*", r"[\w'-]*") for word in folded(spaced).split()]
    return re.compile(rf"(?<![\w<@'])(?:{'|'.join(words)})(?![\w'])|{'|'.join(unspaced.split())}")
