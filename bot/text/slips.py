"""What a chat bot says that nobody in a room would: promises that nothing will keep, talk of being a model, and of its
instructions. Tables of patterns in six languages; what is done about a match is the caller's.

Promises and talk of instructions are matched where a clause begins, in lower case, with е for ё and ' for ’.
"""

import re
from collections.abc import Mapping
from typing import Final

from bot.text.languages import filled, rows
from bot.text.patterns import lazy_pattern

_PARTS: Final[Mapping[str, str]] = dict(rows(r"""
end: (?=\s*(?:$|[,;:.!?…—–)]))
# What is said to remind of something now, and no promise: "I'll remind you that you lost".
telling: (?!,? (?:that|who|whom|why|how|what|which|whose)\b(?!.{0,80}\b(?:tomorrow|later|tonight|when it's time)\b))
you: (?:you|ya|u|y'all|him|her|them|us|everyone|everybody|all of you|the \w+|@?[^\W\d]\w*|<@!?\d+>)(?!\w)
fill: (?: (?:just|now|also|gladly|happily|definitely|surely|certainly|quickly|totally|personally|make sure to
    |be sure to
    |try to|do my best to|go|go and|be able to|then|even|of course|be happy to|be glad to))*
will: (?:i'll|i will|i shall|i'm going to|i am going to|i'm gonna|imma|i can|i could|i'd be (?:happy|glad) to
    |i'm happy to|happy to|glad to|will)
look_up: (?:look (?:it|that|this|them|those|him|her) up\b|look up (?!to\b)|look into (?:it|that|this|the)\b
    |google\b|research (?:it|that|this|the)\b|do (?:some|a bit of|a little|a quick) (?:research|digging|search\w*)\b
    |(?:check|look|search|dig)(?:{end}| (?:it|that|this|for (?:you|it|that|more)|on (?:it|that|this)|around|online
    |the (?:web|internet|net|logs?|archives?|history|calendar|schedule|forecast|news|notes|records?|memory)
    |my (?:notes
    |memory|records?|logs?|archives?|database|files)|if|whether|when|with|again|later|tomorrow|and)\b)
    |(?:have|take) a (?:quick |closer )?look\b|see what i can (?:find|dig)|find (?:that|this|it) out|find out\b)
offer: (?:(?:do you |would you like |you )?want me to|would you like me to|should i|shall i|may i|can i)
ru_fill: (?:(?:я|тебе|вам|ему|ей|им|всем|тебя|вас|об этом|про это|это|сейчас|обязательно|конечно|непременно|точно
    |потом|позже|завтра|утром|вечером|сегодня|тогда|лично|с радостью|могу|смогу|постараюсь|давай|давайте|сам|сама|еще
    |уже|и|еще раз|быстро|быстренько|пойду) )*
ru_telling: (?!\s*[:—–]|,? (?:что|кто|кого|кому|как|почему|чем|зачем|чей|какой|какая)\b)
de_fill: (?: (?:ich|dich|euch|sie|ihn|alle|dir|mir|das|es|dies|daran|dran|gern|gerne|natürlich|morgen|später|dann|mal
    |eben|kurz|gleich|schnell|rechtzeitig|selbstverständlich|auch|jetzt|sofort|für dich|im internet|in den \w+
    |<@!?\d+>
    |@?\w+))
de_not: (?![^,;:.!?]*\b(?:nicht|nie|niemals|leider|kaum|keine?)\b)
es_when: (?:mañana|luego|despu[eé]s|más tarde|esta (?:tarde|noche)|cuando|en cuanto|a las|antes|el (?:lunes|martes
    |miércoles|jueves|viernes|sábado|domingo)|en \d+)
es_to: (?:te|os|le|les|se)(?: l[oa]s?)?
fr_to: (?:te|t'|vous|lui|leur|le|la)(?: (?:le|la|les|lui|leur))?
fr_when: (?:demain|plus tard|tout à l'heure|ce soir|quand|dès que|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche
    |à \d+|avant|dans \d+)
pl_fill: (?:(?:ja|ci|wam|mu|jej|im|to|tego|o tym|na pewno|chętnie|zaraz|szybko|jutro|później|potem|też|oczywiście
    |mogę|postaram się|spróbuję|wszystkim|go|cię|i|jeszcze|sam|sama|teraz|już|sobie) )*
pl_telling: (?!\s*[:—–]|,? (?:że|kto|kogo|jak|dlaczego|czemu|co|czyj)\b| sobie)
"""))  # fmt: skip

