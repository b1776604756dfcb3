"""Whatever is told of names, and whoever takes, changes and gives them up, in whatever order.

What is kept of a name is its bearer's alone, once there is one, in the room where it was told; and nothing comes back
that they had forgotten or erased.
"""

import json
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from typing import Final

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.app import Keepsake
from bot.core.clock import SetClock
from bot.core.domain import GUILD_SUBJECT, OPEN, Guild, Member, mention_of
from bot.db.pool import Connection, Database
from bot.memory.facts.statements import Note
from bot.memory.members.names import names_borne, spelling_of
from tests.chat.guild import GUILD_ID as TALKING_ID
from tests.chat.guild import MODS, TalkingGuild
from tests.chat.guild import NAMES as TALKERS
from tests.memory.facts.test_about import untrue

ALICE, BOB, ROOM = 11, 12, 77
PEOPLE: Final = (601, 602, 603)
NAMES: Final = ("dave", "May", "Hope", "Роза", "Zoë")
"""Some are words, one is declined, one has an accent."""

SPELT: Final = {"dave": "Dave", "May": "may", "Hope": "HOPE", "Роза": "роза", "Zoë": "Zoe"}
SAYS: Final = {
    "dave": "dave keeps {} for dave's aunt",
    "May": "May met {} in May",
    "Hope": "Hope hopes that hope helps {}",
    "Роза": "у Розы есть {}, это не роза",
    "Zoë": "Zoë keeps {}",
}
WRITTEN: Final = {"Роза": "Розы"}

_GUILDS = count(50_000)


@dataclass(frozen=True)
class Told:
    """Something was remembered of a name."""

    name: str
    teller_id: int
    audience: int


@dataclass
class Life:
    """A guild while all this happens, and what must be true of it."""

    keepsake: Keepsake
    database: Database
    clock: SetClock
    guild_id: int
    members: dict[int, Member] = field(default_factory=dict)
    told: dict[str, Told] = field(default_factory=dict)
    """By a word that nothing else says."""
    gone: set[str] = field(default_factory=set)
    """What was forgotten or erased."""
    called: dict[str, set[int]] = field(default_factory=dict)
    """Who was ever called so, by their account or a nickname."""
    away: set[int] = field(default_factory=set)
    """Who opted out."""
    bore: dict[int, set[str]] = field(default_factory=dict)
    """What each was ever called by their account."""

    async def tell(self, name: str, teller_id: int, audience: int) -> None:
        word = f"quokka{len(self.told)}x"
        self.told[word] = Told(name, teller_id, audience)
        self.clock.advance(timedelta(seconds=1))
        number = len(self.told)
        note = Note(
            guild_id=self.guild_id,
            subject_id=GUILD_SUBJECT,
            author_id=teller_id,
            speaker_id=teller_id,
            audience=audience,
            statement=SAYS[name].format(word),
            cause=f"m:{number}",
            channel_id=ROOM,
            message_id=number,
            said_at=self.clock.now(),
            time_zone="UTC",
            names=(WRITTEN.get(name, name),),
        )
        await self.keepsake.memory.remember(note)

    async def call(self, user_id: int, name: str, nickname: str) -> None:
        """Let somebody join, or take other names."""
        member = Member(guild_id=self.guild_id, user_id=user_id, user_name=name, nickname=nickname)
        self.members[user_id] = member
        self.bore.setdefault(user_id, set()).add(spelling_of(name))
        for borne in names_borne(member):
            self.called.setdefault(spelling_of(borne), set()).add(user_id)
        await self.keepsake.directory.put_members([member])

    async def forget(self, user_id: int) -> None:
        bound = [(fact_id, word) for fact_id, subject_id, word in await self.facts() if subject_id == user_id]
        self.gone |= {word for _, word in bound}
        await self.keepsake.memory.forget(
            guild_id=self.guild_id, fact_ids=[fact_id for fact_id, _ in bound], audiences=[OPEN, ROOM]
        )

    async def erase(self, user_id: int) -> None:
        self.gone |= {word for _, subject_id, word in await self.facts() if subject_id == user_id}
        self.members.pop(user_id, None)
        await self.keepsake.memory.erasing.erase_member(
            guild_id=self.guild_id, user_id=user_id, audiences=None, opted_out=False
        )

    async def opt(self, user_id: int, *, out: bool) -> None:
        consent = self.keepsake.memory.consent
        await (consent.opt_out if out else consent.opt_in)(guild_id=self.guild_id, user_id=user_id)
        (self.away.add if out else self.away.discard)(user_id)

    async def facts(self) -> list[tuple[int, int, str]]:
        """Return id, subject and word of what holds."""
        return [(row[0], row[1], word) for row in await self._rows() for word in self.told if word in row[3]]

    async def _rows(self) -> list[tuple[int, int, int, str]]:
        async def read(connection: Connection) -> list[tuple[int, int, int, str]]:
            rows = await connection.fetch(
                "SELECT fact_id, subject_id, audience, content FROM facts"
                " WHERE guild_id = $1 AND status = 'active'",
                self.guild_id,
            )
            return [(row["fact_id"], row["subject_id"], row["audience"], row["content"]) for row in rows]

        return await self.database.read(read)

    def bearer(self, name: str) -> int | None:
        """Return who must be meant by a name: who has it for their account, if nobody else is called so at all."""
        spelling = spelling_of(name)
        called = [one for one in self.members.values() if spelling in map(spelling_of, names_borne(one))]
        own = [one for one in called if spelling_of(one.user_name) == spelling]
        return own[0].user_id if len(called) == len(own) == 1 else None

    async def check(self) -> None:
        await self.keepsake.work.idle()
        assert await untrue(self.database) == []
        for _, subject_id, audience, content in await self._rows():
            (word,) = [one for one in self.told if one in content]
            told = self.told[word]
            assert word not in self.gone, "it came back"
            assert audience == told.audience
            if subject_id == GUILD_SUBJECT:
                assert content == SAYS[told.name].format(word)
                # A name that two had at a time is not given to the one who keeps it.
                if len(self.called.get(spelling_of(told.name), ())) < 2:
                    assert self.bearer(told.name) in {None, *self.away}, "it is theirs"
            else:
                assert spelling_of(told.name) in self.bore[subject_id], "never called so"
                assert content.startswith((mention_of(subject_id), f"у {mention_of(subject_id)}"))
                assert ("in May" in content) == (told.name == "May")
                assert ("hope helps" in content) == (told.name == "Hope")
        for user_id in PEOPLE:
            known = await self.keepsake.library.facts_known_of(
                [user_id],
                await self.keepsake.directory.view(
                    guild_id=self.guild_id, channel_audience=OPEN, user_id=BOB
                ),
                asker_id=BOB,
            )
            assert {fact.audience for fact in known} <= {OPEN}, "it is of a closed room"
            assert not (known and user_id in self.away), "nothing is told of who opted out"


