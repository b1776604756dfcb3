"""Claims of a write ("I have saved that") in generated text, and taking them out of a reply.

The patterns are in every language that is told apart. Only code may tell of a write.
"""

import re
from collections.abc import Sequence
from typing import Final

from bot.text.languages import filled, rows
from bot.text.patterns import lazy_pattern


def _one_of(phrases: str) -> str:
    """Return the pattern of any of `phrases`, which have commas or line breaks between them."""
    listed = (phrase.strip() for phrase in re.split(r"[,\n]", phrases))
    return f"(?:{'|'.join(phrase for phrase in listed if phrase)})"


_PARTS: Final = dict(rows(r"""
end: \s*$
kept_in: (?:my|your|the)(?: \w+)? (?:memory|memories|notes?|records?|profile|list|database|brain|files?)
kept: (?:memory|memories|notes?|records?|profile|entry|name|nickname|pronouns|birthday|date|info|information|data
    |facts?|details?|messages?|preferences?|settings?|time ?zone|request|favou?rite(?: \w+)?)
it: (?:(?:it|that|this|them|these|those|everything|all of (?:it|that|this))(?=\s*$| (?:down|now|already|too|so
    |right away|as (?:you|well|requested)|about you|for (?:you|later|next time))| (?:to|from|in|into|off|on) (?:memory
    |{kept_in})))
object: (?:{it}|(?:your|the|that|this)(?: \w+){0,2}? {kept}\b|what you (?:said|told|wrote)\b|down\b|.{0,60} (?:to|from
    |in|into|off) (?:memory\b|{kept_in}))
done: (?:noted|saved|stored|recorded|logged|remembered|memori[sz]ed|updated|changed|corrected|edited|deleted|removed
    |erased|wiped|cleared|added|filed|written down|jotted down|forgotten)
adverb: (?:just|now|already|also|gone ahead and|went ahead and|successfully|duly|officially|safely|all|been|definitely
    |totally|surely|certainly|gladly|happily|make sure to|be sure to|do my best to|try to)
manner: (?: {adverb})*
will: (?:i'll|i will|i shall|i'm going to|i am going to|i'm gonna|imma|will)
have: i(?:'ve| have)?
ru_object: (?:\s*$| (?:это|то|все|его|ее|их|об этом|про это|тво\w+|ваш\w*|информацию|запись|записи|факт\w*|данные|дату
    |день рождения|в (?:(?:твой|твою|мою|свою|мои|твои) )?(?:память|профиль|заметки|записи|список)|из (?:памяти
    |профиля|записей)|себе|что)(?!\w))
ru_before: (?:(?:я|это|все|себе|уже|только что|тоже|сейчас|теперь|обязательно|конечно|точно|тебе|для тебя) )*
ru_it: (?:я )?(?:уже |только что |сейчас )?(?:это|все|об этом|эту информацию|твои данные)(?: уже| себе)?[ ]
ru_verb: (?:записал|сохранил|удалил|стер|обновил|изменил|исправил|поменял|добавил|убрал|внес|зафиксировал|отметил
    |дописал)
ru_done: {ru_verb}(?:а|ла)?
de_done: (?:gemerkt|notiert|gespeichert|gelöscht|aktualisiert|vermerkt|aufgeschrieben|geändert|entfernt|korrigiert
    |eingetragen|eingeprägt)
es_done: (?:anotad|apuntad|guardad|borrad|eliminad|actualizad|registrad|cambiad|memorizad)[oa]s?
fr_done: (?:not|enregistr|supprim|effac|sauvegard|mémoris|modifi|ajout)ée?s?|retenu|mise? à jour
pl_done: (?:zapamięta|zapisa|zanotowa|skasowa|zaktualizowa|zmieni|poprawi|wykasowa)ł[ea]m|usunąłem|usunęłam
pl_object: (?:{end}| (?:to|sobie|tw[oó]j\w*|wszystko|że|tę informację|te dane)(?!\w))
"""))  # fmt: skip
_CLAIMS: Final = rows(r"""
# English
done: {have}{manner} (?:noted|memori[sz]ed)\b
done: i(?:'ve| have){manner} remembered\b
done: i remembered {it}
done: i(?:'ve| have){manner} forgotten {it}
done: {have}{manner} (?:{done}|wrote|written|put|jotted|took|taken) {object}
done: {have}{manner} (?:made|taken|took) (?:a )?(?:mental )?note\b
done: {have}{manner} (?:locked (?:it|that|this) in|committed .{0,60} to memory)\b
done: (?:i'm |i am )?(?:{adverb} )*(?:noting|saving|storing|recording|memori[sz]ing|writing|jotting|adding|updating
    |deleting|removing|erasing|wiping|filing|logging) {object}
done: (?:i'm |i am )?(?:making a (?:mental )?note|taking note|keeping (?:it|that|this) in mind)\b
done: (?:i(?:'ve| have) )?got (?:it|that|this)(?: all)? {done}
done: i have (?:it|that|this)(?: all)? (?:noted|saved|stored|recorded)\b
done: consider (?:it|that|this) (?:{done}|done|gone)
done: (?:it|that|this|everything|all|your(?: \w+){0,2} {kept})(?:'s| is| are| has
    | have)(?: been)?{manner} {done}(?=\s*$| (?:now|down|too|for you)| (?:to|from|in|into|on) (?:memory|{kept_in}))
done: (?:(?:my|your|the) )?(?:memory|notes?|profile|records?)(?:'s| is| has| have| are)?{manner} {done}
done: (?:it's|that's|it is|that is) now(?: \w+)? in {kept_in}
done: (?:it's|that's|it is|that is) (?:gone|safe|stored|etched|burned|locked|filed)(?: away)? (?:in|into
    |from) {kept_in}
done: (?:it's|that's) no longer in my (?:memory|memories|notes)
done: i no longer (?:have|remember|know|store|keep) (?:it|that|this|any|your)\b
done: (?:writes|notes|jots|scribbles) (?:it|that|this) down|makes a (?:mental )?note\b
will: {will}{manner} remember\b(?! me\b)
will: {will}{manner} (?:keep|bear) .{0,60}\bin mind\b
will: {will}{manner} (?:make a (?:mental )?note|take note|memori[sz]e|commit .{0,60} to memory)\b
will: (?:{will}|let me|lemme){manner} (?:note|save|store|write|jot|log|record|update|change|correct|delete|remove
    |erase|forget|add|keep) {object}
will: let me make a (?:mental )?note
will: i (?:won't|will not) forget(?:{end}| (?:it|that|this|your)\b)
will: i'll never forget {it}
short: (?:(?:all|duly|officially|already|now) )?(?:{done}|done)(?: and (?:{done}|done))?(?: (?:it|that|this|down|now
    |for you|for later|(?:to|from|in) (?:memory|{kept_in})))*
short: (?:mental )?note (?:made|taken)|committed to memory|locked (?:it |that )?in
# Russian
done: {ru_before}(?:запомнила?|принял[аи]? к сведению|уч(?:ел|ла))\b
done: {ru_before}(?:взяла?|беру) (?:это )?на заметку
done: {ru_before}сделала? (?:себе )?(?:заметку|пометку)
done: {ru_before}{ru_done}{ru_object}
done: {ru_it}(?:{ru_done}|забыла?)\b
done: {ru_before}забыла? (?:это|об этом|про это|все)\b
done: {ru_before}(?:запоминаю|записываю|сохраняю|удаляю|стираю){ru_object}
done: (?:твой |ваш |твоя |твои )(?:профиль|запись|данные|информация|день рождения)(?: \w+)? (?:обновлен|сохранен
    |удален|записан|изменен)\w*
will: {ru_before}(?:запомню|учту|не забуду)\b
will: {ru_before}(?:запишу|сохраню|удалю|сотру|исправлю|обновлю|забуду){ru_object}
will: {ru_before}буду (?:это )?(?:помнить|иметь в виду)\b
will: {ru_before}(?:возьму (?:это )?на заметку|сделаю (?:себе )?(?:заметку|пометку))
short: (?:(?:это|все|информация|запись|данные) )?(?:уже |теперь )?(?:запомнен|записан|сохранен|удален|стерт|обновлен
    |исправлен|изменен|забыт|учтен|зафиксирован|отмечен|добавлен)[оаы](?: (?:в памят\w+|из памяти|в профил\w+))?
short: уже забыла?
short: готово
# German
done: (?:(?:das|dies|es|alles|dein\w* \w+) )?(?:ich )?(?:hab(?:e|'s)?)(?: (?:ich|mir|das|es|dies|alles|mal|jetzt|schon
    |gerade|nun|direkt|dir|dein\w* \w+))* {de_done}\b
done: (?:ich )?habe?(?: ich)?(?: \w+){1,4} (?:in mein\w* (?:gedächtnis|notizen|profil|speicher)|zu mein\w* notizen)\b
done: (?:das|dies|es|alles|dein\w* \w+) (?:ist|wurde|sind)(?: (?:jetzt|nun|schon|hiermit))* {de_done}(?: worden)?{end}
will: (?:ich )?merke? (?:ich )?(?:es |das )?mir\b
will: (?:ich )?trage? (?:ich )?(?:das|es)(?: \w+){0,4} ein{end}
will: das merke? ich mir\b
will: (?:ich )?(?:notiere?|speichere?|lösche?)(?: ich)?(?: mir)? (?:das|es|dies|alles)(?:{end}| \w+{end})
will: das (?:notiere?|speichere?|lösche?|behalte?) ich(?: mir)?(?: im hinterkopf)?{end}
will: (?:ich )?behalte? (?:ich )?(?:das|es) im (?:kopf|hinterkopf)
will: (?:(?:das|es) )?(?:ich )?werde?(?: (?:ich|mir|das|es|daran|dran))* (?:merken|notieren|speichern|denken|löschen
    |nicht vergessen)\b
will: (?:das|es|ich)(?: vergesse| vergess)(?: ich)?(?: das| es)? nicht
short: (?:(?:ist|schon|wird|hiermit|alles) )?(?:{de_done}|vergessen|erledigt)
# Spanish
done: (?:ya )?(?:me )?(?:lo|la|los|las) he {es_done}
done: (?:ya )?(?:me )?(?:lo|la|los|las) (?:anoté|apunté|guardé|borré|eliminé|actualicé|registré|cambié)
done: (?:ya )?(?:me )?he {es_done} (?:eso|esto|tus?|que|todo|el dato|la informaci\w+)\b
done: (?:ya )?(?:ha )?(?:queda|quedó|quedado|está) {es_done}{end}
done: (?:ya )?(?:me )?(?:lo|la|los|las) tengo (?:ya )?{es_done}
done: (?:ya )?(?:lo |la )?(?:he )?(?:añad|agreg|guard|anot)(?:é|ido|ado)(?: \w+){0,4} (?:a|en) (?:mi|la|tu)
    (?: memoria| perfil| lista| notas)
done: (?:ya )?(?:tomo|tomé|he tomado) nota\b
done: (?:ya )?(?:me )?(?:lo|la) (?:apunto|anoto|guardo|borro|añado|agrego)\b
will: (?:eso )?(?:lo|la) (?:recordaré|tendré (?:en cuenta|presente)|anotaré|guardaré|borraré|apuntaré|olvidaré)
will: (?:me acordaré|recordaré (?:eso|esto|que|tu)|tomaré nota)\b
will: no (?:lo|la|me) olvidaré
short: (?:ya )?(?:{es_done}|olvidado|hecho)
# French
done: j'ai(?: (?:bien|tout|aussi|déjà))* pris (?:bonne )?note\b
done: je l'ajoute (?:à|dans)\b
done: c'est (?:bien )?(?:{fr_done}|oublié)
done: je l'ai(?: (?:bien|aussi|déjà))* (?:{fr_done})
done: j'ai(?: (?:bien|tout|aussi|déjà))* (?:{fr_done})(?:{end}| (?:ça|cela|ton|ta|tes|votre|vos|que|tout|l'info\w*)\b)
done: je (?:le |la )?(?:note|retiens|supprime|efface|enregistre|mémorise)(?:{end}| (?:ça|cela|tout(?! le)|bien|ton|ta
    |tes)\b)
done: (?:je l'ai|j'ai)(?: (?:bien|aussi|déjà))* (?:gardé|ajouté|mis|inscrit)(?: \w+){0,4} (?:en|dans|à)
    (?: (?:ma|mes|ta|tes))? (?:mémoire|notes|profil)
done: je (?:le |la )?garde (?:ça |cela )?en (?:tête|mémoire)
will: je m'en (?:souviendrai|rappellerai)
will: je (?:le |la )?(?:noterai|retiendrai|supprimerai|effacerai)\b
will: je (?:ne |n')?(?:l')?oublierai pas
short: (?:bien |voilà )?(?:{fr_done}|oublié)(?: (?:dans|à|en) (?:(?:ma|la|ta) )?(?:mémoire|profil))?
# Polish
done: (?:(?:już|ja|sobie|właśnie) )*(?:{pl_done}){pl_object}
done: (?:już )?(?:to|wszystko)(?: już| sobie)? (?:{pl_done})\b
done: (?:(?:już|ja) )*(?:mam (?:to )?(?:już )?(?:zapisane|zanotowane|zapamiętane)\b|(?:doda|wpisa|zapisa|dopisa)ł[ae]m
    (?: \w+){0,3}(?: do| w)(?: mojej| twojego)? (?:pamięci|profilu|notatek|notatkach))
done: (?:zapamiętuję|zapisuję|notuję|usuwam){pl_object}
will: (?:(?:to|sobie|na pewno) )*(?:zapamiętam|zapiszę|zanotuję|usunę){pl_object}
will: będę (?:o tym |to )?pamięta(?:ć|ł|ła)\b
will: nie zapomnę\b
short: (?:już )?(?:zapamięt|zapis|zanotow|skasow|zaktualizow|wykasow)ane
short: (?:już )?(?:usunięte|zmienione|poprawione|zrobione)
""")