_PROMISES: Final = rows(r"""
# English
reminding: {will}{fill} (?:(?:be )?remind(?:ing)?|nudge|ping|notify|alert|poke|wake|dm|message|text) {you}{telling}
reminding: remind (?:you|ya)(?:{end}| (?:about|tomorrow|later|then|on time|when)\b)
reminding: {will}{fill} (?:set|schedule|create|add|put|make|leave)(?: up)?(?: you| yourself)? (?:a|an|the|that|your
    |some)
    (?: \w+)? ?(?:reminders?|alarms?|timers?)\b
reminding: {will}{fill} give {you} a (?:little |quick |gentle )?(?:nudge|heads[- ]up|shout|poke|ping|reminder|buzz
    |call)\b
reminding: (?:i've |i have |i )(?:just |already |now )?(?:set|scheduled|created|added|put)(?: up)?(?: you)?
    (?: an?| the| your)(?: \w+)? ?(?:reminder|alarm|timer)\b
reminding: (?:(?:a|the|your) )?reminder(?:'s| is| has been)?(?: now)? (?:set|scheduled|created|added)\b
reminding: {offer}{fill} (?:remind|ping|nudge|notify) {you}{telling}
reminding: {offer}{fill} set (?:you )?(?:a|an|up a|the) (?:reminder|alarm|timer)\b
later: {will}{fill} (?:let {you} know\b|keep {you} (?:posted|updated|informed|in the loop)|get back to {you}\b
    |come back to (?:you|that|this|it)\b|report back|follow up\b|circle back|keep an eye (?:out|on)\b|be back with\b)
later: {will}{fill} (?:tell|message|text|write|ask) {you}(?: \w+){0,3}? (?:later|tomorrow|when|once|as soon as
    |the moment)\b
later: {will}{fill} (?:ask around|check back)\b
later: (?:report back|let you know|get back to you|keep you posted)(?:{end}| (?:later|soon|then|tomorrow|when|once)\b)
later: (?:{will}|let me|lemme){fill} {look_up}
later: (?:i'm |i am )(?:just |now |already )?(?:looking|checking|searching|googling)(?:{end}| (?:it|that|this|into
    |for you|up|now)\b)
later: (?:looking|checking|searching|googling) (?:it|that|this)(?: up)?(?: for you)?(?: (?:now|right now))?{end}
later: {offer}{fill} (?:look (?:it|that|this) up|google|search for|check (?:it|that|this|for you|online))\b
# Russian
reminding: {ru_fill}(?:напомню|напоминать буду|буду напоминать|разбужу|пингану|пну|извещу|уведомлю){ru_telling}\b
reminding: {ru_fill}напомнить{ru_telling}(?:{end}| (?:тебе|вам|ему|ей|им|всем|об|о|про|завтра|позже)\b{ru_telling})
reminding: {ru_fill}(?:поставлю|создам|установлю|добавлю|заведу|включу)(?: \w+)? (?:напоминание|напоминалку|будильник
    |таймер)\b
reminding: (?:напоминание|будильник)(?: \w+)? (?:поставлен|создан|установлен|добавлен)[оа]?\b
reminding: {ru_fill}(?:поставила?|создала?|установила?|добавила?) (?:\w+ )?(?:напоминание|напоминалку|будильник)\b
reminding: хочешь,? (?:чтобы )?(?:я )?(?:тебе )?напомн\w+{ru_telling}
later: {ru_fill}(?:дам знать|сообщу\b|отпишусь|вернусь (?:с|к)\b|буду держать (?:тебя|вас) в курсе)
later: {ru_fill}(?:поищу|погуглю|загуглю|проверю|гляну|разузнаю|выясню|наведу справки)\b
later: {ru_fill}уточню(?!\s*[:—–,])\b
later: (?:я )?(?:потом |позже |сейчас |завтра |обязательно )*узнаю (?:и|для|потом|позже|завтра|у)\b
later: (?:я )?(?:сейчас |ща |щас )(?:посмотрю|найду|узнаю)\b
later: (?:я )?посмотрю (?:и скажу|и отвечу|позже|потом|в (?:интернете|сети|записях|логах|архиве|памяти|заметках))
later: {ru_fill}(?:напишу|скажу|отвечу) (?:тебе |вам )?(?:завтра|позже|потом|когда|как только)\b
# German
reminding: {de_not}(?:(?:dann|morgen|daran|später|gerne|klar|natürlich) )?(?:ich erinnere?|erinnere? ich|ich wecke?)
    (?! mich\b){de_fill}(?!,? (?:daran,? )?(?:dass|wer|wie|warum)\b| daran,? (?:dass|wer|wie|warum)\b)
reminding: {de_not}(?![^.!?]*\bmich\b)(?:ich )?(?:werde|kann|könnte|würde)(?: ich)?{de_fill}{0,6} (?:erinnern|wecken
    |benachrichtigen)\b
reminding: {de_not}(?:ich )?(?:stelle?|setze?|erstelle?|lege?)(?: ich)?{de_fill}{0,4} (?:erinnerung|wecker|timer)\b
reminding: (?:(?:die|deine|eine) )?erinnerung (?:ist )?(?:gestellt|gesetzt|erstellt|eingerichtet)
reminding: soll ich{de_fill}{1,6} (?:erinnern|wecken|benachrichtigen)\b
reminding: {de_not}ich habe?{de_fill}{0,4} (?:erinnerung|wecker|timer) (?:gestellt|gesetzt|erstellt|eingerichtet)
later: {de_not}(?:(?:dann|morgen|später) )?(?:ich )?(?:geb|gebe|sag|sage)(?: ich)? (?:dir
    |euch)(?: \w+){0,3}? bescheid\b
later: {de_not}(?:sage|gebe)(?: \w+){0,3}? bescheid\b
later: {de_not}(?:ich )?(?:melde? (?:ich )?mich|halte? (?:ich )?(?:dich|euch) auf dem laufenden
    |frage? (?:mal )?nach{end})
later: {de_not}(?:ich (?:schaue?|sehe?|gucke?|schlage?|frage?)|(?:schaue|sehe|gucke|schlage|frage)(?: ich)?
    |schau ich|guck ich){de_fill}{0,5} nach{end}
later: {de_not}(?:ich )?(?:google?|googele?|recherchiere?|prüfe?|checke?|überprüfe?)(?: ich)? (?:das|es|mal|kurz
    |gleich)\b
later: {de_not}(?:ich )?(?:finde?|suche?)(?: ich)? (?:das|es){de_fill}{0,3} (?:heraus|raus)\b
later: {de_not}(?:ich )?(?:werde|kann|muss)(?: ich)?{de_fill}{0,5} (?:nachschauen|nachsehen|nachschlagen|nachgucken
    |herausfinden|rausfinden|recherchieren|googeln|überprüfen|nachfragen)\b
later: lass mich{de_fill}{0,4} (?:nachschauen|nachsehen|nachschlagen|nachgucken|suchen|checken|prüfen|schauen){end}
later: soll ich{de_fill}{0,4} (?:nachschauen|nachsehen|nachschlagen|googeln|recherchieren)\b
# Spanish
reminding: (?:yo )?{es_to} recordaré\b(?! (?:que|quién|cómo)\b(?!.*{es_when}))
reminding: (?:yo )?{es_to} recuerdo (?:eso |esto )?{es_when}\b
reminding: (?:yo )?te lo recuerdo{end}
reminding: (?:(?:te|os|les) )?(?:voy a|puedo|podría) (?:record[aá]r(?:te|os|les)?(?:l[oa]s?)?|avis[aá]r(?:te|os
    |les)?)\b
    (?! (?:que|quién|cómo)\b)
reminding: (?:te|os|les) (?:voy a|puedo|podría) (?:recordar|avisar|despertar)\b(?! (?:que|quién|cómo)\b)
reminding: (?:te )?(?:pondré|pongo|programaré|programo|crearé|creo|he puesto|he creado) (?:un|una) (?:recordatorio
    |alarma)
reminding: ¿?(?:quieres que|te gustaría que) (?:te|os|le|les)(?: lo)? (?:recuerde|avise)\b
later: (?:(?:yo )?(?:te|os|les) (?:avisaré|aviso\b|mantendré (?:al tanto|informad)|lo haré saber))
later: (?:te|os|les)(?: lo)? (?:cuento|contaré|diré|digo|escribo|escribiré|contesto) {es_when}\b
later: (?:yo )?(?:lo|la|eso)? ?(?:buscaré|averiguaré|investigaré|consultaré|comprobaré|verificaré|revisaré|miraré)\b
later: (?:yo )?(?:lo|la) (?:busco|averiguo|consulto|compruebo|verifico|reviso|miro)(?:{end}| (?:ahora|luego|y te
    |en)\b)
later: (?:déjame|dejame|permíteme)(?: que)? (?:buscar|mirar|comprobar|revisar|consultar|averiguar|investigar|verificar
    |ver si|que lo)\w*
later: voy a (?:buscar|averiguar|comprobar|consultar|investigar|verificar|revisar)(?:lo|la|los|las|{end}| eso| esto)
# French
reminding: je {fr_to} (?:rappellerai|préviendrai|réveillerai|avertirai)\b(?! (?:que|qui|comment)\b(?!.*{fr_when}))
reminding: je {fr_to} (?:rappelle|préviens|réveille) (?:ça |cela )?{fr_when}\b
reminding: je (?:vais|peux|pourrais) {fr_to} ?(?:rappeler|prévenir|réveiller|avertir)\b(?! (?:que|qui|comment)\b)
reminding: je (?:te |vous )?(?:mets|mettrai|programme|crée|créerai|programmerai|vais mettre) un (?:rappel|réveil
    |minuteur)
reminding: j'ai (?:mis|programmé|créé) un (?:rappel|réveil|minuteur)
reminding: (?:tu veux|veux-tu|voulez-vous|vous voulez) que je {fr_to} (?:rappelle|prévienne)\b
later: je (?:te|vous) (?:tiens|tiendrai) (?:au courant|informé)
later: je (?:te|vous)(?: le)? (?:dirai|redis|dis|réponds|écris|recontacte)(?: ça)? {fr_when}\b
later: je (?:reviens|reviendrai) vers (?:toi|vous)
later: je (?:(?:le|la|te|vous|vais|me|ça) )*(?:vérifie|vérifierai|vérifier|renseigne|renseignerai|renseigner
    |rechercherai
    |chercherai)\b
later: je (?:vais )?(?:regarder?|cherche|chercher) (?:ça|cela|l'info\w*|les infos\w*|pour toi|pour vous|sur internet
    |sur le web)\b
later: je (?:vais )?(?:regarder?|chercher?) (?:\w+ ){0,2}dans (?:mes|les|ma) (?:notes|archives|mémoire|messages)
later: (?:laisse|laissez)-moi (?:le |la )?(?:vérifier|chercher|regarder|voir si|me renseigner)
# Polish
reminding: {pl_fill}(?:przypomnę|będę przypomina[ćł]a?|powiadomię|obudzę|zawołam){pl_telling}
reminding: {pl_fill}mogę {pl_fill}(?:przypomnieć|powiadomić|obudzić)\b{pl_telling}
reminding: {pl_fill}przypomnieć{pl_telling}(?:{end}| (?:ci|wam|o|jutro|później)\b{pl_telling})
reminding: {pl_fill}(?:ustawię|dodam|utworzę|nastawię|ustawiłem|ustawiłam|dodałem|dodałam)(?: \w+)? (?:przypomnienie
    |budzik
    |alarm|minutnik)
reminding: przypomnienie(?: \w+)? (?:ustawione|dodane|utworzone)
reminding: chcesz,? żebym {pl_fill}(?:przypomniał|powiadomił)\w*
later: {pl_fill}(?:dam (?:ci |wam )?znać|odezwę się|wrócę (?:do (?:ciebie|was|tego)|z odpowiedzią))
later: {pl_fill}(?:sprawdzę|poszukam|wyszukam|wygooglam|wygugluję|dowiem się|zorientuję się|zerknę)\b
later: {pl_fill}(?:napiszę|powiem|odpowiem) (?:ci |wam )?(?:jutro|później|potem|kiedy|jak tylko)\b
later: (?:pozwól,? że|daj mi) (?:\w+ )?(?:sprawdz|poszuka|zobacz)\w*
""")

