"""The facade over all commands that members give by forms, menus and buttons."""

from collections.abc import Collection, Sequence
from typing import Final

from bot.chat.privacy import DataPractice, privacy_notice
from bot.chat.turn import MemoryAccess
from bot.chat.usecases import guild_settings, managing, showing, writing
from bot.chat.usecases.context import (
    FactChoice,
    FormReply,
    FormTurn,
    MemoryListing,
    RequestContext,
    ShownProfile,
    ShownSentence,
    ShownSetting,
    form_turn,
    replying_to,
)
from bot.chat.usecases.managing import ChannelSwitches
from bot.chat.usecases.own_rights import ForgettingUseCases, OwnRightsUseCases
from bot.chat.usecases.showing import EpisodeListing
from bot.core.clock import Clock
from bot.core.domain import GUILD_SUBJECT, AnswerMode, Channel, Guild
from bot.core.errors import DatabaseError
from bot.core.settings import Settings
from bot.llm.operation import Operations
from bot.memory.manager import MemoryManager
from bot.memory.members.directory import Directory
from bot.memory.policy.admission import clean
from bot.memory.recall.library import Library


class UseCases:
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
        self._doors = MemoryAccess(memory, directory, library)
        self._clock = clock
        self._settings = settings
        self._operations = operations
        self.own: Final = OwnRightsUseCases(self._doors, self._turn)
        self.forgotten: Final = ForgettingUseCases(self._doors, self._turn)

    async def show(self, visit: RequestContext, subject_id: int | None) -> MemoryListing:
        """Return what is known about a member, or about the guild itself (`None`)."""
        if visit.visitor:
            return MemoryListing(visit.say("form.for_members"))
        turn = await self._turn(visit)
        return await showing.show_memories(
            turn, GUILD_SUBJECT if subject_id is None else subject_id, self._doors
        )

    async def remember(self, visit: RequestContext, subject_id: int | None, text: str) -> FormReply:
        """Store `text` about a member, or about whom its own words name (`None`), as in "remember that ..."."""
        if visit.visitor:
            return self._for_members(visit)
        return await writing.remember_text(
            await self._turn(visit, clean(text)), subject_id, self._doors, self._operations
        )

    async def choices(
        self, visit: RequestContext, subject_id: int | None, typed: str, limit: int = 25
    ) -> list[FactChoice]:
        """Return `limit` facts at most that the visitor may have forgotten and that hold the words `typed`.

        They are about a member, or about the guild and the visitor (`None`).
        """
        if visit.visitor:
            return []
        subject_ids = [visit.user_id, GUILD_SUBJECT] if subject_id is None else [subject_id]
        return await showing.fact_choices(
            await self._turn(visit), subject_ids, typed, self._doors, limit=limit
        )

    async def forget(self, visit: RequestContext, fact_id: int) -> FormReply:
        """Forget a fact that may be seen here, for its teller, its subject and moderators."""
        if visit.visitor:
            return self._for_members(visit)
        return await writing.forget_fact(await self._turn(visit), fact_id, self._doors)

    async def remember_message(self, visit: RequestContext, message_id: int) -> FormReply:
        """Store what a message says about its writer, as "remember this" in reply to it does."""
        if visit.visitor:
            return self._for_members(visit)
        turn = await replying_to(await self._turn(visit), message_id, self._doors)
        return await writing.remember_message(turn, self._doors, self._operations)

    async def forget_message(self, visit: RequestContext, message_id: int) -> FormReply:
        """Forget what a message said or confirmed, as "forget this" in reply to it does."""
        if visit.visitor:
            return self._for_members(visit)
        turn = await replying_to(await self._turn(visit), message_id, self._doors)
        return await writing.forget_message(turn, self._doors)

    async def why(self, visit: RequestContext, message_id: int) -> MemoryListing:
        """Return what an answer of the bot's rests on, as "how do you know that?" in reply to it does."""
        if visit.visitor:
            return MemoryListing(visit.say("form.for_members"))
        return await showing.show_sources(
            await replying_to(await self._turn(visit), message_id, self._doors), self._doors
        )

    async def catch_up(self, visit: RequestContext, channel_id: int | None, since: str) -> MemoryListing:
        """Return what was said since the visitor's last message, or `since` a time such as "2 hours" or "Monday".

        With a channel only there; of closed channels only the one in which this is asked is told.
        """
        if visit.visitor:
            return MemoryListing(self._for_members(visit).text)
        return await showing.show_digest(await self._turn(visit), channel_id, clean(since), self._doors)

    async def disown(self, visit: RequestContext, fact_id: int) -> FormReply:
        """Forget that a fact that may be seen here is about the visitor: it was not them."""
        if visit.visitor:
            return self._for_members(visit)
        return await writing.disown_fact(await self._turn(visit), fact_id, self._doors)

    async def search(self, visit: RequestContext, words: str, limit: int = 50) -> MemoryListing:
        """Return at most `limit` messages, facts and episodes that `words` search for, the best first."""
        if visit.visitor:
            return MemoryListing(visit.say("form.for_members"))
        return await showing.search_memories(await self._turn(visit, clean(words)), self._doors, limit=limit)

    async def undo(
        self, visit: RequestContext, fact_ids: Sequence[int], *, asked_in: int | None = None
    ) -> FormReply:
        """Take back what was stored (`FormReply.undo_ids`), for teller, subject and moderators.

        `asked_in` is the interaction that stored it where the visitor is known to have given it.
        """
        if visit.visitor:
            return self._for_members(visit)
        return await writing.undo_writes(await self._turn(visit), fact_ids, self._doors, asked_in=asked_in)

    async def profile(self, visit: RequestContext) -> ShownProfile:
        """Return what was learned of the visitor, in a direct message in all guilds shared."""
        if visit.visitor:
            return ShownProfile(title=self._for_members(visit).text, sentences=(), state="")
        return await showing.show_profile(
            await self._turn(visit), self._doors, learns=self._settings.learning
        )

    async def sentences(self, visit: RequestContext, typed: str, limit: int = 25) -> list[ShownSentence]:
        """Return `limit` sentences at most of the visitor's profile that hold the words `typed`, cut to fit a list."""
        if visit.visitor:
            return []
        return await showing.sentence_choices(await self._turn(visit), typed, self._doors, limit=limit)

    async def delete_sentence(self, visit: RequestContext, sentence_id: str) -> FormReply:
        """Take a sentence out of the visitor's profile, for good."""
        if visit.visitor:
            return self._for_members(visit)
        return await showing.delete_sentence(await self._turn(visit), sentence_id, self._doors)

    async def switch_learning(self, visit: RequestContext, *, on: bool) -> FormReply:
        """Set whether anything is learned from what the visitor says."""
        if visit.visitor:
            return self._for_members(visit)
        return await showing.switch_learning(await self._turn(visit), self._doors, on=on)

    def refused_settings(self, visit: RequestContext) -> FormReply | None:
        """Return the sentence for whom the settings are not; `None` for a manager."""
        if visit.from_manager:
            return None
        return FormReply(visit.say("form.settings_for_managers"))

    async def settings(self, visit: RequestContext) -> tuple[ShownSetting, ...]:
        """Return the settings of the guild as they stand; none for whom they are not."""
        if not visit.from_manager:
            return ()
        return guild_settings.listed_settings(
            await self._guild(visit), visit.language, await self._doors.directory.text_searches()
        )

    async def change(self, visit: RequestContext, name: str, value: str) -> FormReply:
        """Put the setting `name` to `value` ("" is the default), for managers; a wrong value changes nothing."""
        return await managing.change_setting(
            visit,
            await self._guild(visit),
            name,
            value,
            directory=self._doors.directory,
            settings=self._settings,
        )

    async def preview(self, visit: RequestContext, persona: str) -> FormReply:
        """Return how a greeting of the bot's would read with `persona`, for managers."""
        refused = self.refused_settings(visit) or managing.wrong_persona(visit, persona)
        return refused or await managing.preview_persona(visit, persona, self._operations)

    async def channel(
        self, visit: RequestContext, *, hearing: bool | None = None, answering: AnswerMode | None = None
    ) -> FormReply:
        """Set, for managers, whether this channel is heard and when it is answered; say how that stands."""
        return await managing.change_channel(
            visit,
            await self._guild(visit),
            ChannelSwitches(hearing, answering),
            directory=self._doors.directory,
            now=self._clock.now(),
        )

    async def left_out(self, visit: RequestContext) -> Sequence[Channel]:
        """Return the channels in which nothing is kept, for managers."""
        return await managing.left_out_channels(visit, self._doors.directory)

    async def leave_out(self, visit: RequestContext, channel_ids: Collection[int]) -> FormReply:
        """Keep nothing in these channels, and in all others of those left out before again, for managers."""
        return await managing.leave_channels_out(visit, channel_ids, self._doors.directory)

    def refused_episodes(self, visit: RequestContext) -> FormReply | None:
        """Return the sentence for whom a channel's episodes are not; `None` for its moderators."""
        return showing.refused_episodes(visit)

    async def episodes(self, visit: RequestContext) -> EpisodeListing:
        """Return what conversations in this channel left behind, for moderators; to others the title says why not."""
        if refused := showing.refused_episodes(visit):
            return EpisodeListing(refused.text)
        return await showing.list_episodes(await self._turn(visit), self._doors)

    async def remove_episode(self, visit: RequestContext, episode_id: int) -> FormReply:
        """Remove one of them, for moderators."""
        refused = showing.refused_episodes(visit)
        return refused or await showing.remove_episode(await self._turn(visit), episode_id, self._doors)

    async def quiet(self, visit: RequestContext, duration: str) -> FormReply:
        """Answer nothing in this channel for a `duration` such as "1h", or again ("off"); for moderators."""
        return await managing.be_quiet(
            visit,
            await self._guild(visit),
            duration,
            directory=self._doors.directory,
            now=self._clock.now(),
        )

    async def help(self, visit: RequestContext) -> FormReply:
        """Return what can be asked of the bot."""
        return FormReply(visit.say("form.help"))

    async def privacy(self, visit: RequestContext) -> FormReply:
        """Return what is kept here, for how long, who sees it, and what can be done about it."""
        practice, guild = DataPractice.of(self._settings), await self._guild(visit)
        return FormReply(privacy_notice(guild, practice, bot_name=visit.bot_name, language=visit.language))

    def failed(self, visit: RequestContext, error: Exception) -> FormReply:
        """Return what is said when a command ended in `error`."""
        text = "chat.database_away" if isinstance(error, DatabaseError) else "chat.failed"
        return FormReply(visit.say(text))

    async def _turn(self, visit: RequestContext, text: str = "") -> FormTurn:
        guild = await self._guild(visit)
        return await form_turn(visit, guild, self._doors, now=self._clock.now(), text=text)

    async def _guild(self, visit: RequestContext) -> Guild:
        """Return the guild of the visit; one that is not known yet has the settings of a new one."""
        known = await self._doors.directory.guild(visit.guild_id)
        return known or Guild(
            guild_id=visit.guild_id, name="", direct=visit.direct, time_zone=self._settings.time_zone
        )

    @staticmethod
    def _for_members(visit: RequestContext) -> FormReply:
        return FormReply(visit.say("form.for_members"))
