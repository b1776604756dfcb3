"""Show by form: facts and their sources, search results, digests, profiles and episodes."""

from collections.abc import Sequence
from typing import Final

from bot.chat import asking
from bot.chat.asking import profile_guild_ids
from bot.chat.digest import content_of, left_out, may_tell_of, missed_by, moment_of, title_of
from bot.chat.disclosure import Memory, disclosure_of, origin_of, place_line
from bot.chat.dispatch import handler_of
from bot.chat.own_rights import guild_names
from bot.chat.privacy import DataPractice
from bot.chat.reply import ReplyContext
from bot.chat.searching import find_memories, marked_memory, result_header, retold_memory
from bot.chat.sources import retold_message, sources_of
from bot.chat.usecases.context import (
    Choice,
    ChoiceListing,
    FormAccess,
    FormReply,
    FormTurn,
    MemoryLine,
    MemoryListing,
    replying_to,
)
from bot.core.domain import GUILD_SUBJECT, Fact, FactStatus, mention_of
from bot.memory.facts.places import RememberedPlace
from bot.memory.policy.admission import clean
from bot.memory.policy.permissions import may_forget
from bot.memory.profiles.profiles import ProfileChange
from bot.text.commands import Command

LONGEST_LABEL: Final = 100
"""Characters that Discord shows of one suggestion."""

MOST_CHOICES: Final = 25
"""What Discord shows of suggestions."""

_MOST_FOUND: Final = 50


async def show_memories(turn: FormTurn, access: FormAccess, subject_id: int) -> MemoryListing:
    """Return what may be seen about a member or the guild; with no facts the title says so, and what they last said."""
    if subject_id == turn.bot_id:
        return MemoryListing(turn.say("chat.about_the_bot"))
    await access.noticed(turn.message)
    tact = await disclosure_of(turn, access)
    known = await asking.known_about(turn, tact, subject_id, access)
    if not known:
        answer = await asking.ask_about(turn, [subject_id], "", access)
        return MemoryListing(await turn.named("\n".join(answer.parts)) if answer is not None else "")
    title = (
        turn.say("chat.known_about_guild")
        if subject_id == GUILD_SUBJECT
        else turn.say("chat.known_about", name=mention_of(subject_id))
    )
    lately = await asking.lately_of(turn, tact, subject_id, access)
    written = await asking.written_by(turn, subject_id, access) if subject_id != GUILD_SUBJECT else []
    below = [*((turn.say("chat.lately"), lately) if lately else ()), *written]
    profile = await asking.profile_of(turn, subject_id, access)
    full = await _told_full(turn, access, known, subject_id)
    lines = _lines(turn, known, await asking.told_places(turn, tact, subject_id, access))
    await turn.known.meet_mentioned(title, *below, profile, full, *(told for _, told in lines))
    return MemoryListing(
        turn.rendered(title),
        await lines_of(turn, lines),
        lately=turn.rendered("\n".join(below)),
        profile=turn.rendered(f"{turn.say('chat.learned')}\n{profile}") if profile else "",
        full=turn.rendered(full),
    )


async def _told_full(turn: FormTurn, access: FormAccess, known: Sequence[Fact], subject_id: int) -> str:
    """Return that the asker's memory is full and what could go; nothing where it is not, or about anybody else."""
    if subject_id != turn.message.user_id:
        return ""
    could_go = await access.memory.bounds.could_go(guild_id=turn.message.guild_id, subject_id=subject_id)
    by_id = {fact.fact_id: fact for fact in known}
    lines = [turn.told(by_id[fact_id]) for fact_id in could_go if fact_id in by_id]
    return "\n".join([turn.say("form.memory_full"), *lines]) if lines else ""


async def answer_in_words(turn: FormTurn, access: FormAccess, command: Command) -> FormReply:
    """Return what is answered to a command in words, given with all that it takes; only for one that only answers."""
    practice = DataPractice.of(access.settings)
    context = ReplyContext(access.operations, turn.message.timestamp, practice)
    answer = await handler_of(command).carry_out(turn, command, access, context)
    return FormReply(await turn.named("\n".join(answer.parts)))


async def show_sources(turn: FormTurn, access: FormAccess, message_id: int) -> MemoryListing:
    """Return what an answer of the bot's rests on, as far as it may be seen here."""
    turn = await replying_to(turn, message_id, access)
    sources = None if turn.replied_to is None else await sources_of(turn, turn.replied_to, access)
    if sources is None:
        return MemoryListing(turn.say("chat.why_no_answer"))
    if not sources:
        return MemoryListing(turn.say("chat.rests_on_nothing"))
    told: list[tuple[Memory, str]] = [
        *((fact, turn.content_of(fact)) for fact in sources.facts),
        *((message, retold_message(turn, message)) for message in sources.messages),
        *((episode, marked_memory(turn, episode)) for episode in sources.episodes),
    ]
    return MemoryListing(turn.say("chat.rests_on_this"), await lines_of(turn, told))


