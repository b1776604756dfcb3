"""What the router may have understood, as typed commands with resolved subjects. Each is checked against the words of
the message before it is carried out.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.chat.grounding import is_supported, like, named_in, namings, share
from bot.chat.router import BOT, Routed, RoutedFact, RouteGiven, RouteKind
from bot.chat.turn import Turn
from bot.core.domain import GUILD_SUBJECT, MAX_FACT_CHARACTERS, Fact, Message, MessageKind, mention_of
from bot.memory.members.subjects import with_mentions
from bot.text.bot_orders import asks_to_erase
from bot.text.commands import EraseMine, ForgetEverything, ForgetThis, Search
from bot.text.grammar.parser import is_question
from bot.text.grammar.understanding import starts_like_order
from bot.text.instructions import instructs
from bot.text.language_detection import COMMON_WORDS, words_of
from bot.text.orders import (
    Order,
    asks_to_list,
    content_of,
    is_foreign,
    may_order,
    may_order_abroad,
    means_last_write,
    orders,
    own_words,
    wants_nothing,
)
from bot.text.tokens import stems, telling_stems


@dataclass(frozen=True, slots=True)
class FactToKeep:
    """One thing to remember: its subject, its text in the third person with members as `<@id>`, and its message."""

    subject_id: int
    text: str
    said_in: Message
    """The message to the bot, or the one that it points at: whoever wrote that is the teller."""


@dataclass(frozen=True, slots=True)
class RememberFacts:
    """Remember these."""

    facts: tuple[FactToKeep, ...]


@dataclass(frozen=True, slots=True)
class ForgetMatching:
    """Forget what says `what`, in the words of the asker, among the facts about these subjects."""

    subject_ids: tuple[int, ...]
    what: str


@dataclass(frozen=True, slots=True)
class CorrectFact:
    """Replace the text of this fact by `text`, in the third person, about `subject_id`."""

    fact: Fact
    subject_id: int
    text: str


@dataclass(frozen=True, slots=True)
class TakeBackFacts:
    """Undo the writes of these facts."""

    fact_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AskAbout:
    """Answer `question` from what is known about these subjects, or from all that is visible if there are none."""

    subject_ids: tuple[int, ...]
    question: str


@dataclass(frozen=True, slots=True)
class InstructBot:
    """An attempt to rename the bot or to change its behaviour, which only its persona can."""


@dataclass(frozen=True, slots=True)
class Chat:
    """Reply; nothing is asked of the memory."""


@dataclass(frozen=True, slots=True)
class Silence:
    """Nothing that wants a reply."""


ModelCommand: TypeAlias = (
    RememberFacts
    | ForgetMatching
    | ForgetThis
    | ForgetEverything
    | CorrectFact
    | TakeBackFacts
    | AskAbout
    | Search
    | InstructBot
    | EraseMine
    | Chat
    | Silence
)


POINTED_AT: Final = 5
"""So many messages back "this" may mean when it is no reply."""


def may_be_order(turn: Turn) -> bool:
    """Tell whether any answer of a model about `turn` could come to a write, or to silence, by its words alone.

    It mirrors what `PROPOSALS` let through. Where it is false a model need not be asked: a reply is all there is.
    """
    if turn.parts and not turn.parts[0].sure:
        return True
    text = turn.text
    if is_question(text):
        return False
    points = turn.message.reply_to_id is not None
    return (
        may_order(text) or may_order_abroad(text, points=points) or asks_to_list(text) or wants_nothing(text)
    )


def may_correct_last_write(turn: Turn) -> bool:
    """Tell whether `turn` may correct what was written last: its words do, or it replies to the bot."""
    if is_question(turn.text):
        return False
    replies = turn.replied_to is not None and turn.replied_to.user_id == turn.bot_id
    return replies or orders(turn.text, Order.CORRECT)


def routed_command(routed: Routed, given: RouteGiven) -> ModelCommand:
    """Return what is to be carried out; what the model is unsure of, or must not do here, is `Chat`.

    Raises `ValueError` for ids that were not offered, which the check of the operation refuses before.
    """
    # Whoever is spoken to answers, unless it is quite clear that nobody wants that.
    if not routed.confident:
        return Chat()
    if routed.kind in _WRITES and is_question(given.text):
        return Chat()
    if routed.kind in _WRITES and asks_to_erase(given.text):
        # Whatever a model takes it for: what is asked about first is no other loss than the one that was meant.
        return EraseMine()
    return PROPOSALS[routed.kind](routed, given) or Chat()


def _remember(routed: Routed, given: RouteGiven) -> RememberFacts | InstructBot | None:
    kept_text = " ".join(fact.text for fact in routed.facts)
    if not (orders(given.text, Order.REMEMBER) or _orders_abroad(given, kept_text)):
        return None
    if routed.facts and all(fact.subject == BOT for fact in routed.facts):
        return None if _says_i(given) else InstructBot()
    kept = [_to_keep(fact, given) for fact in routed.facts]
    facts = tuple(fact for fact in kept if fact is not None)
    # "This" is one message: what is drawn from several is no answer to one order.
    elsewhere = {fact.said_in.message_id for fact in facts} - {given.message.message_id}
    if len(facts) < len(kept) or not facts or len(elsewhere) > 1:
        return None
    return RememberFacts(facts)


def _to_keep(routed: RoutedFact, given: RouteGiven) -> FactToKeep | None:
    # A fact is what an order says, and no order itself, in whatever language.
    if routed.subject is None or starts_like_order(routed.text) or instructs(routed.text):
        return None
    subject_id = given.subject(routed.subject)
    text = _about(subject_id, given.with_long_ids(routed.text), given)
    if subject_id == given.bot_id or len(text) > MAX_FACT_CHARACTERS:
        return None
    said_in = _where_it_was_said(subject_id, text, given, source=routed.source)
    if said_in is None or not _may_be_meant(subject_id, given, said_in):
        return None
    return FactToKeep(subject_id, text, said_in)


def _where_it_was_said(
    subject_id: int, text: str, given: RouteGiven, *, source: str | None
) -> Message | None:
    """Return the message that says `text`: the author's own, else the one that it points at, else `None`."""
    said = telling_stems(text) - stems("not")
    fact = said - namings(subject_id, given.members) or said
    own = content_of(given.text)
    if not fact:
        return None
    of_own = share(fact, own)
    # Whoever says something of their own orders that to be kept, and nothing that happens to stand near it.
    if not _only_points(own, given) and not like(fact, own):
        return None
    if 2 * of_own >= 1 and is_supported(fact, of_own):
        return given.message
    pointed = {message.message_id: message for message in _pointed_at(given)}
    if source is not None and given.messages.long(source) != given.message.message_id:
        pointed = {key: one for key, one in pointed.items() if key == given.messages.long(source)}
    by_share = [(share(fact, own | stems(own_words(one.text))), key) for key, one in pointed.items()]
    best, message_id = max(by_share, default=(0.0, 0))
    if best > of_own and is_supported(fact, best):
        return pointed[message_id]
    return given.message if is_supported(fact, of_own) else None


