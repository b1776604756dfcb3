"""Where secrets lie in a text and the mask that is put there, with the words by which passwords are called
in several languages.
"""

import re
from collections.abc import Iterable
from typing import Final

from bot.text.tokens import words

MASK: Final = "[secret]"
"""What stands in the place of a secret."""

Span = tuple[int, int]
"""Where a secret begins and ends in a text, in characters."""


def without(text: str, spans: Iterable[Span]) -> str:
    """Return `text` with the mask in the place of each span.

    Of spans that overlap, the first one counts,
    and a span that touches a mask is none: what it found is masked.
    """
    parts: list[str] = []
    done = 0
    for begin, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if end <= done or MASK in text[max(begin - len(MASK) + 1, 0) : end + len(MASK) - 1]:
            continue
        if begin >= done:
            parts += [text[done:begin], MASK]
        done = end
    return "".join([*parts, text[done:]]) if parts else text


class Keywords:
    """Words of which a text holds one before it is worth looking closer; a stroke stands between two."""

    def __init__(self, keywords: str) -> None:
        self._all = tuple(keywords.split("|"))
        self._plain = tuple(keyword for keyword in self._all if keyword.isascii())

    def are_in(self, lowered: str) -> bool:
        """Return whether one of them stands in a text of lower case."""
        # A loop over plain searches takes a tenth of what one expression with all of them takes.
        for keyword in self._plain if lowered.isascii() else self._all:  # noqa: SIM110
            if keyword in lowered:
                return True
        return False


_SURE_PLAIN: Final = r"""pass[\s-]?(?:words?|wd|codes?|phrase|keys?)|passw(?:ort|oerter)|kennwort|pwd|pswd|contrasenas?
    |mot\sde\spasse|mdp|senha|wachtwoord"""
_SURE_OTHER: Final = r"""passwörter|kennwörter|(?:wlan|wi-?fi|netzwerk)-?schlüssel|contraseñas?|palavra-passe|has[łl]o
    |lösenord|şifre|парол(?:ь|я|ю|е|ем|и)"""
SURE: Final = rf"{_SURE_PLAIN}|{_SURE_OTHER}"
"""Words that mean a password and nothing else."""

_LOOSE_PLAIN: Final = (
    r"(?:(?:(?<![^\W_])|(?<=require)|(?<=user)|(?<=root)|(?<=admin)|(?<=smtp)|(?<=wifi)|(?<=db))pass"
    r"|(?<![^\W_])(?:pw|passe|clave))"
)
_LOOSE_OTHER: Final = r"(?<![^\W_])(?:пасс|parola)"

_SPOKEN: Final = r"(?<!\w)(?:кодов\w+|секретн\w+)\sслов\w"

NAMES: Final = {
    is_plain: re.compile(
        rf"(?=[{first}])(?:(?P<sure>{sure})\d?(?![^\W_]|_[^\W_])|(?:(?P<loose>{loose})|(?P<spoken>{_SPOKEN}))"
        rf"(?![\w-]))",
        re.VERBOSE | re.IGNORECASE,
    )
    for is_plain, first, sure, loose in (
        (True, "pkmscw", _SURE_PLAIN, _LOOSE_PLAIN),
        (False, "pkmscwnhlşпск", SURE, rf"(?:{_LOOSE_PLAIN}|{_LOOSE_OTHER})"),
    )
}
"""What passwords are called, in texts of plain ASCII and in all others: words that are sure to mean one, words that
may mean one, and words of which the password is told and not typed, so that nothing need stand between."""

_PREPOSITION: Final = (
    "for|to|of|on|at|in|from|für|zum|zur|vom|von|des|der|vor|de|del|da|do|di|du|della|para|pour|per|od|voor|van"
    "|от|для|к|ко|на|в|во|у|із|від|до"
)
FOR: Final = rf"""(?:\s+(?:{_PREPOSITION})(?!\s+be\b)(?:\s+[\w'’.@/&«»"-]+){{1,4}}?)?"""
"""What it is the password of."""

FILLER: Final = (
    r"(?:\s+(?:now|just|still|currently|simply|always|also|actually|obviously|literally|jetzt|einfach|ahora"
    r"|везде"
    r"|всегда|теперь|сейчас|просто|пока|тоже|стоит|(?:такой|так(?:ая|ое)|вот|это)(?=:|\s)))*"
)
VERB: Final = (
    r"(?:should|must|will|has\s+to|might)\s+be|"
    r"is|was|are|were|be|used\s+to\s+be|will\s+be|ist|war|lautet|heißt|heisst|es|era|sigue\s+siendo|est"
    r"|était|è|é|to|jest"
    r"|to\s+be|là|это|то|такой|такая|був|буде|был|будет|остался"
)