async def fact_choices(
    turn: FormTurn, access: FormAccess, subject_id: int | None, typed: str, limit: int = MOST_CHOICES
) -> list[Choice]:
    """Return facts that the visitor may have forgotten and that hold all words `typed`.

    They are about a member, or about the guild and the visitor (`None`).
    """
    subject_ids = [turn.message.user_id, GUILD_SUBJECT] if subject_id is None else [subject_id]
    tact = await disclosure_of(turn, access)
    known = tact.facts(
        await access.library.facts_about_each(subject_ids, turn.view, asker_id=turn.message.user_id)
    )
    wanted = typed.casefold().split()
    await turn.known.meet_mentioned(*map(turn.content_of, known))
    found: list[Choice] = []
    for fact in known:
        if len(found) == limit:
            break
        if not may_forget(turn.guild, fact, user_id=turn.message.user_id, from_moderator=turn.from_moderator):
            continue
        label = f"[{turn.day(fact.said_at)}] {' '.join(turn.rendered(turn.content_of(fact)).split())}"
        if all(word in label.casefold() for word in wanted):
            found.append(Choice(str(fact.fact_id), clipped(label)))
    return found


def _lines(
    turn: FormTurn, known: Sequence[Fact], places: Sequence[RememberedPlace]
) -> list[tuple[Memory, str]]:
    """Return the facts, then the places, each with what is told of it."""
    told_below = {place.fact.key for place in places}
    facts = [(fact, turn.content_of(fact)) for fact in known if fact.key not in told_below]
    below = [(place.fact, place_line(place, turn.language)) for place in places]
    return [*facts, *below]


async def lines_of(turn: FormTurn, told: Sequence[tuple[Memory, str]]) -> tuple[MemoryLine, ...]:
    """Return memories as they are shown, with what is told of each."""
    await turn.known.meet_mentioned(*(text for _, text in told))
    return tuple(_line_of(turn, memory, text) for memory, text in told)


def _line_of(turn: FormTurn, memory: Memory, told: str) -> MemoryLine:
    origin = origin_of(memory)
    fact = memory if isinstance(memory, Fact) else None
    holds = fact is not None and fact.status is FactStatus.ACTIVE
    return MemoryLine(
        text=turn.rendered(told),
        said_at=origin.at,
        fact_id=fact.fact_id if fact is not None else 0,
        guild_id=memory.guild_id,
        channel_id=origin.channel_id,
        message_id=origin.message_id,
        is_forgettable=holds,
        may_forget=fact is not None
        and holds
        and may_forget(turn.guild, fact, user_id=turn.message.user_id, from_moderator=turn.from_moderator),
        is_own=fact is not None and holds and fact.subject_id == turn.message.user_id,
    )


def clipped(label: str) -> str:
    """Return `label` cut to what Discord shows of one suggestion."""
    return label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1].rstrip() + "…"


async def search_memories(
    turn: FormTurn, access: FormAccess, words: str, limit: int = _MOST_FOUND
) -> MemoryListing:
    """Return at most `limit` messages, facts and episodes that `words` search for, the best first."""
    topic = " ".join(clean(words).split())
    turn = await turn.saying(clean(words))
    if not topic:
        return MemoryListing(turn.say("form.search_what"))
    result = await find_memories(turn, topic, access, limit=limit)
    lines = await lines_of(turn, [(one, retold_memory(turn, result, one)) for one in result.memories])
    return MemoryListing(await turn.named(result_header(turn, result)), lines)


async def show_digest(
    turn: FormTurn, access: FormAccess, channel_id: int | None, since: str
) -> MemoryListing:
    """Return what was said since the asker's last message, or `since` a time such as "2 hours" or "Monday".

    With a channel only there and in its threads, if it may be told of where this is asked.
    """
    since = clean(since)
    if turn.direct:
        return MemoryListing(turn.say("chat.missed_in_private"))
    if channel_id is not None and not await may_tell_of(turn, channel_id, access):
        return MemoryListing(turn.say("form.channel_stays_closed"))
    moment = moment_of(turn, since) if since else None
    if since and moment is None:
        return MemoryListing(turn.say("form.wrong_since", value=since))
    missed = await missed_by(turn, access, channel_id=channel_id, since=moment)
    lines = await lines_of(turn, [(told.begins, content_of(turn, missed, told)) for told in missed.told])
    lately = left_out(turn, missed) if missed.not_told else ""
    return MemoryListing(title_of(turn, missed, moment), lines, lately=lately, by_minute=True)


