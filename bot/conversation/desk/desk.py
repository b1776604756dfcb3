"""The desk: what members ask of the memory by forms, menus and buttons rather than in words."""

from collections.abc import Collection, Sequence
from typing import Final

from bot.choices import Answering
from bot.clock import Clock
from bot.conversation.desk import (
    catching_up,
    changing,
    episodes,
    leaving_out,
    previewing,
    profile,
    searching,
    showing,
    writing,
)
from bot.conversation.desk import settings as guild_settings
from bot.conversation.desk.changing import Switches
from bot.conversation.desk.episodes import LeftBehind
from bot.conversation.desk.forgotten import ForgottenDesk
from bot.conversation.desk.form_turn import FormTurn, replying, turn_of
from bot.conversation.desk.own import OwnDesk
from bot.conversation.desk.texts import DeskText
from bot.conversation.desk.visit import Choice, Said, Sentence, Setting, Shown, ShownProfile, Visit
from bot.conversation.practice import Practice
from bot.conversation.privacy import privacy
from bot.conversation.texts import Text, say
from bot.conversation.texts import say as say_in_words
from bot.conversation.turn import Doors
from bot.domain import GUILD_SUBJECT, Channel, Guild
from bot.errors import DatabaseError
from bot.language.operation import Operations
from bot.memory.directory import Directory
from bot.memory.library import Library
from bot.memory.manager import MemoryManager
from bot.memory.storable import clean
from bot.settings import Settings


