"""What of the memory stands in the prompt of a real reply: what fits, where it may be told, and what it rests on."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from bot.chat.prompting.budget import DATA_TOKENS
from bot.core.domain import Message, MessageKind
from bot.db.pool import Database
from bot.llm.framing import estimated_tokens
from bot.memory.profiles import repository as profiles_repository
from bot.memory.profiles.repository import Profile
from bot.memory.summaries import repository_episodes
from bot.memory.summaries.repository_episodes import NewEpisode
from tests.chat.guild import BOT_ID, GAMES, GENERAL, GUILD_ID, MODS, NAMES, TalkingGuild
from tests.said import said_in
from tests.scripted_models import ScriptedModels


def prompt_of(models: ScriptedModels, of: str = "<to_answer>") -> str:
    """Return the data of the last prompt of a reply."""
    prompt = next(prompt for prompt in reversed(models.prompts) if of in prompt)
    return prompt[prompt.index("<data>") :]


def section(prompt: str, name: str) -> str:
    """Return what stands in a section, "" if it is not there."""
    return prompt.partition(f"<{name}")[2].partition(f"</{name}>")[0]


async def remember(guild: TalkingGuild, *facts: str, by: str = "alice", channel_id: int = GENERAL) -> None:
    for fact in facts:
        await guild.say(by, f"Bot, remember that {fact}", channel_id=channel_id)
    # Another conversation: what was just said would stand in the prompt anyway.
    guild.clock.advance(timedelta(hours=2))


def in_order(known: str, *words: str) -> bool:
    """Tell whether these words stand in the order given."""
    places = [known.index(word) for word in words]
    return places == sorted(places)


async def test_what_a_question_is_about_comes_first_and_the_rest_that_is_known_of_the_asker_after_it(
    talking: TalkingGuild, models: ScriptedModels
) -> None:
    await remember(talking, "I like pizza", "I am allergic to peanuts", "I like ramen")
    await remember(talking, "I work as an engineer", "my boss is called Grigory", "my standup is at nine")
    await talking.say("alice", "Bot, what should I eat tonight?")
    known = section(prompt_of(models), "members")
    assert all(food in known for food in ("pizza", "peanuts", "ramen"))
    assert all(in_order(known, food, "engineer") for food in ("pizza", "peanuts", "ramen"))
    await talking.say("alice", "Bot, how is work going?")
    known = section(prompt_of(models), "members")
    assert all(in_order(known, work, "peanuts") for work in ("engineer", "Grigory"))


async def test_what_the_answer_was_given_is_kept_with_it(
    talking: TalkingGuild, models: ScriptedModels, database: Database
) -> None:
    await remember(talking, "I like pizza", "I own a red kayak")
    await chatter(talking, 60)
    await talking.say("bob", "the harbour opens at nine, Zorrilla says", channel_id=GAMES)
    harbour = talking.last
    talking.clock.advance(timedelta(hours=2))
    await talking.say("alice", "Bot, when does Zorrilla say that the harbour opens?")
    prompt = prompt_of(models)
    assert "opens at nine" in section(prompt, "recalled")
    assert "#games" in section(prompt, "recalled")
    answer = await given_with(database, talking.last)
    assert harbour is not None
    assert harbour.message_id in answer["quoted_ids"]
    quoted = await talking.keepsake.library.messages(guild_id=GUILD_ID, message_ids=answer["quoted_ids"])
    recalled = section(prompt, "recalled")
    assert all(message.text in recalled for message in quoted)
    assert recalled.count("line ") == len(quoted) - 1
    assert len(answer["memory_ids"]) == 2


async def given_with(database: Database, message: Message | None) -> dict[str, list[int]]:
    assert message is not None
    read = "SELECT memory_ids, quoted_ids FROM answers WHERE message_id = $1"
    row = await database.read(lambda connection: connection.fetchrow(read, message.message_id))
    assert row is not None
    return dict(row)


async def test_what_stands_word_for_word_is_not_recalled_as_well(
    talking: TalkingGuild, models: ScriptedModels
) -> None:
    await talking.say("bob", "the harbour opens at nine, Zorrilla says")
    await talking.say("alice", "Bot, when does Zorrilla say that the harbour opens?")
    prompt = prompt_of(models)
    assert "opens at nine" in section(prompt, "messages")
    assert section(prompt, "recalled") == ""


async def episode(guild: TalkingGuild, database: Database, content: str, *, channel_id: int) -> None:
    now = guild.clock.now()
    new = NewEpisode(
        guild_id=GUILD_ID,
        channel_id=channel_id,
        audience=MODS if channel_id == MODS else 0,
        content=content,
        importance=5,
        tags=(),
        first_message_id=channel_id,
        last_message_id=channel_id,
        memory_epoch=0,
        created_at=now,
    )
    await database.write(repository_episodes.add_episode, new, now=now)


async def test_memories_of_a_channel_stand_in_its_prompts_alone(
    talking: TalkingGuild, models: ScriptedModels, database: Database
) -> None:
    await episode(talking, database, "They agreed on chess every Friday.", channel_id=GENERAL)
    await episode(talking, database, "They banned a spammer.", channel_id=MODS)
    told = {}
    for channel_id in (GENERAL, GAMES, MODS):
        await talking.say("bob", "Bot, good morning", channel_id=channel_id)
        told[channel_id] = section(prompt_of(models), "channel_memories")
    assert "(memories for channel: #general)" in told[GENERAL]
    assert "1. [Created: " in told[GENERAL]
    assert "chess every Friday" in told[GENERAL]
    assert told[GAMES] == ""
    assert "spammer" in told[MODS]
    assert "chess" not in told[MODS]


async def test_a_profile_is_told_to_the_member_alone_and_never_to_visitors(
    talking: TalkingGuild, models: ScriptedModels, database: Database
) -> None:
    learned = Profile(
        guild_id=GUILD_ID,
        user_id=NAMES["alice"],
        version=1,
        content=f"<@{NAMES['alice']}> thinks in pictures.",
        covers_up_to=1,
        learned_at=talking.clock.now(),
    )
    await database.write(profiles_repository.add_version, learned, memory_epoch=0)
    await episode(talking, database, "They agreed on chess every Friday.", channel_id=GENERAL)
    await remember(talking, "I like pizza")
    await talking.say("alice", "Bot, write a poem about me")
    assert "alice thinks in pictures" in section(prompt_of(models), "members")
    await talking.say("bob", "Bot, write a poem about alice")
    assert "pizza" in section(prompt_of(models), "members")
    assert "pictures" not in section(prompt_of(models), "members")
    await talking.say("bob", "Bot, write a poem about alice", visitor=True)
    prompt = prompt_of(models)
    assert not [text for text in ("pictures", "pizza", "chess") if text in section(prompt, "members")]
    assert section(prompt, "channel_memories") == section(prompt, "recalled") == ""


async def test_what_a_closed_room_holds_stands_in_no_prompt_elsewhere(
    talking: TalkingGuild, models: ScriptedModels
) -> None:
    await remember(talking, "I like pepper", channel_id=MODS)
    await talking.say("alice", "the raccoon plan is on", channel_id=MODS)
    talking.clock.advance(timedelta(hours=2))
    await talking.say("bob", "Bot, what is the raccoon plan, and does alice like pepper?")
    prompt = prompt_of(models)
    assert "likes pepper" not in prompt
    assert "plan is on" not in prompt


async def test_a_date_is_told_as_past_after_it(talking: TalkingGuild, models: ScriptedModels) -> None:
    await remember(talking, "my exam is on 20 June")
    for day, is_past in ((19, False), (21, True)):
        talking.clock.set(talking.clock.now().replace(month=6, day=day))
        await talking.say("alice", "Bot, cheer me up before my exam")
        known = section(prompt_of(models), "members")
        assert "exam" in known
        assert ('past="yes"' in known) == is_past


async def test_everybody_in_the_talk_is_named_oldest_first(
    talking: TalkingGuild, models: ScriptedModels
) -> None:
    for author, text in (("alice", "I like tea"), ("bob", "I like rum"), ("florent", "I like ink")):
        await talking.say(author, text)
    await talking.say("gruzilkin", "Bot, who likes what?")
    messages = section(prompt_of(models), "messages")
    places = [messages.index(text) for text in ("I like tea", "I like rum", "I like ink")]
    assert places == sorted(places)
    assert len({one.by for one in said_in(prompt_of(models), ["messages"])}) == 3


async def test_a_long_conversation_leaves_no_hole_between_summary_and_messages(
    talking: TalkingGuild, models: ScriptedModels
) -> None:
    await talking.say("alice", "we decided: the code word is Zorrilla, at message 5")
    said = await chatter(talking, 200)
    await talking.say("bob", "Bot, good morning")
    prompt = prompt_of(models)
    told = {one.text for one in said_in(prompt, ["messages"])}
    shown = [number for number, text in enumerate(said) if text in told]
    assert shown == list(range(200 - len(shown), 200)), "the newest, and none missing between them"
    assert len(shown) >= 20
    assert "Zorrilla" in section(prompt, "summary")
    assert estimated_tokens(prompt) <= DATA_TOKENS


async def chatter(guild: TalkingGuild, count: int) -> Sequence[str]:
    said = [f"line {number:03} of the talk" for number in range(count)]
    batch = []
    for number, text in enumerate(said):
        guild.clock.advance(timedelta(seconds=5))
        batch.append(
            Message(
                guild_id=GUILD_ID,
                channel_id=GENERAL,
                message_id=(guild.last.message_id if guild.last else 0) + number + 1,
                user_id=BOT_ID if number % 50 == 49 else NAMES["bob"],
                kind=MessageKind.BOT if number % 50 == 49 else MessageKind.MEMBER,
                text=text,
                timestamp=guild.clock.now(),
            )
        )
    await guild.keepsake.memory.ingest_messages(batch)
    return said


async def test_in_a_guild_of_few_words_a_plain_question_finds_its_answer(
    talking: TalkingGuild, models: ScriptedModels
) -> None:
    await talking.say("bob", "hi all", channel_id=GAMES)
    await talking.say("bob", "the harbour opens at nine", channel_id=GAMES)
    await talking.say("alice", "thanks!", channel_id=GAMES)
    talking.clock.advance(timedelta(hours=2))
    await talking.say("alice", "Bot, when does the harbour open?")
    assert "opens at nine" in section(prompt_of(models), "recalled")
    await talking.say("alice", "Bot, how are you today?")
    assert section(prompt_of(models), "recalled") == ""


@pytest.mark.parametrize(
    ("danger", "asked", "marked"),
    [
        ("I'm allergic to peanuts", "Bot, what should I cook for alice?", "allergic to peanuts"),
        ("I'm allergic to peanuts", "Bot, welche Suppe ist gut für alice und mich?", "allergic to peanuts"),
        ("у меня аллергия на орехи", "Бот, что приготовить для alice?", "аллергия на орехи"),
        (
            "I'm lactose intolerant",
            "Bot, any idea for a dessert that alice would like?",
            "lactose intolerant",
        ),
    ],
)
async def test_who_cooks_is_given_what_may_harm_the_guest_however_much_else_is_known(
    talking: TalkingGuild, models: ScriptedModels, danger: str, asked: str, marked: str
) -> None:
    called = "Бот, запомни, что" if "у меня" in danger else "Bot, remember that"
    await talking.say("alice", f"{called} {danger}")
    talking.clock.advance(timedelta(days=20))
    dishes = (
        "ramen udon pizza curry tacos sushi risotto paella goulash lasagne falafel kimchi waffles soup cake"
    )
    for dish in dishes.split():
        await talking.say("alice", f"Bot, remember that I love eating {dish} for dinner")
    await talking.say("bob", asked)
    (told,) = (line for line in section(prompt_of(models), "members").splitlines() if marked in line)
    assert 'safety="yes"' in told
    assert 'teller="' not in told


async def test_what_others_say_of_somebodys_body_is_not_marked_as_told_by_themselves(
    talking: TalkingGuild, models: ScriptedModels
) -> None:
    await talking.say("bob", "Bot, remember that alice is allergic to peanuts")
    await talking.say("carol", "Bot, what should I cook for alice?")
    assert 'safety="yes"' not in prompt_of(models)


async def test_of_two_notes_that_differ_the_later_one_stands_behind_the_other_with_its_day(
    talking: TalkingGuild, models: ScriptedModels
) -> None:
    await talking.say("alice", "Bot, remember that my cake for the party has walnuts")
    talking.clock.advance(timedelta(days=3))
    await talking.say("alice", "Bot, remember that my cake for the party has no walnuts any more")
    await talking.say("bob", "Bot, make up a rhyme on alice's cake for the party")
    earlier, later = [
        line for line in section(prompt_of(models), "members").splitlines() if "walnuts" in line
    ]
    assert "no walnuts" in later and "no walnuts" not in earlier
    days = [line.partition("[")[2].partition("]")[0] for line in (earlier, later)]
    assert days == sorted(days) and days[0] < days[1]


async def test_the_rules_name_the_order_in_which_notes_hold(
    talking: TalkingGuild, models: ScriptedModels
) -> None:
    await talking.say("alice", "Bot, hello there")
    rules = " ".join(models.prompts[-1].partition("<data>")[0].split())
    assert "Where two notes differ the later one holds" in rules
    assert 'a "fact" or "place" goes before what is told of today, that before the week, and' in rules
    assert '"channel_memories" come last' in rules