def _any(kind: str) -> re.Pattern[str]:
    return lazy_pattern("|".join(f"(?:{filled(claim, _PARTS)})" for name, claim in _CLAIMS if name == kind))


DONE: Final = _any("done")
"""A write that is said to have been made, or to be made right now."""

WILL: Final = _any("will")
"""A write that is promised."""

SHORT: Final = _any("short")
"""A whole clause that says without "I" that it is done."""

_CONDITIONAL: Final = _one_of("""
    if you, if anyone, when you, whenever you, once you, just say, just tell, tell me, let me know, say the word
    want me to, say, если, когда, скажи, скажите, напиши, напишите, wenn du, sag mir, sag einfach, si me
    si quieres, si tu, si vous, dime, dis-moi, jeśli, powiedz
""")
CONDITION: Final = re.compile(rf"\b{_CONDITIONAL}\b")
"""What makes a promise an explanation: "if you tell me, I'll remember it"."""

ACKNOWLEDGED: Final = re.compile(
    _one_of("""
        got it, you got it, gotcha, ok, okay, okey, sure, sure thing, alright, all right, right, roger, roger that
        copy that, understood, of course, no problem, no worries, np, absolutely, definitely, certainly, will do
        thank you, thanks, great, perfect, nice, cool, yes, yep, yeah, don't worry, oh, haha, lol, hey, and, so, but
        also, now, then
        понял, поняла, ок, окей, хорошо, ладно, конечно, без проблем, принято, да, спасибо, ясно, не волнуйся
        договорились, а, и, ну
        alles klar, klar, verstanden, gut, natürlich
        vale, entendido, de acuerdo, claro, perfecto, listo
        d'accord, compris, bien sûr, parfait
        dobrze, jasne, rozumiem, zrozumiano, oczywiście, gotowe
    """)
)
"""A nod: it may stand before a claim, and says nothing without it."""


