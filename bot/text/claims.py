"""Claims of a write ("I have saved that") in generated text, and taking them out of a reply.

The patterns are in every language that is told apart. Only code may tell of a write.
"""

import re
from collections.abc import Sequence
from typing import Final


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


def _one_of(phrases: str) -> str:
    """Return the pattern of any of `phrases`, which have commas or line breaks between them."""
    listed = (phrase.strip() for phrase in re.split(r"[,\n]", phrases))
    return f"(?:{'|'.join(phrase for phrase in listed if phrase)})"


_END: Final = r"\s*$"

# English
_KEPT_IN: Final = (
    r"(?:my|your|the)(?: \w+)? (?:memory|memories|notes?|records?|profile|list|database|brain|files?)"
)
_KEPT: Final = (
    r"(?:memory|memories|notes?|records?|profile|entry|name|nickname|pronouns|birthday|date|info|information|data|facts?"
    r"|details?|messages?|preferences?|settings?|time ?zone|request|favou?rite(?: \w+)?)"
)
_IT: Final = (
    r"(?:(?:it|that|this|them|these|those|everything|all of (?:it|that|this))"
    rf"(?=\s*$| (?:down|now|already|too|so|right away|as (?:you|well|requested)|about you|for (?:you|later|next time))"
    rf"| (?:to|from|in|into|off|on) (?:memory|{_KEPT_IN})))"
)
_OBJECT: Final = (
    rf"(?:{_IT}|(?:your|the|that|this)(?: \w+){{0,2}}? {_KEPT}\b|what you (?:said|told|wrote)\b|down\b"
    rf"|.{{0,60}} (?:to|from|in|into|off) (?:memory\b|{_KEPT_IN}))"
)
_DONE: Final = (
    r"(?:noted|saved|stored|recorded|logged|remembered|memori[sz]ed|updated|changed|corrected|edited|deleted|removed"
    r"|erased|wiped|cleared|added|filed|written down|jotted down|forgotten)"
)
_ADVERB: Final = _one_of("""
    just, now, already, also, gone ahead and, went ahead and, successfully, duly, officially, safely, all, been
    definitely, totally, surely, certainly, gladly, happily, make sure to, be sure to, do my best to, try to
""")
_MANNER: Final = rf"(?: {_ADVERB})*"
_WILL: Final = r"(?:i'll|i will|i shall|i'm going to|i am going to|i'm gonna|imma|will)"
_HAVE: Final = r"i(?:'ve| have)?"

_ENGLISH_DONE: Final = (
    rf"{_HAVE}{_MANNER} (?:noted|memori[sz]ed)\b",
    rf"i(?:'ve| have){_MANNER} remembered\b",
    rf"i remembered {_IT}",
    rf"i(?:'ve| have){_MANNER} forgotten {_IT}",
    rf"{_HAVE}{_MANNER} (?:{_DONE}|wrote|written|put|jotted|took|taken) {_OBJECT}",
    rf"{_HAVE}{_MANNER} (?:made|taken|took) (?:a )?(?:mental )?note\b",
    rf"{_HAVE}{_MANNER} (?:locked (?:it|that|this) in|committed .{{0,60}} to memory)\b",
    rf"(?:i'm |i am )?(?:{_ADVERB} )*(?:noting|saving|storing|recording|memori[sz]ing|writing|jotting|adding|updating"
    rf"|deleting|removing|erasing|wiping|filing|logging) {_OBJECT}",
    r"(?:i'm |i am )?(?:making a (?:mental )?note|taking note|keeping (?:it|that|this) in mind)\b",
    rf"(?:i(?:'ve| have) )?got (?:it|that|this)(?: all)? {_DONE}",
    r"i have (?:it|that|this)(?: all)? (?:noted|saved|stored|recorded)\b",
    rf"consider (?:it|that|this) (?:{_DONE}|done|gone)",
    rf"(?:it|that|this|everything|all|your(?: \w+){{0,2}} {_KEPT})(?:'s| is| are| has| have)(?: been)?{_MANNER} {_DONE}"
    rf"(?=\s*$| (?:now|down|too|for you)| (?:to|from|in|into|on) (?:memory|{_KEPT_IN}))",
    rf"(?:(?:my|your|the) )?(?:memory|notes?|profile|records?)(?:'s| is| has| have| are)?{_MANNER} {_DONE}",
    rf"(?:it's|that's|it is|that is) now(?: \w+)? in {_KEPT_IN}",
    rf"(?:it's|that's|it is|that is) (?:gone|safe|stored|etched|burned|locked|filed)(?: away)?"
    rf" (?:in|into|from) {_KEPT_IN}",
    r"(?:it's|that's) no longer in my (?:memory|memories|notes)",
    r"i no longer (?:have|remember|know|store|keep) (?:it|that|this|any|your)\b",
    r"(?:writes|notes|jots|scribbles) (?:it|that|this) down|makes a (?:mental )?note\b",
)
_ENGLISH_WILL: Final = (
    rf"{_WILL}{_MANNER} remember\b(?! me\b)",
    rf"{_WILL}{_MANNER} (?:keep|bear) .{{0,60}}\bin mind\b",
    rf"{_WILL}{_MANNER} (?:make a (?:mental )?note|take note|memori[sz]e|commit .{{0,60}} to memory)\b",
    rf"(?:{_WILL}|let me|lemme){_MANNER} (?:note|save|store|write|jot|log|record|update|change|correct|delete|remove"
    rf"|erase|forget|add|keep) {_OBJECT}",
    r"let me make a (?:mental )?note",
    rf"i (?:won't|will not) forget(?:{_END}| (?:it|that|this|your)\b)",
    rf"i'll never forget {_IT}",
)
_ENGLISH_SHORT: Final = (
    rf"(?:(?:all|duly|officially|already|now) )?(?:{_DONE}|done)(?: and (?:{_DONE}|done))?"
    rf"(?: (?:it|that|this|down|now|for you|for later|(?:to|from|in) (?:memory|{_KEPT_IN})))*",
    r"(?:mental )?note (?:made|taken)|committed to memory|locked (?:it |that )?in",
)