_OF_INSTRUCTIONS: Final = rows(r"""
en: (?:(?:according to|based on|per|as per|under|following) )?(?:my|the) (?:system|hidden|initial
    |internal) (?:prompt|instructions?|message)s?
    (?: (?:says?|tells?|states?|reads?|is|are|forbids?|requires?|instructs?)\b|\s*:|{end})
en: (?:according to|based on|per|as per|following) my (?:instructions|guidelines|rules|programming|prompt|persona)\b
en: my (?:instructions|guidelines|programming|prompt) (?:says?|tells?|states?|reads?|are|is|forbids?|requires?
    |includes?)\b
en: i(?:'ve| have|'m| am| was)(?: been)? (?:instructed|prompted|programmed|configured) (?:not )?(?:to|never|that)\b
en: my (?:programming|guidelines|instructions|prompt) (?:do(?:es)?(?:n't| not)|won't|prevents?|keeps?)\b
en: i(?:'m| am) not allowed to .{0,60}\b(?:according to|by|per) my (?:guidelines|instructions|programming|rules)\b
en: here (?:are|is) my (?:system )?(?:instructions|prompt|rules)\b
ru: (?:согласно|по|в соответствии с) (?:мои\w*|систем\w+) (?:инструкци\w+|промпт\w*|правил\w+|указани\w+)
ru: (?:в )?(?:мой|моем|мои|моих|системн\w+) (?:систем\w+ )?(?:промпт\w*|инструкци\w+) (?:гласит|говорит|говорят
    |запреща\w+|сказано
    |написано|таков\w*|указано)
ru: (?:мне|меня) (?:было )?(?:велено|предписано|запрограммировали|проинструктировали)\b
de: (?:laut|gemäß|nach) (?:meine[rnm]|den) (?:system-?)?(?:anweisungen|prompts?|anweisung|regeln|vorgaben
    |systemprompt|instruktionen)
de: (?:mein|meine|der) (?:system-?)?(?:prompt|anweisungen|instruktionen|systemprompt) (?:sagt|sagen|lautet|lauten
    |verbiet\w+|besag\w+)
de: ich (?:wurde|bin) (?:angewiesen|instruiert|programmiert)\b
es: (?:según|de acuerdo con|conforme a) mis? (?:instrucciones|prompt|reglas|directrices|programación)
es: (?:mis instrucciones|mi (?:prompt|programación)|el prompt) (?:del sistema )?(?:dicen?|son|es|me|prohíben?
    |indican?)\b
es: (?:me han|he sido|fui) (?:instruido|programado|configurado|instruida|programada)\b
fr: (?:selon|d'après|conformément à) (?:mes|mon|les) (?:instructions|prompt|consignes|directives|règles|programmation)
fr: (?:mes (?:instructions|consignes|directives)|mon prompt)(?: système)? (?:disent|dit|sont|est|m'|interdi\w+
    |indiqu\w+)
fr: (?:j'ai été|on m'a) (?:programmée?|instruite?|configurée?)\b
pl: (?:zgodnie z|według) (?:moimi|moich|moim|mojego) (?:instrukcj\w+|prompt\w*|zasad\w*|wytyczn\w+|oprogramowani\w+)
pl: (?:moje instrukcje|mój prompt)(?: systemowy)? (?:mówią|mówi|są|brzmią?|zabrania\w*|nakazuj\w+)
pl: został[ae]m (?:zaprogramowan\w+|poinstruowan\w+|skonfigurowan\w+)
""")

