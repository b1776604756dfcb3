"""What members can ask to have forgotten as a set, as types; other commands are beside."""

from dataclasses import dataclass


class ForgetSet:
    """A set that is shown and asked about before it goes."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class ForgetKind(ForgetSet):
    """As in "forget my birthday", "forget Bob's preferences": what is known of one kind about `about`."""

    kind: str
    """As written; `bot.conversation.grammar.fact_kinds` knows what it means."""
    about: str


@dataclass(frozen=True, slots=True)
class ForgetSaid(ForgetSet):
    """As in "forget everything in this channel since Monday": messages, with all that rests on them."""

    mine: bool = False
    """What the asker said, and nobody else."""
    here: bool = False
    """In the channel in which it is asked."""
    since: str | None = None
    """From when on, as written."""
