"""Every table that grows with guilds is distributed by guild, by the statements of `docs/scaling.md`, or stays on the
coordinator, as the page says; and what the product sends concerns one guild, but for what is listed here.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import asyncpg

from tests.db.statements_in_code import sent_statements
from tests.db.tied_tables import Tied, touched_by

DOCUMENT = Path(__file__).parents[2] / "docs" / "scaling.md"

OF_INSTALLATION = frozenset(
    {"alembic_version", "audit", "installation", "services", "shard_leases", "web_sessions", "web_tokens"}
)
"""Tables that stay where they are; none grows with guilds."""

ON_THE_COORDINATOR = frozenset(
    {"builds", "decisions", "quarantined_messages", "quota", "told", "unextracted", "usage", "work"}
)
"""Tables of guilds that a cluster cannot distribute, or whose statements it would refuse then."""

NUMBERED = frozenset({"decisions_number_key"})
"""What is unique for the whole installation, and says so on the page."""


async def test_the_page_has_every_table_and_each_key_of_what_it_distributes_has_the_guild(dsn: str) -> None:
    connection = await asyncpg.connect(dsn)
    rows = await connection.fetch(
        """
        SELECT c.relname AS name, array_agg(i.indexrelid::regclass::text) FILTER (
                   WHERE i.indisunique AND NOT coalesce(a.attnum = ANY(i.indkey), false)
               ) AS without_guild
        FROM pg_class c
        LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'guild_id'
        LEFT JOIN pg_index i ON i.indrelid = c.oid
        WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
        GROUP BY c.relname
        """
    )
    await connection.close()
    without_guild = {row["name"]: set(row["without_guild"] or ()) for row in rows}
    of_guilds = without_guild.keys() - OF_INSTALLATION
    assert set.union(*(without_guild[name] for name in of_guilds)) == NUMBERED
    assert not set.union(*(without_guild[name] for name in _distributed()))
    assert _distributed() == of_guilds - ON_THE_COORDINATOR
    assert of_guilds >= ON_THE_COORDINATOR
    page = DOCUMENT.read_text(encoding="utf-8")
    assert all(f"`{name}`" in page for name in without_guild.keys() - _distributed() - {"alembic_version"})


def test_what_the_page_says_to_be_refused_is_sent() -> None:
    _, _, table = DOCUMENT.read_text(encoding="utf-8").partition("| Citus says | Of which statements |")
    named = re.findall(r"`([\w.]+)`", table.partition("\n\n")[0])
    sent = {one.function.removeprefix("bot.") for one in sent_statements()}
    assert named
    assert sent.issuperset(named)


OF_SEVERAL: Final[Mapping[str, frozenset[str]]] = {
    "a direct message draws on the guilds of whoever writes it": frozenset(
        {
            "memory.facts.places.active_places",
            "memory.facts.relevance.choose_facts",
            "memory.facts.relevance.note_used",
            "memory.facts.relevance.read_people",
            "memory.facts.repository.active_facts",
            "memory.facts.repository.facts_known_of",
            "memory.members.repository.members_met",
            "memory.profiles.repository.newest_profiles",
            "memory.rights.forgetting.repository.forgetting_report",
        }
    ),
    "one statement looks at the base roles of all guilds of a process": frozenset(
        {"memory.guilds.repository.base_roles"}
    ),
    "one statement looks at what was heard in several guilds": frozenset(
        {
            "memory.facts.extractor.with_neighbours",
            "memory.messages.repository.answered_in",
            "memory.outbox.repository.may_concern_bot",
        }
    ),
    "one statement writes what was heard in several guilds": frozenset(
        {
            "llm.ledger.count_request",
            "memory.facts.extractor.postpone_queued",
            "memory.guilds.repository.put_channels",
            "memory.guilds.repository.raise_watermarks",
            "memory.members.repository.put_members",
            "memory.messages.repository_quarantine.put",
            "memory.messages.repository_writing.hold_origins",
            "memory.messages.repository_writing.write_messages",
            "memory.profiles.repository.are_learned_about",
            "memory.summaries.repository.put_texts",
            "memory.summaries.repository_episodes.note_ended",
        }
    ),
}
"""Functions of `bot` whose statements concern the guilds that they are given, by the reason."""

OF_ALL: Final[Mapping[str, frozenset[str]]] = {
    "work is found wherever it is due": frozenset(
        {
            "db.jobs.claim",
            "db.jobs.failed",
            "db.jobs.is_claimable",
            "db.jobs.retry",
            "db.jobs.waiting",
            "memory.facts.extractor.claim_newest",
            "memory.facts.extractor.hurry_queued",
            "memory.messages.repository.answered_channels",
            "memory.messages.repository.newest_ids",
            "memory.messages.repository_quarantine.due",
            "memory.messages.repository_quarantine.hurry",
            "memory.outbox.removal_log.guilds_with_removals",
            "memory.outbox.repository.all_unsent",
            "memory.outbox.repository.unsent_answers",
            "memory.rights.erasing.repository.all_guild_ids",
            "memory.rights.erasing.repository.note_left_guilds",
            "memory.rights.erasing.repository.untold_guild_ids",
            "memory.rights.retention.ask_for_all_sweeps",
        }
    ),
    "a member is in several guilds, and a forward or an answer may come from another": frozenset(
        {
            "memory.guilds.repository.direct_channels",
            "memory.guilds.repository.guilds_named",
            "memory.members.repository.direct_ids_of",
            "memory.members.repository.shared_guild_ids",
            "memory.messages.repository_writing.forwarded_of",
            "memory.messages.repository_writing.take_hanging",
            "memory.outbox.repository.wipe_answers",
            "memory.rights.exporting.repository.guilds_of",
        }
    ),
    "decisions are numbered for the whole installation": frozenset(
        {
            "memory.policy.decisions.decisions_after",
            "memory.policy.decisions.drop_below",
            "memory.policy.decisions.drop_old",
            "memory.policy.decisions.drop_unnumbered",
            "memory.policy.decisions.last_number",
            "memory.policy.decisions.mark_pending",
        }
    ),
    "operators are shown the installation": frozenset(
        {
            "llm.ledger.forget_shares",
            "llm.ledger.tokens_by_operation",
            "llm.ledger.tokens_since",
            "llm.ledger.usage_after",
            "llm.ledger.usage_since",
            "memory.guilds.repository.first_joined_at",
            "memory.guilds.repository.guild_names",
            "memory.messages.repository_quarantine.count",
            "memory.outbox.repository.waiting_answers",
            "memory.rights.counting.installation._shares",
            "memory.rights.counting.installation._unread",
            "memory.rights.counting.repository.all_messages_by_day",
            "memory.rights.counting.repository.guild_ids",
            "memory.rights.inspecting.repository.guilds_after",
            "memory.summaries.repository_episodes.episodes_everywhere",
        }
    ),
}
"""Functions of `bot` whose statements concern every guild, by the reason."""

UNREAD: Final = frozenset(
    {
        "db.copying.copy_in",
        "db.copying.drop_all",
        "db.copying.is_empty",
        "db.copying.read_sequences",
        "db.copying.switch_triggers",
        "db.migrations._hold",
        "db.pool.transaction",
        "memory.rights.counting.repository.count_messages",
        "memory.rights.counting.repository.count_texts",
        "memory.rights.counting.repository.facts_by_kind",
        "memory.rights.counting.repository.messages_by_day",
        "memory.rights.repository_replay.members_with",
        "memory.rights.rows.remove_rows",
    }
)
"""Functions that put a statement together as they run: of all tables at a restore, of one guild or of all for a count,
of one table and guild for what is too old.
"""


def _distributed() -> frozenset[str]:
    """Return the tables that the statements of the page distribute."""
    told = re.findall(r"create_distributed_table\('(\w+)', 'guild_id'", DOCUMENT.read_text(encoding="utf-8"))
    return frozenset(told)


def test_what_concerns_more_than_one_guild_is_listed_with_its_reason() -> None:
    tables = _distributed() | ON_THE_COORDINATOR
    widest: dict[str, Tied] = {}
    unread: set[str] = set()
    for sent in sent_statements():
        function = sent.function.removeprefix("bot.")
        if sent.text is None:
            unread.add(function)
            continue
        for touched in touched_by(sent.text, tables=tables):
            widest[function] = max(widest.get(function, Tied.TO_ONE), touched.guild.tied)
    assert unread == UNREAD
    assert {name for name, tied in widest.items() if tied is Tied.TO_NONE} == frozenset().union(
        *OF_ALL.values()
    )
    assert {name for name, tied in widest.items() if tied is Tied.TO_GIVEN} == frozenset().union(
        *OF_SEVERAL.values()
    )
    # All others, of which most of the product consists.
    assert sum(tied is Tied.TO_ONE for tied in widest.values()) > 200
