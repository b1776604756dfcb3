"""One record of an export becomes a message with the members that it names, or is found broken."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, TypeAlias

from bot.adapters.describing import NICKNAMED_MENTION, clean, description_line, joined, kind_of_file
from bot.core.domain import MAX_ID, Channel, ForwardOrigin, Member, Message, MessageKind, mention_of

JsonObject: TypeAlias = Mapping[str, object]

_YEARS: Final = range(1970, 3000)
"""Years that every time zone and every database can reckon with."""


def text_of(holder: JsonObject, name: str) -> str:
    """Return the text in field `name`, "" if there is none, without what no UTF-8 database can hold."""
    value = holder.get(name)
    return clean(value) if isinstance(value, str) else ""


def object_of(holder: JsonObject, name: str) -> JsonObject:
    """Return the object in field `name`, an empty one if there is none."""
    value = holder.get(name)
    return value if isinstance(value, dict) else {}


def objects_of(holder: JsonObject, name: str) -> list[JsonObject]:
    """Return the objects in the list in field `name`; whatever else it holds is left out."""
    value = holder.get(name)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def id_of(holder: JsonObject, name: str) -> int | None:
    """Return the id in field `name`, `None` if what is there is no number between 1 and `MAX_ID`."""
    value = holder.get(name)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= len(str(MAX_ID)):
        value = int(value)
    return value if type(value) is int and 0 < value <= MAX_ID else None


def moment_in(holder: JsonObject, name: str) -> datetime | None:
    """Return the time in field `name` in UTC, `None` if there is none of the years 1970 to 2999."""
    value = holder.get(name)
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return moment if moment.year in _YEARS else None


def describe(record: JsonObject) -> tuple[str, ...]:
    """Return a description, such as `[image: cat.png]`, of each thing that a message carries.

    What a forward, a poll or an embed says stands here and not in the text: those are not its author's words.
    """
    forwarded = object_of(record, "forwardedMessage")
    return (
        *_things(record),
        *([description_line("forwarded", text_of(forwarded, "content"))] if forwarded else []),
        *_things(forwarded),
    )


def _things(record: JsonObject) -> Iterator[str]:
    for attachment in objects_of(record, "attachments"):
        name = text_of(attachment, "fileName")
        yield description_line(kind_of_file(name), name)
    for sticker in objects_of(record, "stickers"):
        yield description_line("sticker", text_of(sticker, "name"))
    for embed in objects_of(record, "embeds"):
        # A bare picture or video that Discord shows for a link says nothing.
        if words := joined(text_of(embed, "title"), text_of(embed, "description")):
            yield description_line("embed", words)
    if poll := object_of(record, "poll"):
        answers = " / ".join(_words(answer) for answer in objects_of(poll, "answers"))
        yield description_line("poll", f"{_words(poll, 'question')} {answers}")


def _words(holder: JsonObject, name: str = "text") -> str:
    """Return the words in a field that holds either a text or an object with one."""
    return text_of(holder, name) or text_of(object_of(holder, name), "text")


_WRITTEN_BY_SOMEBODY: Final = frozenset(
    {"", "Default", "Reply", "ChatInputCommand", "ContextMenuCommand", "0", "19", "20", "23"}
)
"""Types of messages with an author; the exporter writes the number of a type that it has no name for.
Everything else, and whatever type is yet to come, is Discord's own announcement."""

_MAX_CHARACTERS: Final = 100_000
"""Many times what Discord allows, and little enough for five hundred of them to fit into one statement."""

_SHOWN_CHARACTERS: Final = 40
_NAMES_OF_ALL: Final = frozenset({"", "everyone", "here"})


@dataclass(frozen=True, slots=True)
class ArchivedMessage:
    """A message with its author and everybody whom it mentions."""

    message: Message
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class BrokenRecord:
    """A record that is no message: its id, else its place in the file, and what is wrong with it."""

    record: str
    reason: str

    def __str__(self) -> str:
        return f"{self.record} ({self.reason})"