SMALL: Final = "-# "
"""What makes a line small on Discord; the lines that tell of writes begin so, and no model may write one."""

LONGEST_TOLD: Final = 120
"""Characters of one memory in the line that tells of it: it reminds, the memory itself is kept whole."""

MOST_TOLD: Final = 3
"""Memories that one line names; of more it says how many."""

_FENCED: Final = re.compile(r"(```.*?(?:```|\Z))", re.DOTALL)
_BOUNDARY: Final = re.compile(r"(?<=[.!?…])[*_~]*\s+|(?<=[.!?…])[\"'”»)]+[*_~]*\s+(?=[^a-zа-яё])|\n+")
QUOTED: Final = re.compile(r"\"[^\"\n]*\"|“[^”\n]*”|«[^»\n]*»|„[^“”\n]*[“”]|`[^`\n]*`")
_CLAUSE: Final = re.compile(
    r"[,;:.!?…—–]+|\s-\s|(?<!ahead)\s(?:and|so|but|then|и|а|но|und|y|et|oraz|aber|pero|mais|ale)\s"
)
_EDGES: Final = re.compile(r"^[^\w]+|[^\w]+$")
_BEFORE_WORDS: Final = re.compile(r"(?:<@!?\d+>|[^\w@])*")
_NODS: Final = re.compile(rf"(?:{ACKNOWLEDGED.pattern}\s+)*")
_LASTING: Final = _one_of("""
    forever, for ever, for good, permanently, for all time, навсегда, насовсем, на века, für immer, para siempre
    pour toujours, na zawsze
""")
_EVER: Final = re.compile(rf"\s*\b{_LASTING}\b\s*")
"""For how long something is claimed to be kept says nothing of whether it is."""

