"""Which orders (keep, forget, correct) a message gives in any language that is told apart.

Also which of its words carry content, and which words are its author's own.
"""

import re
from enum import Enum
from functools import cache
from typing import Final

from bot.core.domain import Language
from bot.text.language_detection import folded, has_known_word, words_of
from bot.text.tokens import stems, telling_stems

_QUOTED: Final = re.compile(
    r"""```.*?``` | `[^`\n]*` | ^\s*>.*?$
    | "[^"\n]*" | “[^”\n]*” | «[^»\n]*» | „[^“”\n]*[“”] | ‚[^‘’\n]*[‘’] | 「[^」\n]*」 | 『[^』\n]*』
    | (?<!\w)'(?=\S)[^'\n]*(?<=\S)'(?!\w) | (?<!\w)‘[^’\n]*’(?!\w)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)


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
        minns spara* anteckna* glöm
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
        unut silin geri
        glöm radera*
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
    return _QUOTED.sub(" ", text)


def orders(text: str, order: Order) -> bool:
    """Tell whether the own words of `text` hold an order."""
    own = _NO_ORDER.sub(" ", folded(own_words(text)))
    if order is Order.CORRECT and _NO_AT_FIRST.search(own):
        return True
    return bool(_pattern(order).search(own))


def is_foreign(text: str) -> bool:
    """Tell whether `text` is in a language whose orders are not known here, as far as that can be told."""
    return (
        bool(words_of(own_words(text))) and Language.of(text) is Language.ENGLISH and not has_known_word(text)
    )


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
