"""Writes the data of a reply's prompt: the same scene gives the same text, byte for byte."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from markupsafe import Markup

from bot.conversation import names
from bot.conversation.claims import without_small_lines
from bot.conversation.names.mentions import SOMEONE
from bot.conversation.prompting import naming, shares
from bot.conversation.prompting.scene import KnownMember, Scene
from bot.conversation.prompting.shares import Room, cleaned, clipped, cost, in_turns
from bot.domain import Fact, Message
from bot.language import framing
from bot.language.local_ids import LocalIds
from bot.language.local_mentions import shortened

TAGS: Final = frozenset(
    "data you now channel server members member fact memory messages day message to_answer".split()
)
"""Every tag that the data may hold."""

YOU: Final = "you"
"""How the bot's own messages are signed."""

_WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WIDEST_ID: Final = "u99"
_NOBODY: Final = LocalIds("u")


@dataclass(frozen=True, slots=True)
class WrittenScene:
    """The data of a prompt, and whom its short ids mean."""

    data: Markup
    user_ids: LocalIds


def written(scene: Scene) -> WrittenScene:
    """Return `scene` as one element of at most `shares.DATA_TOKENS` tokens.

    What does not fit is cut in this order: facts about the guild, messages (the oldest first), the message
    replied to, memories (the least important first), members (the last first), persona. The message to answer
    is whole unless it alone exceeds all the room.
    """
    return _Writer(scene).written()


