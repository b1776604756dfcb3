"""What is said to the bot about the bot, and about all that it holds of somebody, in any language that is told apart.

A grammar knows more ways to say so in English and Russian; here are the plain ones, of which nothing may come but a
refusal and a question.
"""

import re
from typing import Final

from bot.text.language_detection import folded
from bot.text.orders import Order, orders, own_words

_FROM_NOW: Final = r"""(?:from\s+(?:now|today|this\s+(?:moment|point|day))(?:\s+onwards?|\s+on)?|henceforth
    |going\s+forward
    |отныне|впредь|с\s+(?:этого|сегодняшнего)\s+(?:момента|дня|времени)|відтепер|надалі
    |(?:ab|von)\s+(?:jetzt|heute|nun|sofort)(?:\s+an)?|künftig|in\s+zukunft|nun\s+an
    |(?:a\s+partir|de)\s+(?:de\s+)?(?:ahora|hoy)(?:\s+en\s+adelante)?|desde\s+(?:ahora|hoy)|en\s+adelante
    |à\s+partir\s+(?:de\s+maintenant|d'aujourd'hui)|désormais|dorénavant
    |od\s+(?:teraz|dziś|dzisiaj|tej\s+pory)|odtąd|(?:da|d')\s*(?:ora|adesso|oggi)(?:\s+in\s+poi)?
    |a\s+partir\s+de\s+(?:agora|hoje)|de\s+agora\s+em\s+diante|daqui\s+em\s+diante|vanaf\s+(?:nu|vandaag)|voortaan
    |från\s+och\s+med\s+nu|hädanefter|bundan\s+(?:sonra|böyle))"""
"""What makes an instruction of words that are a wish for one answer else."""

_YOU_ARE: Final = r"""(?:your\s+(?:new\s+)?name(?:'s|\s+is|\s+will\s+be|\s+shall\s+be)|you(?:'re|\s+are
    |\s+will\s+be)\b|you\s+(?:must|should|have\s+to|shall|will)
    |ты\b|вы\b|тебя\b|тво[её]\s+(?:новое\s+)?имя|тебе\s+звати|твоє\s+(?:нове\s+)?ім'я|ти\b
    |du\s+(?:heißt|heisst|bist|sollst|musst)|dein\s+(?:neuer\s+)?name|dass\s+du\s+.*(?:heißt|heisst|bist|sollst)
    |te\s+llamas|tu\s+(?:nuevo\s+)?nombre|(?:tú\s+)?eres\b|tu\s+t'appelles|ton\s+(?:nouveau\s+)?nom|tu\s+es\b
    |tu\s+(?:dois|seras)
    |nazywasz\s+się|masz\s+na\s+imię|(?:twoje|twoim)\s+imi\w+|jesteś\b|ti\s+chiami
    |(?:il\s+)?tuo\s+(?:nuovo\s+)?nome|(?:tu\s+)?sei\b
    |(?:o\s+)?(?:seu|teu)\s+(?:novo\s+)?nome|você\s+(?:é|se\s+chama|deve)|te\s+chamas|tu\s+és
    |je\s+(?:\w+\s+)?heet|jouw\s+(?:nieuwe\s+)?naam|je\s+naam|je\s+bent|jij\s+bent|du\s+heter|ditt\s+namn
    |senin\s+adın|adın\s+\w+)"""

_SPEAK: Final = r"""(?:(?:always\s+|only\s+|just\s+|never\s+|all\s+|you\s+|please\s+|will\s+|must\s+|should\s+
    |are\s+to\s+){0,4}
    (?:answer|reply|respond|speak|talk|write|act|behave|pretend|end|start|begin|finish|use|sound|sign|say|greet|be)
    |(?:ты\s+|всегда\s+|только\s+|ti\s+|пожалуйста\s+){0,3}(?:отвечай\w*|говори\w*|пиши\w*|разговаривай\w*|общайся
    |веди\s+себя
    |заканчивай\w*|начинай\w*|будь|обращайся|называй\s+себя|відповідай\w*|пиши\w*|розмовляй\w*|будь)
    |(?:antworte|antwortest|sprich|sprichst|rede|redest|schreib|schreibst|schreibe|benimm|sei)
    |(?:siempre\s+)?(?:responde\w*|contesta\w*|habla\w*|escribe\w*|compórtate|sé)
    |(?:tu\s+)?(?:réponds|répondras|répondez|parle\w*|écris|comporte-toi|sois)
    |(?:odpowiadaj\w*|mów|pisz|zachowuj|bądź)|(?:rispondi|parla|scrivi|comportati|sii)
    |(?:responda|responde|fale|fala|escreva|escreve|comporte-se|seja)|(?:antwoord|praat|schrijf|spreek|wees)
    |(?:svara|prata|skriv)|(?:cevap\s+ver|konuş|yaz))"""

