"""Where somebody lives is told as they type it; what they say to be so no longer ends, however it was kept, and holds
again if that is taken back.
"""

import pytest

from tests.chat.guild import TalkingGuild


async def where(guild: TalkingGuild, name: str, *, asker: str = "carol") -> str:
    return await guild.say(asker, f"bot where does {name} live?") or ""


@pytest.mark.parametrize(
    ("first", "ends"),
    [
        ("I live in Cork", "I don't live in Cork anymore"),
        ("i live in cork", "ugh, i dont live in cork any more"),
        ("Bot, remember that I live in Cork", "i moved out of cork"),
        ("Bot, remember that I live in Cork", "bot i no longer live in cork"),
    ],
)
async def test_where_somebody_lives_no_longer_is_not_told_as_of_today(
    guild: TalkingGuild, first: str, ends: str
) -> None:
    await guild.say("bob", first)
    assert "lives in Cork" in await where(guild, "bob")
    await guild.say("bob", ends)
    assert (await where(guild, "bob")).startswith("bob no longer lives in Cork (bob said so on ")


@pytest.mark.parametrize(
    "said", ["i moved to york", "bot i moved to york last month", "we moved to York in May"]
)
async def test_where_somebody_moved_is_told_however_it_was_typed(guild: TalkingGuild, said: str) -> None:
    await guild.say("bob", said)
    assert (await where(guild, "bob")).startswith("bob moved to York (bob said so on ")


async def test_who_lives_there_is_not_who_did(guild: TalkingGuild) -> None:
    await guild.say("bob", "I live in Cork")
    await guild.say("bob", "I don't live in Cork anymore")
    assert "bob" not in (await guild.say("carol", "bot who lives in Cork?") or "")


@pytest.mark.parametrize(
    ("first", "ends", "left"),
    [
        ("I work at Valve", "I quit Valve", "bob no longer works at Valve"),
        ("i have a dog named Rex", "i dont have a dog anymore, he died", "bob no longer has a dog"),
        ("I play chess", "i stopped playing chess", "bob no longer plays chess"),
        ("im married", "we broke up", "bob is no longer in that relationship"),
        ("я работаю в Яндексе", "я уже не работаю в Яндексе", "bob больше не работает в Яндексе"),
        ("я живу в казани", "я больше не живу в Казани", "bob больше не живёт в Казани"),
    ],
)
async def test_what_was_picked_up_ends_by_plain_talk(
    guild: TalkingGuild, first: str, ends: str, left: str
) -> None:
    await guild.say("bob", first)
    await guild.say("bob", ends)
    (known,) = await guild.known("bob")
    assert known.startswith(left)


async def test_nothing_is_kept_of_an_ending_that_ends_nothing(guild: TalkingGuild) -> None:
    await guild.say("bob", "I work at Valve")
    await guild.say("bob", "I quit sugar. I don't live in Oslo anymore, i left my keys at home")
    assert not [known for known in await guild.known("bob") if "no longer" in known]


async def test_another_ends_nothing_that_somebody_told_of_themselves(guild: TalkingGuild) -> None:
    await guild.say("bob", "I live in Cork")
    await guild.say("alice", "bob doesn't live in Cork anymore")
    await guild.say("alice", "Bot, remember that bob no longer lives in Cork")
    assert "bob lives in Cork" in await where(guild, "bob")


async def test_what_is_so_since_outlasts_what_ended_before_it(guild: TalkingGuild) -> None:
    await guild.say("bob", "Bot, remember that I live in Cork")
    await guild.say("bob", "I don't live in Cork anymore, i live in hull")
    assert "bob lives in Hull" in await where(guild, "bob")
    await guild.say("bob", "i don't live in cork anymore")
    assert "bob lives in Hull" in await where(guild, "bob")


async def test_undo_lets_hold_again_what_was_ended(guild: TalkingGuild) -> None:
    await guild.say("bob", "Bot, remember that I live in Cork")
    await guild.say("bob", "bot i no longer live in cork")
    assert "bob lives in Cork" in (await guild.say("bob", "Bot, undo") or "")
    assert "bob lives in Cork" in await where(guild, "bob")


async def test_what_a_message_ended_holds_again_once_it_is_edited_or_removed(guild: TalkingGuild) -> None:
    await guild.say("bob", "Bot, remember that I live in Cork")
    await guild.say("bob", "i no longer live in cork")
    ended = guild.last
    assert ended is not None
    assert "no longer" in await where(guild, "bob")
    await guild.edit(ended, "i no longer like cork")
    assert "bob lives in Cork" in await where(guild, "bob")
    await guild.edit(ended, "i no longer live in cork")
    assert "no longer" in await where(guild, "bob")
    await guild.keepsake.memory.ingest_deletion(
        guild_id=ended.guild_id, channel_id=ended.channel_id, message_ids=[ended.message_id]
    )
    assert "bob lives in Cork" in await where(guild, "bob")
