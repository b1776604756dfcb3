"""Asked "what did I miss?": told as far as the place may see it, to members alone."""

from dataclasses import replace
from datetime import timedelta

from bot.app import Keepsake, assembled
from bot.chat.incoming import IncomingMessage
from bot.core.clock import SetClock
from bot.core.domain import Channel, Guild, Language, Message, snowflake_at
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.text.sentences import say
from tests.chat.guild import BOT_ID, BOT_NAMES, GAMES, GENERAL, GUILD_ID, MODS, NAMES, TalkingGuild, member
from tests.chat.usecases.visits import desk_of, visit
from tests.scripted_models import ScriptedModels


async def test_the_answer_names_the_busiest_talks_with_people_counts_and_links(guild: TalkingGuild) -> None:
    await put_channels(guild)
    await guild.say("alice", "I am off to the lake")
    await guild.say("bob", "shall we meet on Friday?")
    first = guild.last
    await guild.say("florent", "Friday it is")
    await guild.say("bob", "Bot, remember that florent likes Fridays")
    await guild.say("gruzilkin", "who plays?", channel_id=GAMES)
    hearing = IncomingMessage(
        message=await question(guild, "Bot, what did I miss?"),
        bot_id=BOT_ID,
        bot_names=BOT_NAMES,
        jump=lambda channel_id, message_id: f"https://there/{channel_id}/{message_id}",
    )
    told = await guild.keepsake.conversation.hear(hearing)
    assert told.route == "catch_up"
    assert told.text is not None
    assert first is not None
    assert told.text.splitlines() == [
        "What you missed since you last wrote:",
        "- [2026-03-01 09:00] #general · bob, florent · 2 messages: “shall we meet on Friday?”"
        f" · https://there/{GENERAL}/{first.message_id}",
        f"- [2026-03-01 09:00] #games · gruzilkin · 1 message: “who plays?” · https://there/{GAMES}/"
        + told.text.rsplit("/", 1)[1],
    ]
    russian = await guild.say("alice", "Бот, что я пропустила в #games сегодня?")
    assert russian is not None
    assert russian.splitlines() == [
        "Вот о чём говорили с 2026-03-01 00:00:",
        "- [2026-03-01 09:00] #games · gruzilkin · 1 сообщение: “who plays?”",
    ]


async def test_a_closed_room_is_told_of_in_itself_alone(guild: TalkingGuild) -> None:
    await put_channels(guild)
    await guild.say("bob", "the coup is on Friday", channel_id=MODS)
    await guild.say("bob", "cake is on Friday", channel_id=GENERAL)
    for text in (
        "Bot, what did I miss?",
        "Bot, what did I miss since yesterday?",
        "Bot, what did I miss in #mods?",
        f"Bot, what did I miss in <#{MODS}>?",
        "Bot, what happened here today?",
    ):
        answer = await guild.say("alice", text)
        assert answer is not None
        assert "coup" not in answer
        assert ("cake" in answer) == ("mods" not in text and str(MODS) not in text)
    inside = await guild.say("alice", "Bot, what did I miss?", channel_id=MODS)
    assert inside is not None
    assert "coup" in inside
    assert "cake" in inside
    unknown = await guild.say("alice", "Bot, what did I miss in #nowhere?")
    closed = await guild.say("alice", "Bot, what did I miss in #mods?")
    assert unknown is not None
    assert closed is not None
    assert unknown.replace("nowhere", "mods") == closed, "nobody learns which closed rooms there are"


async def test_visitors_and_direct_messages_are_told_nothing(guild: TalkingGuild) -> None:
    await put_channels(guild)
    await guild.say("bob", "cake is on Friday")
    for text in ("Bot, what did I miss?", "Bot, what happened here today?"):
        answer = await guild.say("alice", text, visitor=True)
        assert answer == say("chat.for_members", Language.ENGLISH)
    direct = await guild.say("alice", "what did I miss?", direct=True)
    assert direct == "Here it is only the two of us: ask me that on a server."


