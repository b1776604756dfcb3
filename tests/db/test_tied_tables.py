"""What the reader of statements makes of them."""

import pytest

from tests.db.tied_tables import Tied, touched_by


@pytest.mark.parametrize(
    ("statement", "tied"),
    [
        ("SELECT FROM facts WHERE guild_id = $1", "one"),
        ("SELECT FROM facts WHERE guild_id = $1 AND (content = '' OR guild_id = 3)", "one"),
        ("SELECT FROM facts WHERE guild_id = $1 OR content = ''", "none"),
        ("SELECT FROM facts WHERE fact_id = $1", "none"),
        ("SELECT FROM facts WHERE guild_id <> $1", "none"),
        ("SELECT FROM facts WHERE guild_id = ANY($1)", "given"),
        ("SELECT FROM facts f JOIN members m ON m.guild_id = f.guild_id WHERE f.guild_id = $1", "one one"),
        ("SELECT FROM facts f JOIN members m ON m.user_id = f.subject_id WHERE f.guild_id = $1", "one none"),
        ("SELECT FROM facts JOIN members USING (guild_id) WHERE members.guild_id = $1::bigint", "one one"),
        ("SELECT FROM facts WHERE (guild_id, fact_id) = ($1, $2)", "one"),
        (
            "SELECT FROM facts WHERE (guild_id, fact_id) IN"
            " (SELECT guild_id, fact_id FROM told WHERE guild_id = $1)",
            "one one",
        ),
        (
            "SELECT FROM facts f WHERE guild_id = $1"
            " AND EXISTS (SELECT FROM told t WHERE t.guild_id = f.guild_id)",
            "one one",
        ),
        (
            "SELECT FROM facts f WHERE guild_id = $1"
            " AND EXISTS (SELECT FROM told t WHERE t.fact_id = f.fact_id)",
            "one none",
        ),
        ("WITH here AS (SELECT guild_id AS home FROM facts) SELECT FROM here WHERE home = $1", "one"),
        (
            "WITH here AS (SELECT * FROM facts WHERE guild_id = $1) SELECT FROM here"
            " JOIN told USING (guild_id)",
            "one one",
        ),
        ("SELECT FROM unnest($1::bigint[]) AS guild_id JOIN facts USING (guild_id)", "given"),
        ("INSERT INTO facts (guild_id, content) VALUES ($1, $2) ON CONFLICT DO NOTHING", "one"),
        (
            "INSERT INTO facts (guild_id, content) SELECT guild_id, $1 FROM told WHERE guild_id = $2",
            "one one",
        ),
        ("INSERT INTO facts (guild_id) SELECT guild_id FROM guilds", "none none"),
        (
            "UPDATE facts SET content = t.text FROM told t"
            " WHERE t.guild_id = facts.guild_id AND t.guild_id = $1",
            "one one",
        ),
        ("DELETE FROM facts USING told t WHERE t.fact_id = facts.fact_id AND t.guild_id = $1", "none one"),
        ("SELECT (SELECT count(*) FROM told) FROM facts WHERE guild_id = $1", "one none"),
        ("(SELECT guild_id FROM facts WHERE guild_id = $1) UNION SELECT guild_id FROM told", "one none"),
        (
            "SELECT FROM (SELECT guild_id FROM facts UNION ALL SELECT guild_id FROM told) u WHERE guild_id = $1",
            "one one",
        ),
        ("SELECT FROM servers WHERE name = $1", ""),
    ],
)
def test_a_table_is_tied_to_a_guild_as_far_as_the_statement_says_so(statement: str, tied: str) -> None:
    words = {Tied.TO_ONE: "one", Tied.TO_GIVEN: "given", Tied.TO_NONE: "none"}
    touched = touched_by(statement, tables={"facts", "guilds", "members", "told"})
    assert sorted(words[one.guild.tied] for one in touched) == sorted(tied.split())
