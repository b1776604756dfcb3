"""Notes of others about members who had all of theirs erased, in rooms that those could not read: managers decide."""

from dataclasses import dataclass

from bot.conversation.desk.visit import Said, Visit
from bot.conversation.texts import Catalogue, counted, say
from bot.conversation.turn import Doors
from bot.domain import mention_of


class WaitingText(Catalogue):
    """What is said to managers about such notes: English first, then Russian."""

    TITLE = (
        "These members had all that was kept of them erased. What others noted about them in closed channels that they "
        "could not read is still there, for you to decide on:",
        "Эти участники стёрли всё, что о них хранилось. Заметки других людей о них в закрытых для них каналах пока "
        "остались, решать вам:",
    )
    NOTHING = (
        "No notes about erased members are waiting.",
        "Заметок о стёртых участниках нет.",
    )
    LINE = ("{facts} about {name}, in {channels}", "{facts}: {name}, каналы: {channels}")
    FOR_MANAGERS = (
        "Only those who may manage this server decide on that; nothing was changed.",
        "Это решают только управляющие сервером; ничего не изменено.",
    )
    ERASED = (
        "Erased: {facts} about a member who had asked for it.",
        "Стёрто: {facts} об участнике, который об этом просил.",
    )
    ERASES_LATER = (
        "Not erased yet: {facts}. Somebody has been at work in the database since before; when that ends, they go by "
        "themselves.",
        "Ещё не стёрто: {facts}. Кто-то раньше начал работать с базой данных; когда это закончится, они сотрутся сами.",
    )
    KEPT = ("Kept: {facts} in closed channels.", "Оставлено: {facts} в закрытых каналах.")
    SETTLED_ALREADY = (
        "That is decided already; nothing was changed.",
        "Это уже решено; ничего не изменено.",
    )
    TOLD = (
        "A member had all that was kept of them erased. Notes of others about them in closed channels wait for "
        "somebody who may manage this server: /memory waiting.",
        "Участник стёр всё, что о нём хранилось. Заметки других людей о нём в закрытых каналах ждут решения "
        "управляющих сервером: /memory waiting.",
    )


@dataclass(frozen=True, slots=True)
class WaitingLine:
    """About whom notes wait."""

    user_id: int
    text: str


@dataclass(frozen=True, slots=True)
class WaitingNotes:
    """All that wait in a guild; without lines the title says that none do, or that they are not for the visitor."""

    title: str
    lines: tuple[WaitingLine, ...] = ()


async def listed(visit: Visit, doors: Doors) -> WaitingNotes:
    """Return about whom notes wait in the guild of the visit."""
    if refused := _refused(visit):
        return WaitingNotes(refused)
    found = await doors.memory.erasing.waiting(guild_id=visit.guild_id)
    if not found:
        return WaitingNotes(say(WaitingText.NOTHING, visit.language))
    lines = tuple(
        WaitingLine(
            one.user_id,
            say(
                WaitingText.LINE,
                visit.language,
                facts=counted(one.facts, "fact", visit.language),
                # Nobody here has their name any more; whoever shows this may still know it.
                name=mention_of(one.user_id),
                channels=", ".join(f"<#{channel_id}>" for channel_id in one.audiences),
            ),
        )
        for one in found
    )
    return WaitingNotes(say(WaitingText.TITLE, visit.language), lines)


async def settle(visit: Visit, user_id: int, doors: Doors, *, erase: bool) -> Said:
    """Erase or keep what waits about an erased member, and say how much that was."""
    if refused := _refused(visit):
        return Said(refused)
    found = await doors.memory.erasing.waiting(guild_id=visit.guild_id)
    facts = sum(one.facts for one in found if one.user_id == user_id)
    if not facts:
        return Said(say(WaitingText.SETTLED_ALREADY, visit.language))
    erased = await doors.memory.erasing.settle_waiting(guild_id=visit.guild_id, user_id=user_id, erase=erase)
    text = WaitingText.KEPT
    if erase:
        text = WaitingText.ERASES_LATER if erased.unfinished else WaitingText.ERASED
    return Said(say(text, visit.language, facts=counted(facts, "fact", visit.language)))


def _refused(visit: Visit) -> str | None:
    if visit.from_manager and not visit.direct:
        return None
    return say(WaitingText.FOR_MANAGERS, visit.language)
