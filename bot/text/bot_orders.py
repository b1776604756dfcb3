"""What is said to the bot about the bot, and about all that it holds of somebody, in any language that is told apart.

A grammar knows more ways to say so in English and Russian; here are the plain ones, of which nothing may come but a
refusal and a question.
"""

import re
from typing import Final

from bot.text.language_detection import folded
from bot.text.orders import Order, orders, own_words
from bot.text.patterns import lazy_pattern

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

_MANNER: Final = r"""(?:(?:(?:please|always|never|don't|do\s+not|stop)\s+)*(?:be(?:ing)?|act(?:ing)?|behave|sound
    |talk(?:ing)?|speak)
    |(?:(?:пожалуйста,?|не)\s+)*(?:будь(?:те)?|веди(?:те)?\s+себя|говори(?:те)?|разговаривай(?:те)?|общайся)
    |розмовляй|поводься|говори
    |sei|benimm\s+dich|verhalte?\s+dich|sprich|rede|sé|compórtate|pórtate|habla|sois|comporte-toi|parle
    |bądź|zachowuj\s+się|mów|sii|comportati|parla|seja|sê|comporte-se|comporta-te|fale|fala
    |wees|gedraag\s+je|praat|spreek|var|bete\s+dig|prata|tala)(?!\w)
    (?!\s+(?:me|us|to|with|about|of|с|со|о|об|про|з|зі|mit|über|von|con|de|sobre|avec|à|z|ze|com|met|over|med|om)\s)"""
"""How to be, and nothing to say: what is asked for in one place is meant to last."""

_PLACE: Final = r"""(?:here|in\s+this\s+(?:channel|room|server|chat)|on\s+this\s+server|in\s+\#\S+|<\#\d+>
    |здесь|тут|в\s+этом\s+(?:канале|чате)|на\s+этом\s+сервере|у\s+(?:цьому|цім)\s+(?:каналі|чаті)
    |hier|in\s+diesem\s+(?:kanal|chat)|auf\s+diesem\s+server|aquí|en\s+este\s+(?:canal|servidor|chat)
    |ici|dans\s+ce\s+(?:canal|salon)|sur\s+ce\s+serveur|tutaj|tu|na\s+tym\s+(?:kanale|serwerze)|w\s+tym\s+kanale
    |qui|in\s+questo\s+canale|su\s+questo\s+server|aqui|neste\s+(?:canal|servidor)|in\s+dit\s+kanaal|op\s+deze\s+server
    |här|i\s+den\s+här\s+kanalen|på\s+den\s+här\s+servern|bu\s+(?:kanalda|sunucuda)|burada)"""

_SETS: Final = r"""(?:(?:change|set|switch|swap|replace|reset|rewrite|adjust)\s+your\s+(?:\w+\s+)?
        (?:persona|personality|character|model)
    |(?:use|switch\s+to|try)\s+(?:another|a\s+different|a\s+new)\s+(?:language\s+)?(?:persona|personality|model)
    |(?:смени|поменяй|измени|перепиши|настрой|зміни|поміняй)(?:те)?\s+(?:сво[йюёе]|св[ії]й|тво[йюё])\s+(?:\w+\s+)?
        (?:характер|персон\w+|личност\w+|особистіст\w+|модел\w+)
    |(?:переключись|перейди)\s+на\s+друг\w+\s+модель
    |(?:änder\w*|wechs\w+|stell\w*|setz\w*)\s+dein\w*\s+(?:\w+\s+)?(?:persönlichkeit|persona|charakter|(?:sprach)?modell)
    |(?:cambia|ajusta|pon)\s+tu\s+(?:personalidad|carácter|modelo)
    |(?:change|modifie|règle)\s+(?:de|ta|ton)\s+(?:personnalité|caractère|modèle)
    |(?:zmień|ustaw)\s+(?:sw\w+|twój|twoją)\s+(?:osobowość|charakter|model)
    |(?:cambia|modifica|imposta)\s+(?:la\s+tua|il\s+tuo)\s+(?:personalità|carattere|modello)
    |(?:mud[ae]|troqu?[ea]|altera|altere)\s+(?:a\s+|o\s+|de\s+)?(?:tua|teu|sua|seu)?\s*(?:personalidade|caráter|modelo)
    |(?:verander|wijzig|wissel)\s+(?:je|jouw)\s+(?:persoonlijkheid|karakter|model)
    |(?:ändra|byt)\s+(?:din|ditt)?\s*(?:personlighet|karaktär|modell)
    |(?:kişiliğini|karakterini|modelini)\s+değiştir)"""
"""What is a setting of the server's, or of the channel's."""

_A_SETTING: Final = lazy_pattern(
    rf"\A\W*(?:{_MANNER}(?:\s+[\w'’-]+){{0,6}}?\s+{_PLACE}(?:\s+(?:please|bitte))?\W*\Z|{_MANNER}\s+{_PLACE}\s+\w"
    rf"|{_PLACE}[\s,:]+{_MANNER}"
    rf"|(?:please\s+|пожалуйста,?\s+|bitte\s+|por\s+favor,?\s+)?{_SETS}(?!\w)|{_PLACE}[^.!?\n]*\s(?:ol|konuş|davran)\W*\Z)",
    re.VERBOSE | re.IGNORECASE,
)

_CAUTION: Final = r"""(?:careful|cautious|wary|quiet|silent|still|ready|back|right|there|present|patient|aware
    |warned|on\s+time|punctual|seated|honest|fair|safe|kind\s+enough|(?:осторож|внимател|готов|тих|честн|терпелив)\w*|потише|на\s+связи|начеку|обережн\w*
    |vorsichtig|leise|still|bereit|pünktlich|ehrlich|cuidados[oa]|list[oa]|puntual|prudente?|prêt|ostrożn\w*|gotow\w*
    |attent[oi]|cuidados[oa]|atent[oa]|voorzichtig|stil|klaar|försiktig|tyst)"""
