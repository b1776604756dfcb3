"""What prompts about members have in common: short ids, how messages and members are shown, and the check of
a text that comes back.
"""

from abc import ABC, abstractmethod
from collections.abc import Container, Iterable, Mapping
from functools import cached_property

from markupsafe import Markup

from bot.core.domain import Member, Message, MessageKind
from bot.llm import framing
from bot.llm.framing import LocalIds, lengthened, mentioned_in, shortened


class MemberInput(ABC):
    """What an operation is given that tells of members: the base of its input."""

    @property
    @abstractmethod
    def users(self) -> LocalIds:
        """The short ids of the members that the prompt offers."""

    @property
    @abstractmethod
    def wrote(self) -> Iterable[str]:
        """All that people wrote: a word that stands there is no short id."""

    @cached_property
    def known(self) -> str:
        """All that people wrote, as the prompt has it."""
        return shortened("\n".join(self.wrote), self.users)

    def with_ids(self, text: str) -> str:
        """Return `text` of a model with members as `<@id>`; raises `ValueError` for members that were not offered."""
        if strangers := [one for one in mentioned_in(text) if one not in self.users]:
            raise ValueError(f"{strangers[0]} is no id of this prompt: write members as they stand there")
        return lengthened(text, self.users, known=self.known)

    def check(self, text: str, *, longest: int, name: str = "the text") -> None:
        """Raise `ValueError` for a text that is empty, longer than `longest`, or names who was not offered."""
        if not text.strip():
            raise ValueError(f"{name} is empty")
        if len(text) > longest:
            raise ValueError(f"{name} has {len(text)} characters: {longest} at most")
        self.with_ids(text)


def mentions(texts: Iterable[str], *, among: Container[int]) -> list[int]:
    """Return those of these members whom `texts` mention, in order."""
    return [user_id for text in texts for user_id in mentioned_in(text) if user_id in among]


def words_of(message: Message, *, most: int) -> str:
    """Return the text and the attachments of a message; of what is longer than `most` characters its beginning."""
    words = " ".join(one[:most] for one in (message.text, *message.attachments))
    return words if len(message.text) <= most else f"{words}…"


def member_tag(
    users: LocalIds,
    members: Mapping[int, Member],
    user_id: int,
    kind: MessageKind | None = None,
    *,
    also_known_as: str | None = None,
) -> Markup:
    """Return the tag that says who a short id is; `kind` is of what they said, if that is not a member's."""
    return framing.tag(
        "member",
        id=users.short(user_id),
        name=members[user_id].name if user_id in members else None,
        also_known_as=also_known_as,
        kind=None if kind is MessageKind.MEMBER else kind,
    )
