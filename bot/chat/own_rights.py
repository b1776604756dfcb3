"""Carries out what members decide about their own data, in words or by slash commands: opting out and in, privacy,
categories, export and erasure.
"""

import asyncio
import io
import zipfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeAlias

from bot.chat.incoming import MOST_BYTES, PrivateFile, Route
from bot.chat.turn import MemoryAccess, Turn
from bot.core.domain import OPEN
from bot.core.errors import ExportTooLargeError
from bot.memory.outbox.answers import WrittenAnswer
from bot.memory.outbox.circumstances import OpenQuestion
from bot.memory.policy.consent import KeptCategory, MemberConsent
from bot.memory.rights.consent import CATEGORIES
from bot.memory.rights.erasing.batches import Erased
from bot.text.commands import ChooseCategory
from bot.text.sentences import Key


@dataclass(frozen=True, slots=True)
class GuildChoice:
    """One of several guilds that may be meant; `EVERYWHERE` is all of them and the direct messages."""

    guild_id: int
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRightsAnswer:
    """What is said, and what is to be decided still."""

    text: str
    places: tuple[GuildChoice, ...] = ()
    """Where it may be meant; nothing was done until one is chosen."""
    erasable_in: tuple[int, ...] = ()
    """The guilds in which all that is kept of the asker is erased once they agree."""
    file: PrivateFile | None = None
    """What to give to the asker alone."""


EVERYWHERE: Final = 0
"""In the place of a guild: all that asker and bot share, and their direct messages."""

_MOST_CHOICES: Final = 24
"""Guilds to choose from, beside all of them; Discord shows 25 lines of a list."""

Fits: TypeAlias = Callable[[int], Awaitable[bool]]
"""Tells whether a command would change anything in a guild."""


def is_direct(turn: Turn) -> bool:
    """Tell whether `turn` is in a direct message."""
    return bool(turn.view.own_guild_ids) or (turn.guild is not None and turn.guild.direct)


async def command_guilds(
    turn: Turn, access: MemoryAccess, *, fits: Fits | None = None
) -> tuple[int, ...] | OwnRightsAnswer:
    """Return the guilds in which a command of `turn` holds, or the question which one of several is meant.

    A direct message itself is one of them where no single guild was chosen.
    """
    here = turn.message.guild_id
    if not is_direct(turn):
        return (here,)
    shared = turn.view.own_guild_ids
    if EVERYWHERE in turn.within:
        return (*shared, here)
    if settled := tuple(guild_id for guild_id in turn.within if guild_id in {*shared, here}):
        return settled
    fitting = [guild_id for guild_id in shared if fits is None or await fits(guild_id)]
    if len(fitting) < 2:
        return (*(fitting or shared), here)
    named = [
        GuildChoice(guild_id, await _name(guild_id, turn, access)) for guild_id in fitting[:_MOST_CHOICES]
    ]
    everywhere = GuildChoice(EVERYWHERE, turn.say("rights.all_places"))
    return OwnRightsAnswer(text=turn.say("rights.which_place"), places=(*named, everywhere))


async def guild_names(guild_ids: Sequence[int], turn: Turn, access: MemoryAccess) -> str:
    """Return how these guilds are named in a sentence: "on this server"."""
    here = turn.message.guild_id
    others = [guild_id for guild_id in guild_ids if guild_id != here]
    if not is_direct(turn):
        return turn.say("rights.here")
    if not others:
        return turn.say("rights.in_private")
    if len(others) > 1:
        return turn.say("rights.everywhere")
    text = "rights.on_server_and_here" if here in guild_ids else "rights.on_server"
    return turn.say(text, name=await _name(others[0], turn, access))


async def audiences_in_guild(guild_id: int, turn: Turn) -> Sequence[int] | None:
    """Return the audiences of a guild that the asker can read; `None` is all of them, as in their direct messages."""
    is_here = guild_id == turn.message.guild_id
    if is_here and is_direct(turn):
        return None
    seen = {*turn.view.audiences, *({turn.message.audience} - {OPEN})} if is_here else {OPEN}
    if turn.reads is None:
        return sorted(seen)
    return sorted({*await turn.reads(guild_id), *(seen if is_here else ())})