# Russian
_RU_OBJECT: Final = (
    r"(?:\s*$| (?:это|то|все|его|ее|их|об этом|про это|тво\w+|ваш\w*|информацию|запись|записи|факт\w*|данные|дату"
    r"|день рождения|в (?:память|профиль|заметки|записи|список)|из (?:памяти|профиля|записей)|себе|что)(?!\w))"
)
_RU_BEFORE: Final = (
    r"(?:(?:я|это|все|себе|уже|только что|тоже|сейчас|теперь|обязательно|конечно|точно|тебе|для тебя) )*"
)
_RU_IT: Final = (
    r"(?:я )?(?:уже |только что |сейчас )?(?:это|все|об этом|эту информацию|твои данные)(?: уже| себе)? "
)
_RU_VERB: Final = _one_of(
    "записал, сохранил, удалил, стер, обновил, изменил, исправил, поменял, добавил, убрал, внес, зафиксировал, отметил"
)
_RU_DONE: Final = rf"{_RU_VERB}(?:а|ла)?"
_RUSSIAN_DONE: Final = (
    rf"{_RU_BEFORE}(?:запомнила?|принял[аи]? к сведению|уч(?:ел|ла))\b",
    rf"{_RU_BEFORE}(?:взяла?|беру) (?:это )?на заметку",
    rf"{_RU_BEFORE}сделала? (?:себе )?(?:заметку|пометку)",
    rf"{_RU_BEFORE}{_RU_DONE}{_RU_OBJECT}",
    rf"{_RU_IT}(?:{_RU_DONE}|забыла?)\b",
    rf"{_RU_BEFORE}забыла? (?:это|об этом|про это|все)\b",
    rf"{_RU_BEFORE}(?:запоминаю|записываю|сохраняю|удаляю|стираю){_RU_OBJECT}",
    r"(?:твой |ваш |твоя |твои )(?:профиль|запись|данные|информация|день рождения)(?: \w+)? "
    r"(?:обновлен|сохранен|удален|записан|изменен)\w*",
)
_RUSSIAN_WILL: Final = (
    rf"{_RU_BEFORE}(?:запомню|учту|не забуду)\b",
    rf"{_RU_BEFORE}(?:запишу|сохраню|удалю|сотру|исправлю|обновлю|забуду){_RU_OBJECT}",
    rf"{_RU_BEFORE}буду (?:это )?(?:помнить|иметь в виду)\b",
    rf"{_RU_BEFORE}(?:возьму (?:это )?на заметку|сделаю (?:себе )?(?:заметку|пометку))",
)
_RUSSIAN_SHORT: Final = (
    r"(?:(?:это|все|информация|запись|данные) )?(?:уже |теперь )?(?:запомнен|записан|сохранен|удален|стерт|обновлен"
    r"|исправлен|изменен|забыт|учтен|зафиксирован|отмечен|добавлен)[оаы](?: (?:в памят\w+|из памяти|в профил\w+))?",
    r"уже забыла?",
    r"готово",
)