def _pointed_at(given: RouteGiven) -> Sequence[Message]:
    """Return the members' messages that "this" may mean; what the bot says is no source."""
    if given.message.reply_to_id is not None:
        before = [given.replied_to] if given.replied_to is not None else []
    else:
        before = [one for one in given.recent if one.kind is MessageKind.MEMBER][-POINTED_AT:]
    return [one for one in before if one.kind is MessageKind.MEMBER]


def _may_be_meant(subject_id: int, given: RouteGiven, said_in: Message) -> bool:
    """Tell whether the author may mean this member; who says "I" and names nobody means no other."""
    if subject_id in {GUILD_SUBJECT, given.message.user_id, said_in.user_id}:
        return True
    if subject_id in named_in(f"{own_words(given.text)}\n{said_in.text}", given.members):
        return True
    return not _says_i(given)


def _says_i(given: RouteGiven) -> bool:
    return any(word in tongue.me for word in words_of(own_words(given.text)) for tongue in COMMON_WORDS)


def _forget(routed: Routed, given: RouteGiven) -> ForgetMatching | ForgetThis | ForgetEverything | None:
    if not (orders(given.text, Order.FORGET) or _orders_abroad(given, routed.what)):
        return None
    subject_ids = tuple(dict.fromkeys(given.subject(short) for short in routed.subjects))
    if given.bot_id in subject_ids:
        return None
    if not all(_may_be_meant(subject_id, given, given.message) for subject_id in subject_ids):
        return None
    if routed.everything:
        one_member = len(subject_ids) == 1 and subject_ids[0] != GUILD_SUBJECT
        return ForgetEverything(mention_of(subject_ids[0])) if one_member else None
    own = content_of(given.text)
    if _only_points(own, given):
        return ForgetThis()
    what = given.with_long_ids(routed.what)
    if not like(telling_stems(what), own):
        return None
    return ForgetMatching(subject_ids or (given.message.user_id, GUILD_SUBJECT), what)