_HALF_MENTION: Final = re.compile(r"<@?!?\d*$")
_MOST_WORDS_BEFORE: Final = 2
"""Words of a clause before a bare "noted": "ok Bob, noted" claims, "he sang well, noted for it" does not."""


def without_false_claims(text: str, *, wrote: bool) -> str:
    """Return `text` without the sentences that claim a write, unless this turn `wrote` something.

    A claim says that its speaker has remembered, noted, saved, changed, deleted or forgotten something or will
    do so. Recalling ("I remember when you ..."), what is denied, asked, quoted or only offered stays. A nod
    before a claim ("Got it!") goes with it; if nothing but nods would be left, "" is returned. Small lines
    ("-# ...") are taken out in any case.
    """
    text = without_small_lines(text)
    if wrote:
        return text
    pieces = sentences_of(text)
    kept: list[str] = []
    for piece in pieces:
        if not _claims(piece):
            kept.append(piece)
            continue
        while kept and is_nod(kept[-1]):
            kept.pop()
    if len(kept) == len(pieces):
        return text
    return "" if all(map(is_nod, kept)) else "".join(kept).strip()


def settled_sentences(text: str) -> str:
    """Return the sentences of `text`, which goes on, that nothing behind them changes any more.

    The last one is not over, or a quote may still end it; fenced code is over when it is closed; a nod may go with a
    claim behind it, and the number of a point is no sentence.
    """
    *closed, last = _FENCED.split(text)
    if closed and not last and not closed[-1].endswith("```", 3):
        last = closed.pop()
    pieces = [piece for part in closed for piece in _sentences(part)]
    if not last.startswith("```"):
        pieces += _sentences(last)[:-1]
    while pieces and (is_nod(pieces[-1]) or not any(map(str.isalpha, pieces[-1]))):
        pieces.pop()
    return "".join(pieces).rstrip()


