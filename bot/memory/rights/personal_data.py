"""The table of personal data: every table of the database, column by column, with what it holds of members and
what each right does to it. What is held outside of the database is in `personal_data_outside.py`.

`bot/memory/rights/rows.py` carries it out. What follows when a batch of an erasing has taken rows is named here, as
`Then`, and done in `bot/memory/rights/erasing/steps.py`. A test compares this with the schema.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from typing import Final

from bot.memory.policy.repository import TEXT_SEARCH, says


class Holds(StrEnum):
    """What a column holds of members."""

    NOTHING = "nothing of a member"
    ID = "the id of a member"
    WORDS = "words that a member said or that are about one; ids may stand in them"
    HASH = "hashes: keyed, or of names while their bearer is kept"


class ErasureEffect(StrEnum):
    """What erasing a member does to a column, in rows that hold something of them."""

    ROW = "the row goes"
    KEY = "the row goes if the id stands in it as a number of its own"
    RETOLD = "the row goes if it names them, and is told anew if it is about somebody else"
    ZERO = "0 stands in place of the id"
    UNNAME = "mentions of them become mentions of nobody"
    SENTENCES = "sentences that name them go"
    STEP = "by the steps of the table, in batches: the rows are many, or others rest on them"
    OWN = "by a statement of its own in `rows.py`"


class Then(StrEnum):
    """What follows when a batch of an erasing has found its rows, in the same transaction."""

    NOTHING = "nothing: no other row rests on what was changed"
    ANSWERS_GO = "the messages that were sent as these answers lose their words"
    WORDS_OF_THE_BOT_GO = "these messages lose their words, and so do the answers that were sent as them"
    MESSAGES_GO = "what was told of these messages goes, and what answers or repeats them"
    SOURCES_GO = (
        "these sources go, the facts that rest on nothing else, and the commands and answers that told them"
    )
    FACTS_GO = "these facts go, and the answers that told them"
    DAYS_GO = "what was told of their days goes"
    RETOLD = "the narratives of their subjects are told anew"


class OfGuild(StrEnum):
    """What erasing a guild does to its rows in a table."""

    EMPTIED = "they go, in the order of the tables here"
    LAST = "they go when all else has gone"
    NOBODYS = "they become rows of no guild"
    KEPT = "they stay: keyed hashes, by which what was erased or forgotten is not kept anew"
    NONE = "it has none: the table is of the installation"


class RightReach(StrEnum):
    """How far a right reaches into the rows of a table that say, or rest on, what it is about."""

    NOT = "not at all: they hold nothing of it"
    HIDDEN = "they stay until they are erased, and are neither told nor used"
    ROWS = "they go"
    WORDS = "they stay and lose their words"
    SENTENCES = "they lose the sentences that say it"


class Window(StrEnum):
    """By what setting rows are too old."""

    MESSAGES = "RETENTION_DAYS, or those of the guild; each table after those before it are done"
    PROFILES = "PROFILE_RETENTION_DAYS"
    EPISODES = "EPISODE_RETENTION_DAYS"
    FACTS = "FACT_RETENTION_DAYS"
    AUDIT = "AUDIT_RETENTION_DAYS"
    CHOSEN = "what the member chose for a category: not at all, or for some days"
    ANSWERED = "as long as a question of the bot stays open"


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns of a table with the same declaration; their `names` are separated by spaces."""

    names: str
    holds: Holds = Holds.NOTHING
    erasing: ErasureEffect | None = None
    """`None`: nothing needs to be done, or they follow from the other columns of their row."""