_SELF_PARTS: Final[Mapping[str, str]] = dict(rows(r"""
ai: (?:(?:large|mere|humble|simple|friendly|helpful|text-based) )*(?:ai|a\.i\.|artificial intelligence
    |language model|llm|chatbot|bot
    |(?:virtual|digital) assistant|computer program)(?:[ -](?:powered )?(?:language )?(?:model|assistant|chatbot|bot
    |program))*
    (?:,? (?:trained|created|developed|made|built) by [\w ]{1,30})?(?![\w-])
only: (?:just|only|merely|simply|but)
i: (?=i\b|my\b|unfortunately\b|sadly\b)
ru_ai: (?:(?:большая|большой|обычная|простая|простой) )*(?:языков\w+ модел\w+|нейросет\w+
    |искусственн\w+ интеллект\w*|ии(?:-?(?:модел\w+
    |ассистент\w*|помощник\w*|бот\w*))?|(?:чат-?)?бот|(?:виртуальн\w+|цифров\w+) (?:ассистент|помощник)\w*)(?![\w-])
ru_i: (?=я\b|у меня\b|мне\b|меня\b|мо[йяиюе]\w*\b|не (?:могу|умею|имею|чувствую|ем|знаю)\b|к сожалению\b)
de_ai: (?:(?:ein|eine|reine|reines|künstliche|großes|bloße|bloßes) )*(?:ki(?:-(?:sprachmodell|modell
    |assistent(?:in)?|bot|chatbot|system))?|ai
    |k\.i\.|künstliche intelligenz|intelligenz|sprachmodell|(?:chat-?)?bot|virtueller assistent)(?![\w-])
de_i: (?=ich\b|\w+ ich\b|\w+ mir\b|mir\b|mein)
es_ai: (?:(?:un|una|simple|mera) )*(?:ia|i\.a\.|inteligencia artificial|modelo (?:de|del) (?:lenguaje
    |idioma)(?: \w+)?|modelo ling[uü]ístico
    |chatbot|bot|asistente (?:virtual|digital|de ia))(?![\w-])
es_i: (?=yo\b|mis?\b|me\b|solo\b|no (?:(?:me|te|lo|la|le) )*(?:\w+o|soy|estoy|sé|voy|doy|he|podría)\b|puedo\b
    |tengo\b|soy\b|estoy\b
    |creo\b|lamentablemente\b)
fr_ai: (?:(?:une?|simple|grand) )*(?:ia|i\.a\.|intelligence artificielle|modèle de lang(?:age|ue)
    |modèle linguistique|chatbot|bot
    |assistant (?:virtuel|ia|numérique))(?![\w-])
pl_ai: (?:(?:duży|zwykły|zwykła|prosty) )*(?:ai|si|sztuczna inteligencja|sztuczną inteligencją
    |model(?:em)? językowy(?:m)?|(?:chat)?bot(?:em)?
    |(?:wirtualny|cyfrowy) asystent)(?![\w-])
pl_i: (?=ja\b|nie (?:\w+ę|mam|jem|wiem|umiem|jestem)\b|mam\b|mogę\b|jestem\b|mój\b|moje\b|moja\b|niestety\b)
"""))  # fmt: skip