class Desk:
    """Answers forms. Everything goes by what may be seen where the visitor is and by what they may do.

    A visitor who lacks the base role gets one sentence in the place of memories; switches and settings are
    open to managers all the same, since they may have to set that very role. What is said was done is done.
    Every method may raise `DatabaseError`, for which `failed` has the sentence.
    """

    def __init__(
        self,
        memory: MemoryManager,
        directory: Directory,
        library: Library,
        clock: Clock,
        settings: Settings,
        operations: Operations,
    ) -> None:
        self._doors = Doors(memory, directory, library)
        self._clock = clock
        self._settings = settings
        self._operations = operations
        self.own: Final = OwnDesk(self._doors, self._turn)
        self.forgotten: Final = ForgottenDesk(self._doors, self._turn)

    async def show(self, visit: Visit, subject_id: int | None) -> Shown:
        """Return what is known about a member, or about the guild itself (`None`)."""
        if visit.visitor:
            return Shown(say(DeskText.FOR_MEMBERS, visit.language))
        turn = await self._turn(visit)
        return await showing.show(turn, GUILD_SUBJECT if subject_id is None else subject_id, self._doors)

    async def remember(self, visit: Visit, subject_id: int | None, text: str) -> Said:
        """Store `text` about a member, or about whom its own words name (`None`), as in "remember that ..."."""
        if visit.visitor:
            return self._for_members(visit)
        return await writing.remember(
            await self._turn(visit, clean(text)), subject_id, self._doors, self._operations
        )

    async def choices(
        self, visit: Visit, subject_id: int | None, typed: str, limit: int = 25
    ) -> list[Choice]:
        """Return `limit` facts at most that the visitor may have forgotten and that hold the words `typed`.

        They are about a member, or about the guild and the visitor (`None`).
        """
        if visit.visitor:
            return []
        subject_ids = [visit.user_id, GUILD_SUBJECT] if subject_id is None else [subject_id]
        return await showing.choices(await self._turn(visit), subject_ids, typed, self._doors, limit=limit)

    async def forget(self, visit: Visit, fact_id: int) -> Said:
        """Forget a fact that may be seen here, for its teller, its subject and moderators."""
        if visit.visitor:
            return self._for_members(visit)
        return await writing.forget(await self._turn(visit), fact_id, self._doors)

    async def remember_message(self, visit: Visit, message_id: int) -> Said:
        """Store what a message says about its writer, as "remember this" in reply to it does."""
        if visit.visitor:
            return self._for_members(visit)
        turn = await replying(await self._turn(visit), message_id, self._doors)
        return await writing.remember_message(turn, self._doors, self._operations)

    async def forget_message(self, visit: Visit, message_id: int) -> Said:
        """Forget what a message said or confirmed, as "forget this" in reply to it does."""
        if visit.visitor:
            return self._for_members(visit)
        turn = await replying(await self._turn(visit), message_id, self._doors)
        return await writing.forget_message(turn, self._doors)

    async def why(self, visit: Visit, message_id: int) -> Shown:
        """Return what an answer of the bot's rests on, as "how do you know that?" in reply to it does."""
        if visit.visitor:
            return Shown(say(DeskText.FOR_MEMBERS, visit.language))
        return await showing.why(
            await replying(await self._turn(visit), message_id, self._doors), self._doors
        )

    async def catch_up(self, visit: Visit, channel_id: int | None, since: str) -> Shown:
        """Return what was said since the visitor's last message, or `since` a time such as "2 hours" or "Monday".

        With a channel only there; of closed channels only the one in which this is asked is told.
        """
        if visit.visitor:
            return Shown(self._for_members(visit).text)
        return await catching_up.catch_up(await self._turn(visit), channel_id, clean(since), self._doors)

    async def disown(self, visit: Visit, fact_id: int) -> Said:
        """Forget that a fact that may be seen here is about the visitor: it was not them."""
        if visit.visitor:
            return self._for_members(visit)
        return await writing.disown(await self._turn(visit), fact_id, self._doors)

    async def search(self, visit: Visit, words: str, limit: int = 50) -> Shown:
        """Return at most `limit` messages, facts and episodes that `words` search for, the best first."""
        if visit.visitor:
            return Shown(say(DeskText.FOR_MEMBERS, visit.language))
        return await searching.search(await self._turn(visit, clean(words)), self._doors, limit=limit)

    async def undo(self, visit: Visit, fact_ids: Sequence[int], *, asked_in: int | None = None) -> Said:
        """Take back what was stored (`Said.undo_ids`), for teller, subject and moderators.

        `asked_in` is the interaction that stored it where the visitor is known to have given it.
        """
        if visit.visitor:
            return self._for_members(visit)
        return await writing.undo(await self._turn(visit), fact_ids, self._doors, asked_in=asked_in)

    async def profile(self, visit: Visit) -> ShownProfile:
        """Return what was learned of the visitor, in a direct message in all guilds shared."""
        if visit.visitor:
            return ShownProfile(title=self._for_members(visit).text, sentences=(), state="")
        return await profile.show(await self._turn(visit), self._doors, learns=self._settings.learning)

    async def sentences(self, visit: Visit, typed: str, limit: int = 25) -> list[Sentence]:
        """Return `limit` sentences at most of the visitor's profile that hold the words `typed`, cut to fit a list."""
        if visit.visitor:
            return []
        return await profile.choices(await self._turn(visit), typed, self._doors, limit=limit)

    async def delete_sentence(self, visit: Visit, sentence_id: str) -> Said:
        """Take a sentence out of the visitor's profile, for good."""
        if visit.visitor:
            return self._for_members(visit)
        return await profile.delete(await self._turn(visit), sentence_id, self._doors)

    async def switch_learning(self, visit: Visit, *, on: bool) -> Said:
        """Set whether anything is learned from what the visitor says."""
        if visit.visitor:
            return self._for_members(visit)
        return await profile.switch(await self._turn(visit), self._doors, on=on)

    def refused_settings(self, visit: Visit) -> Said | None:
        """Return the sentence for whom the settings are not; `None` for a manager."""
        if visit.from_manager:
            return None
        return Said(say(DeskText.SETTINGS_FOR_MANAGERS, visit.language))

    async def settings(self, visit: Visit) -> tuple[Setting, ...]:
        """Return the settings of the guild as they stand; none for whom they are not."""
        if not visit.from_manager:
            return ()
        return guild_settings.listed(
            await self._guild(visit), visit.language, await self._doors.directory.text_searches()
        )

    async def change(self, visit: Visit, name: str, value: str) -> Said:
        """Put the setting `name` to `value` ("" is the default), for managers; a wrong value changes nothing."""
        return await changing.change_setting(
            visit,
            await self._guild(visit),
            name,
            value,
            directory=self._doors.directory,
            settings=self._settings,
        )

    async def preview(self, visit: Visit, persona: str) -> Said:
        """Return how a greeting of the bot's would read with `persona`, for managers."""
        refused = self.refused_settings(visit) or changing.wrong_persona(visit, persona)
        return refused or await previewing.preview(visit, persona, self._operations)

    async def channel(
        self, visit: Visit, *, hearing: bool | None = None, answering: Answering | None = None
    ) -> Said:
        """Set, for managers, whether this channel is heard and when it is answered; say how that stands."""
        return await changing.change_channel(
            visit,
            await self._guild(visit),
            Switches(hearing, answering),
            directory=self._doors.directory,
            now=self._clock.now(),
        )

    async def left_out(self, visit: Visit) -> Sequence[Channel]:
        """Return the channels in which nothing is kept, for managers."""
        return await leaving_out.left_out(visit, self._doors.directory)

    async def leave_out(self, visit: Visit, channel_ids: Collection[int]) -> Said:
        """Keep nothing in these channels, and in all others of those left out before again, for managers."""
        return await leaving_out.leave_out(visit, channel_ids, self._doors.directory)

    def refused_episodes(self, visit: Visit) -> Said | None:
        """Return the sentence for whom a channel's episodes are not; `None` for its moderators."""
        return episodes.refused(visit)

    async def episodes(self, visit: Visit) -> LeftBehind:
        """Return what conversations in this channel left behind, for moderators; to others the title says why not."""
        if refused := episodes.refused(visit):
            return LeftBehind(refused.text)
        return await episodes.listed(await self._turn(visit), self._doors)

    async def remove_episode(self, visit: Visit, episode_id: int) -> Said:
        """Remove one of them, for moderators."""
        refused = episodes.refused(visit)
        return refused or await episodes.remove(await self._turn(visit), episode_id, self._doors)

    async def quiet(self, visit: Visit, duration: str) -> Said:
        """Answer nothing in this channel for a `duration` such as "1h", or again ("off"); for moderators."""
        return await changing.be_quiet(
            visit,
            await self._guild(visit),
            duration,
            directory=self._doors.directory,
            now=self._clock.now(),
        )

    async def help(self, visit: Visit) -> Said:
        """Return what can be asked of the bot."""
        return Said(say(DeskText.HELP, visit.language, bot=visit.bot_name))

    async def privacy(self, visit: Visit) -> Said:
        """Return what is kept here, for how long, who sees it, and what can be done about it."""
        practice, guild = Practice.of(self._settings), await self._guild(visit)
        return Said(privacy(guild, practice, bot_name=visit.bot_name, language=visit.language))

    def failed(self, visit: Visit, error: Exception) -> Said:
        """Return what is said when a command ended in `error`."""
        text = Text.DATABASE_AWAY if isinstance(error, DatabaseError) else Text.FAILED
        return Said(say_in_words(text, visit.language))

    async def _turn(self, visit: Visit, text: str = "") -> FormTurn:
        guild = await self._guild(visit)
        return await turn_of(visit, guild, self._doors, now=self._clock.now(), text=text)

    async def _guild(self, visit: Visit) -> Guild:
        """Return the guild of the visit; one that is not known yet has the settings of a new one."""
        known = await self._doors.directory.guild(visit.guild_id)
        return known or Guild(
            guild_id=visit.guild_id, name="", direct=visit.direct, time_zone=self._settings.time_zone
        )

    @staticmethod
    def _for_members(visit: Visit) -> Said:
        return Said(say(DeskText.FOR_MEMBERS, visit.language))