"""What somebody is warned to be: no manner of talking."""

_ALL_OF_US: Final = r"""(?:me|us|you|them|every\w+|all|people|members|newcomers|новичк\w*|всеми?|нами?|мной
    |людьми|alle\w*|uns|mir|tod[oa]s|nosotros|tous|nous|an?|the|some|более|more)"""
_TOWARDS: Final = r"(?:to|with|towards?|с|со|к|ко|з|zu|mit|con|avec|pour|z|dla|com|met|tegen|mot|till)"
_NO_PERSONA: Final = lazy_pattern(
    rf"(?:\A|[\s,:]){_MANNER}\s+(?:[\w'’-]+\s+){{0,3}}?(?:{_CAUTION}(?!\w)"
    rf"|[\w'’-]+\s+{_TOWARDS}\s+(?!{_ALL_OF_US}(?!\w))\w)",
    re.VERBOSE | re.IGNORECASE,
)
"""A warning, or how to be to one person: "be careful here", "be nice to Anna"."""

_THAT: Final = r"(?:that|что|що|dass|daß|que|qu'|że|che|dat|att|ki)"
_ASKS: Final = re.compile(r"[?？][\s.!)»”\"]*\Z")
_SAID_OF_BOT: Final = lazy_pattern(
    rf"(?:[,:;–—-]\s*|\b{_THAT}\s*)(?:(?:{_FROM_NOW}[\s,]+)?{_YOU_ARE}"
    rf"|{_FROM_NOW}[\s,]+{_SPEAK}(?!\w))",
    re.VERBOSE | re.IGNORECASE,
)
_FROM_NOW_ON: Final = lazy_pattern(
    rf"(?:\A|[.!?\n,])[\s*_~]*{_FROM_NOW}[\s,:]+(?:{_SPEAK}(?!\w)|{_YOU_ARE})"
    rf"|\A\W*{_SPEAK}(?!\w)[^.!?\n]*?(?<!\w){_FROM_NOW}(?!\w)|\A\W*{_YOU_ARE}[^.!?\n]{{0,40}}(?<!\w){_FROM_NOW}(?!\w)"
    rf"|\A\W*(?:call\s+yourself|rename\s+yourself|change\s+your\s+name|nenn\s+dich|llámate|appelle-toi|nazywaj\s+się"
    rf"|chiamati|называй\s+себя|always\s+(?:answer|reply|respond|speak|talk|write)|(?:всегда\s+"
    rf"|теперь\s+)(?:отвечай|говори|пиши)\w*\s+(?:только|всегда|стих)\w*|ты\s+теперь\s+(?:отвечай|говори)\w*"
    rf"|отвечай\w*\s+теперь)(?!\w)",
    re.VERBOSE | re.IGNORECASE,
)
_MY_DATA: Final = lazy_pattern(
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
    """Tell whether `text` would have the bot be called or behave otherwise from now on: "merk dir, du heißt Max".

    What it is to be in one place, and its persona and model, are settings: "talk like a pirate in this channel".
    """
    own = folded(own_words(text))
    if _ASKS.search(own) or _NO_PERSONA.search(own):
        return False
    if _FROM_NOW_ON.search(own) or _A_SETTING.search(own):
        return True
    return orders(text, Order.REMEMBER) and _SAID_OF_BOT.search(own) is not None


_HERE: Final = lazy_pattern(rf"(?<![\w#<]){_PLACE}(?!\w)", re.VERBOSE | re.IGNORECASE)
_LASTING: Final = lazy_pattern(rf"(?<!\w){_FROM_NOW}(?!\w)", re.VERBOSE | re.IGNORECASE)
_PLEASE: Final = lazy_pattern(
    r"(?<!\w)(?:please|pls|пожалуйста|пж|будь\s+ласка|bitte|por\s+favor|s'il\s+(?:te|vous)\s+plaît)(?!\w)",
    re.IGNORECASE,
)
_ELSEWHERE: Final = re.compile(r"<#\d+>|(?<!\w)#\w")
_A_MANNER: Final = lazy_pattern(rf"(?:{_MANNER}|{_SPEAK}(?!\w))\s+\w", re.VERBOSE | re.IGNORECASE)


def persona_wished(text: str) -> str:
    """Return how `text` would have the bot talk in the channel in which it is said, as one plain sentence.

    "from now on talk like a pirate here, please" is "Talk like a pirate."; "" where it says no manner of talking, as of
    a name or of a model, or says it of another channel.
    """
    if not instructs_bot(text) or _ELSEWHERE.search(text):
        return ""
    first = re.split(r"(?<=[.!?])\s|\n", own_words(text).strip(), maxsplit=1)[0]
    for said_beside in (_LASTING, _HERE, _PLEASE):
        first = said_beside.sub(" ", first)
    manner = re.sub(r"\s+([,;:])", r"\1", " ".join(first.split())).strip(" \t.,;:!–—-")
    manner = re.sub(r"([,;:])[,;:]+", r"\1", manner)
    return f"{manner[:1].upper()}{manner[1:]}." if _A_MANNER.match(manner) else ""


def asks_to_erase(text: str) -> bool:
    """Tell whether `text` orders that all data of its author are erased: "lösche meine Daten"."""
    own = folded(own_words(text))
    ordered = orders(text, Order.FORGET) or _DROPS.search(own) is not None
    return ordered and _MY_DATA.search(own) is not None and not _ASKS.search(own)
