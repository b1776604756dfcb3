"""A day in a guild, from the first good morning on: who is there, what they do, and what the bot is to answer."""

from collections.abc import Mapping

from tests.adapters.discord.day_acts import (
    DIRECT,
    Act,
    Chatters,
    Chooses,
    Clicks,
    Commands,
    Deletes,
    Edits,
    Forwards,
    Joins,
    Leaves,
    Pins,
    Renames,
    Says,
    Starts,
    Unfurls,
    aside,
    to_bot,
)
from tests.servers.discord import kinds

MEMBERS: Mapping[str, str | None] = {
    "alice": None,
    "bob": None,
    "carol": "Caz",
    "erin": None,
    "frank": None,
    "grisha": "Гриша",
    "masha": "Маша",
    "hugo": None,
    "ivy": None,
}
"""Members by user name, with their nicknames."""

MODERATOR, HELPER = "dave", "ticker"
"""A moderator, and a bot of somebody else's."""

CHANNELS: Mapping[str, str] = {
    "general": "text",
    "games": "text",
    "news": "announcement",
    "ideas": "forum",
    "lounge": "voice",
}
CLOSED = "staff"
"""A channel that only moderators see."""

CHAT: Mapping[str, str] = {
    "what do you know about Zaphod?": "Nobody here ever spoke of one.",
    "how was your night?": "Quiet. The logs were calm, and so was I.",
    "thanks, that helps": "Any time, Caz.",
    "как дела?": "Неплохо, а у тебя?",
    "are you still up?": "Always.",
}
"""What the model says, by the last words of what was said to it."""

_MORNING: tuple[Act, ...] = (
    aside("alice", "general", "good morning everyone", label="morning"),
    to_bot(
        "bob", "general", "Bot, remember that I like pizza", "Remembered: bob likes pizza.", label="pizza"
    ),
    aside("carol", "games", "anyone up for chess tonight?", label="chess"),
    aside("dave", "news", "release 2.0 is out"),
    Says(who="Builds", where="news", text="build 4711 passed", webhook=True),
    Says(who=HELPER, where="general", text="Bot, remember that all systems are normal"),
    to_bot(
        "grisha",
        "general",
        "Бот, запомни, что я живу в Казани",
        "Записано: Гриша живёт в Казани.",
        label="Казань",
    ),
    to_bot("alice", "general", "{Keepsake} how was your night?", CHAT["how was your night?"], label="night"),
    aside("erin", "general", "the meeting is at the harbour cafe at noon", label="cafe"),
    to_bot(
        "carol",
        "general",
        "Bot, remember this",
        "Remembered: erin: “the meeting is at the harbour cafe at noon”.",
        to="cafe",
    ),
    Says(
        who="frank",
        where="games",
        text="look at this",
        files=("cat.png", "notes.txt"),
        carries=("[image: cat.png]", "[file: notes.txt]"),
        label="cat",
    ),
    Says(who="ivy", where="games", fields={**kinds.sticker("Wave")}, carries=("[sticker: Wave]",)),
    Says(
        who="hugo",
        where="general",
        fields={**kinds.poll("Tea or coffee?", ["tea", "coffee"])},
        carries=("[poll: Tea or coffee?: tea / coffee]",),
    ),
    Says(who="hugo", where="general", fields={**kinds.voice_message()}, carries=("[voice message: 4 s]",)),
    Says(
        who=HELPER,
        where="games",
        embeds=(kinds.embed("Top ten", "chess openings for the impatient"),),
        carries=("[embed: Top ten: chess openings for the impatient]",),
    ),
    Forwards("alice", "general", "chess", ("[forwarded: anyone up for chess tonight?]",)),
    aside("frank", "games", "https://example.org/openings is worth a read", label="link"),
    Unfurls("link", kinds.embed("Openings", "from A to Z", kind="link"), ("[embed: Openings: from A to Z]",)),
)

