"""The table of personal data: every table of the database, column by column, with what it holds of members and
what each right does to it; and what is held outside of the database.

`bot/memory/rights/rows.py` carries out what is regular. What is not has a step of its own in
`bot/memory/rights/erasing/`, which is named here. A test compares this with the schema.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from typing import Final


class Holds(StrEnum):
    """What a column holds of members."""

    NOTHING = "nothing of a member"
    ID = "the id of a member"
    WORDS = "words that a member said or that are about one; ids may stand in them"
    HASH = "keyed hashes"


class ErasureEffect(StrEnum):
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


class RightReach(StrEnum):
    """How far a right reaches into the rows of a table that say, or rest on, what it is about."""

    NOT = "not at all: they hold nothing of it"
    HIDDEN = "they stay until they are erased, and are neither told nor used"
    ROWS = "they go"
    WORDS = "they stay and lose their words"
    SENTENCES = "they lose the sentences that say it"


class Window(StrEnum):
    """By what setting rows are too old."""

    MESSAGES = "RETENTION_DAYS, or those of the guild; each one after those before it have gone"
    PROFILES = "PROFILE_RETENTION_DAYS"
    EPISODES = "EPISODE_RETENTION_DAYS"
    FACTS = "FACT_RETENTION_DAYS, or days chosen for a category: by `retention.py`"
    ANSWERED = "an answer that reached nobody within a day: by `retention.py`"


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns of a table of which the same is to be said; their names stand in `names`, with blanks between."""

    names: str
    holds: Holds = Holds.NOTHING
    erasing: ErasureEffect | None = None
    """`None`: nothing needs to be done, or they follow from the other columns of their row."""


@dataclass(frozen=True, slots=True)
class Age:
    """Which rows of a table are too old.

    `condition` is SQL in which `:begins` is the time that the window begins at, `:first_day` its first day,
    `:merged_from` and `:first_id` what belongs to them in texts of several days and in ids.
    """

    window: Window
    condition: str = ""
    order: str = ""
    """What goes first, if that matters."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table, and what each right does to its rows."""

    name: str
    columns: Sequence[Columns]
    _: KW_ONLY
    of_guild: OfGuild = OfGuild.EMPTIED
    steps: tuple[Step, ...] = ()
    opting_out: RightReach = RightReach.NOT
    forgetting: RightReach = RightReach.NOT
    age: Age | None = None
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