def read_record(position: int, record: object, *, channel: Channel) -> ArchivedMessage | BrokenRecord:
    """Return what the record at `position`, counted from 1, says was said in `channel`."""
    place = f"record {position}"
    if not isinstance(record, dict):
        return BrokenRecord(place, "no message at all")
    message_id = id_of(record, "id")
    if message_id is None:
        return BrokenRecord(
            place, f"id {_shown(record['id'])} is no id" if record.get("id") is not None else "no id"
        )
    timestamp = moment_in(record, "timestamp")
    author = _member(object_of(record, "author"), guild_id=channel.guild_id)
    content = record.get("content")
    if timestamp is None:
        return BrokenRecord(str(message_id), f"timestamp {_shown(record.get('timestamp'))} is no time")
    if author is None:
        return BrokenRecord(str(message_id), "no author with an id")
    if not isinstance(content, str):
        return BrokenRecord(str(message_id), f"content {_shown(content)} is no text")
    if len(content) > _MAX_CHARACTERS:
        return BrokenRecord(
            str(message_id), f"content of {len(content)} characters is longer than any message"
        )
    mentioned = [
        member
        for mention in objects_of(record, "mentions")
        if (member := _member(mention, guild_id=channel.guild_id)) is not None
    ]
    message = Message(
        guild_id=channel.guild_id,
        channel_id=channel.channel_id,
        message_id=message_id,
        user_id=author.user_id,
        audience=channel.audience,
        kind=_kind(record, author),
        text=_with_mentions(clean(content), mentioned),
        attachments=describe(record),
        timestamp=timestamp,
        edited_at=moment_in(record, "timestampEdited"),
        reply_to_id=_reply_to_id(record),
        forwarded=_origin(record, guild_id=channel.guild_id),
    )
    return ArchivedMessage(message, (author, *mentioned))


def _kind(record: JsonObject, author: Member) -> MessageKind:
    kind = record.get("type")
    if isinstance(kind, (str, int)) and str(kind) not in _WRITTEN_BY_SOMEBODY:
        return MessageKind.SYSTEM
    return MessageKind.BOT if author.is_bot else MessageKind.MEMBER


def _reply_to_id(record: JsonObject) -> int | None:
    """Return what the message answers; a forward refers to its origin, but does not answer it."""
    return None if _is_forward(record) else id_of(object_of(record, "reference"), "messageId")


def _origin(record: JsonObject, *, guild_id: int) -> ForwardOrigin | None:
    """Return what the message forwards; without a guild in the record, it is from this guild."""
    reference = object_of(record, "reference")
    message_id = id_of(reference, "messageId")
    if message_id is None or not _is_forward(record):
        return None
    return ForwardOrigin(guild_id=id_of(reference, "guildId") or guild_id, message_id=message_id)


def _is_forward(record: JsonObject) -> bool:
    return "forwardedMessage" in record or text_of(object_of(record, "reference"), "type") == "Forward"


def _member(user: JsonObject, *, guild_id: int) -> Member | None:
    user_id = id_of(user, "id")
    if user_id is None:
        return None
    return Member(
        guild_id=guild_id,
        user_id=user_id,
        user_name=text_of(user, "name"),
        nickname=text_of(user, "nickname"),
        is_bot=user.get("isBot") is True,
    )


def _with_mentions(content: str, mentioned: Sequence[Member]) -> str:
    """Return `content` with `<@id>` for each `@Name` of somebody mentioned.

    A name that two of them share stays as it is: it would put words to the wrong one.
    """
    bearers: dict[str, set[int]] = {}
    for member in mentioned:
        bearers.setdefault(member.name, set()).add(member.user_id)
    for member in mentioned:
        # What people are called is what the exporter writes; a user name counts where nobody is called so.
        if not any(member.user_name == other.name for other in mentioned):
            bearers.setdefault(member.user_name, set()).add(member.user_id)
    ids = {
        name: min(user_ids)
        for name, user_ids in bearers.items()
        if len(user_ids) == 1 and name not in _NAMES_OF_ALL
    }
    content = NICKNAMED_MENTION.sub(r"<@\1>", content)
    if not ids:
        return content
    names = "|".join(re.escape(name) for name in sorted(ids, key=len, reverse=True))
    # Mentions may stand side by side, but `ann@anna.io` is none; possessive, so that no name makes it slow.
    together = re.compile(rf"(?<!\w)(?:@(?>{names}))++(?!\w)")
    one = re.compile(rf"@({names})")
    return together.sub(lambda run: one.sub(lambda found: mention_of(ids[found[1]]), run[0]), content)


def _shown(value: object) -> str:
    """Return a wrong value for a line of output: on one line, and short."""
    if isinstance(value, (dict, list)):
        return "that is a list" if isinstance(value, list) else "that is an object"
    shown = ascii(value)
    return shown if len(shown) <= _SHOWN_CHARACTERS else f"{shown[:_SHOWN_CHARACTERS]}..."