async def test_to_have_asked_before_is_not_to_have_been_there(guild: TalkingGuild) -> None:
    await put_channels(guild)
    nothing = await guild.say("alice", "Bot, what did I miss?")
    assert nothing is not None
    assert nothing.startswith("Nothing")
    await guild.say("bob", "cake is on Friday")
    for _ in range(2):
        answer = await guild.say("alice", "Bot, what did I miss?")
        assert answer is not None
        assert "cake" in answer
    await guild.say("alice", "cake is what I came for")
    again = await guild.say("alice", "Bot, what did I miss?")
    assert again == nothing


async def test_what_is_forgotten_afterwards_leaves_the_kept_answer_too(guild: TalkingGuild) -> None:
    await put_channels(guild)
    await guild.say("bob", "the parcel number is 4711")
    said = guild.last
    await guild.say("alice", "Bot, what did I miss?")
    assert said is not None
    answer = guild.answer
    assert answer is not None
    assert "4711" in answer.text
    for forgets in (False, True):
        if forgets:
            await guild.say("bob", "Bot, forget this", reply_to=said)
        kept = await guild.keepsake.library.message(guild_id=GUILD_ID, message_id=answer.message_id)
        assert kept is not None
        assert ("4711" in kept.text) is not forgets


async def test_a_model_tells_it_by_topic_in_the_language_of_the_question(
    database: Database, clock: SetClock
) -> None:
    models = ScriptedModels(
        catch_up={"topics": [{"text": "@u1 хочет встретиться в пятницу.", "message": "m1"}]}
    )
    async with assembled(
        Settings(_env_file=None, learning=False), clock, database, models=models
    ) as keepsake:
        guild = await opened(keepsake, clock)
        await guild.say("bob", "shall we meet on Friday?")
        answer = await guild.say("alice", "Бот, что я пропустила?")
    assert answer is not None
    assert answer.splitlines()[1] == "- [2026-03-01 09:00] #general: bob хочет встретиться в пятницу."
    [prompt] = [one for one in models.prompts if "what they missed" in one]
    assert "Russian" in prompt


async def test_at_the_desk_a_time_that_means_nothing_and_a_closed_channel_are_told(
    guild: TalkingGuild,
) -> None:
    await put_channels(guild)
    await guild.say("bob", "cake is on Friday")
    await guild.say("bob", "the coup is on Friday", channel_id=MODS)
    use_cases = desk_of(guild)
    here = visit(guild, "alice")
    shown = await use_cases.catch_up(here, None, "")
    assert [line.text for line in shown.lines] == ["#general · bob · 1 message: “cake is on Friday”"]
    assert (shown.lines[0].channel_id, shown.lines[0].fact_id) == (GENERAL, 0)
    wrong = await use_cases.catch_up(here, None, "the flood")
    assert wrong.lines == ()
    assert "“the flood” is no time" in wrong.title
    closed = await use_cases.catch_up(here, MODS, "2 hours")
    assert closed.lines == ()
    assert "ask me there" in closed.title
    inside = await use_cases.catch_up(visit(guild, "alice", channel_id=MODS), MODS, "2 hours")
    assert ["coup" in line.text for line in inside.lines] == [True]
    assert (await use_cases.catch_up(replace(here, visitor=True), None, "")).lines == ()
    assert (await use_cases.catch_up(visit(guild, "alice", russian=True), GAMES, "")).title.startswith(
        "С вашего"
    )


async def put_channels(guild: TalkingGuild) -> None:
    await guild.keepsake.directory.put_channels([
        Channel(guild_id=GUILD_ID, channel_id=GENERAL, name="general"),
        Channel(guild_id=GUILD_ID, channel_id=GAMES, name="games"),
        Channel(guild_id=GUILD_ID, channel_id=MODS, name="mods", audience=MODS),
    ])  # fmt: skip


async def opened(keepsake: Keepsake, clock: SetClock) -> TalkingGuild:
    await keepsake.directory.add_guild(Guild(guild_id=GUILD_ID, name="Test"))
    await keepsake.directory.put_members([member(name) for name in NAMES])
    guild = TalkingGuild(keepsake, clock)
    await put_channels(guild)
    return guild


async def question(guild: TalkingGuild, text: str) -> Message:
    guild.clock.advance(timedelta(seconds=1))
    return Message(
        guild_id=GUILD_ID,
        channel_id=GENERAL,
        message_id=snowflake_at(guild.clock.now()),
        user_id=NAMES["alice"],
        text=text,
        timestamp=guild.clock.now(),
    )
