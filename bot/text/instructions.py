"""Sentences that tell a bot what to do or to be: nothing that a memory keeps of people, whoever said them.

The patterns are in every language in which people have tried: a note that is read before each answer must not give one.
"""

from typing import Final

from bot.text.language_detection import folded
from bot.text.languages import filled, rows
from bot.text.patterns import lazy_pattern

_PARTS: Final = dict(rows(r"""
bot: (?:(?:the |this |your |our )?(?:chat ?)?bots?|assistants?|keepsake|(?:the |an |your )?a\.?i\.?(?: model)?
    |language model|llm|gpt
    |(?:the |this )?model|system prompt|бот\w{0,3}|ассистент\w{0,3}|помощник\w{0,3}|нейросет\w+|ии|модел\w{1,3}
    |асистент\w{0,3}
    |assistent\w{0,2}|asistente|el modelo|das modell|le modèle|modelo|asystent\w{0,3}|assistente)
answers: (?:(?:all|every|each|any|its|your|the|of)? ?(?:answer|repl(?:y|ie)|response|message|output|summar(?:y|ie))s?
    |answering|replying|responding|ответ\w{0,3}|реплик\w{0,3}|сообщени\w{1,3}|отвечать|відповід\w{1,3}|antwort(?:en)?
    |nachricht(?:en)?
    |respuestas?|mensajes?|réponses?|messages?|odpowied\w+|wiadomo\w+|respostas?|risposte?)
must: (?:must|should|shall|has to|have to|needs? to|ought to|is to|are to|is required to|are required to|(?:is
    |are) (?:now )?(?:supposed
    |instructed|told|ordered|programmed|forbidden|allowed) to|will now|always|never|from now on|no longer|may not
    |must not|cannot|can't
    |долж\w{1,3}|обязан\w{0,2}|надо|нужно|следует|всегда|никогда|отныне|теперь|впредь|больше не|запрещено|нельзя
    |мусить|повин\w{1,3}|завжди
    |muss|soll(?:te)?|darf|immer|nie(?:mals)?|ab (?:jetzt|sofort)|debe(?:rá)?|tiene que|siempre|nunca|a partir de ahora
    |doit|devra|toujours|jamais|désormais|à partir de maintenant|musi|powin\w+|zawsze|nigdy|od teraz|deve|sempre|mai
    |d'ora in poi)
does: (?:answer|reply|respond|end|begin|start|finish|say|speak|talk|write|use|add|append|include|obey|call|behave|act
    |pretend
    |ignore|forget|reveal|print|output|repeat|translate|mention|trust|follow|help|tell|be (?:called|rude|nice|silent
    |quiet|mean|a|in|as))
ru_does: (?:отвеча(?:ть|й|йте|ет)|ответ(?:ить|ь|ьте)|говори(?:ть|т|те)?|заканчива(?:ть|й|йте|ет|ются)|начина(?:ть|й
    |йте|ет|ться)|добавля(?:ть|й|йте)
    |писать|пиши(?:те)?|слуша(?:ть|ться|йся)|подчиня(?:ть|йся)\w*|игнориров\w+|игнорируй\w*|забы(?:ть|вать)|забудь
    |повторя(?:ть|й)|называ(?:ть|й)\w*
    |вести себя|притвор\w+|переводи(?:ть)?|упоминать|упоминай|доверя(?:ть|й)|показыва(?:ть|й)|раскры(?:ть|вать)
    |раскрой|закінчув\w+|відповіда\w+)
abroad_does: (?:antwort\w+|enden|beend\w+|sag\w+|schreib\w+|ignorier\w+|respond\w+|terminar?\w*|termine|escrib\w+
    |diga?\w*|ignor\w+|répond\w+
    |finir\w*|dire|écri\w+|odpowiada\w+|kończy\w+|zakończ\w+|mówi\w+|pisa\w+|rispond\w+|finire|scriv\w+|termin\w+)
"""))  # fmt: skip

