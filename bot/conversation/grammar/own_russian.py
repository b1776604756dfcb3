"""How members say in Russian what shall be kept of them; patterns are written with е for ё."""

from typing import Final

from bot.conversation.commands import ForgetEverything
from bot.conversation.grammar.kinds import KIND, kept, kept_for, left_out
from bot.conversation.grammar.rules import Rule, fixed, rule
from bot.conversation.own_commands import (
    BePrivate,
    EraseMine,
    ExportMine,
    RememberAgain,
    StopRemembering,
    TellCategories,
)

_TE: Final = r"(?:те)?"
_ABOUT_ME: Final = r"(?:обо мне|про меня)"
_MINE: Final = (
    rf"(?:меня|(?:ничего|все) {_ABOUT_ME}|{_ABOUT_ME}(?: ничего| все)?"
    r"|(?:то,? )?что я (?:говорю|пишу)|мои (?:сообщения|слова|данные))"
)
_DO_KEEP: Final = rf"(?:запоминай|записывай|сохраняй|храни){_TE}"
_TO_KEEP: Final = r"(?:запоминать|записывать|сохранять|хранить)"
_MORE: Final = r"(?: больше| никогда| здесь| впредь| вообще)*"
_AGAIN: Final = r"(?: снова| опять| дальше)?"
_NOBODY: Final = r"(?:никому|другим|остальным|посторонним|всем)"
_TELL: Final = rf"(?:рассказывай|говори){_TE}"
_KEEPS: Final = (
    r"(?:(?:ты|вы) (?:обо мне|про меня) (?:хранишь|храните|знаешь|знаете|помнишь|записала?|сохранила?)"
    r"|(?:обо мне|про меня) (?:хранишь|храните|знаешь|знаете|помнишь|записано|хранится|известно)"
    r"|(?:ты |вы )?(?:хранишь|храните|знаешь|знаете|помнишь|записала?) (?:обо мне|про меня))"
)
_HOLDS: Final = (
    r"(?:(?:ты|вы) (?:обо мне|про меня) (?:хранишь|храните)|(?:ты |вы )?(?:хранишь|храните) (?:обо мне|про меня)"
    r"|(?:обо мне|про меня) (?:хранишь|храните|хранится))"
)
_WHOLLY: Final = r"(?:полностью|совсем|навсегда|насовсем|отовсюду|целиком|окончательно)"