def _correct(routed: Routed, given: RouteGiven) -> CorrectFact | TakeBackFacts | None:
    wrong = _wrong(routed, given)
    if wrong is None:
        return None
    if routed.take_back:
        is_meant = orders(given.text, Order.FORGET) and _speaks_of(given, wrong)
        return TakeBackFacts((wrong.fact_id,)) if is_meant else None
    if not (orders(given.text, Order.CORRECT) or _replies_to_bot(given)):
        return None
    subject_id = wrong.subject_id if routed.new_subject is None else given.subject(routed.new_subject)
    if subject_id == given.bot_id or not (
        subject_id == wrong.subject_id or _may_be_meant(subject_id, given, given.message)
    ):
        return None
    moved = wrong.content.replace(mention_of(wrong.subject_id), mention_of(subject_id))
    text = _about(subject_id, given.with_long_ids(routed.value), given) if routed.value.strip() else moved
    says_more = telling_stems(text) - telling_stems(moved)
    if len(text) > MAX_FACT_CHARACTERS or instructs(text):
        return None
    if says_more and not is_supported(says_more, share(says_more, content_of(given.text))):
        return None
    return CorrectFact(wrong, subject_id, text)


def _orders_abroad(given: RouteGiven, text: str) -> bool:
    """Tell whether a message in a language that is not known here says more than `text`: then that is the order."""
    if not is_foreign(given.text) or not text.strip():
        return False
    own = content_of(given.text)
    return bool(own - like(own, telling_stems(given.with_long_ids(text))))


def _replies_to_bot(given: RouteGiven) -> bool:
    return given.replied_to is not None and given.replied_to.user_id == given.bot_id


def _wrong(routed: Routed, given: RouteGiven) -> Fact | None:
    """Return the fact that the author may correct: of their last write, told by them, or about them."""
    if routed.fact is not None:
        fact_id = given.memories.long(routed.fact)
        fact = next(one for one in given.facts if one.fact_id == fact_id)
        mine = given.message.user_id in {fact.author_id, fact.subject_id}
        return fact if mine or fact_id in given.last_written else None
    last = [one for one in given.facts if one.fact_id in given.last_written]
    return last[0] if len(last) == 1 else None


def _speaks_of(given: RouteGiven, fact: Fact) -> bool:
    """Tell whether `fact` says something of what the message does, or is of the last write, of which alone it speaks.

    "Undo that" speaks of the last write; "delete my messages" of nothing that is known.
    """
    own = content_of(given.text)
    fitting = {one.fact_id for one in given.facts if like(telling_stems(one.content), own)}
    return fact.fact_id in (fitting or (given.last_written if means_last_write(given.text) else ()))


def _ask(routed: Routed, given: RouteGiven) -> AskAbout | None:
    subject_ids = tuple(dict.fromkeys(given.subject(short) for short in routed.subjects))
    return (
        None if given.bot_id in subject_ids else AskAbout(subject_ids, given.with_long_ids(routed.question))
    )


def _search(routed: Routed, given: RouteGiven) -> Search:
    return Search(given.with_long_ids(routed.topic))


PROPOSALS: Final[Mapping[RouteKind, Callable[[Routed, RouteGiven], ModelCommand | None]]] = {
    "remember": _remember,
    "forget": _forget,
    "correct": _correct,
    "ask_memory": _ask,
    "search": _search,
    "chat": lambda *_: Chat(),
    "none": lambda _, given: Silence() if wants_nothing(given.text) else Chat(),
}
"""What comes of each kind; `None` is chat."""

_WRITES: Final[Collection[RouteKind]] = frozenset({"remember", "forget", "correct"})


def _about(subject_id: int, text: str, given: RouteGiven) -> str:
    """Return `text` with members as `<@id>`, among them the one whom it is about."""
    told = with_mentions(text, given.members)
    if subject_id == GUILD_SUBJECT or mention_of(subject_id) in told:
        return told
    return f"{mention_of(subject_id)}: {told}"


def _only_points(content: frozenset[str], given: RouteGiven) -> bool:
    """Tell whether a message says nothing of its own: "save that", "merk dir das über Bob", "note bien ça"."""
    named = frozenset().union(*(namings(member.user_id, given.members) for member in given.members))
    # In a reply one word may be of a kind that is not known here: "note ça direct".
    return len(content - like(content, named)) <= (0 if given.message.reply_to_id is None else 1)