_LEADING: Final = rows(r"""
en: (?:(?:well|but|and|so|sorry|look|speaking|unfortunately),? )*(?:as|being|since i'm|since i am|because i'm
    |given that i'm) an? {ai},? {i}
ru: (?:(?:ну|но|а) )*(?:как|будучи|поскольку я|так как я)(?: (?:всего лишь|просто|лишь|—|–|-))* {ru_ai},? {ru_i}
de: als {de_ai},? {de_i}
de: da ich(?: nur| ja| bloß)* {de_ai} bin,?[ ]
es: (?:como|al ser|siendo) {es_ai},? {es_i}
fr: (?:en tant que? ?'?|étant|comme je suis ){fr_ai},? (?=je\b|j'|mes?\b|mon\b|ma\b|il m'|malheureusement\b)
pl: (?:jako|będąc) {pl_ai},? {pl_i}
""")

_AMID: Final = rows(r"""
en: (?<=\bi),? as an? {ai},?[ ]?
en: (?<=\w),? (?:as|being) an? {ai}(?=\s*[.!…]*$)
ru: (?<=\bя),? (?:как|будучи) {ru_ai},?[ ]?
de: (?<=\bich),? als {de_ai},?[ ]?
es: (?<=\byo),? como {es_ai},?[ ]?
fr: (?<=\bje),? en tant qu[e'] ?{fr_ai},?[ ]?
pl: (?<=\bja),? jako {pl_ai},?[ ]?
""")