@dataclass(frozen=True, slots=True)
class ErasingStep:
    """What erasing a member does, batch by batch, to rows of a table.

    SQL in which $1 is the guild, $2 the member, $3 the time until when what was said goes, $4 the audiences where what
    others said about them goes as well (NULL is everywhere), and $5 the query that finds them in words of the bot
    (NULL: all of these are about them).
    """

    place: int
    """Its place among the steps of all tables, from 1 on, by which one that was interrupted is gone on with."""
    key: str
    """The column that tells a row of a guild from others."""
    then: Then
    rows: str
    """Which rows it finds."""
    sets: str = ""
    """What their columns become; without it they are left to what follows."""
    _: KW_ONLY
    order: str = ""
    """What goes first, if not the smallest key. They are searched anew for each batch, until none is left."""
    among: str = ""
    """Instead of that, these rows are looked at in the order of their keys, each once."""
    counted: str = "true"
    """Which of those found are counted."""
    also: str = "SELECT 0 WHERE false"
    """Ids, out of the rows `found`, that follow with them."""
    of_notes: bool = False
    """Whether it also takes what others keep about somebody who was erased before."""


@dataclass(frozen=True, slots=True)
class Age:
    """Which rows of a table are too old.

    `condition` is SQL in which `:begins` is the time that the window begins at, `:first_day` its first day,
    `:merged_from` and `:first_id` what belongs to them in texts of several days and in ids, `:now` the time of the
    sweep, NULL if nothing is too old, and `:days` how long something is kept that goes by real time.
    """

    window: Window
    condition: str
    order: str = ""
    """What goes first, if that matters."""
    sets: str = ""
    """What their columns become; without it the rows go."""
    key: str = ""
    """The ids of rows that are only found by it: others rest on them, which `retention.py` sees to."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table, and what each right does to its rows."""

    name: str
    columns: Sequence[Columns]
    _: KW_ONLY
    of_guild: OfGuild = OfGuild.EMPTIED
    steps: tuple[ErasingStep, ...] = ()
    opting_out: RightReach = RightReach.NOT
    forgetting: RightReach = RightReach.NOT
    ages: Sequence[Age] = ()
    exported: str = ""
    """The part of a member's file that its rows go into, and the fields there: by their column where that is named
    otherwise."""

    def having(self, *kinds: ErasureEffect) -> tuple[str, ...]:
        """Return the columns that erasing a member treats in one of these ways."""
        return tuple(name for one in self.columns if one.erasing in kinds for name in one.names.split())

    @property
    def holding(self) -> Mapping[str, Holds]:
        """What each column holds."""
        return {name: one.holds for one in self.columns for name in one.names.split()}


_MESSAGES, _ID, _WORDS = Window.MESSAGES, Holds.ID, Holds.WORDS

_SENT_AS: Final = "SELECT unnest(sent_ids) FROM found"
_ANSWER: Final = "concat_ws(' ', array_to_string(parts, ' '), question::text)"
_FACT: Final = "concat_ws(' ', content, raw_content, value, details::text)"
READABLE_FACTS: Final = "(status = 'forgotten' OR $4::bigint[] IS NULL OR audience = ANY($4::bigint[]))"
"""Which facts about the member go with them. What others keep about them in closed rooms waits for a manager; what
nobody can read any more, since it was forgotten, does not."""

