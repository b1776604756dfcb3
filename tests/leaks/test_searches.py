"""The hunt can fail: it finds what it looks for wherever it is put, and promises that are broken."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from cachetools import LRUCache

from bot.chat import turn
from bot.core.domain import OPEN, Message
from bot.db.pool import Connection, Database
from bot.memory.policy.permissions import ReadScope, scope_of
from bot.memory.rights.forgetting import apply
from bot.memory.rights.forgetting.repository import Forgotten
from tests.leaks import acts, asking_acts, searches
from tests.leaks.canaries import Way, words
from tests.leaks.drawn import Drawn
from tests.leaks.hunt import Hunt
from tests.leaks.looking import LeakError
from tests.leaks.world import GENERAL, MODS, PLACES, opened_world

WORD = next(words())
OF = {place.channel_id: place for place in PLACES}
_DRAWN = Drawn(
    process=0, place=OF[GENERAL], who=0, about=0, way=Way.ORDER, thing="boat", picked=0, flag=False
)


async def test_a_word_is_found_in_every_kind_of_column(database: Database, dsn: str) -> None:
    statements = (
        "INSERT INTO guilds (guild_id, name) VALUES (1, $1)",
        """INSERT INTO members (guild_id, user_id, old_names) VALUES (1, 2, ARRAY[$1])""",
        """INSERT INTO answers (guild_id, message_id, channel_id, user_id, route, state, holder, leased_until,
                               answered_at, question)
           VALUES (1, 2, 3, 4, 'chat', 'sent', gen_random_uuid(), now(), now(),
                   jsonb_build_object('text', $1::text))""",
        """INSERT INTO chat_history (guild_id, channel_id, message_id, user_id, audience, kind, message_text, timestamp,
                                    lexemes)
           VALUES (1, 2, 3, 4, 0, 'member', '', now(), to_tsvector('simple', $1))""",
        "INSERT INTO work (guild_id, kind, work_key, due_at) VALUES (1, 'relex', $1, now())",
    )
    for statement in statements:
        await database.write(_with_word(statement))
    found = await searches.rows_with_canaries(database)
    assert {(one.table, *one.columns) for one in found} == {
        ("guilds", "name"),
        ("members", "name_words", "old_names"),
        ("answers", "question"),
        ("chat_history", "lexemes"),
        ("work", "work_key"),
    }
    assert all(one.words == {WORD} for one in found)
    assert WORD in await searches.dumped(dsn)


def test_a_word_is_found_wherever_a_process_holds_it() -> None:
    cache: LRUCache[tuple[int, str], object] = LRUCache(3)
    cache[1, WORD] = Message(
        guild_id=1, channel_id=2, message_id=3, user_id=4, text=WORD, timestamp=datetime.now(UTC)
    )
    held = searches.held_with_canaries({"cache": [cache]}, "it")
    assert {path for path, _ in held} == {"it[0][0][key 0][1]", "it[0][0][0].text"}


def _shows_the_mods(
    *, guild_id: int, channel_audience: int, shared_guild_ids: tuple[int, ...] = (), visitor: bool = False
) -> ReadScope:
    view = scope_of(
        guild_id=guild_id,
        channel_audience=channel_audience,
        shared_guild_ids=shared_guild_ids,
        visitor=visitor,
    )
    return ReadScope(guild_id=guild_id, audiences=tuple({OPEN, MODS, *view.audiences}))


async def _takes_nothing(*_: object, **__: object) -> object:
    return Forgotten()


@pytest.mark.parametrize(
    ("module", "name", "broken"),
    [(turn, "scope_of", _shows_the_mods), (apply, "withhold", _takes_nothing)],
    ids=["an open room sees a closed one", "what was forgotten keeps its text"],
)
async def test_a_broken_promise_is_found(
    dsn: str, monkeypatch: pytest.MonkeyPatch, module: object, name: str, broken: Callable[..., object]
) -> None:
    in_mods = replace(_DRAWN, place=OF[MODS])
    monkeypatch.setattr(module, name, broken)
    async with opened_world(dsn, with_model=False) as world:
        hunt = Hunt(world, dsn)
        with pytest.raises(LeakError):
            for act, drawn in ((acts.say, in_mods), (asking_acts.ask_about, _DRAWN), (acts.forget, in_mods)):
                await act(hunt, drawn)


def _with_word(statement: str) -> Callable[[Connection], Awaitable[str]]:
    return lambda connection: connection.execute(statement, WORD)