_NOTHING_BUT: Final = rows(r"""
en: i(?:'m| am) an? (?:ai (?:developed|trained|created|made|built) by [\w ]{1,30}|{ai}(?=,? so\b))
ru: я(?: —| –| -)? {ru_ai}(?=,? (?:поэтому|так что)\b)
de: ich bin {de_ai}(?=,? (?:deshalb|daher|darum|also)\b)
es: soy {es_ai}(?=,? (?:así que|por lo que|por eso)\b)
fr: je suis {fr_ai}(?=,? (?:donc|alors)\b)
pl: (?:ja )?jestem {pl_ai}(?=,? (?:więc|dlatego)\b)
en: i(?:'m| am) (?:(?:{only} )+an? {ai}|an? (?=(?:large )?(?:ai )?language model|llm|ai (?:model|assistant)){ai})
ru: я(?: —| –| -)?(?: (?:ведь|же|всего лишь|всего-навсего|просто|лишь|только))+ {ru_ai}
ru: я(?: —| –| -)? (?=(?:большая )?языков){ru_ai}
de: ich bin (?:(?:ja|doch|halt) )*(?:nur|bloß|lediglich) {de_ai}
de: ich bin (?=(?:ein )?(?:großes )?(?:ki-)?sprachmodell){de_ai}
es: (?:solo|sólo|simplemente|únicamente) soy {es_ai}
es: soy (?:(?:solo|sólo|simplemente|únicamente) {es_ai}|(?=(?:un )?modelo de lenguaje){es_ai})
fr: je (?:ne )?suis (?:qu'|(?:juste|seulement|simplement) ){fr_ai}
fr: je suis (?=(?:un )?(?:grand )?modèle de lang){fr_ai}
pl: (?:ja )?jestem (?:(?:tylko|jedynie) {pl_ai}|(?=(?:duży\w* )?modelem){pl_ai})
""")
_SO: Final = (
    r"(?:[,;—–-]*\s*(?:so|and|but|which means|also|поэтому|и|но|так что|daher|deshalb|darum|also|und|aber"
    r"|así que|por lo que|por eso|y|pero|donc|alors|et|mais"
    r"|więc|dlatego|i|ale)\b|[,;—–-]+)?\s*"
)
"""What joins such a clause to the next."""