# One line for each kind of column and each right, so that tables can be compared.
# fmt: off
TABLES: Final = (
    Table("unextracted", [Columns("guild_id message_id failures due_at")]),
    Table(
        "quarantined_messages",
        [Columns("guild_id message_id timestamp edited_at error failures since due_at"),
         Columns("user_id", _ID, ErasureEffect.ROW),
         Columns("message", _WORDS, ErasureEffect.OWN)],  # at first: `repository_quarantine.erase_member`
        opting_out=RightReach.ROWS, forgetting=RightReach.ROWS, ages=[Age(_MESSAGES, "timestamp < :begins")],
    ),
    Table(
        "chat_history",
        [Columns("guild_id channel_id message_id audience kind timestamp edited_at reply_to_id conversation_id"),
         Columns("withheld from_visitor forwarded_guild_id forwarded_message_id"),
         Columns("user_id", _ID, ErasureEffect.STEP),
         Columns("message_text attachments lexemes", _WORDS, ErasureEffect.STEP)],
        steps=(
            ErasingStep(2, "message_id", Then.WORDS_OF_THE_BOT_GO, f"""
                kind = 'bot' AND user_id <> $2 AND withheld IS NULL AND timestamp <= $3
                AND ($5 IS NULL OR {says("$5::tsquery", row="chat_history")})"""),
            # The rows stay, so that nothing that comes late revives them.
            ErasingStep(4, "message_id", Then.MESSAGES_GO, "user_id = $2 AND timestamp <= $3", """
                user_id = 0, withheld = 'opted_out', message_text = '', attachments = '{}', lexemes = '',
                edited_at = NULL, reply_to_id = NULL, forwarded_guild_id = NULL, forwarded_message_id = NULL
                """, order="timestamp", counted="withheld IS NULL"),
            # If all is to go also inside of addresses: these may hold an id that is no word of its own.
            ErasingStep(9, "message_id", Then.DAYS_GO, """
                timestamp <= $3
                AND (strpos(message_text, $2::text) > 0
                     OR (attachments <> '{}' AND strpos(attachments::text, $2::text) > 0))
                AND (without_id(message_text, $2) <> message_text
                     OR without_id(attachments::text, $2) <> attachments::text)""", f"""
                message_text = without_id(message_text, $2),
                attachments = ARRAY(SELECT without_id(one, $2) FROM unnest(attachments) AS one),
                lexemes = lexemes_of({TEXT_SEARCH}, without_id(message_text, $2),
                                     ARRAY(SELECT without_id(one, $2) FROM unnest(attachments) AS one))
                """, among=f"withheld IS NULL AND ($4 IS NULL OR {says('$2::text::tsquery')})"),
        ),
        opting_out=RightReach.HIDDEN, forgetting=RightReach.WORDS,
        ages=[Age(_MESSAGES, "timestamp < :begins", "timestamp")],
        exported="messages: id=message_id channel=channel_id audience kind said_at=timestamp edited_at"
                 " reply_to=reply_to_id text=message_text attachments withheld from_visitor",
    ),
    Table(
        # Kept true by triggers: what is done to messages is done to it.
        "message_counts",
        [Columns("guild_id channel_id audience kind messages newest_id"), Columns("user_id", _ID)],
        opting_out=RightReach.HIDDEN,
    ),
    Table(
        "answers",
        [Columns("guild_id message_id channel_id route state holder leased_until sent_ids fact_ids memory_ids"),
         Columns("quoted_ids settled_by degraded answered_at edited_at turn episode_ids nonce"),
         Columns("user_id", _ID, ErasureEffect.STEP),
         Columns("parts question", _WORDS, ErasureEffect.STEP)],
        # The rows stay, so that nothing is answered twice.
        steps=(
            ErasingStep(1, "message_id", Then.ANSWERS_GO, "user_id = $2 AND answered_at <= $3", """
                user_id = 0, parts = '{}', question = NULL, fact_ids = '{}', memory_ids = '{}', quoted_ids = '{}',
                episode_ids = '{}', turn = NULL""", also=_SENT_AS),
            ErasingStep(3, "message_id", Then.ANSWERS_GO, f"""
                answered_at <= $3 AND (
                    $5 IS NULL OR lexemes_of({TEXT_SEARCH}, {_ANSWER}) @@ $5::tsquery
                    OR without_id({_ANSWER}, $2) <> {_ANSWER}
                )""", "parts = '{}', question = NULL", among="user_id <> $2", also=_SENT_AS),
        ),
        opting_out=RightReach.HIDDEN, forgetting=RightReach.WORDS,
        ages=[
            # One stays as long as its question or a part of it is in the log: by it they are found to be forgotten.
            Age(_MESSAGES, """message_id < :first_id AND answered_at < :begins AND NOT EXISTS (
                SELECT FROM chat_history said
                WHERE said.guild_id = $1 AND said.message_id = ANY(answers.message_id || answers.sent_ids)
            )""", "message_id"),
            # To messages of which nothing was kept: never sent, or a question left open. So is what was still being
            # written when its member was erased.
            Age(Window.ANSWERED, """answered_at < :begins AND (user_id <> 0 OR cardinality(parts) > 0)
                AND EXISTS (
                    SELECT FROM absences WHERE guild_id = $1 UNION ALL SELECT FROM erased WHERE guild_id = $1
                    UNION ALL SELECT FROM guilds WHERE guild_id = $1 AND rights ->> 'consent' = 'asked'
                ) AND EXISTS (
                    SELECT FROM chat_history h
                    WHERE h.guild_id = $1 AND h.message_id = answers.message_id AND h.withheld = 'opted_out'
                )""", sets="user_id = 0, parts = '{}', question = NULL, turn = NULL"),
        ],
        exported="answers: message=message_id channel=channel_id route parts answered_at",
    ),
    Table(
        "fact_sources",
        [Columns("guild_id source_id fact_id origin channel_id message_id cause said_at category importance"),
         Columns("confidence holds_on expires_at ended retired_by"),
         Columns("author_id", _ID, ErasureEffect.STEP),
         Columns("content raw_content", _WORDS, ErasureEffect.STEP)],
        steps=(
            # If others had it remembered, the message that said it and the one that commanded it go too; that is in
            # the cause `m:<message>`, also with `#<command>` or `:<edit>` behind it.
            ErasingStep(5, "source_id", Then.SOURCES_GO, f"""
                said_at <= $3 AND (author_id = $2 OR fact_id IN (
                    SELECT fact_id FROM facts WHERE guild_id = $1 AND subject_id = $2 AND {READABLE_FACTS}
                ))""", order="fact_id, source_id", of_notes=True, also="""
                SELECT unnest(array_remove(ARRAY[
                    message_id, coalesce(substring(cause FROM '^m:([0-9]+)')::bigint, 0)
                ], 0)) FROM found WHERE author_id <> $2 AND origin IN ('command', 'tool', 'import')"""),
            ErasingStep(10, "source_id", Then.NOTHING, """
                without_id(content || raw_content, $2) <> content || raw_content AND EXISTS (
                    SELECT FROM facts f
                    WHERE f.guild_id = $1 AND f.fact_id = fact_sources.fact_id AND f.subject_id <> $2
                )""", "content = without_id(content, $2), raw_content = without_id(raw_content, $2)",
                among="said_at <= $3"),
        ),
        opting_out=RightReach.HIDDEN, forgetting=RightReach.WORDS,
        exported="sources: origin author=author_id channel=channel_id message=message_id said_at content"
                 " said=raw_content",
    ),
    Table(
        "facts",
        [Columns("guild_id fact_id audience category importance confidence status supersedes superseded_by origin"),
         Columns("source_channel_id source_message_id cause said_at holds_on expires_at last_used_at updated_at"),
         Columns("tentative asked_at confirmed_at topics standing"),
         Columns("subject_id author_id", _ID, ErasureEffect.STEP),
         Columns("key value content raw_content lexemes details", _WORDS, ErasureEffect.STEP)],
        steps=(
            # What rests on nothing; forgotten ones about others stay, they keep what they were from coming back.
            ErasingStep(6, "fact_id", Then.FACTS_GO, f"""
                said_at <= $3 AND ((author_id = $2 AND status <> 'forgotten') OR (subject_id = $2 AND {READABLE_FACTS}))
                AND NOT EXISTS (
                    SELECT FROM fact_sources s WHERE s.guild_id = $1 AND s.fact_id = facts.fact_id
                )""", counted="status <> 'forgotten'", of_notes=True),
            # Nobody has told these then, and what told them loses its words.
            ErasingStep(7, "fact_id", Then.NOTHING, "author_id = $2 AND said_at <= $3",
                        "author_id = 0, raw_content = ''", of_notes=True),
            # Those about others whose very key is the member: under another one they are nothing.
            ErasingStep(8, "fact_id", Then.FACTS_GO, "without_id(key, $2) <> key",
                        among="subject_id <> $2 AND said_at <= $3"),
            ErasingStep(11, "fact_id", Then.RETOLD, f"without_id({_FACT}, $2) <> {_FACT}", f"""
                content = without_id(content, $2), raw_content = without_id(raw_content, $2),
                value = without_id(value, $2), details = without_id(details::text, $2)::jsonb,
                lexemes = lexemes_of({TEXT_SEARCH}, without_id(content, $2))
                """, among="subject_id <> $2 AND said_at <= $3"),
        ),
        opting_out=RightReach.HIDDEN, forgetting=RightReach.WORDS,
        # Their sources go with them. Forgotten ones stay: they hold no text, and keep it from coming back.
        ages=[
            Age(Window.CHOSEN, """fact_id IN (
                SELECT f.fact_id FROM kept_categories k
                JOIN facts f ON f.guild_id = k.guild_id AND f.subject_id = k.user_id AND f.category = k.category
                WHERE k.guild_id = $1 AND f.status <> 'forgotten' AND (NOT k.kept OR (
                    f.said_at < :now::timestamptz - make_interval(days => k.days) AND NOT EXISTS (
                        SELECT FROM fact_sources s
                        WHERE s.guild_id = $1 AND s.fact_id = f.fact_id AND NOT s.ended
                          AND s.said_at >= :now::timestamptz - make_interval(days => k.days)
                    )
                ))
            )""", "fact_id", key="fact_id"),
            Age(Window.FACTS, """said_at < :begins AND status <> 'forgotten' AND NOT EXISTS (
                SELECT FROM fact_sources s
                WHERE s.guild_id = $1 AND s.fact_id = facts.fact_id AND s.said_at >= :begins AND NOT s.ended
            )""", "fact_id", key="fact_id"),
        ],
        exported="told: subject=subject_id audience category",
    ),
    Table(
        # Kept true by triggers: what is done to facts and their sources is done to it.
        "fact_about",
        [Columns("guild_id fact_id role"), Columns("user_id", _ID), Columns("name", _WORDS)],
        opting_out=RightReach.HIDDEN, forgetting=RightReach.ROWS,
    ),
    Table(
        "user_facts",
        [Columns("guild_id audience facts_version degraded memory_epoch updated_at"),
         Columns("user_id", _ID, ErasureEffect.ROW),
         Columns("memory_blob", _WORDS, ErasureEffect.RETOLD)],
        opting_out=RightReach.ROWS, forgetting=RightReach.ROWS,
    ),
    Table(
        "profiles",
        [Columns("guild_id version covers_up_to memory_epoch learned_at"),
         Columns("user_id", _ID, ErasureEffect.ROW),
         Columns("content", _WORDS, ErasureEffect.SENTENCES)],
        opting_out=RightReach.HIDDEN, forgetting=RightReach.SENTENCES,
        ages=[
            Age(Window.CHOSEN, """EXISTS (
                SELECT FROM kept_categories k
                WHERE k.guild_id = $1 AND k.category = 'profile' AND k.user_id = profiles.user_id
                  AND (NOT k.kept OR learned_at < :now::timestamptz - make_interval(days => k.days))
            )"""),
            Age(Window.PROFILES, "learned_at < :begins"),
        ],
        exported="profile: version content covers_up_to learned_at",
    ),
    Table(
        "distillations",
        [Columns("guild_id kind audience period sources time_zone model_chain degraded refused attempts retry_after"),
         Columns("memory_epoch built_at covers_up_to is_final"),
         Columns("subject_id", _ID, ErasureEffect.ROW),
         Columns("content", _WORDS, ErasureEffect.RETOLD)],
        opting_out=RightReach.ROWS, forgetting=RightReach.SENTENCES,
        ages=[Age(_MESSAGES, """(kind IN ('day', 'mood') AND period < :first_day::date::text)
            OR (kind IN ('historical', 'context') AND built_at < :merged_from)""")],
        exported="days: day=period kind audience content told_at=built_at",
    ),
    Table(
        "conversation_summaries",
        [Columns("guild_id channel_id conversation_id audience covers_up_to degraded memory_epoch updated_at"),
         Columns("covered failures"),
         Columns("content", _WORDS, ErasureEffect.SENTENCES)],
        opting_out=RightReach.ROWS, forgetting=RightReach.SENTENCES, ages=[Age(_MESSAGES, "updated_at < :begins")],
    ),
    Table(
        "episodes",
        [Columns("guild_id episode_id channel_id audience importance first_message_id last_message_id merged_from"),
         Columns("memory_epoch created_at updated_at"),
         Columns("content", _WORDS, ErasureEffect.SENTENCES),
         Columns("lexemes", _WORDS),
         Columns("tags", _WORDS, ErasureEffect.OWN)],
        opting_out=RightReach.HIDDEN, forgetting=RightReach.SENTENCES,
        ages=[Age(Window.EPISODES, "updated_at < :begins")],
        exported="episodes: id=episode_id channel=channel_id audience content importance tags ended_at=created_at",
    ),
    Table(
        "ended_conversations",
        [Columns("guild_id channel_id first_message_id last_message_id ended_at settled attempts episode_id told_ids"),
         Columns("gone_episode_id")],
        ages=[Age(_MESSAGES, "ended_at < :begins AND episode_id IS NULL AND settled")],
    ),
    Table(
        "day_marks",
        [Columns("guild_id audience day version rewritten taken_back told_up_to left_out")],
        ages=[Age(_MESSAGES, "day < :first_day")],
    ),
    Table("lexicon", [Columns("guild_id audience messages"), Columns("word", Holds.HASH, ErasureEffect.OWN)]),
    Table("lexicon_counts", [Columns("guild_id audience messages words refreshed_at")]),
    Table(
        "builds",
        [Columns("guild_id holder leased_until"),
         Columns("build_key", _ID, ErasureEffect.KEY)],
        ages=[Age(_MESSAGES, "leased_until < clock_timestamp() - interval '1 day'")],
    ),
    Table("notices", [Columns("guild_id day told_by"), Columns("kind", _ID, ErasureEffect.KEY)]),
    Table("quota", [Columns("guild_id model span starts used"), Columns("user_id", _ID, ErasureEffect.ROW)]),
    Table("unheard", [Columns("guild_id channel_id from_id to_id")]),
    Table(
        "waiting_notes",
        [Columns("guild_id erased_up_to told_at"),
         Columns("user_id", _ID, ErasureEffect.OWN)],  # until a manager has decided: `erasing._let_wait`
    ),
    Table(
        "forgettings",
        [Columns("guild_id cause asked_at facts messages summaries days own_ids left_ids"),
         Columns("user_id selection", _ID, ErasureEffect.OWN)],
    ),
    Table(
        "removals",
        [Columns("guild_id cause facts messages removed_at"),
         Columns("about_id by_id", _ID, ErasureEffect.ROW)],
    ),
    Table("told", [Columns("guild_id kind channel_id joined_at begun_at tries message_id told_at")]),
    Table(
        "kept_categories",
        [Columns("guild_id category kept days"),
         Columns("user_id", _ID, ErasureEffect.ROW)],
        exported="categories: category kept days",
    ),
    Table(
        "channels",
        [Columns("guild_id channel_id parent_id audience hearing answering watermark deleted_at quiet_until beginning"),
         Columns("model"),
         Columns("name persona", _WORDS, ErasureEffect.OWN)],
    ),
    Table(
        "members",
        [Columns("guild_id is_bot opted_out_at opted_in_at private learning turns unlearned joined_at left_at"),
         Columns("profile_version"),
         Columns("user_id", _ID, ErasureEffect.ROW),
         Columns("user_name display_name nickname old_names pronouns name_words", _WORDS),
         Columns("name_keys", Holds.HASH)],
        exported="member: user_name display_name nickname old_names pronouns joined_at left_at turns learning",
    ),
    Table(
        # Kept true by triggers: what is done to members is done to it.
        "member_names",
        [Columns("guild_id"), Columns("user_id", _ID), Columns("name_key", Holds.HASH)],
    ),
    Table(
        "work",
        [Columns("guild_id kind wanted attempts due_at leased_until failed_at error"),
         Columns("work_key", _ID, ErasureEffect.OWN)],
        of_guild=OfGuild.LAST,
    ),
    Table(
        "guilds",
        [Columns("guild_id direct time_zone text_search retention_days base_role_id voice rights memory_epoch"),
         Columns("joined_at left_at"),
         Columns("name persona", _WORDS, ErasureEffect.UNNAME)],
        of_guild=OfGuild.LAST, exported="guild: id=guild_id name direct time_zone",
    ),
    Table(
        "usage",
        [Columns("guild_id day operation model calls failures input_tokens output_tokens cached_tokens")],
        of_guild=OfGuild.NOBODYS,
    ),
    Table(
        "erased",
        [Columns("guild_id erased_up_to opted_out"),
         Columns("user_hash", Holds.HASH)],
        of_guild=OfGuild.KEPT,
    ),
    Table(
        "absences",
        [Columns("guild_id from_id to_id"),
         Columns("user_hash", Holds.HASH)],
        of_guild=OfGuild.KEPT,
    ),
    Table(
        "tombstones",
        [Columns("guild_id tombstone_id buried_at"),
         Columns("subject_hash key_hash stem_hashes", Holds.HASH)],
        of_guild=OfGuild.KEPT,
    ),
    Table(
        # What operators did goes with the guild, or by its age: by real time, as it is noted. Of whom an erasing
        # takes, nobody is named any more.
        "audit",
        [Columns("guild_id audit_id at operator credential action channel_id item_id expires_at"),
         Columns("user_id", _ID, ErasureEffect.OWN),
         Columns("reason", _WORDS, ErasureEffect.OWN)],
        ages=[Age(Window.AUDIT, "at < clock_timestamp() - make_interval(days => :days::int)")],
    ),
    Table("web_tokens", [Columns("guild_id name token_hash scope created_at last_used_at revoked_at")],
          of_guild=OfGuild.NONE),
    Table("web_sessions", [Columns("guild_id session_hash token_name scope created_at expires_at")],
          of_guild=OfGuild.NONE),
    Table(
        # In its details stand ids of channels, and hashes.
        "decisions",
        [Columns("guild_id decision_id number kind made_at ids pending"),
         Columns("user_hash details", Holds.HASH)],
        of_guild=OfGuild.KEPT,
    ),
    Table(
        "installation",
        [Columns("guild_id hash_secret episodes_from discord_told_at backed_up_at")],
        of_guild=OfGuild.NONE,
    ),
    Table("services", [Columns("guild_id process_id name failures since error reported_at")], of_guild=OfGuild.NONE),
    Table("shard_leases", [Columns("guild_id shard_id shard_count holder leased_until")], of_guild=OfGuild.NONE),
    Table("alembic_version", [Columns("version_num")], of_guild=OfGuild.NONE),
)
# fmt: on


def exported_columns(part: str, alias: str) -> str:
    """Return what a SELECT gives of a table, read as `alias`, so that its rows are this part of a member's file."""
    for table in TABLES:
        name, _, fields = table.exported.partition(": ")
        if name == part:
            pairs = (field.partition("=") for field in fields.split())
            return ", ".join(f"{alias}.{column or field} AS {field}" for field, _, column in pairs)
    raise ValueError(f"no table is exported as {part!r}")


def tables_where(
    *,
    of_guild: OfGuild | None = None,
    opting_out: RightReach | None = None,
    erasing: Iterable[ErasureEffect] = (),
) -> list[Table]:
    """Return the tables of which all of this is said, in their order."""
    kinds = tuple(erasing)
    return [
        table
        for table in TABLES
        if (of_guild is None or table.of_guild is of_guild)
        and (opting_out is None or table.opting_out is opting_out)
        and (not kinds or table.having(*kinds))
    ]


def ages_by(window: Window) -> list[tuple[Table, Age]]:
    """Return the tables with rows that are too old by this window, each with which these are."""
    return [(table, age) for table in TABLES for age in table.ages if age.window is window]