async def _name(guild_id: int, turn: Turn, access: MemoryAccess) -> str:
    guild = await access.directory.guild(guild_id)
    return guild.name if guild is not None and guild.name else turn.say("rights.nameless")


async def stop_remembering(turn: Turn, access: MemoryAccess) -> OwnRightsAnswer:
    """Keep nothing of the asker from now on, and offer to erase what there is."""
    return await _switched(
        turn,
        access,
        changes=lambda consent: not consent.opted_out,
        switch=access.memory.consent.opt_out,
        done="rights.stopped",
        already="rights.stopped_already",
        offers_erasing=True,
    )


async def remember_again(turn: Turn, access: MemoryAccess) -> OwnRightsAnswer:
    """Remember the asker as everybody else, or for the first time where that has to be agreed to."""
    return await _switched(
        turn,
        access,
        changes=lambda consent: consent.absent,
        switch=access.memory.consent.opt_in,
        done="rights.on_again",
        already="rights.on_already",
    )


async def be_private(turn: Turn, access: MemoryAccess, *, private: bool) -> OwnRightsAnswer:
    """Stop or resume telling others about the asker."""
    said = "rights.private" if private else "rights.not_private"
    return await _switched(
        turn,
        access,
        changes=lambda consent: consent.private != private,
        switch=partial(access.memory.consent.set_private, private=private),
        done=said,
        already=said,
    )


async def _switched(
    turn: Turn,
    access: MemoryAccess,
    *,
    changes: Callable[[MemberConsent], bool],
    switch: Callable[..., Awaitable[object]],
    done: Key,
    already: Key,
    offers_erasing: bool = False,
) -> OwnRightsAnswer:
    """Switch what is kept of the asker where that is meant, and say whether it changed anything."""
    user_id = turn.message.user_id

    async def fits(guild_id: int) -> bool:
        return changes(await access.memory.consent.of(guild_id=guild_id, user_id=user_id))

    places = await command_guilds(turn, access, fits=fits)
    if isinstance(places, OwnRightsAnswer):
        return places
    is_new = False
    for guild_id in places:
        is_new = await fits(guild_id) or is_new
        await switch(guild_id=guild_id, user_id=user_id)
    where = await guild_names(places, turn, access)
    text = turn.say(done, where=where) if is_new else turn.say(already, where=where)
    erasable_in = places if offers_erasing else ()
    return OwnRightsAnswer(text=text, erasable_in=erasable_in)


MOST_DAYS: Final = 36_500
"""A hundred years: whoever wants more wants them kept as everything else."""


async def _tell_categories(turn: Turn, access: MemoryAccess) -> OwnRightsAnswer:
    """Say of each kind of memory whether and for how long it is kept of the asker."""
    places = await command_guilds(turn, access)
    if isinstance(places, OwnRightsAnswer):
        return places
    guild_id = places[0]
    standing = await access.memory.consent.of(guild_id=guild_id, user_id=turn.message.user_id)
    where = await guild_names([guild_id], turn, access)
    lines = [turn.say("rights.categories", where=where)]
    lines += [
        turn.say(
            "rights.category",
            category=turn.say(f"category.{category}"),
            choice=_choice(turn, standing.kept_categories.get(category)),
        )
        for category in CATEGORIES
    ]
    if standing.absent:
        lines.append(turn.say("rights.categories_absent", where=where))
    return OwnRightsAnswer(text="\n".join(lines))