# German
_DE_DONE: Final = _one_of("""
    gemerkt, notiert, gespeichert, gelöscht, aktualisiert, vermerkt, aufgeschrieben, geändert, entfernt, korrigiert
    eingetragen
""")
_GERMAN_DONE: Final = (
    r"(?:(?:das|dies|es|alles|dein\w* \w+) )?(?:ich )?(?:hab(?:e|'s)?)"
    r"(?: (?:ich|mir|das|es|dies|alles|mal|jetzt|schon|gerade|nun|direkt|dir|dein\w* \w+))*"
    rf" {_DE_DONE}\b",
    r"(?:das|dies|es|alles|dein\w* \w+) (?:ist|wurde|sind)(?: (?:jetzt|nun|schon|hiermit))*"
    rf" {_DE_DONE}(?: worden)?{_END}",
)
_GERMAN_WILL: Final = (
    r"(?:ich )?merke? (?:ich )?(?:es |das )?mir\b",
    r"das merke? ich mir\b",
    rf"(?:ich )?(?:notiere?|speichere?|lösche?)(?: ich)?(?: mir)? (?:das|es|dies|alles)(?:{_END}| \w+{_END})",
    rf"das (?:notiere?|speichere?|lösche?|behalte?) ich(?: mir)?(?: im hinterkopf)?{_END}",
    r"(?:ich )?behalte? (?:ich )?(?:das|es) im (?:kopf|hinterkopf)",
    r"(?:(?:das|es) )?(?:ich )?werde?(?: (?:ich|mir|das|es|daran|dran))* (?:merken|notieren|speichern|denken|löschen"
    r"|nicht vergessen)\b",
    r"(?:das|es|ich)(?: vergesse| vergess)(?: ich)?(?: das| es)? nicht",
)
_GERMAN_SHORT: Final = (rf"(?:(?:ist|schon|wird|hiermit|alles) )?(?:{_DE_DONE}|vergessen|erledigt)",)

# Spanish
_ES_DONE: Final = r"(?:anotad|apuntad|guardad|borrad|eliminad|actualizad|registrad|cambiad|memorizad)[oa]s?"
_SPANISH_DONE: Final = (
    rf"(?:ya )?(?:me )?(?:lo|la|los|las) he {_ES_DONE}",
    r"(?:ya )?(?:me )?(?:lo|la|los|las) (?:anoté|apunté|guardé|borré|eliminé|actualicé|registré|cambié)",
    rf"(?:ya )?(?:me )?he {_ES_DONE} (?:eso|esto|tus?|que|todo|el dato|la informaci\w+)\b",
    rf"(?:ya )?(?:ha )?(?:queda|quedó|quedado|está) {_ES_DONE}{_END}",
    r"(?:ya )?(?:tomo|tomé|he tomado) nota\b",
    r"(?:ya )?(?:me )?(?:lo|la) (?:apunto|anoto|guardo|borro)\b",
)
_SPANISH_WILL: Final = (
    r"(?:eso )?(?:lo|la) (?:recordaré|tendré (?:en cuenta|presente)|anotaré|guardaré|borraré|apuntaré|olvidaré)",
    r"(?:me acordaré|recordaré (?:eso|esto|que|tu)|tomaré nota)\b",
    r"no (?:lo|la|me) olvidaré",
)
_SPANISH_SHORT: Final = (rf"(?:ya )?(?:{_ES_DONE}|olvidado|hecho)",)

# French
_FR_DONE: Final = r"(?:not|enregistr|supprim|effac|sauvegard|mémoris|modifi|ajout)ée?s?|retenu|mise? à jour"
_FRENCH_DONE: Final = (
    rf"c'est (?:bien )?(?:{_FR_DONE}|oublié)",
    rf"je l'ai(?: (?:bien|aussi|déjà))* (?:{_FR_DONE})",
    rf"j'ai(?: (?:bien|tout|aussi|déjà))* (?:{_FR_DONE})"
    rf"(?:{_END}| (?:ça|cela|ton|ta|tes|votre|vos|que|tout|l'info\w*)\b)",
    r"je (?:le |la )?(?:note|retiens|supprime|efface|enregistre|mémorise)"
    rf"(?:{_END}| (?:ça|cela|tout(?! le)|bien|ton|ta|tes)\b)",
    r"je (?:le |la )?garde (?:ça |cela )?en (?:tête|mémoire)",
)
_FRENCH_WILL: Final = (
    r"je m'en (?:souviendrai|rappellerai)",
    r"je (?:le |la )?(?:noterai|retiendrai|supprimerai|effacerai)\b",
    r"je (?:ne |n')?(?:l')?oublierai pas",
)
_FRENCH_SHORT: Final = (rf"(?:bien |voilà )?(?:{_FR_DONE}|oublié)",)