_NOON: tuple[Act, ...] = (
    Starts("erin", "general", "lunch", on="cafe"),
    aside("erin", "lunch", "who is coming along?"),
    to_bot(
        "hugo", "lunch", "Bot, remember that I am allergic to nuts", "Remembered: hugo is allergic to nuts."
    ),
    Starts("ivy", "ideas", "A quiz night", text="every second thursday, teams of four"),
    aside("bob", "A quiz night", "count me in"),
    Starts("carol", "games", "tournament"),
    aside("carol", "tournament", "the first round is drawn"),
    Starts("alice", "general", "surprise", private=True, members=("alice", "ivy", "Keepsake")),
    to_bot(
        "alice",
        "surprise",
        "Bot, remember that the party is for bob",
        "Remembered: the party is for bob.",
    ),
    aside("frank", "lounge", "typed beside the voices"),
    to_bot(
        "dave",
        CLOSED,
        "Bot, remember that the raid is secret",
        "Remembered: the raid is secret.",
    ),
    to_bot(
        "dave",
        CLOSED,
        "Bot, what do you know about this server?",
        "What I know about this server:\n- […] dave says the raid is secret",
    ),
    to_bot(
        "erin",
        "general",
        "Bot, what do you know about this server?",
        "I have nothing noted about this server yet.",
    ),
    to_bot("masha", "general", "Бот, запомни, что я люблю чай", "Записано: Маша любит чай.", label="чай"),
    to_bot("masha", "general", "нет, кофе", "Исправлено: Маша любит кофе.", to=">чай"),
    to_bot(
        "hugo",
        "general",
        "Bot, remember that my locker is number 12",
        "Remembered: hugo's locker is number 12.",
        label="locker",
    ),
    Edits("locker", "Bot, remember that my locker is number 21", "Remembered: hugo's locker is number 21."),
    Chatters(("alice", "bob", "carol", "frank", "ivy"), "general", 60),
    Edits("morning", "good morning, everyone!"),
    aside("frank", "general", "I will delete this", label="gone"),
    aside("frank", "general", "spam", label="spam 1"),
    aside("frank", "general", "more spam", label="spam 2"),
    aside("frank", "general", "even more spam", label="spam 3"),
    to_bot("ivy", "general", "{Keepsake}", "Yes? You could say:…"),
    Deletes(("gone",)),
    Deletes(("spam 1", "spam 2", "spam 3"), in_bulk=True),
    Pins("dave", "cafe"),
)

_EVENING: tuple[Act, ...] = (
    Renames("bob", "Bobby"),
    to_bot(
        "alice",
        "general",
        "Bot, what do you know about Bobby?",
        "What I know about Bobby:\n- […] Bobby likes pizza\nBobby has written …",
        label="about bob",
    ),
    to_bot("bob", "general", "Bot, forget that I like pizza", "Forgotten: I removed 1 fact.", label="forget"),
    to_bot(
        "alice",
        "general",
        "Bot, what do you know about bob?",
        "I have nothing noted about Bobby yet.…",
        without="pizza",
    ),
    Joins("zoe", "general"),
    to_bot("zoe", "general", "Bot, remember that I play the cello", "Remembered: zoe plays the cello."),
    to_bot("carol", "games", "{Keepsake} thanks, that helps", CHAT["thanks, that helps"]),
    to_bot("grisha", "general", "Бот, как дела?", CHAT["как дела?"], label="дела"),
    to_bot(
        "grisha",
        "general",
        "Бот, что ты знаешь обо мне?",
        "Что я знаю о Грише:\n- […] Гриша живёт в Казани",
        label="о Грише",
    ),
    to_bot(
        "grisha", "general", "Бот, забудь, что я живу в Казани", "Готово, удалено: 1 факт.", label="забыть"
    ),
    to_bot("ivy", DIRECT, "are you still up?", CHAT["are you still up?"]),
    to_bot("ivy", DIRECT, "remember that I snore", "Remembered: ivy snores."),
    to_bot("ivy", DIRECT, "what do you know about me?", "What I know about ivy:\n- […] ivy snores"),
    to_bot(
        "erin", "general", "Bot, remember that I keep geese", "Remembered: erin keeps geese.", label="geese"
    ),
    Clicks("erin", "geese", "Undo", "Taken back, and no longer kept: erin keeps geese."),
    to_bot(
        "erin",
        "general",
        "Bot, what do you know about me?",
        # What she said lately is told with the next telling of the day, within the hour.
        "What I know about erin:\n- […] erin: “the meeting is at the harbour cafe at noon”…",
    ),
    to_bot(
        "carol",
        "games",
        "Bot, search for chess",
        "What I found about “chess”:\n- […] Caz: anyone up for chess tonight?…",
    ),
    to_bot("carol", "games", "Bot, what do you know about Zaphod?", CHAT["what do you know about Zaphod?"]),
    Commands("erin", "games", "memory remember", {"text": "I collect stamps"}, ("erin collects stamps",)),
    Commands("ivy", "games", "memory show", {"member": "erin"}, ("harbour cafe", "erin collects stamps")),
    Chooses("carol", "link", "Remember this", ("Remembered", "worth a read")),
    aside("frank", "general", "so long, and thanks"),
    Leaves("frank"),
    aside("alice", "general", "good night"),
)

DAY: tuple[Act, ...] = (*_MORNING, *_NOON, *_EVENING)

FORGOTTEN = frozenset(
    ["pizza", ">pizza", "forget", ">night", ">about bob", "Казань", ">Казань", ">дела", ">о Грише", "забыть"]
)
"""What is kept without its text when the day is over, since somebody asked to have forgotten what it told."""