_STOP: Final = (
    rule(
        rf"(?:перестань|прекрати|хватит|перестать){_TE}(?:,? пожалуйста,?)?"
        rf" (?:{_TO_KEEP} {_MINE}|{_MINE} {_TO_KEEP}){_MORE}",
        fixed(StopRemembering()),
    ),
)
_STOP_OUTRIGHT: Final = (
    rule(
        rf"(?:больше )?(?:не {_DO_KEEP}(?: больше)? {_MINE}|{_MINE}(?: больше)? не {_DO_KEEP}){_MORE}",
        fixed(StopRemembering()),
    ),
    rule(
        rf"(?:я )?не хочу,? чтобы ты (?:{_MINE}(?: больше)? (?:запоминала?|записывала?|хранила?|сохраняла?)"
        rf"|(?:запоминала?|записывала?|хранила?|сохраняла?) {_MINE}){_MORE}",
        fixed(StopRemembering()),
    ),
)
_GO_ON: Final = (
    rule(
        rf"(?:снова |опять )?(?:{_DO_KEEP} (?:меня|{_ABOUT_ME}|(?:то,? )?что я (?:говорю|пишу))|меня {_DO_KEEP})"
        rf"{_AGAIN}",
        fixed(RememberAgain()),
    ),
    rule(
        rf"(?:начни|начинай|разрешаю|можно){_TE}(?: тебе)?{_AGAIN} (?:меня {_TO_KEEP}|{_TO_KEEP} меня){_AGAIN}",
        fixed(RememberAgain()),
    ),
)
_HIDE: Final = (
    rule(
        rf"(?:{_ABOUT_ME} )?{_NOBODY}(?: больше)?(?: ничего)? не (?:{_TELL}|рассказывать)(?: ничего)?(?: {_ABOUT_ME})?",
        fixed(BePrivate(True)),
    ),
    rule(
        rf"не (?:{_TELL}|рассказывать)(?: больше)?(?: (?:{_NOBODY}(?: ничего)? {_ABOUT_ME}|{_ABOUT_ME} {_NOBODY}))",
        fixed(BePrivate(True)),
    ),
)
_SHOW: Final = (
    rule(
        rf"(?:снова )?(?:{_TELL}|разрешаю рассказывать) (?:{_NOBODY} {_ABOUT_ME}|{_ABOUT_ME} {_NOBODY}){_AGAIN}",
        fixed(BePrivate(False)),
    ),
    rule(rf"(?:снова )?разрешаю рассказывать {_ABOUT_ME}{_AGAIN}", fixed(BePrivate(False))),
)
_OWN: Final = r"(?:мо[ийеюё]|мои)"
_KINDS: Final = (
    rule(rf"(?:больше )?не {_DO_KEEP}(?: больше)? {_OWN} {KIND}{_MORE}", left_out),
    rule(rf"(?:перестань|прекрати|хватит){_TE} {_TO_KEEP} {_OWN} {KIND}{_MORE}", left_out),
    rule(
        rf"{_DO_KEEP} {_OWN} {KIND} (?:только )?(?P<y>\d{{1,5}} (?:дн|ден|сут|недел|месяц|год|лет)\w*)",
        kept_for,
    ),
    rule(rf"(?:снова |опять )?{_DO_KEEP} {_OWN} {KIND}(?: снова| опять| всегда| бессрочно)?", kept),
)
_WHICH_KINDS: Final = rule(
    rf"(?:какие|что за) (?:виды|категории|типы)(?: (?:записей|памяти|сведений))?"
    rf"(?: (?:ты|вы))?(?: {_ABOUT_ME})?(?: (?:ты|вы))? (?:хранишь|храните|запоминаешь)(?: {_ABOUT_ME})?",
    fixed(TellCategories()),
)
_HAND_OUT: Final = (
    rule(
        r"(?:пришли|отправь|выгрузи|отдай|дай|скинь|вышли|прислать|отправить|выгрузить)(?:те)?(?: мне)?"
        rf"(?:(?: файл с тем)?(?: все| то| все то))?,? что {_KEEPS}",
        fixed(ExportMine()),
    ),
    rule(
        r"(?:пришли|отправь|выгрузи|отдай|дай|скинь|вышли|прислать|отправить|выгрузить)(?:те)?(?: мне)?"
        r" (?:все )?мои (?:данные|записи)",
        fixed(ExportMine()),
    ),
)
_ERASE: Final = (
    rule(
        rf"(?:забудь|сотри|удали|забыть|стереть|удалить){_TE} (?:меня {_WHOLLY}|{_WHOLLY} меня)",
        fixed(EraseMine()),
    ),
    rule(
        rf"(?:сотри|удали|стереть|удалить){_TE} меня(?: из (?:своей )?(?:памяти|базы))?", fixed(EraseMine())
    ),
    rule(rf"(?:сотри|удали|стереть|удалить){_TE} (?:все )?мои данные", fixed(EraseMine())),
    rule(
        rf"(?:забудь|сотри|удали|забыть|стереть|удалить){_TE} (?:все|то),? что {_HOLDS}",
        fixed(EraseMine()),
    ),
)

ASKS: Final = (_WHICH_KINDS,)

RULES: Final[tuple[Rule, ...]] = (
    *_STOP,
    *_STOP_OUTRIGHT,
    *_KINDS,
    *_GO_ON,
    *_HIDE,
    *_SHOW,
    *_HAND_OUT,
    *_ERASE,
    *ASKS,
)

REQUESTS: Final[tuple[Rule, ...]] = (
    *_STOP,
    rule(
        rf"(?:больше )?(?:не {_TO_KEEP}(?: больше)? {_MINE}|{_MINE}(?: больше)? не {_TO_KEEP}){_MORE}",
        fixed(StopRemembering()),
    ),
    *_HIDE,
    *_HAND_OUT,
    *_ERASE,
    rule(r"забыть (?P<x>меня)", ForgetEverything),
)