NO_PASSWORD: Final = words(
    """a an the my your his her our their this that these those it its not no never none nothing too very so also only
    just wrong right incorrect correct invalid bad good fine weak strong long short same different empty blank unset
    asked required needed wanted optional disabled enabled locked set stored saved kept sent used unknown known
    hidden shown hashed encrypted expired changed reset lost gone forgotten rejected accepted denied given working
    broken there here in on at for to by with from of as if when where what which who how why because and or but
    supposed probably maybe always usually something someone somebody anything whatever case one you i we they he she
    still again now then yes ok okay like protected going login root admin sudo user username default up out
    was is are be been being will can could should would must may might do does did has have had get got more less
    manager managers field prompt file files box hash policy authentication auth protection recovery rotation hint
    hints reset protected based safe secure insecure public private easy hard simple complicated ready tricky stupid
    terrible awful fun important heavy visible plain text sorry later soon above below tba tbd n/a na null nil true
    false undefined str string int bool char varchar any object yaml json env stdin input expire remember rotate
    match work access unlock open enter make use avoid protect prevent log renew reuse share type everything unique
    complex random
    old new first second both each all some another other next last current temporary basically really quite pretty
    almost already exactly completely clearly definitely hopefully stronger better longer shorter easier secret
    password passwords passwd pwd pass pw characters digits letters symbols generated redacted masked please thanks
    не нет неверный неправильный верный правильный слишком тот этот такой какой забыл забыла потерял сменить поменять
    и или а но что чтобы как где когда если для от на по в к у с из же то я ты он она мы вы они мне его её ее их мой
    твой свой ваш наш подошёл подошел подходит работает нужен надо можно есть был была будет стоит уже ещё еще там тут
    сложный простой слабый надёжный надежный новый старый пустой просит требует спрашивает введи введите вводить скажи
    дай вспомнить сбросить узнать хранится лежит одинаковый важно обязательно потом позже завтра сегодня вчера лучше
    это этого секрет секретный короткий длинный общий другой разный любой везде всегда никому всем пожалуйста спасибо
    более менее него неё нее почту сайт телефон год закреп личку
    der die das den dem ein eine mein dein sein ihr unser zu sehr nicht nie falsch richtig lang kurz kompliziert einfach
    vergessen abgelaufen geändert gespeichert leer gleich derselbe dasselbe wie geheim sicher unsicher bekannt nötig
    erforderlich und oder aber noch schon immer hier dort weg neu alt so ungültig gut schlecht schwer leicht
    el la los las un una mi tu su muy no nunca incorrecta correcta incorrecto larga corta mala buena débil fuerte
    segura insegura secreta fácil difícil simple igual misma mismo nueva vieja cual cuál qué que y o pero vacía
    obligatoria necesaria demasiado
    le la les un une mon ton son notre votre trop pas très oublié incorrect faux bon mauvais long court faible fort
    identique vide requis obligatoire et ou mais
    il lo mia tua sua troppo non molto sbagliata giusta corta lunga scaduta debole forte segreta vuota
    minha sua muito não errada certa curta longa fraca forte secreta nie jest moje twoje za"""
)
"""What often follows "the password is" without being the password."""

NOT_A_VERB: Final = re.compile(
    r"[a-z]{3,}(?:ed|ing|ly|able|ible)|[а-яё]{2,}(?:ть|ться|ется|ют|ит|ли|лся|лась)"
)
"""How words end that tell what becomes of a password."""

PLACEHOLDER: Final = re.compile(
    r"""[<{%]|\(.*\)$|\[(?!secret\]).*\]$|\$(?:\{|\(|\{\{|[A-Z_]+$|[a-z_]+$)|!vault|[*•●·x.…_#?-]+$|your[\W_]|<?redacted
    |\w*(?:pass(?:word|wd)|pwd|secret|token)[a-z_]*$|env\.|\w+://|\\[nrt]""",
    re.VERBOSE | re.IGNORECASE,
)
"""What stands for a password in manuals and programs."""

CALL: Final = re.compile(
    r"[A-Za-z_]\w*(?:\.\w+)*[(\[]|(?:self|this|os|args|config|settings|request|req|process|user)\."
)
"""How a program names one instead of telling it."""