def without_small_lines(text: str) -> str:
    """Return `text` without the lines that begin as those do that tell what was stored."""
    if SMALL.strip() not in text:
        return text
    lines = text.splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith(SMALL.strip())).strip()


def written_line(label: str, contents: Sequence[str]) -> str:
    """Return the one small line that tells under a reply what was stored: `label`, then the memories.

    `label` is a sentence of the catalogue such as "remembered". No contents, no line: "".
    """
    told = [" ".join(content.split()) for content in contents]
    told = [
        one if len(one) <= LONGEST_TOLD else _HALF_MENTION.sub("", one[: LONGEST_TOLD - 1]).rstrip() + "…"
        for one in told
        if one
    ]
    if not told:
        return ""
    more = f" (+{len(told) - MOST_TOLD})" if len(told) > MOST_TOLD else ""
    return f"{SMALL}{label}: {'; '.join(told[:MOST_TOLD])}{more}"


def sentences_of(text: str) -> list[str]:
    """Return the sentences of `text`, each with the blanks behind it; fenced code is one."""
    return [piece for part in _FENCED.split(text) for piece in _sentences(part)]


def clause_starts(plain: str) -> list[int]:
    """Return where clauses begin in a sentence, and what is said in them behind nods such as "sure, "."""
    starts = {0, *(found.end() for found in _CLAUSE.finditer(plain))}
    starts = {found.end() for start in starts if (found := _BEFORE_WORDS.match(plain, start))}
    after_nods = {found.end() for start in starts if (found := _NODS.match(plain, start))}
    return sorted(
        starts | {found.end() for start in after_nods if (found := _BEFORE_WORDS.match(plain, start))}
    )


def _sentences(part: str) -> list[str]:
    if part.startswith("```"):
        return [part]
    ends = [boundary.end() for boundary in _BOUNDARY.finditer(part)]
    return [
        piece for start, end in zip([0, *ends], [*ends, len(part)], strict=True) if (piece := part[start:end])
    ]


def _claims(sentence: str) -> bool:
    if sentence.startswith("```"):
        return False
    plain = QUOTED.sub(" quoted ", sentence.lower().replace("ё", "е").replace("’", "'"))
    asks = plain.rstrip(" \n\"'”»)*_~").endswith("?")
    clauses = [_EDGES.sub("", clause) for clause in _CLAUSE.split(plain)]
    clauses = [clause for clause in clauses if clause]
    if asks:
        clauses = clauses[:-1]
    for number, clause in enumerate(clauses):
        said = _EVER.sub(" ", clause[nods.end() :] if (nods := _NODS.match(clause)) else clause).strip()
        if DONE.match(said) or (WILL.match(said) and not CONDITION.search(plain)):
            return True
        if SHORT.fullmatch(said) and all(_is_short(before) for before in clauses[:number]):
            return True
    return False


def _is_short(clause: str) -> bool:
    return len(clause.split()) <= _MOST_WORDS_BEFORE or bool(ACKNOWLEDGED.fullmatch(clause))


def is_nod(sentence: str) -> bool:
    """Tell whether a sentence says no more than "Got it, Bob!", or nothing at all."""
    clauses = [_EDGES.sub("", clause) for clause in _CLAUSE.split(sentence.lower().replace("’", "'"))]
    clauses = [clause for clause in clauses if clause]
    nods = [clause for clause in clauses if ACKNOWLEDGED.fullmatch(clause)]
    return not clauses or (bool(nods) and all(clause in nods or " " not in clause for clause in clauses))