_INSTRUCTIONS: Final = rows(r"""
# Whom it is about, that it must, and what: the bot answers in a way.
bound: {bot} (?:[^.!?]{0,30} )?{must}\b[^.!?]{0,30}?\b(?:{does}|{ru_does}|{abroad_does})\b
bound: (?:all|every|each|any) (?:answers?|repl(?:y|ies)|responses?|messages?) (?:to|shall|must) {does}\b
bound: {must}\b[^.!?]{0,30}\b{bot}\b[^.!?]{0,40}\b(?:{does}|{ru_does}|{abroad_does})\b
bound: {answers} (?:[^.!?]{0,30} )?{must}\b[^.!?]{0,30}?\b(?:{does}|{ru_does}|{abroad_does}|in|with|contain|rhyme)\b
bound: (?:(?:must|should|shall|has to|have to|needs? to|always|never|from now on)[^.!?]{0,20} {does}|{ru_does}
    |{abroad_does})
    [^.!?]{0,30}\b(?:all|every|each|any|кажд\w{1,3}|всех|все|любо\w{1,3}|jeder?|jeden|alle|cada|todas?|toutes?|chaque
    |każd\w+|wszystkie
    |ogni|tutte)[^.!?]{0,12} ?{answers}\b
bound: (?:{does}|{ru_does}|{abroad_does}) [^.!?]{0,20}\b(?:all|every|each|кажд\w{1,3}|jeder?|jeden|alle|cada|todas
    |chaque|toutes les
    |każd\w+|ogni) ?(?:the |of |die |las |les )?{answers}\b
bound: (?:all|every|each|any|(?:the )?bot(?:'s)?) (?:answers?|repl(?:y|ies)|responses?|messages?)
    (?: always)?(?: now)? (?:ends?|begins?|starts?|finish(?:es)?|contains?|includes?)\b
bound: (?:rules?|правил\w+|regeln?|reglas?|règles?|zasad\w|regol[ae]|regras?)
    (?: for| для| für| para| pour| dla| per) (?:(?:the|den|el|le
    |il|o) )?{bot}
bound: {bot}, [^.!?]{0,60}{answers}
# What stands against the rules that are given, or in their place.
against: (?:ignor\w+|disregard\w*|forget\w*|overrid\w+|bypass\w*|игнорир\w+|забуд\w+|не обращай\w* внимания на
    |ігнор\w+|vergiss|missachte\w*
    |olvida|oublie|zignoruj|zapomnij|pomi[nń]\w*)[^.!?]{0,30}\b(?:instructions?|rules?|prompts?|guidelines?|commands?|system
    |restrictions?
    |инструкци\w+|правил\w*|указани\w+|промпт\w*|ограничени\w+|інструкці\w+|anweisung\w*|regeln|instrucciones|reglas
    |règles|consignes
    |instrukcj\w+|zasad\w*|poleceni\w+|istruzioni|regole)
against: (?:system|developer|admin)(?: (?:message|prompt|note|override|instruction))?:|\[(?:system|inst)\]|<\
    |?(?:system|im_start)
    |(?:new|updated|secret|hidden) (?:system )?(?:instructions?|rules?|prompt)\b|(?:нов\w+|секретн\w+
    |скрыт\w+) (?:системн\w+ )?инструкци\w+
    |neue anweisung\w*|nuevas? instrucci\w+|nouvelles? (?:instruction|consigne)s?|now[ea] instrukcj\w+
against: (?:system|developer|initial|hidden|secret) prompt|системн\w+ промпт\w*|jailbreak\w*|developer mode
    |режим разработчика|dan mode
# What it is to be, or to be called.
being: {bot}(?:'s)? (?:name |real name )?(?:is|are|was) (?:now )?(?:called|named|renamed|known as)\b
being: {bot}(?:'s)? (?:real |new )?name is\b|(?:call|rename|name) {bot}\b|(?:имя|кличка) {bot}
    |{bot} (?:теперь )?(?:зовут|называется|переименован\w*)
being: (?:you are|you're|ты|вы|du bist|eres|tu es|jesteś|sei|act as|pretend to be|веди себя как
    |притворись)(?: \w+){0,3} (?:now|теперь|jetzt|ahora
    |maintenant|teraz|ora)?[^.!?]{0,20}\b(?:bot|assistant|ai|model|бот|ассистент|модель|pirate|пират\w*|dan
    |jailbroken)\b
being: from now on,? (?:you|it|the bot|everyone must|all)|отныне (?:ты|бот|все)|теперь ты (?:бот|отвеча\w+|долж\w+)
    |ab jetzt (?:bist|antworte)
    |a partir de ahora (?:eres|respond)|désormais,? (?:tu|le bot)
""")

_FOUND: Final = lazy_pattern(
    "|".join(rf"(?<!\w)(?:{filled(pattern, _PARTS)})" for _, pattern in _INSTRUCTIONS)
)


def instructs(sentence: str) -> bool:
    """Tell whether a sentence gives a bot or a model an order, a rule, a name or a part to play."""
    return _FOUND.search(folded(sentence)) is not None