people, names = st.sampled_from(PEOPLE), st.sampled_from(NAMES)
ACTS: Final = st.one_of(
    st.tuples(st.just("tell"), names, st.sampled_from((ALICE, BOB)), st.sampled_from((OPEN, ROOM))),
    st.tuples(st.just("call"), people, names, st.booleans()),
    st.tuples(st.just("nick"), people, names),
    st.tuples(st.just("forget"), people),
    st.tuples(st.just("erase"), people),
    st.tuples(st.just("opt"), people, st.booleans()),
)


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(acts=st.lists(ACTS, min_size=2, max_size=10))
@example(acts=[("tell", "dave", ALICE, OPEN), ("call", 601, "dave", True), ("opt", 601, True)])
@example(
    acts=[("call", 601, "May", True), ("opt", 601, True), ("tell", "May", BOB, OPEN), ("opt", 601, False)]
)
async def test_what_is_kept_of_a_name_is_its_bearers_alone(
    keepsake: Keepsake, database: Database, clock: SetClock, acts: list[tuple[object, ...]]
) -> None:
    life = Life(keepsake, database, clock, next(_GUILDS))
    await keepsake.directory.add_guild(Guild(guild_id=life.guild_id, name="Test"))
    for act in acts:
        match act:
            case ("tell", str(name), int(teller_id), int(audience)):
                await life.tell(name, teller_id, audience)
            case ("call", int(user_id), str(name), bool(is_as_told)):
                await life.call(user_id, name if is_as_told else SPELT[name], "")
            case ("nick", int(user_id), str(name)):
                await life.call(user_id, f"user{user_id}", name)
            case ("forget", int(user_id)):
                await life.forget(user_id)
            case ("erase", int(user_id)):
                await life.erase(user_id)
            case ("opt", int(user_id), bool(out)) if user_id in life.members:
                await life.opt(user_id, out=out)
        await life.check()


async def naming(guild: TalkingGuild, user_id: int) -> list[str]:
    file = await guild.keepsake.memory.exporting.export(
        guild_id=TALKING_ID, user_id=user_id, audiences=[OPEN]
    )
    return [one["content"] for one in json.loads(file)["naming"]]


async def test_a_file_holds_what_names_the_member_as_far_as_they_could_be_told_it(
    guild: TalkingGuild,
) -> None:
    bob, gruzilkin = TALKERS["bob"], TALKERS["gruzilkin"]
    await guild.say("alice", "Bot, remember that gruzilkin plays chess with bob")
    await guild.say("alice", "Bot, remember that gruzilkin met bob and florent", channel_id=MODS)
    assert await naming(guild, bob) == [f"<@{gruzilkin}> plays chess with <@{bob}>"]
    await guild.keepsake.memory.consent.set_private(guild_id=TALKING_ID, user_id=gruzilkin, private=True)
    assert await naming(guild, bob) == []