_THAT: Final = r"(?:that|что|що|dass|daß|que|qu'|że|che|dat|att|ki)"
_ASKS: Final = re.compile(r"[?？][\s.!)»”\"]*\Z")
_SAID_OF_BOT: Final = re.compile(
    rf"(?:[,:;–—-]\s*|\b{_THAT}\s*)(?:(?:{_FROM_NOW}[\s,]+)?{_YOU_ARE}"
    rf"|{_FROM_NOW}[\s,]+{_SPEAK}(?!\w))",
    re.VERBOSE | re.IGNORECASE,
)
_FROM_NOW_ON: Final = re.compile(
    rf"(?:\A|[.!?\n,])[\s*_~]*{_FROM_NOW}[\s,:]+(?:{_SPEAK}(?!\w)|{_YOU_ARE})"
    rf"|\A\W*{_SPEAK}(?!\w)[^.!?\n]*?(?<!\w){_FROM_NOW}(?!\w)|\A\W*{_YOU_ARE}[^.!?\n]{{0,40}}(?<!\w){_FROM_NOW}(?!\w)"
    rf"|\A\W*(?:call\s+yourself|rename\s+yourself|change\s+your\s+name|nenn\s+dich|llámate|appelle-toi|nazywaj\s+się"
    rf"|chiamati|называй\s+себя|always\s+(?:answer|reply|respond|speak|talk|write)|(?:всегда\s+"
    rf"|теперь\s+)(?:отвечай|говори|пиши)\w*\s+(?:только|всегда|стих)\w*|ты\s+теперь\s+(?:отвечай|говори)\w*"
    rf"|отвечай\w*\s+теперь)(?!\w)",
    re.VERBOSE | re.IGNORECASE,
)
_MY_DATA: Final = re.compile(
    r"""(?<!\w)(?:(?:all\s+)?my\s+(?:personal\s+|stored\s+)?data|(?:все\s+)?мои\s+(?:личные\s+)?данные
    |(?:всі\s+)?мої\s+дані
    |meine\w?\s+(?:\w+\s+)?daten|mis\s+datos|mes\s+données|(?:moje|moich)\s+(?:\w+\s+)?dan(?:e|ych)
    |(?:i\s+)?miei\s+dati
    |meus\s+dados|mijn\s+(?:gegevens|data)|mina\s+(?:uppgifter|data)|min\s+data|verilerimi|adataimat|tietoni
    |mé\s+údaje
    |datele\s+mele)(?!\w)""",
    re.VERBOSE | re.IGNORECASE,
)
_DROPS: Final = re.compile(r"(?<!\w)(?:exclu[ia]\w*|sil\w*|töröld|poista|vymaž|șterge)(?!\w)", re.IGNORECASE)
"""What orders to forget only of data."""


def instructs_bot(text: str) -> bool:
    """Tell whether `text` would have the bot be called or behave otherwise from now on: "merk dir, du heißt Max"."""
    own = folded(own_words(text))
    if _ASKS.search(own):
        return False
    if _FROM_NOW_ON.search(own):
        return True
    return orders(text, Order.REMEMBER) and _SAID_OF_BOT.search(own) is not None


def asks_to_erase(text: str) -> bool:
    """Tell whether `text` orders that all data of its author are erased: "lösche meine Daten"."""
    own = folded(own_words(text))
    ordered = orders(text, Order.FORGET) or _DROPS.search(own) is not None
    return ordered and _MY_DATA.search(own) is not None and not _ASKS.search(own)
