"""The table of personal data: every table of the database, column by column, with what it holds of members and
what each right does to it; and what is held outside of the database.

`bot/memory/rights/rows.py` carries out what is regular. What is not has a step of its own in
`bot/memory/rights/erasing/`, which is named here. A test compares this with the schema.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


class Holds(StrEnum):
    """What a column holds of members."""

    NOTHING = "nothing of a member"
    ID = "the id of a member"
    WORDS = "words that a member said or that are about one; ids may stand in them"
    HASH = "keyed hashes"


class Erasing(StrEnum):
    """What erasing a member does to a column, in rows that hold something of them."""

    ROW = "the row goes"
    KEY = "the row goes if the id stands in it as a number of its own"
    RETOLD = "the row goes if it names them, and is told anew if it is about somebody else"
    ZERO = "0 stands in place of the id"
    UNNAME = "mentions of them become mentions of nobody"
    SENTENCES = "sentences that name them go"
    STEP = "by the steps of the table, in batches"
    OWN = "by a statement of its own in `rows.py`"


class Step(StrEnum):
    """A step of erasing a member that needs more than one statement for all rows, in the order of the steps."""

    TEXTS = "texts"
    ANSWERS_TO_THEM = "answers to them"
    WORDS_OF_THE_BOT = "words of the bot"
    ANSWERS_TO_OTHERS = "answers to others"
    OWN_MESSAGES = "own messages"
    TOLD = "told"
    KEYED = "keyed"
    MENTIONS = "mentions"
    NAMING = "naming"


class OfGuild(StrEnum):
    """What erasing a guild does to its rows in a table."""

    EMPTIED = "they go, in the order of the tables here"
    LAST = "they go when all else has gone"
    NOBODYS = "they become rows of no guild"
    KEPT = "they stay: keyed hashes, by which what was erased or forgotten is not kept anew"
    NONE = "it has none: the table is of the installation"


class Reach(StrEnum):
    """How far a right reaches into the rows of a table that say, or rest on, what it is about."""

    NOT = "not at all: they hold nothing of it"
    HIDDEN = "they stay until they are erased, and are neither told nor used"
    ROWS = "they go"
    WORDS = "they stay and lose their words"
    SENTENCES = "they lose the sentences that say it"


class Window(StrEnum):
    """By what setting rows are too old, and at what time of the sweep."""

    MESSAGES = "RETENTION_DAYS, or those of the guild; each one after those before it have gone"
    PROFILES = "PROFILE_RETENTION_DAYS"
    EPISODES = "EPISODE_RETENTION_DAYS"
    FACTS = "FACT_RETENTION_DAYS, or days chosen for a category: by `retention.py`"
    ANSWERED = "an answer that reached nobody within a day: by `retention.py`"


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns of a table of which the same is to be said."""

    names: tuple[str, ...]
    holds: Holds = Holds.NOTHING
    erasing: Erasing | None = None
    """`None`: nothing needs to be done, or they follow from the other columns of their row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Age:
    """Which rows of a table are too old.

    `condition` is SQL in which `:begins` is the time that the window begins at, `:first_day` its first day,
    `:merged_from` and `:first_id` what belongs to them in texts of several days and in ids.
    """

    window: Window
    condition: str = ""
    order: str = ""
    """What goes first, if that matters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What a member's file holds of a row: fields of a part, by their names, as SQL over the columns."""

    part: str
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """One table, and what each right does to its rows."""

    name: str
    columns: tuple[Columns, ...]
    of_guild: OfGuild = OfGuild.EMPTIED
    steps: tuple[Step, ...] = ()
    opting_out: Reach = Reach.NOT
    forgetting: Reach = Reach.NOT
    age: Age | None = None
    exported: tuple[Exported, ...] = field(default=())

    def having(self, *kinds: Erasing) -> tuple[str, ...]:
        """Return the columns that erasing a member treats in one of these ways."""
        return tuple(name for one in self.columns if one.erasing in kinds for name in one.names)

    @property
    def holding(self) -> Mapping[str, Holds]:
        """What each column holds."""
        return {name: one.holds for one in self.columns for name in one.names}


