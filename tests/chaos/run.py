"""One run of a script: played with or without faults, settled, and what is left of it."""

import asyncio
import time
from dataclasses import dataclass, replace
from typing import Final

from bot.db.pool import Database
from tests.chaos import kept
from tests.chaos.cluster import Cluster
from tests.chaos.comparing import Answer, Left, Violation, violations
from tests.chaos.script import Script, last_questions
from tests.chaos.stage import Stage
from tests.chaos.upkeep import Upkeep
from tests.chaos.weather import Coming, Fault, Weather
from tests.leaks.canaries import canaries_in
from tests.servers.discord.server import DiscordServer

_LOOK_AGAIN_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long is waited for all to be settled; real seconds."""

    seconds: float
    """So long nothing may change any more before what is wrong is taken to stay so, however busy the machine."""
    steady_seconds: float = 6.0
    """So long nothing may change any more, with nothing wrong, before it is taken for the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A run that is over."""

    left: Left
    wrong: list[Violation]
    happened: dict[Fault, int]
    starts: int
    lines: list[str]
    seconds: float


async def played(
    script: Script,
    cluster: Cluster,
    coming: list[Coming],
    *,
    leaps_at: int | None,
    patience: Patience,
    calm: Left | None = None,
) -> Played:
    """Play `script` under what is `coming`, wait until all is settled or patience ends, and judge it.

    `leaps_at` is the act before which Discord's clock moves on, if it does.
    """
    began = time.monotonic()
    async with cluster.database() as dsn, DiscordServer() as server:
        if leaps_at is not None:
            Weather.put_clock_back(server)
        stage = Stage.on(server)
        upkeep = Upkeep(server, dsn)
        weather = Weather(stage, upkeep, cluster, dsn, coming, script.commands.keys(), leaps_at)
        upkeep.begin()
        await stage.connected()
        try:
            await stage.play(script, weather.on_act)
            await weather.over()
            database = await Database.open(dsn)
            try:
                look = _Look(script, stage, weather, database)
                left = await look.settled(patience, calm)
                last = {
                    (one.guild, one.who): look.names.text(await stage.ask(one)) for one in last_questions()
                }
                left = replace(left, last=last)
            finally:
                await database.close()
        finally:
            await upkeep.end()
        wrong = violations(script, left, calm)
        wrong += [Violation(kind="different", told=f"the bot: {one}") for one in upkeep.deaths]
        wrong += [Violation(kind="different", told=f"Discord knows no {one}") for one in server.unexpected]
        return Played(
            left=left,
            wrong=wrong,
            happened=dict(weather.happened),
            starts=upkeep.starts,
            lines=upkeep.lines,
            seconds=time.monotonic() - began,
        )


class _Look:
    """Looks at what is left, again and again."""

    def __init__(self, script: Script, stage: Stage, weather: Weather, database: Database) -> None:
        self._script = script
        self._stage = stage
        self._weather = weather
        self._database = database
        self.names = kept.Names(stage)

    async def settled(self, patience: Patience, calm: Left | None) -> Left:
        """Return what is left once nothing is wrong with it and nothing changes any more, or patience has ended."""
        left = await self._left()
        steady_since = time.monotonic()
        while True:
            await asyncio.sleep(_LOOK_AGAIN_SECONDS)
            before, left = left, await self._left()
            now = time.monotonic()
            if left != before:
                steady_since = now
            steady_for = now - steady_since
            if steady_for >= patience.seconds:
                return left
            if steady_for >= patience.steady_seconds and not self._wrong(left, calm):
                return left

    def _wrong(self, left: Left, calm: Left | None) -> list[Violation]:
        return violations(self._script, left, None if calm is None else replace(calm, last={}))

    async def _left(self) -> Left:
        said = {
            number: None if message.deleted else message.text for number, message in self._stage.said.items()
        }
        answers: dict[int, list[Answer]] = {}
        unasked = []
        for sent in self._stage.sent:
            if sent.message.channel is self._stage.server.direct(self._stage.server.world.owner):
                # What troubles the bot is told to its owner, and asked for by nobody.
                continue
            number = self.names.acts.get(sent.message.reply_to_id or 0)
            if number is None or number not in self._script.commands:
                unasked.append(sent.message.text)
                continue
            text = sent.message.text
            answer = Answer(
                text=self.names.text(text),
                words=frozenset(canaries_in(text)),
                after_act=sent.after_act,
                edited_after_act=self._stage.happened_by(sent.message.edited_at),
            )
            answers.setdefault(number, []).append(answer)
        return Left(
            said=said,
            ids={number: message.message_id for number, message in self._stage.said.items()},
            rows=await kept.rows(self._database, self.names),
            facts=await kept.facts(self._database, self.names),
            answers=answers,
            unasked=unasked,
            kept_answers=await kept.answered(self._database, self.names),
            revived=await kept.revived(self._database, self._script.ended),
            late=frozenset(self._weather.late),
            leaps_at=self._weather.leaps_at,
        )
