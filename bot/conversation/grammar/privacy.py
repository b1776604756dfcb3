"""How the bot is asked what it keeps, in English and in Russian."""

from typing import Final

from bot.conversation.commands import AskPrivacy
from bot.conversation.grammar.rules import Rule, fixed, rule

_EN_KEEP: Final = r"(?:keep|store|save|record|log|collect|retain)"
_EN_WHAT: Final = (
    r"(?:everything|messages|data|(?:my|our|the|all|any)(?: \S+)? (?:messages|data)"
    r"|what (?:i|we) (?:say|write))"
)

ENGLISH: Final[tuple[Rule, ...]] = (
    rule(
        r"privacy(?: policy| settings| info)?"
        rf"|(?:and )?what (?:all )?(?:do|does) (?:you|u) (?:actually |all |really )?{_EN_KEEP}(?: here| of us all)?"
        rf"|(?:what|which) (?:kinds? of )?(?:data|information|info) do (?:you|u) {_EN_KEEP}(?: here| about us)?"
        rf"|how long (?:do|will|are) (?:you|u) (?:going to )?{_EN_KEEP} {_EN_WHAT}(?: for)?"
        rf"|do (?:you|u) {_EN_KEEP} {_EN_WHAT}(?: here)?"
        r"|who (?:runs|operates|hosts|maintains) (?:you|u|this bot)"
        r"|(?:what is|what's|show me|tell me) (?:your|the) privacy (?:policy|notice)",
        fixed(AskPrivacy()),
    ),
)

_RU_KEEP: Final = r"(?:хранишь|храните|сохраняешь|сохраняете|записываешь|записываете|собираешь|собираете)"
_RU_WHAT: Final = (
    r"(?:(?:наши |мои |все |эти )?(?:сообщения|данные)|все|то, что (?:я|мы) (?:пишу|пишем|говорю|говорим))"
)

RUSSIAN: Final[tuple[Rule, ...]] = (
    rule(
        r"(?:приватность|конфиденциальность)"
        r"|(?:покажи(?: мне)? )?политик[ау] (?:приватности|конфиденциальности)"
        rf"|(?:а )?что (?:(?:ты|вы) )?(?:вообще )?(?:здесь |тут |у себя )?{_RU_KEEP}(?: здесь| тут| у себя)?"
        rf"|какие (?:данные|сведения) (?:(?:ты|вы) )?{_RU_KEEP}(?: здесь| тут| о нас)?"
        rf"|(?:сколько|как долго) (?:(?:ты|вы) )?(?:{_RU_KEEP}|хранятся) {_RU_WHAT}"
        rf"|(?:ты|вы) {_RU_KEEP} {_RU_WHAT}"
        r"|кто (?:тебя|вас) (?:запускает|запустил|держит|администрирует|поддерживает)",
        fixed(AskPrivacy()),
    ),
)