def _plain(names: str) -> Columns:
    return Columns(tuple(names.split()))


def _id(names: str, erasing: Erasing = Erasing.ROW) -> Columns:
    return Columns(tuple(names.split()), Holds.ID, erasing)


def _words(names: str, erasing: Erasing | None = None) -> Columns:
    return Columns(tuple(names.split()), Holds.WORDS, erasing)


def _hashes(names: str, erasing: Erasing | None = None) -> Columns:
    return Columns(tuple(names.split()), Holds.HASH, erasing)


def _same(names: str, **others: str) -> Mapping[str, str]:
    return {name: name for name in names.split()} | others


_OF_A_SOURCE: Final = _same(
    "origin said_at content",
    author="author_id",
    channel="channel_id",
    message="message_id",
    said="raw_content",
    counts="NOT ended AND retired_by IS NULL",
)

TABLES: Final = (
    Table("unextracted", (_plain("guild_id message_id failures due_at"),)),
    Table(
        "quarantined_messages",
        (
            _plain("guild_id message_id timestamp edited_at error failures since due_at"),
            _id("user_id"),
            _words("message", Erasing.OWN),
        ),
        opting_out=Reach.ROWS,
        forgetting=Reach.ROWS,
        age=Age(window=Window.MESSAGES, condition="timestamp < :begins"),
    ),
    Table(
        "chat_history",
        (
            _plain("guild_id channel_id message_id audience kind timestamp edited_at reply_to_id"),
            _plain("conversation_id withheld from_visitor forwarded_guild_id forwarded_message_id"),
            _id("user_id", Erasing.STEP),
            _words("message_text attachments lexemes", Erasing.STEP),
        ),
        steps=(Step.WORDS_OF_THE_BOT, Step.OWN_MESSAGES, Step.MENTIONS),
        opting_out=Reach.HIDDEN,
        forgetting=Reach.WORDS,
        age=Age(window=Window.MESSAGES, condition="timestamp < :begins", order="timestamp"),
        exported=(
            Exported(
                part="messages",
                fields=_same(
                    "audience kind edited_at attachments withheld from_visitor",
                    id="message_id",
                    channel="channel_id",
                    said_at="timestamp",
                    reply_to="reply_to_id",
                    text="message_text",
                ),
            ),
        ),
    ),
    Table(
        "answers",
        (
            _plain(
                "guild_id message_id channel_id route state holder leased_until sent_ids fact_ids memory_ids"
            ),
            _plain("quoted_ids settled_by degraded answered_at edited_at turn episode_ids"),
            _id("user_id", Erasing.STEP),
            _words("parts question", Erasing.STEP),
        ),
        steps=(Step.ANSWERS_TO_THEM, Step.ANSWERS_TO_OTHERS),
        opting_out=Reach.HIDDEN,
        forgetting=Reach.WORDS,
        # One stays as long as its question or a part of it is in the log: by it they are found to be forgotten.
        age=Age(
            window=Window.MESSAGES,
            condition="""message_id < :first_id AND answered_at < :begins AND NOT EXISTS (
                SELECT FROM chat_history said
                WHERE said.guild_id = $1 AND said.message_id = ANY(answers.message_id || answers.sent_ids)
            )""",
            order="message_id",
        ),
        exported=(
            Exported(
                part="answers",
                fields=_same("route parts answered_at", message="message_id", channel="channel_id"),
            ),
        ),
    ),
    Table(
        "fact_sources",
        (
            _plain(
                "guild_id source_id fact_id origin channel_id message_id cause said_at category importance"
            ),
            _plain("confidence holds_on expires_at ended retired_by"),
            _id("author_id", Erasing.STEP),
            _words("content raw_content", Erasing.STEP),
        ),
        steps=(Step.TOLD, Step.NAMING),
        opting_out=Reach.HIDDEN,
        forgetting=Reach.WORDS,
        age=Age(window=Window.FACTS),
        exported=(
            Exported(part="sources", fields=_OF_A_SOURCE),
            Exported(part="told", fields=_same("category")),
        ),
    ),
    Table(
        "facts",
        (
            _plain(
                "guild_id fact_id audience category importance confidence status supersedes superseded_by"
            ),
            _plain(
                "origin source_channel_id source_message_id cause said_at holds_on expires_at last_used_at"
            ),
            _plain("updated_at tentative asked_at confirmed_at topics standing"),
            _id("subject_id author_id", Erasing.STEP),
            _words("key value content raw_content lexemes details", Erasing.STEP),
        ),
        steps=(Step.TOLD, Step.KEYED, Step.NAMING),
        opting_out=Reach.HIDDEN,
        forgetting=Reach.WORDS,
        age=Age(window=Window.FACTS),
        exported=(Exported(part="told", fields=_same("audience", subject="subject_id")),),
    ),
    Table(
        "user_facts",
        (
            _plain("guild_id audience facts_version degraded memory_epoch updated_at"),
            _id("user_id"),
            _words("memory_blob", Erasing.RETOLD),
        ),
        opting_out=Reach.ROWS,
        forgetting=Reach.ROWS,
        steps=(Step.TEXTS,),
    ),
    Table(
        "profiles",
        (
            _plain("guild_id version covers_up_to memory_epoch learned_at"),
            _id("user_id"),
            _words("content", Erasing.SENTENCES),
        ),
        opting_out=Reach.HIDDEN,
        forgetting=Reach.SENTENCES,
        age=Age(window=Window.PROFILES, condition="learned_at < :begins"),
        exported=(Exported(part="profile", fields=_same("version content covers_up_to learned_at")),),
    ),
    Table(
        "distillations",
        (
            _plain("guild_id kind audience period sources time_zone model_chain degraded refused attempts"),
            _plain("retry_after memory_epoch built_at covers_up_to is_final"),
            _id("subject_id"),
            _words("content", Erasing.RETOLD),
        ),
        opting_out=Reach.ROWS,
        forgetting=Reach.SENTENCES,
        steps=(Step.TEXTS,),
        age=Age(
            window=Window.MESSAGES,
            condition="""(kind = 'day' AND period < :first_day::date::text)
                OR (kind <> 'day' AND built_at < :merged_from)""",
        ),
        exported=(Exported(part="days", fields=_same("audience content", day="period", told_at="built_at")),),
    ),
    Table(
        "conversation_summaries",
        (
            _plain(
                "guild_id channel_id conversation_id audience covers_up_to degraded memory_epoch updated_at"
            ),
            _plain("covered failures"),
            _words("content", Erasing.SENTENCES),
        ),
        opting_out=Reach.ROWS,
        forgetting=Reach.SENTENCES,
        age=Age(window=Window.MESSAGES, condition="updated_at < :begins"),
    ),
    Table(
        "episodes",
        (
            _plain("guild_id episode_id channel_id audience importance first_message_id last_message_id"),
            _plain("merged_from memory_epoch created_at updated_at"),
            _words("content", Erasing.SENTENCES),
            _words("lexemes"),
            _words("tags", Erasing.OWN),
        ),
        opting_out=Reach.HIDDEN,
        forgetting=Reach.SENTENCES,
        age=Age(window=Window.EPISODES, condition="updated_at < :begins"),
        exported=(
            Exported(
                part="episodes",
                fields=_same(
                    "audience content importance tags",
                    id="episode_id",
                    channel="channel_id",
                    ended_at="created_at",
                ),
            ),
        ),
    ),
    Table(
        "ended_conversations",
        (
            _plain(
                "guild_id channel_id first_message_id last_message_id ended_at settled attempts episode_id"
            ),
            _plain("told_ids"),
        ),
        age=Age(window=Window.MESSAGES, condition="ended_at < :begins AND episode_id IS NULL AND settled"),
    ),
    Table(
        "day_marks",
        (_plain("guild_id audience day version rewritten taken_back"),),
        age=Age(window=Window.MESSAGES, condition="day < :first_day"),
    ),
    Table("lexicon", (_plain("guild_id audience messages"), _hashes("word", Erasing.OWN))),
    Table("lexicon_counts", (_plain("guild_id audience messages words refreshed_at"),)),
    Table(
        "builds",
        (_plain("guild_id holder leased_until"), _id("build_key", Erasing.KEY)),
        age=Age(window=Window.MESSAGES, condition="leased_until < clock_timestamp() - interval '1 day'"),
    ),
    Table("notices", (_plain("guild_id day told_by"), _id("kind", Erasing.KEY))),
    Table("quota", (_plain("guild_id model span starts used"), _id("user_id"))),
    Table("unheard", (_plain("guild_id channel_id from_id to_id"),)),
    Table("waiting_notes", (_plain("guild_id erased_up_to told_at"), _id("user_id", Erasing.OWN))),
    Table(
        "forgettings",
        (
            _plain("guild_id cause asked_at facts messages summaries days own_ids left_ids"),
            _id("user_id selection", Erasing.OWN),
        ),
    ),
    Table("removals", (_plain("guild_id cause facts messages removed_at"), _id("about_id by_id"))),
    Table("told", (_plain("guild_id kind channel_id joined_at begun_at tries message_id told_at"),)),
    Table(
        "kept_categories",
        (_plain("guild_id category kept days"), _id("user_id")),
        exported=(Exported(part="categories", fields=_same("category kept days")),),
    ),
    Table(
        "channels",
        (
            _plain(
                "guild_id channel_id parent_id audience hearing answering watermark deleted_at quiet_until"
            ),
            _plain("beginning"),
            _words("name", Erasing.OWN),
        ),
    ),
    Table(
        "members",
        (
            _plain("guild_id is_bot opted_out_at private learning turns unlearned joined_at left_at"),
            _plain("profile_version opted_in_at"),
            _id("user_id"),
            _words("user_name display_name nickname old_names pronouns name_words"),
        ),
        exported=(
            Exported(
                part="member",
                fields=_same(
                    "user_name display_name nickname old_names pronouns learning turns joined_at left_at"
                ),
            ),
        ),
    ),
    Table(
        "work",
        (_plain("guild_id kind wanted attempts due_at leased_until"), _id("work_key", Erasing.OWN)),
        OfGuild.LAST,
    ),
    Table(
        "guilds",
        (
            _plain(
                "guild_id direct time_zone text_search retention_days base_role_id voice rights memory_epoch"
            ),
            _plain("joined_at left_at"),
            _words("name persona", Erasing.UNNAME),
        ),
        OfGuild.LAST,
        exported=(Exported(part="guild", fields=_same("name direct time_zone", id="guild_id")),),
    ),
    Table(
        "usage",
        (_plain("guild_id day operation model calls failures input_tokens output_tokens"),),
        OfGuild.NOBODYS,
    ),
    Table("erased", (_plain("guild_id erased_up_to opted_out"), _hashes("user_hash")), OfGuild.KEPT),
    Table("absences", (_plain("guild_id from_id to_id"), _hashes("user_hash")), OfGuild.KEPT),
    Table(
        "tombstones",
        (_plain("guild_id tombstone_id buried_at"), _hashes("subject_hash key_hash stem_hashes")),
        OfGuild.KEPT,
    ),
    Table("installation", (_plain("guild_id hash_secret episodes_from discord_told_at"),), OfGuild.NONE),
    Table("services", (_plain("guild_id process_id name failures since error reported_at"),), OfGuild.NONE),
    Table("shard_leases", (_plain("guild_id shard_id shard_count holder leased_until"),), OfGuild.NONE),
    Table("alembic_version", (_plain("version_num"),), OfGuild.NONE),
)


def tables_where(
    *,
    of_guild: OfGuild | None = None,
    opting_out: Reach | None = None,
    window: Window | None = None,
    erasing: Iterable[Erasing] = (),
) -> list[Table]:
    """Return the tables of which all of this is said, in their order."""
    kinds = tuple(erasing)
    return [
        table
        for table in TABLES
        if (of_guild is None or table.of_guild is of_guild)
        and (opting_out is None or table.opting_out is opting_out)
        and (window is None or (table.age is not None and table.age.window is window))
        and (not kinds or table.having(*kinds))
    ]
