"""Reading transcripts: each line of text becomes typed steps. Nothing here knows a guild or a database."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, TypeAlias

from bot.chat.commands import COMMANDS, CommandGroup
from bot.core.errors import InvalidInputError, TranscriptError

WORD: Final = "/memory"
"""What these commands begin with."""

WORDS: Final = (WORD, f"/{CommandGroup.MANAGERS}")
"""What they may begin with: in a terminal each takes all commands, for nobody is kept from seeing any."""

PRIVACY: Final = "/privacy"
"""The one that stands by itself."""

IN_PLACE: Final = "in"
"""`/memory in N`: the speaker's last command, for guild N of those between which they were asked to choose."""

_SYNTAX: Final[Mapping[str, tuple[str, str]]] = {
    **{name: (command.usage, command.pattern) for name, command in COMMANDS.items()},
    IN_PLACE: (
        "in N', N being a server of those that were listed last, as in '/memory in 1",
        "(?P<place>[0-9]{1,9})",
    ),
}
"""How each command is written, and the pattern of what follows its name."""

SUBCOMMANDS: Final = tuple(dict.fromkeys(name.split()[0] for name in _SYNTAX if f"/{name}" != PRIVACY))
"""What may follow `/memory`."""


@dataclass(frozen=True, slots=True)
class FormCall:
    """A command as it was typed."""

    name: str
    """Of the table."""
    values: Mapping[str, str] = field(default_factory=dict)
    """What was written for its options: a member by name, a line by its number."""


def read_memory_command(text: str) -> FormCall | None:
    """Return the command that `text` is, `None` if it begins neither with `/memory` nor with `/privacy`.

    Raises `InvalidInputError` if it does and cannot be read.
    """
    first, *rest = text.split(maxsplit=2)
    if first == PRIVACY:
        if rest:
            raise InvalidInputError(f"{text[:60]!r} cannot be read: write '{PRIVACY}'")
        return FormCall(PRIVACY.removeprefix("/"))
    if first not in WORDS:
        return None
    word, argument = (rest[0] if rest else "help"), (rest[1].strip() if len(rest) > 1 else "")
    if word not in SUBCOMMANDS:
        raise InvalidInputError(
            f"'{WORD} {word[:60]}' is no command: use {WORD} with one of {', '.join(SUBCOMMANDS)}"
        )
    for name, (_, pattern) in _SYNTAX.items():
        begins, _, more = name.partition(" ")
        found = re.fullmatch(rf"{more}\s*{pattern}", argument, re.DOTALL) if begins == word else None
        if found is not None:
            return FormCall(name, {option: value for option, value in found.groupdict().items() if value})
    raise InvalidInputError(f"{text[:60]!r} cannot be read: write '{WORD} {_SYNTAX[word][0]}'")


_FIRST_MOMENT: Final = datetime(2015, 1, 2)
_LAST_MOMENT: Final = datetime(2084, 1, 1)
"""The moments that an id of Discord can carry, a day off at each end for the time zones."""

_BYTE_ORDER_MARK: Final = "\ufeff"
"""What some editors put before the first line of a file."""

_SHOWN_CHARACTERS: Final = 60
"""How much of a wrong line an error quotes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostMessage:
    """A message; `channel` is `None` for a direct message to the bot."""

    channel: str | None
    author: str
    text: str
    moment: datetime | None = None
    """Without a zone it is a time of the guild's; `None` is one second after the line before."""
    reply_to: int | None = None
    """The number of the message replied to."""
    to_answer: bool = False
    """Whether the reply goes to the bot's answer to that message instead."""

    @property
    def place(self) -> str:
        """Where it is said, as people write it: `#general`, or `@bob` for bob's direct messages."""
        return f"@{self.author}" if self.channel is None else f"#{self.channel}"


@dataclass(frozen=True, slots=True)
class DeclareChannel:
    """`/channel NAME [open|closed]`; `closed` is `None` where it stays as it is."""

    name: str
    closed: bool | None


@dataclass(frozen=True, slots=True)
class DeclareMember:
    """`/member NAME [moderator|manager]`; a manager is a moderator too."""

    name: str
    moderator: bool
    manager: bool = False


@dataclass(frozen=True, slots=True)
class DeclareBot:
    """`/bot NAME`: another bot's account, heard and never answered."""

    name: str