# Polish
_PL_DONE: Final = (
    r"(?:zapamięta|zapisa|zanotowa|skasowa|zaktualizowa|zmieni|poprawi|wykasowa)ł[ea]m|usunąłem|usunęłam"
)
_PL_OBJECT: Final = rf"(?:{_END}| (?:to|sobie|tw[oó]j\w*|wszystko|że|tę informację|te dane)(?!\w))"
_POLISH_DONE: Final = (
    rf"(?:(?:już|ja|sobie|właśnie) )*(?:{_PL_DONE}){_PL_OBJECT}",
    rf"(?:już )?(?:to|wszystko)(?: już| sobie)? (?:{_PL_DONE})\b",
    rf"(?:zapamiętuję|zapisuję|notuję|usuwam){_PL_OBJECT}",
)
_POLISH_WILL: Final = (
    rf"(?:(?:to|sobie|na pewno) )*(?:zapamiętam|zapiszę|zanotuję|usunę){_PL_OBJECT}",
    r"będę (?:o tym |to )?pamięta(?:ć|ł|ła)\b",
    r"nie zapomnę\b",
)
_POLISH_SHORT: Final = (
    r"(?:już )?(?:zapamięt|zapis|zanotow|skasow|zaktualizow|wykasow)ane",
    r"(?:już )?(?:usunięte|zmienione|poprawione|zrobione)",
)

DONE: Final = _any(
    *_ENGLISH_DONE, *_RUSSIAN_DONE, *_GERMAN_DONE, *_SPANISH_DONE, *_FRENCH_DONE, *_POLISH_DONE
)
"""A write that is said to have been made, or to be made right now."""

WILL: Final = _any(
    *_ENGLISH_WILL, *_RUSSIAN_WILL, *_GERMAN_WILL, *_SPANISH_WILL, *_FRENCH_WILL, *_POLISH_WILL
)
"""A write that is promised."""

SHORT: Final = _any(
    *_ENGLISH_SHORT, *_RUSSIAN_SHORT, *_GERMAN_SHORT, *_SPANISH_SHORT, *_FRENCH_SHORT, *_POLISH_SHORT
)
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
_QUOTED: Final = re.compile(r"\"[^\"\n]*\"|“[^”\n]*”|«[^»\n]*»|„[^“”\n]*[“”]|`[^`\n]*`")
_CLAUSE: Final = re.compile(
    r"[,;:.!?…—–]+|\s-\s|(?<!ahead)\s(?:and|so|but|then|и|а|но|und|y|et|oraz|aber|pero|mais|ale)\s"
)
_EDGES: Final = re.compile(r"^[^\w]+|[^\w]+$")
_NODS: Final = re.compile(rf"(?:{ACKNOWLEDGED.pattern}\s+)*")
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
    pieces = [piece for part in _FENCED.split(text) for piece in _sentences(part)]
    kept: list[str] = []
    for piece in pieces:
        if not _claims(piece):
            kept.append(piece)
            continue
        while kept and _is_nod(kept[-1]):
            kept.pop()
    if len(kept) == len(pieces):
        return text
    return "" if all(map(_is_nod, kept)) else "".join(kept).strip()


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


def _sentences(part: str) -> list[str]:
    """Return the sentences of `part`, each with the blanks behind it; fenced code is one."""
    if part.startswith("```"):
        return [part]
    ends = [boundary.end() for boundary in _BOUNDARY.finditer(part)]
    return [
        piece for start, end in zip([0, *ends], [*ends, len(part)], strict=True) if (piece := part[start:end])
    ]


def _claims(sentence: str) -> bool:
    if sentence.startswith("```"):
        return False
    plain = _QUOTED.sub(" quoted ", sentence.lower().replace("ё", "е").replace("’", "'"))
    asks = plain.rstrip(" \n\"'”»)*_~").endswith("?")
    clauses = [_EDGES.sub("", clause) for clause in _CLAUSE.split(plain)]
    clauses = [clause for clause in clauses if clause]
    if asks:
        clauses = clauses[:-1]
    for number, clause in enumerate(clauses):
        said = clause[nods.end() :] if (nods := _NODS.match(clause)) else clause
        if DONE.match(said) or (WILL.match(said) and not CONDITION.search(plain)):
            return True
        if SHORT.fullmatch(said) and all(_is_short(before) for before in clauses[:number]):
            return True
    return False


def _is_short(clause: str) -> bool:
    return len(clause.split()) <= _MOST_WORDS_BEFORE or bool(ACKNOWLEDGED.fullmatch(clause))


def _is_nod(sentence: str) -> bool:
    """Tell whether a sentence says no more than "Got it, Bob!", or nothing at all."""
    clauses = [_EDGES.sub("", clause) for clause in _CLAUSE.split(sentence.lower().replace("’", "'"))]
    clauses = [clause for clause in clauses if clause]
    nods = [clause for clause in clauses if ACKNOWLEDGED.fullmatch(clause)]
    return not clauses or (bool(nods) and all(clause in nods or " " not in clause for clause in clauses))
