"""Places outside the database that hold, or might hold, data of members: caches, queues, files, and other services."""

from dataclasses import dataclass
from typing import Final


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
        "single words and letters", "words of messages and their letters, by none of which one knows who said what",
        "pushed out by others, and the process; nothing is told from it",
        ("bot.text.tokens", "bot.text.ru.dictionary", "bot.text.ru.declension", "bot.memory.members.roster",
         "bot.memory.members.names", "bot.memory.members.name_index", "bot.chat.prompting.budget",
         "bot.memory.derived.grounding", "bot.memory.derived.wording"),
    ),
    Outside(
        "parsed commands", "the last texts that spoke to the bot",
        "pushed out after 256 others, and the process; nothing is told from it",
        ("bot.chat.addressed", "bot.text.vocatives"),
    ),
    Outside(
        "what texts say", "facts, and what was asked to be forgotten, as they are compared",
        "pushed out after 4,096 others, and the process; nothing is told from it", ("bot.text.concepts",),
    ),
    Outside(
        "pace of members, answers under way, channels that talk", "ids and times",
        "pushed out by others, and the process",
        ("bot.chat.attention", "bot.memory.outbox.answers", "bot.memory.summaries.rolling"),
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
    Outside(
        "failed tries to enter the web part", "addresses of the network, and how often each failed",
        "a quarter of an hour after the first, and the process", ("bot.adapters.web.tries",),
    ),
    Outside(
        "charts of the pages", "counts of servers by day and kind",
        "pushed out after 128 others, and the process; shown only while the counts are these",
        ("bot.adapters.web.pages.charts",),
    ),
    Outside("log", "ids and counts, never words", "by whoever keeps the log"),
    Outside("exported files", "what the member asked for", "by whoever has the file"),
    Outside("console_history", "what was typed into the terminal", "by the operator, who deletes the file"),
    Outside(
        "the server's files, backups", "old versions of rows",
        "VACUUM, and the age of backups; a restored one obeys the decisions since: docs/privacy.md",
    ),
    Outside("Discord", "what the bot sent", "`Details` under a confirmation deletes what told something forgotten"),
    Outside("providers of models", "prompts", "by the provider's terms; the operator chooses them"),
)
# fmt: on