async def choose_categories(
    turn: Turn, access: MemoryAccess, commands: Sequence[ChooseCategory] = ()
) -> OwnRightsAnswer:
    """Keep kinds of memory about the asker from now on as they choose; without a choice, tell how that stands.

    A wrong choice changes nothing.
    """
    if not commands:
        return await _tell_categories(turn, access)
    if refused := next(filter(None, (_refused(turn, command) for command in commands)), None):
        return OwnRightsAnswer(text=refused)
    places = await command_guilds(turn, access)
    if isinstance(places, OwnRightsAnswer):
        return places
    for guild_id in places:
        for command in commands:
            await access.memory.consent.keep_category(
                guild_id=guild_id,
                user_id=turn.message.user_id,
                category=command.category,
                kept=command.kept,
                days=command.days if command.kept else None,
            )
    where = await guild_names(places, turn, access)
    return OwnRightsAnswer(text="\n".join(_chosen(turn, command, where) for command in commands))


def _refused(turn: Turn, command: ChooseCategory) -> str | None:
    if command.category not in CATEGORIES:
        names = ", ".join(CATEGORIES)
        return turn.say("rights.wrong_category", value=command.category[:60], names=names)
    if command.days is not None and not 1 <= command.days <= MOST_DAYS:
        return turn.say("rights.wrong_days", value=command.days, most=MOST_DAYS)
    return None


def _chosen(turn: Turn, command: ChooseCategory, where: str) -> str:
    category = turn.say(f"category.{command.category}")
    if not command.kept:
        return turn.say("rights.category_not_kept", category=category, where=where)
    if command.days is None:
        return turn.say("rights.category_kept", category=category, where=where)
    days = turn.say("count.days", count=command.days)
    return turn.say("rights.category_kept_for", category=category, where=where, days=days)


def _choice(turn: Turn, chosen: KeptCategory | None) -> str:
    if chosen is None or (chosen.kept and chosen.days is None):
        return turn.say("rights.is_kept")
    if not chosen.kept or chosen.days is None:
        return turn.say("rights.is_not_kept")
    return turn.say("rights.is_kept_for", days=turn.say("count.days", count=chosen.days))


async def ask_to_erase(turn: Turn, access: MemoryAccess) -> OwnRightsAnswer:
    """Say what would go, for the asker to agree; nothing is erased."""
    places = await command_guilds(turn, access)
    if isinstance(places, OwnRightsAnswer):
        return places
    found = Erased()
    for guild_id in places:
        found += await access.memory.erasing.counted(
            guild_id=guild_id,
            user_id=turn.message.user_id,
            audiences=await audiences_in_guild(guild_id, turn),
        )
    where = await guild_names(places, turn, access)
    if not found:
        return OwnRightsAnswer(text=turn.say("rights.nothing_to_erase", where=where))
    text = turn.say("rights.erases", where=where, counts=erased_text(found, turn))
    return OwnRightsAnswer(text=text, erasable_in=places)


async def erase_own(turn: Turn, access: MemoryAccess, *, opt_out: bool = False) -> OwnRightsAnswer:
    """Erase it, and say what went or must wait; with `opt_out` nothing of the asker is kept from then on either."""
    places = await command_guilds(turn, access)
    if isinstance(places, OwnRightsAnswer):
        return places
    taken = Erased()
    user_id = turn.message.user_id
    # What can be read is looked up before anything of the asker is gone.
    reach = {guild_id: await audiences_in_guild(guild_id, turn) for guild_id in places}
    where = await guild_names(places, turn, access)
    for guild_id, audiences in reach.items():
        taken += await access.memory.erasing.erase_member(
            guild_id=guild_id, user_id=user_id, audiences=audiences, opted_out=opt_out
        )
    lines: list[str] = []
    if gone := replace(taken, unfinished=0):
        lines.append(turn.say("rights.erased", where=where, counts=erased_text(gone, turn)))
    if taken.unfinished:
        lines.append(turn.say("rights.erasing_waits"))
    if not taken:
        lines.append(turn.say("rights.erased_nothing_more", where=where))
    if opt_out:
        lines.append(turn.say("rights.erased_and_off"))
    return OwnRightsAnswer(text=" ".join(lines))