# One line for each kind of column and each right, so that tables can be compared.
# fmt: off
TABLES: Final = (
    Table("unextracted", [Columns("guild_id message_id failures due_at")]),
    Table(
        "quarantined_messages",
        [Columns("guild_id message_id timestamp edited_at error failures since due_at"),
         Columns("user_id", _ID, ErasureEffect.ROW),
         Columns("message", _WORDS, ErasureEffect.OWN)],  # at first: `repository_quarantine.erase_member`
        opting_out=RightReach.ROWS, forgetting=RightReach.ROWS, age=Age(_MESSAGES, "timestamp < :begins"),
    ),
    Table(
        "chat_history",
        [Columns("guild_id channel_id message_id audience kind timestamp edited_at reply_to_id conversation_id"),
         Columns("withheld from_visitor forwarded_guild_id forwarded_message_id"),
         Columns("user_id", _ID, ErasureEffect.STEP),
         Columns("message_text attachments lexemes", _WORDS, ErasureEffect.STEP)],
        steps=(Step.WORDS_OF_THE_BOT, Step.OWN_MESSAGES, Step.MENTIONS),
        opting_out=RightReach.HIDDEN, forgetting=RightReach.WORDS,
        age=Age(_MESSAGES, "timestamp < :begins", "timestamp"),
        exported="messages: id=message_id channel=channel_id audience kind said_at=timestamp edited_at"
                 " reply_to=reply_to_id text=message_text attachments withheld from_visitor",
    ),
    Table(
        "answers",
        [Columns("guild_id message_id channel_id route state holder leased_until sent_ids fact_ids memory_ids"),
         Columns("quoted_ids settled_by degraded answered_at edited_at turn episode_ids"),
         Columns("user_id", _ID, ErasureEffect.STEP),
         Columns("parts question", _WORDS, ErasureEffect.STEP)],
        steps=(Step.ANSWERS_TO_THEM, Step.ANSWERS_TO_OTHERS),
        opting_out=RightReach.HIDDEN, forgetting=RightReach.WORDS,
        # One stays as long as its question or a part of it is in the log: by it they are found to be forgotten.
        age=Age(_MESSAGES, """message_id < :first_id AND answered_at < :begins AND NOT EXISTS (
            SELECT FROM chat_history said
            WHERE said.guild_id = $1 AND said.message_id = ANY(answers.message_id || answers.sent_ids)
        )""", "message_id"),
        exported="answers: message=message_id channel=channel_id route parts answered_at",
    ),
    Table(
        "fact_sources",
        [Columns("guild_id source_id fact_id origin channel_id message_id cause said_at category importance"),
         Columns("confidence holds_on expires_at ended retired_by"),
         Columns("author_id", _ID, ErasureEffect.STEP),
         Columns("content raw_content", _WORDS, ErasureEffect.STEP)],
        steps=(Step.TOLD, Step.NAMING),
        opting_out=RightReach.HIDDEN, forgetting=RightReach.WORDS, age=Age(Window.FACTS),
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
        steps=(Step.TOLD, Step.KEYED, Step.NAMING),
        opting_out=RightReach.HIDDEN, forgetting=RightReach.WORDS, age=Age(Window.FACTS),
        exported="told: subject=subject_id audience category",
    ),
    Table(
        "user_facts",
        [Columns("guild_id audience facts_version degraded memory_epoch updated_at"),
         Columns("user_id", _ID, ErasureEffect.ROW),
         Columns("memory_blob", _WORDS, ErasureEffect.RETOLD)],
        steps=(Step.TEXTS,), opting_out=RightReach.ROWS, forgetting=RightReach.ROWS,
    ),
    Table(
        "profiles",
        [Columns("guild_id version covers_up_to memory_epoch learned_at"),
         Columns("user_id", _ID, ErasureEffect.ROW),
         Columns("content", _WORDS, ErasureEffect.SENTENCES)],
        opting_out=RightReach.HIDDEN, forgetting=RightReach.SENTENCES, age=Age(Window.PROFILES, "learned_at < :begins"),
        exported="profile: version content covers_up_to learned_at",
    ),
    Table(
        "distillations",
        [Columns("guild_id kind audience period sources time_zone model_chain degraded refused attempts retry_after"),
         Columns("memory_epoch built_at covers_up_to is_final"),
         Columns("subject_id", _ID, ErasureEffect.ROW),
         Columns("content", _WORDS, ErasureEffect.RETOLD)],
        steps=(Step.TEXTS,), opting_out=RightReach.ROWS, forgetting=RightReach.SENTENCES,
        age=Age(_MESSAGES, """(kind = 'day' AND period < :first_day::date::text)
            OR (kind <> 'day' AND built_at < :merged_from)"""),
        exported="days: day=period audience content told_at=built_at",
    ),
    Table(
        "conversation_summaries",
        [Columns("guild_id channel_id conversation_id audience covers_up_to degraded memory_epoch updated_at"),
         Columns("covered failures"),
         Columns("content", _WORDS, ErasureEffect.SENTENCES)],
        opting_out=RightReach.ROWS, forgetting=RightReach.SENTENCES, age=Age(_MESSAGES, "updated_at < :begins"),
    ),
    Table(
        "episodes",
        [Columns("guild_id episode_id channel_id audience importance first_message_id last_message_id merged_from"),
         Columns("memory_epoch created_at updated_at"),
         Columns("content", _WORDS, ErasureEffect.SENTENCES),
         Columns("lexemes", _WORDS),
         Columns("tags", _WORDS, ErasureEffect.OWN)],
        opting_out=RightReach.HIDDEN, forgetting=RightReach.SENTENCES, age=Age(Window.EPISODES, "updated_at < :begins"),
        exported="episodes: id=episode_id channel=channel_id audience content importance tags ended_at=created_at",
    ),
    Table(
        "ended_conversations",
        [Columns("guild_id channel_id first_message_id last_message_id ended_at settled attempts episode_id told_ids")],
        age=Age(_MESSAGES, "ended_at < :begins AND episode_id IS NULL AND settled"),
    ),
    Table(
        "day_marks",
        [Columns("guild_id audience day version rewritten taken_back")],
        age=Age(_MESSAGES, "day < :first_day"),
    ),
    Table("lexicon", [Columns("guild_id audience messages"), Columns("word", Holds.HASH, ErasureEffect.OWN)]),
    Table("lexicon_counts", [Columns("guild_id audience messages words refreshed_at")]),
    Table(
        "builds",
        [Columns("guild_id holder leased_until"),
         Columns("build_key", _ID, ErasureEffect.KEY)],
        age=Age(_MESSAGES, "leased_until < clock_timestamp() - interval '1 day'"),
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
         Columns("name", _WORDS, ErasureEffect.OWN)],
    ),
    Table(
        "members",
        [Columns("guild_id is_bot opted_out_at opted_in_at private learning turns unlearned joined_at left_at"),
         Columns("profile_version"),
         Columns("user_id", _ID, ErasureEffect.ROW),
         Columns("user_name display_name nickname old_names pronouns name_words", _WORDS)],
        exported="member: user_name display_name nickname old_names pronouns joined_at left_at turns learning",
    ),
    Table(
        "work",
        [Columns("guild_id kind wanted attempts due_at leased_until"),
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
        [Columns("guild_id day operation model calls failures input_tokens output_tokens")],
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
    Table("installation", [Columns("guild_id hash_secret episodes_from discord_told_at")], of_guild=OfGuild.NONE),
    Table("services", [Columns("guild_id process_id name failures since error reported_at")], of_guild=OfGuild.NONE),
    Table("shard_leases", [Columns("guild_id shard_id shard_count holder leased_until")], of_guild=OfGuild.NONE),
    Table("alembic_version", [Columns("version_num")], of_guild=OfGuild.NONE),
)
# fmt: on


@dataclass(frozen=True, slots=True)
class Outside:
    """What holds something of members, or might, outside of the database's tables."""

    name: str
    holds: str
    """What it holds; "nothing" if that is no member's."""
    ends: str
    """What ends it, and what each right does to it until then."""
    modules: tuple[str, ...] = ()
    """The modules that keep it in memory."""


# fmt: off
OUTSIDE: Final = (
    Outside(
        "single words and their stems", "words of messages, by none of which one knows who said what",
        "pushed out by others, and the process; nothing is told from it",
        ("bot.text.tokens", "bot.text.ru.phrasing", "bot.memory.members.roster"),
    ),
    Outside(
        "parsed commands", "the last texts that spoke to the bot",
        "pushed out after 256 others, and the process; nothing is told from it", ("bot.chat.addressed",),
    ),
    Outside(
        "pace of members, answers under way, channels that talk", "ids and times",
        "pushed out by others, and the process",
        ("bot.chat.attention", "bot.chat.conversation", "bot.memory.outbox.answers", "bot.memory.summaries.rolling"),
    ),
    Outside(
        "the last context of members", "what was told of them lately",
        "served only in its epoch, which every right moves, and while no day that it tells of was taken back",
        ("bot.memory.summaries.memories", "bot.memory.derived.reading"),
    ),
    Outside(
        "members introduced lately", "names and ids",
        "ten minutes: who is erased meanwhile and goes on talking is written anew",
        ("bot.adapters.discord.members",),
    ),
    Outside(
        "queue of the writer", "messages that were heard and are not yet written",
        "the next batch, whose statement leaves out who was erased or opted out", ("bot.memory.messages.writer",),
    ),
    Outside(
        "texts that are being generated", "what was read for a prompt, and what a model returned",
        "they are stored only in the epoch in which they were read: every right moves it",
        ("bot.memory.derived.reading",),
    ),
    Outside("log", "ids and counts, never words", "by whoever keeps the log"),
    Outside("exported files", "what the member asked for", "by whoever has the file"),
    Outside("console_history", "what was typed into the terminal", "by the operator, who deletes the file"),
    Outside(
        "the server's files, backups", "old versions of rows",
        "VACUUM, and the age of backups: docs/privacy.md says what an operator does",
    ),
    Outside("Discord", "what the bot sent", "`Details` under a confirmation deletes what told something forgotten"),
    Outside("providers of models", "prompts", "by the provider's terms; the operator chooses them"),
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
    window: Window | None = None,
    erasing: Iterable[ErasureEffect] = (),
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