_ABOUT_LANGUAGES: Final = rows(r"""
en: translat\w*|lyrics|quote|lines? from|(?:english|russian|german|spanish|french|polish|ukrainian|italian|portuguese
    |japanese|chinese|korean|latin|turkish|dutch|swedish)
ru: перевед\w*|перевод\w*|цитат\w*|текст песни|по-\w+ски|(?:английск|русск|немецк|испанск|французск|польск|украинск
    |итальянск|японск|китайск|латинск)\w+
de: übersetz\w*|zitat\w*|liedtext\w*|(?:englisch|deutsch|russisch|spanisch|französisch|polnisch|italienisch)\w*
es: traduc\w*|letra|cita|inglés|español|ruso|alemán|francés|polaco|italiano|castellano
fr: tradui\w*|paroles|citation|anglais\w*|français\w*|russe|allemand\w*|espagnol\w*|polonais\w*|italien\w*
pl: (?:prze)?tłumacz\w*|cytat\w*|po (?:angielsku|polsku|rosyjsku|niemiecku|hiszpańsku|francusku|włosku)
    |(?:angielsk|polsk|rosyjsk|niemieck|hiszpańsk|francusk|włosk)\w+
""")

_REFERENCES: Final = r"""messages? msg facts? member user id see siehe см voir according\sto
    сообщени[еияю] факт\w* участник\w* согласно nachricht
    fakt laut mitglied mensaje hecho miembro usuario según fait membre selon wiadomoś\w+ użytkownik\w* według"""