async def show_profile(turn: FormTurn, access: FormAccess) -> ChoiceListing:
    """Return what was learned of the visitor, in a direct message in all guilds shared, and whether more is."""
    guild_ids, user_id = profile_guild_ids(turn), turn.message.user_id
    found = await access.memory.profiles.sentences(guild_ids=guild_ids, user_id=user_id)
    wanted = await access.memory.profiles.is_learned_about(guild_ids=guild_ids, user_id=user_id)
    changes = await access.memory.profiles.changes(guild_ids=guild_ids, user_id=user_id)
    told = [await _told_change(turn, access, change) for change in changes]
    title = "form.profile" if found else "form.no_profile"
    state = "form.learning_is_on" if wanted else "form.learning_is_off"
    await turn.known.meet_mentioned(*(one.text for one in found))
    return ChoiceListing(
        turn.say(title),
        tuple(Choice(one.sentence_id, turn.rendered(one.text)) for one in found),
        "\n".join([*told, turn.say(state if access.settings.learning else "form.nothing_is_learned")]),
    )


_MOST_CHANGED: Final = 3
"""Sentences of a change that are named; of more it is said how many."""


async def _told_change(turn: FormTurn, access: FormAccess, change: ProfileChange) -> str:
    """Return when a profile was last told anew, and what changed then."""
    said = {"day": turn.day(change.learned_at), "where": await guild_names([change.guild_id], turn, access)}
    if change.is_first:
        return turn.say("form.profile_told", **said)
    if not (change.added or change.gone):
        return turn.say("form.profile_unchanged", **said)
    await turn.known.meet_mentioned(*change.added, *change.gone)
    lines = [turn.say("form.profile_told", **said)]
    if change.added:
        lines.append(turn.say("form.profile_added", sentences=_quoted(turn, change.added)))
    if change.gone:
        lines.append(turn.say("form.profile_gone", sentences=_quoted(turn, change.gone)))
    return "\n".join(lines)


def _quoted(turn: FormTurn, sentences: Sequence[str]) -> str:
    """Return sentences one after the other, cut short."""
    quoted = " ".join(clipped(" ".join(turn.rendered(one).split())) for one in sentences[:_MOST_CHANGED])
    return quoted if len(sentences) <= _MOST_CHANGED else f"{quoted} (+{len(sentences) - _MOST_CHANGED})"


async def sentence_choices(
    turn: FormTurn, access: FormAccess, typed: str, limit: int = MOST_CHOICES
) -> list[Choice]:
    """Return the sentences of the visitor's profile that hold all words `typed`, short enough for a list."""
    found = await access.memory.profiles.sentences(
        guild_ids=profile_guild_ids(turn), user_id=turn.message.user_id
    )
    wanted = typed.casefold().split()
    await turn.known.meet_mentioned(*(one.text for one in found))
    offered = [Choice(one.sentence_id, clipped(" ".join(turn.rendered(one.text).split()))) for one in found]
    return [one for one in offered if all(word in one.text.casefold() for word in wanted)][:limit]


async def delete_sentence(turn: FormTurn, access: FormAccess, sentence_id: str) -> FormReply:
    """Take a sentence out of the visitor's profile, for good, wherever it stands in it."""
    deleted = [
        await access.memory.profiles.delete_sentence(
            guild_id=guild_id, user_id=turn.message.user_id, sentence=sentence_id
        )
        for guild_id in profile_guild_ids(turn)
    ]
    text = "form.sentence_deleted" if any(deleted) else "form.no_sentence"
    return FormReply(turn.say(text))


async def switch_learning(turn: FormTurn, access: FormAccess, *, on: bool) -> FormReply:
    """Set whether anything is learned from what the visitor says."""
    switched = [
        await access.memory.profiles.switch(guild_id=guild_id, user_id=turn.message.user_id, on=on)
        for guild_id in profile_guild_ids(turn)
    ]
    if not any(switched):
        return FormReply(turn.say("form.not_heard_yet"))
    return FormReply(turn.say("form.learning_on" if on else "form.learning_off"))


async def list_episodes(turn: FormTurn, access: FormAccess) -> ChoiceListing:
    """Return the episodes of the channel of `turn`, as far as they may be seen there."""
    found = await access.memory.episodes.of_channel(
        guild_id=turn.message.guild_id, channel_id=turn.message.channel_id, audiences=turn.view.audiences
    )
    told = (await disclosure_of(turn, access)).episodes(found)
    await turn.known.meet_mentioned(*(one.content for one in told))
    title = "form.episodes" if told else "form.no_episodes"
    return ChoiceListing(
        turn.say(title),
        tuple(
            Choice(str(episode.episode_id), turn.rendered(episode.content), episode.created_at)
            for episode in told
        ),
    )


async def remove_episode(turn: FormTurn, access: FormAccess, episode_id: int) -> FormReply:
    """Remove an episode of the channel of `turn`, and say whether one went."""
    removed = await access.memory.episodes.remove(
        guild_id=turn.message.guild_id,
        channel_id=turn.message.channel_id,
        episode_id=episode_id,
        audiences=turn.view.audiences,
    )
    return FormReply(turn.say("form.episode_removed" if removed else "form.episode_gone"))