@dataclass(frozen=True, slots=True)
class Edit:
    """`/edit N text`."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Delete:
    """`/delete N`."""

    number: int


@dataclass(frozen=True, slots=True)
class SetTime:
    """`/at TIME`."""

    moment: datetime


@dataclass(frozen=True, slots=True)
class Attach:
    """`/attach FILE`: goes with the next message."""

    path: str


@dataclass(frozen=True, slots=True)
class Restart:
    """`/restart`: whatever is only in the process is dropped."""


@dataclass(frozen=True, slots=True)
class FillIn:
    """`#channel author: /memory ...`: a command given by a form, which is no message."""

    said: PostMessage
    command: FormCall


Step: TypeAlias = (
    PostMessage
    | FillIn
    | DeclareChannel
    | DeclareMember
    | DeclareBot
    | Edit
    | Delete
    | SetTime
    | Attach
    | Restart
)


def read_line(line_number: int, text: str) -> tuple[Step, ...]:
    """Return the steps of a line, none of a comment; raises `TranscriptError` if it cannot be read."""
    try:
        return read_steps(text)
    except InvalidInputError as error:
        raise TranscriptError(line_number, str(error)) from None


def read_steps(text: str) -> tuple[Step, ...]:
    """Return the steps that one line of text asks for; raises `InvalidInputError` if it cannot be read."""
    text = text.removeprefix(_BYTE_ORDER_MARK).strip()
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise InvalidInputError("this line is no UTF-8 text, which transcripts are written in")
    if text == "#" or text.startswith("# "):
        return ()
    text = _COMMENT.split(text, maxsplit=1)[0].rstrip()
    if not text:
        return ()
    if text.startswith("/"):
        return tuple(_directive(part) for part in _BETWEEN_DIRECTIVES.split(text))
    return (form_or_message(_said(text)),)


def form_or_message(said: PostMessage) -> PostMessage | FillIn:
    """Return `said` as the command of the memory that it is, else as it is; raises `InvalidInputError`."""
    command = read_memory_command(said.text) if said.text.startswith((WORD, PRIVACY)) else None
    if command is None:
        return said
    if said.reply_to is not None:
        raise InvalidInputError(f"{_shown(said.text)} is no message, so it cannot be a reply")
    return FillIn(said, command)


def write_said(said: PostMessage, *, with_moment: bool = True) -> str:
    """Return `said` as a line that `read_steps` reads back, or without its time."""
    moment = f"[{said.moment.isoformat()}] " if said.moment and with_moment else ""
    place = "@" if said.channel is None else f"#{said.channel} "
    reply = "" if said.reply_to is None else f" > {said.reply_to}{'!' if said.to_answer else ''}"
    return f"{moment}{place}{said.author}{reply}: {said.text}"


def read_moment(text: str) -> datetime:
    """Return the ISO time in `text`, without a zone if it names none; raises `InvalidInputError`."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise InvalidInputError(
            f"{_shown(text)} is no time: write 2026-03-01T09:00, or with an offset 2026-03-01T09:00+01:00"
        ) from None
    if not _FIRST_MOMENT <= moment.replace(tzinfo=None) < _LAST_MOMENT:
        raise InvalidInputError(
            f"{_shown(text)} is out of range: times lie between {_FIRST_MOMENT.date()} and {_LAST_MOMENT.date()}"
        )
    return moment


_COMMENT: Final = re.compile(r"[ \t]{2,}#(?:[ \t]|$)")
_SAID: Final = re.compile(
    r"""(?: \[ (?P<moment> [^\]]* ) \] [ \t]* )?
    (?: \# (?P<channel> [^\s:]+ ) [ \t]+ @? | @ )
    (?P<author> [^\s:>@] (?: [^:>]{0,100}? [^\s:>] )? )
    (?: [ \t]+ > [ \t]* (?P<reply_to> [0-9]{1,9} ) (?P<to_answer> ! )? )?
    [ \t]* : (?P<text> .* )""",
    re.VERBOSE | re.DOTALL,
)


def _said(text: str) -> PostMessage:
    found = _SAID.fullmatch(text)
    if not found:
        raise InvalidInputError(
            f"{_shown(text)} cannot be read: write '#channel author: text', '@author: text',"
            f" or a directive: {', '.join(DIRECTIVES)}"
        )
    moment, reply_to = found["moment"], found["reply_to"]
    return PostMessage(
        channel=found["channel"],
        author=found["author"],
        text=found["text"].strip(),
        moment=None if moment is None else read_moment(moment),
        reply_to=None if reply_to is None else int(reply_to),
        to_answer=found["to_answer"] is not None,
    )


def _directive(text: str) -> Step:
    word, *rest = text.split(maxsplit=1)
    if word in WORDS:
        raise InvalidInputError(
            f"{_shown(text)} needs somebody who gives it: write '#channel author: {text[:60]}'"
        )
    if word not in _READERS:
        raise InvalidInputError(f"{_shown(word)} is no directive: use one of {', '.join(DIRECTIVES)}")
    usage, pattern, step = _READERS[word]
    found = re.fullmatch(pattern, rest[0].strip() if rest else "", re.DOTALL)
    if found is None:
        raise InvalidInputError(f"{_shown(text)} cannot be read: write '{usage}'")
    return step(found)


_NAME: Final = r"@?([^\s:>@](?:[^:>]{0,100}?[^\s:>])?)"
_CLOSED: Final = {None: None, "open": False, "closed": True}

_READERS: Final[Mapping[str, tuple[str, str, Callable[[re.Match[str]], Step]]]] = {
    "/channel": (
        "/channel NAME [open|closed]",
        r"#?([^\s:#]+)(?:\s+(open|closed))?",
        lambda found: DeclareChannel(found[1], _CLOSED[found[2]]),
    ),
    "/member": (
        "/member NAME [moderator|manager]",
        rf"{_NAME}(?:\s+(moderator|manager))?",
        lambda found: DeclareMember(found[1], found[2] is not None, found[2] == "manager"),
    ),
    "/bot": ("/bot NAME", _NAME, lambda found: DeclareBot(found[1])),
    "/edit": (
        "/edit N new text",
        r"([0-9]{1,9})\s+(\S.*)",
        lambda found: Edit(int(found[1]), found[2]),
    ),
    "/delete": ("/delete N", r"[0-9]{1,9}", lambda found: Delete(int(found[0]))),
    "/at": ("/at TIME", ".+", lambda found: SetTime(read_moment(found[0]))),
    "/attach": ("/attach FILE", ".+", lambda found: Attach(found[0])),
    "/restart": ("/restart", "", lambda _: Restart()),
}
"""How each directive is written, the pattern of what follows its word, and the step that it is."""

DIRECTIVES: Final = tuple(_READERS)
"""The words that directives begin with."""

_BETWEEN_DIRECTIVES: Final = re.compile(rf"[ \t]{{2,}}(?=(?:{'|'.join(DIRECTIVES)})(?:[ \t]|$))")


def _shown(text: str) -> str:
    """Return `text` as an error quotes it: short, and with no control characters."""
    return repr(text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…")