_PREPOSITIONS: Final = "from in source per из aus ver zob"


def _any(table: list[tuple[str, str]], parts: Mapping[str, str], *, behind: str = "") -> re.Pattern[str]:
    either = "|".join(f"(?:{filled(row, parts)})" for _, row in table)
    return lazy_pattern(f"(?:{either}){behind}", re.IGNORECASE)


PROMISE: Final = _any(_PROMISES, _PARTS)
"""At the start of a clause: a promise or an offer to remind of something, or to find something out later."""

OF_INSTRUCTIONS: Final = _any(_OF_INSTRUCTIONS, _PARTS)
"""At the start of a clause: what the speaker's instructions say."""

AS_A_MODEL_LEADING: Final = _any(_LEADING, _SELF_PARTS)
"""At the start of a clause that goes on in the first person: "As an AI, "."""

AS_A_MODEL_AMID: Final = _any(_AMID, _SELF_PARTS)
"""Within a sentence of the first person, or at its end: ", as a language model,"."""

ONLY_A_MODEL: Final = _any(_NOTHING_BUT, _SELF_PARTS, behind=_SO)
"""At the start of a clause: "I'm just an AI, so ", with what joins it to the next."""

ABOUT_LANGUAGES: Final = lazy_pattern(
    rf"\b(?:{'|'.join(filled(row, {}) for _, row in _ABOUT_LANGUAGES)})\b", re.IGNORECASE
)
"""Words about a language, translating, or texts of others: what answers them may be in another language."""

REFERENCE: Final = f"(?:{'|'.join(_REFERENCES.split())})[.:]?"
"""The pattern of what stands before the id of something that is referred to: "message", "according to"."""

REFERENCE_IN_BRACKETS: Final = f"(?:{'|'.join([*_REFERENCES.split(), *_PREPOSITIONS.split()])})[.:]?"
"""The same for what stands in brackets, where "see" and "from" lead to nothing else."""

SPEAKERS: Final = ("bot", "assistant", "chatbot", "ai", "бот", "ассистент")
"""What a model puts before a text of its own, besides its name."""

_PREFACES: Final = rows(r"""
en: here(?:'s|’s| is) (?:my|the|a) (?:reply|answer|response|message)
ru: вот (?:мой )?ответ
de: hier ist (?:meine|die) antwort
es: aquí (?:está|va|tienes) (?:mi|la) respuesta
fr: voici (?:ma|la) réponse
pl: oto (?:moja )?odpowiedź
""")
PREFACE: Final = _any(_PREFACES, {}, behind=r"\s*:\s*(?=\S)")
"""Words with which a model announces the reply that follows."""

ASKS_WHAT_IT_IS: Final = lazy_pattern(
    r"\b(?:ais?|bots?|chatbots?|robots?|llms?|language models?|human|machine|gpt\w*|gemini|claude|"
    r"ии|бот\w*|робот\w*|нейросет\w*|человек\w*|машин\w*|модел\w*|искусственн\w*|"
    r"ki|sprachmodell|mensch|maschine|roboter|ia|humano|humana|máquina|modelo|humaine?|modèle|"
    r"człowiek\w*|maszyn\w*|botem|robotem|modelem|sztuczn\w*)\b",
    re.IGNORECASE,
)
"""A question that a speaker may answer by saying what it is."""