def erased_text(erased: Erased, turn: Turn) -> str:
    """Return what goes or went in words, such as "3 messages of yours, 2 facts about you".

    How many notes of others in rooms that the asker cannot read there are is not for them to know.
    """
    parts = [
        (erased.messages, "rights.own_messages"),
        (erased.facts, "rights.facts"),
        (erased.profiles, "rights.learned"),
        (erased.texts + erased.episodes, "rights.summaries"),
        (erased.mentions, "rights.mentions"),
        (erased.answers, "rights.answers"),
    ]
    said = [
        turn.say(
            text,
            number=number,
            messages=turn.say("count.messages", count=number),
            facts=turn.say("count.facts", count=number),
        )
        for number, text in parts
        if number
    ]
    return ", ".join(said) or turn.say("rights.erases_all")


_BYTES_IN_A_MEGABYTE: Final = 1_048_576


async def export_own(turn: Turn, access: MemoryAccess, *, most_bytes: int = MOST_BYTES) -> OwnRightsAnswer:
    """Return a file of what is kept about the asker, packed where it is larger than `most_bytes` or more than one."""
    places = await command_guilds(turn, access)
    if isinstance(places, OwnRightsAnswer):
        return places
    day = turn.day(turn.message.timestamp)
    try:
        files = [
            PrivateFile(f"memory-{guild_id}-{day}.json", await _of_guild(guild_id, turn, access))
            for guild_id in places
        ]
    except ExportTooLargeError as error:
        return _too_large(turn, error.allowed_bytes)
    file = await asyncio.to_thread(packed, files, f"memory-{day}", most_bytes=most_bytes)
    if len(file.content) > most_bytes:
        return _too_large(turn, len(file.content))
    where = await guild_names(places, turn, access)
    return OwnRightsAnswer(text=turn.say("rights.exported", where=where), file=file)


async def _of_guild(guild_id: int, turn: Turn, access: MemoryAccess) -> bytes:
    return await access.memory.exporting.export(
        guild_id=guild_id, user_id=turn.message.user_id, audiences=await audiences_in_guild(guild_id, turn)
    )


def _too_large(turn: Turn, size_bytes: int) -> OwnRightsAnswer:
    megabytes = size_bytes // _BYTES_IN_A_MEGABYTE
    return OwnRightsAnswer(text=turn.say("rights.export_too_large", megabytes=megabytes))


def packed(files: Sequence[PrivateFile], name: str, *, most_bytes: int) -> PrivateFile:
    """Return the one file as it is if it has at most `most_bytes`, else an archive called `name` of them all."""
    if len(files) == 1 and len(files[0].content) <= most_bytes:
        return PrivateFile(f"{name}.json", files[0].content)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as into:
        for file in files:
            into.writestr(file.name, file.content)
    return PrivateFile(f"{name}.zip", archive.getvalue())


async def hand_over(turn: Turn, access: MemoryAccess) -> OwnRightsAnswer:
    """Send the asker their file in private, and say whether that went well."""
    if turn.hand_over is None:
        return OwnRightsAnswer(text=turn.say("rights.export_not_sent"))
    answer = await export_own(turn, access)
    if answer.file is None:
        return answer
    arrived = await turn.hand_over(answer.file)
    return OwnRightsAnswer(text=turn.say("rights.export_sent" if arrived else "rights.export_not_sent"))


async def in_words(
    turn: Turn, answering: Awaitable[OwnRightsAnswer], *, offer: Key | None = None
) -> WrittenAnswer:
    """Return an answer in words, with the question that it leaves open; `offer` says what "yes" would do then."""
    answer = await answering
    text, question = answer.text, None
    if offer is not None and answer.erasable_in:
        text = f"{text} {turn.say(offer)}"
    if answer.places:
        numbered = (f"{number}. {place.label}" for number, place in enumerate(answer.places, start=1))
        text = "\n".join([f"{text} {turn.say('rights.answer_number')}", *numbered])
        question = OpenQuestion(text=turn.text, guilds=tuple(place.guild_id for place in answer.places))
    elif answer.erasable_in:
        # In whatever words it was asked, "yes" must find a command that is sure.
        question = OpenQuestion(text=turn.say("rights.erase_command"), within=answer.erasable_in)
    return WrittenAnswer(route=Route.OWN_RIGHTS, parts=(text,), question=question)
