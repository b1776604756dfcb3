"""The rules by which commands are given in Russian; patterns are written with е for ё."""

import re
from collections.abc import Sequence
from typing import Final

from bot.text.commands import (
    AskHelp,
    AskMemory,
    AskWhy,
    BePrivate,
    Command,
    EraseMine,
    ExportMine,
    Forget,
    ForgetEverything,
    ForgetThis,
    Remember,
    RememberAgain,
    RememberThis,
    Search,
    StopRemembering,
    TellCategories,
)
from bot.text.grammar import corrections, kinds, periods
from bot.text.grammar.clauses import is_russian_clause, is_russian_memory
from bot.text.grammar.kinds import MEMORY_KIND, keep_kind, keep_kind_for, leave_kind_out
from bot.text.grammar.rules import Rule, SpokenText, fixed, idiom, plain, rule

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
_OWN_TELL: Final = rf"(?:рассказывай|говори){_TE}"
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
        rf"(?:{_ABOUT_ME} )?{_NOBODY}(?: больше)?(?: ничего)?"
        rf" не (?:{_OWN_TELL}|рассказывать)(?: ничего)?(?: {_ABOUT_ME})?",
        fixed(BePrivate(True)),
    ),
    rule(
        rf"не (?:{_OWN_TELL}|рассказывать)(?: больше)?(?: (?:{_NOBODY}(?: ничего)? {_ABOUT_ME}|{_ABOUT_ME} {_NOBODY}))",
        fixed(BePrivate(True)),
    ),
)
_SHOW: Final = (
    rule(
        rf"(?:снова )?(?:{_OWN_TELL}|разрешаю рассказывать) (?:{_NOBODY} {_ABOUT_ME}|{_ABOUT_ME} {_NOBODY}){_AGAIN}",
        fixed(BePrivate(False)),
    ),
    rule(rf"(?:снова )?разрешаю рассказывать {_ABOUT_ME}{_AGAIN}", fixed(BePrivate(False))),
)
_OWN: Final = r"(?:мо[ийеюё]|мои)"
_KINDS: Final = (
    rule(rf"(?:больше )?не {_DO_KEEP}(?: больше)? {_OWN} {MEMORY_KIND}{_MORE}", leave_kind_out),
    rule(rf"(?:перестань|прекрати|хватит){_TE} {_TO_KEEP} {_OWN} {MEMORY_KIND}{_MORE}", leave_kind_out),
    rule(
        rf"{_DO_KEEP} {_OWN} {MEMORY_KIND} (?:только )?(?P<y>\d{{1,5}} (?:дн|ден|сут|недел|месяц|год|лет)\w*)",
        keep_kind_for,
    ),
    rule(
        rf"(?:снова |опять )?{_DO_KEEP} {_OWN} {MEMORY_KIND}(?: снова| опять| всегда| бессрочно)?", keep_kind
    ),
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

OWN_ASKS: Final = (_WHICH_KINDS,)

OWN_RULES: Final[tuple[Rule, ...]] = (
    *_STOP,
    *_STOP_OUTRIGHT,
    *_KINDS,
    *_GO_ON,
    *_HIDE,
    *_SHOW,
    *_HAND_OUT,
    *_ERASE,
    *OWN_ASKS,
)

OWN_REQUESTS: Final[tuple[Rule, ...]] = (
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


_GUILD: Final = re.compile(
    r"(?:всех )?нас(?: всех)?|(?:(?:этом|нашем|этот|наш)\s+)?(?:сервере|сервер|гильдии|гильдию|сообществе|чате|чат)",
    re.IGNORECASE,
)
_POINTED_AT: Final = frozenset({"это", "этом"})
_MENTION: Final = re.compile(r"(?:<@!?\d+>|@\S+)")
_MOST_WORDS_ABOUT: Final = 12


def _remember(statement: str) -> Command | None:
    return Remember(statement) if is_russian_memory(statement) else None


def _remember_for(limit: str, statement: str) -> Command | None:
    """How long it is to be remembered stands in brackets behind what is."""
    return _remember(f"{statement.rstrip(' .!')} ({limit})")


def _remember_clause(statement: str) -> Command | None:
    return Remember(statement) if is_russian_clause(statement, after_comma=False) else None


def _remember_after_comma(statement: str) -> Command | None:
    return Remember(statement) if is_russian_clause(statement, after_comma=True) else None


def _remember_noted(statement: str) -> Command | None:
    return None if re.search(r"\?(?:\s|$)", plain(statement)) else Remember(statement)


def _remember_this(about: str) -> Command | None:
    return RememberThis(about) if len(about.split()) <= 4 and ":" not in about else None


def _forget(statement: str) -> Command | None:
    """A bare mention is somebody: all about them; other words are what the facts say."""
    if plain(statement).lower() in {"меня", "мне"} or _MENTION.fullmatch(statement):
        return ForgetEverything(statement)
    return Forget(statement)


def _ask(about: str) -> Command | None:
    if _GUILD.fullmatch(plain(about)):
        return AskMemory(None)
    if plain(about).lower() in _POINTED_AT or len(about.split()) > _MOST_WORDS_ABOUT:
        return None
    return AskMemory(about)


def _search(topic: str, when: str = "") -> Command | None:
    """When it was said is one of the words that are searched for."""
    return Search(f"{topic} {when}".strip()) if len(topic.split()) <= _MOST_WORDS_ABOUT else None


_PLEASE: Final = r"(?:,? пожалуйста)?"
_ABOUT: Final = r"(?:о|об|обо|про|насчет)"
_KEEP: Final = (
    rf"(?:(?:запомни(?:те|ть)?|запиши(?:те)?|записать|помни(?:те)?|учти(?:те)?|имей(?:те)? в виду|заметь(?:те)?"
    rf"|не забудь(?:те)?|не забывай(?:те)?){_PLEASE})"
)
_STORE: Final = rf"(?:(?:запомни(?:те|ть)?|сохрани(?:те|ть)?|запиши(?:те)?|записать){_PLEASE})"
_DROP: Final = rf"(?:(?:забудь(?:те)?|забыть|удали(?:те|ть)?|сотри(?:те)?|стереть){_PLEASE})"
_NOT_KEEP: Final = rf"(?:не (?:запоминай|сохраняй|записывай|помни)(?:те)?{_PLEASE})"
_THIS: Final = r"(?:это|это сообщение|это все)"
_SAID: Final = (
    r"(?:то,? )?что я (?:только что |сейчас )?(?:сказала?|написала?|говорила?|писала?)(?: только что)?"
)
_ALL: Final = (
    r"(?:все|то(?=,? что))(?:,? что)?(?: (?:ты|вы))?(?: (?:знаешь|помнишь|знаете|помните|запомнила?))?"
)
_WHEN: Final = (
    r"(?:вчера|сегодня|позавчера|(?:на|в|за|с|до|после) [^\s,]+(?: [^\s,]+){0,2}?|прошл[а-я]+ [а-я]+)"
)
_TALKED: Final = (
    r"(?:говорили|решили|разговаривали|болтали|беседовали|общались|спорили|упоминали|писали|обсуждали)"
)
_OFTEN: Final = r"(?: (?:в )?последний раз| впервые| когда-нибудь| когда-либо| вообще| уже)?"

_LIMIT: Final = (
    r"(?:до [^\s,:]+(?: [^\s,:]+){0,3}?"
    r"|на (?:(?:ближайшую|ближайшие|целую|целый) )?(?:(?:\d{1,3}|один|одну|два|две|три|четыре|пять|шесть|семь|восемь"
    r"|девять|десять|пару) )?(?:минут|час|день|дн[яе]|сут|недел|месяц|год|лет)\w*)"
)
_KEEPING: Final = (
    rule(rf"{_KEEP} (?P<x>{_LIMIT})(?:,? что|\s*:),? (?P<y>.+)", _remember_for),
    rule(rf"{_STORE} {_THIS}|{_STORE},? {_SAID}", fixed(RememberThis())),
    rule(rf"{_STORE} это {_ABOUT} (?P<x>.+)", _remember_this),
    rule(rf"{_KEEP},? что:? (?P<x>.+)", _remember),
    rule(rf"{_KEEP}(?:,? (?:это|вот что))?(?:\s*:\s*| - )(?P<x>.+)", _remember_noted),
    rule(
        r"(?:запомни(?:те|ть)?|запиши(?:те)?)(?:,? пожалуйста)?,\s*(?P<x>(?!что\b).+)", _remember_after_comma
    ),
    rule(r"(?:запомни(?:те|ть)?|запиши(?:те)?)(?: пожалуйста)? (?P<x>(?!что\b).+)", _remember_clause),
)

_DROPPING: Final = (
    rule(rf"{_DROP} {_THIS}|{_DROP},? {_SAID}|{_NOT_KEEP}(?: {_THIS}|,? {_SAID})?", fixed(ForgetThis())),
    rule(rf"{_DROP} (?:мое )?(?:последнее|предыдущее|прошлое) сообщение", fixed(ForgetThis())),
    idiom(rf"{_DROP} (?:{_ABOUT} (?:это|этом|том|все|всем)|его|ее|их|все|как страшный сон|обо всем)"),
    idiom(rf"{_DROP} {_ALL} {_ABOUT} (?:это|этом|том|то)"),
    rule(rf"{_DROP},? что (?:ты|вы) (?:знаешь|помнишь|знаете|помните) {_ABOUT} (?P<x>.+)", ForgetEverything),
    rule(rf"{_DROP} {_ALL} {_ABOUT} (?P<x>.+)", ForgetEverything),
    rule(rf"{_DROP} {_SAID} {_ABOUT} (?P<x>.+)", Forget),
    idiom(
        r"забудь(?:те)?,? (?:как|кто|когда|где|куда|почему|зачем|сколько|какой|какая|чей|ли|себя|нас|не|что-то)\b.*"
    ),
    rule(rf"(?:{_DROP}|{_NOT_KEEP}),? что (?P<x>.+)", Forget),
    rule(rf"{_DROP} {_ABOUT} (?P<x>.+)", _forget),
    rule(rf"забудь(?:те)?{_PLEASE}:? (?P<x>(?!что\b|это\b|то\b|все\b).+)", _forget),
)

_TELL: Final = r"(?:расскажи|скажи|напомни)(?: (?:мне|нам))?"
_ASKS: Final = (
    *OWN_ASKS,
    *kinds.ASK_PRIVACY_RUSSIAN,
    *periods.CATCH_UP_RUSSIAN,
    rule(
        rf"(?:{_TELL},? )?что (?:еще )?(?:(?:ты|вы|тебе|вам) )?(?:еще |уже )?(?:знаешь|помнишь|знаете|помните|известно)"
        rf"(?: {_ABOUT} (?P<x>.+))",
        _ask,
    ),
    rule(r"что (?:ты|вы) (?:еще |уже )?(?:знаешь|помнишь|знаете|помните)", fixed(AskMemory(None))),
    rule(rf"(?:ты )?(?:что-нибудь|что-то) (?:знаешь|помнишь) {_ABOUT} (?P<x>.+)", _ask),
    rule(rf"(?:ты )?(?:знаешь|помнишь) (?:ли ты )?(?:что-нибудь|что-то|что-либо) {_ABOUT} (?P<x>.+)", _ask),
    rule(rf"расскажи(?: (?:мне|нам))?(?: все)?(?:,? что (?:ты )?знаешь)? {_ABOUT} (?P<x>.+)", _ask),
    rule(r"кто я(?: так(?:ой|ая))?|(?:ты )?знаешь,? кто я(?: так(?:ой|ая))?", fixed(AskMemory("я"))),
    rule(r"кто (?:такой|такая|такие) (?P<x>(?!ты$|вы$).+)", _ask),
    rule(r"кто (?P<x>(?!ты |вы ).+) (?:такой|такая)", _ask),
    rule(
        rf"(?:когда|где) мы{_OFTEN} {_TALKED}(?:{_OFTEN}) (?:{_ABOUT} )?(?P<x>.+?)(?: (?:в )?последний раз)?",
        _search,
    ),
    rule(rf"(?:{_TELL},? )?что (?:мы )?{_TALKED} {_ABOUT} (?P<x>.+)", _search),
    rule(rf"(?:{_TELL},? )?что (?:мы )?(?P<y>{_WHEN}) {_TALKED} {_ABOUT} (?P<x>.+)", _search),
    rule(rf"(?:{_TELL},? )?что (?:мы )?{_TALKED} (?P<y>{_WHEN}) {_ABOUT} (?P<x>.+)", _search),
    rule(rf"(?:мы )?{_TALKED} ли (?:мы )?(?:когда-нибудь |раньше )?(?:{_ABOUT} )?(?P<x>.+)", _search),
    rule(rf"(?:найди|покажи|поищи)(?: мне)?,? (?:где|когда) мы {_TALKED} (?:{_ABOUT} )?(?P<x>.+)", _search),
    rule(rf"(?:найди|покажи|поищи)(?: мне)? (?:все )?сообщени[яе] {_ABOUT} (?P<x>.+)", _search),
    rule(rf"поищи(?: мне)? (?:{_ABOUT} )?(?P<x>.+)", _search),
)

_WHY: Final = rule(
    r"(?:а )?откуда (?:(?:ты|вы) )?(?:(?:это|об этом|про это) )?(?:знаешь|знаете|узнала?|узнали)"
    r"(?: (?:это|об этом|про это))?"
    r"|(?:а )?откуда (?:ты|вы) (?:это )?взял[аи]?|(?:а )?с чего (?:ты|вы) (?:это )?взял[аи]?"
    r"|(?:а )?откуда (?:такие )?(?:сведения|данные|информация)|(?:а )?кто (?:тебе|вам) (?:это |об этом )?сказал",
    fixed(AskWhy()),
)
_HELP: Final = rule(
    r"помощь|помоги(?:те)?(?: мне)?|справка|команды|что (?:ты|вы) (?:умеешь|умеете|можешь|можете)(?: делать)?",
    fixed(AskHelp()),
)

_DID_WE: Final = rule(rf"мы{_OFTEN} {_TALKED}{_OFTEN} {_ABOUT} (?P<x>.+)", _search)
"""Only the question mark tells this question from a statement."""

# «Можешь запомнить X?» may be a question; these are requests without «пожалуйста» too.
_REQUESTS: Final = (
    *OWN_REQUESTS,
    *periods.FORGET_SETS_RUSSIAN,
    rule(r"(?:запомнить|сохранить|записать) это", fixed(RememberThis())),
    rule(r"(?:запомнить|записать),? что (?P<x>.+)", _remember),
    rule(r"забыть это", fixed(ForgetThis())),
    rule(rf"(?:забыть|удалить|стереть) {_ALL} {_ABOUT} (?P<x>(?!этом$|это$|том$).+)", ForgetEverything),
    rule(r"забыть,? что (?P<x>.+)", Forget),
    *_ASKS,
)

_ALL_RULES: Final = (
    *OWN_RULES,
    *periods.FORGET_SETS_RUSSIAN,
    *corrections.CORRECTIONS_RUSSIAN,
    *_DROPPING,
    *_KEEPING,
    _WHY,
    *_ASKS,
    _HELP,
)


def rules_for(spoken: SpokenText) -> Sequence[Rule]:
    """Return the rules that may be tried on `spoken`: a question is never tried on those that change anything."""
    if spoken.request:
        return _ALL_RULES if spoken.please else _REQUESTS
    return (_WHY, *_ASKS, _HELP, _DID_WE) if spoken.asks else _ALL_RULES