class _Writer:
    """What the sections of one prompt share: the room that is left, the names and the short ids."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._zone = ZoneInfo(scene.time_zone)
        self._room = Room(shares.DATA_TOKENS - shares.FRAME_TOKENS)
        self._bot_name = clipped(cleaned(scene.bot_name), shares.BOT_NAME_TOKENS)
        self._told_apart = naming.told_apart(scene.members, bot_name=scene.bot_name)
        self._called = {**scene.called, **self._told_apart, scene.bot_id: scene.bot_name}
        self._user_ids = LocalIds("u")
        self._message_ids = LocalIds("m")

    def written(self) -> WrittenScene:
        """Ask for room in the order in which the sections matter, and put them in the order in which they read."""
        now, channel, unnamed = self._now(), self._channel(), framing.tag("you", name=self._bot_name)
        self._room.take(cost(now) + cost(channel) + cost(unnamed))
        earlier = self._earlier()
        for message in (*earlier, self._scene.message):
            self._message_ids.short(message.message_id)
        text = self._text_to_answer({message.message_id for message in earlier})
        you = self._you()
        members = self._members()
        chosen = self._chosen(earlier)
        shown_ids = {message.message_id for message, _ in chosen}
        messages = self._messages(chosen, shown_ids)
        server = self._server()
        answered = framing.tag("to_answer", _block([self._to_answer(text, shown_ids)]))
        sections = (you, now, channel, server, members, messages, answered)
        data = framing.tag("data", _block(section for section in sections if section))
        return WrittenScene(data, self._user_ids)

    def _now(self) -> Markup:
        now = self._scene.now.astimezone(self._zone)
        return framing.tag(
            "now",
            now.isoformat(timespec="minutes"),
            weekday=_WEEKDAYS[now.weekday()],
            time_zone=self._scene.time_zone,
        )

    def _channel(self) -> Markup:
        name = clipped(cleaned(self._scene.channel_name), shares.CHANNEL_TOKENS)
        return framing.tag("channel", name) if name else framing.tag("channel", "a direct message")

    def _you(self) -> Markup:
        room = self._room.share(shares.PERSONA_TOKENS)
        persona = clipped(cleaned(self._scene.persona), room)
        you = framing.tag("you", persona, name=self._bot_name)
        self._room.take(cost(you) - cost(framing.tag("you", name=self._bot_name)))
        return you

    def _text_to_answer(self, earlier_ids: set[int]) -> str:
        """Return the text of the message to answer, for which every other section makes room.

        No member has a short id yet, so it is measured with its author's name, which takes more than the id.
        """
        # One token more than the frame costs: the text begins inside a token that the frame has begun.
        room = self._room.left - cost(self._to_answer("", earlier_ids)) - 1
        text = clipped(self._text(self._scene.message), room)
        self._room.take(cost(self._to_answer(text, earlier_ids)))
        return text

    def _to_answer(self, text: str, shown_ids: set[int]) -> Markup:
        message = self._scene.message
        return self._dated([self._message(message, text, shown_ids)], message.timestamp)

    def _members(self) -> Markup | None:
        listed = self._listed()
        memories = self._memories(listed)
        if not listed:
            return None
        elements = [
            self._member(known, told, self._user_ids.short(known.member.user_id))
            for known, told in zip(listed, memories, strict=True)
        ]
        return framing.tag("members", _block(elements))

    def _listed(self) -> list[KnownMember]:
        """Return the members that there is room for; these alone get a short id."""
        room = self._room.share(shares.MEMBERS_TOKENS)
        listed = []
        for known in self._scene.members:
            taken = cost(self._member(known, (), _WIDEST_ID)) + 1
            if taken > room:
                break
            room -= taken
            self._room.take(taken)
            self._user_ids.short(known.member.user_id)
            listed.append(known)
        return listed

    def _memories(self, listed: Sequence[KnownMember]) -> list[list[Markup]]:
        """Return what is told of each member; everybody's most important memory comes before anybody's second."""
        room = self._room.share(shares.MEMORIES_TOKENS)
        rooms = [shares.MEMORY_TOKENS] * len(listed)
        told: list[list[Markup]] = [[] for _ in listed]
        for number, piece in in_turns([self._told(known) for known in listed]):
            if cost(piece) <= min(room, rooms[number]):
                room -= cost(piece)
                rooms[number] -= cost(piece)
                self._room.take(cost(piece))
                told[number].append(piece)
        return told

    def _told(self, known: KnownMember) -> list[Markup]:
        facts = [self._fact(fact) for fact in known.facts]
        if not known.memory:
            return facts
        text = clipped(self._named(known.memory), shares.MEMORY_TOKENS - cost(framing.tag("memory")))
        return [framing.tag("memory", text), *facts]

    def _member(self, known: KnownMember, told: Sequence[Markup], short_id: str) -> Markup:
        called = self._told_apart[known.member.user_id]
        others = clipped(naming.other_names(known.member, called=called), shares.ALSO_KNOWN_TOKENS)
        return framing.tag(
            "member",
            *([_block(told)] if told else []),
            id=short_id,
            name=called,
            also_known_as=others or None,
            pronouns=clipped(cleaned(known.pronouns), shares.NAME_TOKENS) or None,
            is_bot="yes" if known.member.is_bot else None,
        )

    def _fact(self, fact: Fact) -> Markup:
        teller = self._person("teller", fact.author_id) if fact.author_id != fact.subject_id else {}
        return framing.tag("fact", self._named(fact.content), date=self._day(fact.said_at), **teller)

    def _server(self) -> Markup | None:
        room = self._room.share(shares.SERVER_TOKENS)
        told = []
        for fact in self._scene.server_facts:
            piece = self._fact(fact)
            if cost(piece) <= room:
                room -= cost(piece)
                told.append(piece)
        return framing.tag("server", _block(told)) if told else None

    def _earlier(self) -> list[Message]:
        """Return the messages before the one to answer, oldest first, the one replied to among them."""
        scene = self._scene
        said = {
            message.message_id: message
            for message in (*scene.messages, *scene.chain, scene.replied_to)
            if message
        }
        said.pop(scene.message.message_id, None)
        return [
            message for _, message in sorted(said.items()) if message.withheld is None and self._text(message)
        ]

    def _messages(self, chosen: Sequence[tuple[Message, str]], shown_ids: set[int]) -> Markup | None:
        days: dict[str, list[Markup]] = {}
        for message, text in chosen:
            days.setdefault(self._day(message.timestamp), []).append(self._message(message, text, shown_ids))
        elements = [framing.tag("day", _block(said), date=day) for day, said in days.items()]
        return framing.tag("messages", _block(elements)) if elements else None

    def _chosen(self, earlier: Sequence[Message]) -> list[tuple[Message, str]]:
        """Return the messages that there is room for with their texts.

        The one replied to comes first, then the replies above it, as many as are no crowd, then the newest.
        """
        every_id = {message.message_id for message in earlier}
        replied_to, above = self._scene.replied_to, {message.message_id for message in self._scene.chain}
        first = [one for one in earlier if replied_to and one.message_id == replied_to.message_id]
        chain = [one for one in reversed(earlier) if one.message_id in above and one not in first]
        newest = [one for one in reversed(earlier) if one not in first and one not in chain]
        left = self._room.share(shares.MESSAGES_TOKENS)
        chosen: list[tuple[Message, str]] = []
        for messages, longest, share in (
            (first, shares.REPLIED_TOKENS, left),
            (chain, shares.MESSAGE_TOKENS, shares.CHAIN_TOKENS),
            (newest, shares.MESSAGE_TOKENS, left),
        ):
            room = min(share, left)
            for message in messages:
                text = clipped(self._text(message), min(longest, room))
                # Counted as if it opened a day of its own and quoted another: it may take less, never more.
                taken = cost(self._dated([self._message(message, text, every_id)], message.timestamp))
                if not text or taken > room:
                    break
                room -= taken
                left -= taken
                self._room.take(taken)
                chosen.append((message, text))
        return sorted(chosen, key=lambda one: one[0].message_id)

    def _message(self, message: Message, text: str, shown_ids: set[int]) -> Markup:
        replied = message.reply_to_id
        return framing.tag(
            "message",
            text,
            id=self._message_ids.short(message.message_id),
            reply_to=self._message_ids.short(replied) if replied in shown_ids and replied else None,
            time=message.timestamp.astimezone(self._zone).strftime("%H:%M"),
            **self._person("author", message.user_id),
        )

    def _dated(self, said: Iterable[Markup], moment: datetime) -> Markup:
        return framing.tag("day", _block(said), date=self._day(moment))

    def _person(self, role: str, user_id: int) -> dict[str, str]:
        """Return the attribute that says who somebody is: a short id of a member, else a name, never mixed up."""
        if user_id == self._scene.bot_id:
            return {role: YOU}
        if user_id in self._user_ids:
            return {role: self._user_ids.short(user_id)}
        name = cleaned(self._called.get(user_id, SOMEONE))
        return {f"{role}_name": clipped(name, shares.NAME_TOKENS)}

    def _text(self, message: Message) -> str:
        text = without_small_lines(message.text) if message.user_id == self._scene.bot_id else message.text
        return self._named("\n".join(part for part in (text, *message.attachments) if part.strip()))

    def _named(self, text: str) -> str:
        # Once names are in, no mention is left; what is taken apart is an id such as @u3 that somebody typed.
        return cleaned(shortened(names.rendered(text, self._called), _NOBODY))

    def _day(self, moment: datetime) -> str:
        return moment.astimezone(self._zone).date().isoformat()


def _block(items: Iterable[Markup]) -> Markup:
    """Return `items` on lines of their own."""
    return framing.lines([Markup(""), *items, Markup("")])
