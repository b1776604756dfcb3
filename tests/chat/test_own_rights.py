"""What members decide in words about what is kept of them: it holds at once, and only code says that it does."""

import json
import re
from dataclasses import replace

import pytest

from bot.chat.incoming import PrivateFile
from bot.core.domain import ConsentDefault, Guild
from bot.db.pool import Database
from bot.memory.policy.consent import MemberConsent
from tests.chat.guild import GUILD_ID, MODS, NAMES, TalkingGuild, member

ALICE = NAMES["alice"]
OTHER_GUILD = 1_500


async def standing(guild: TalkingGuild, guild_id: int = GUILD_ID) -> MemberConsent:
    return await guild.keepsake.memory.consent.of(guild_id=guild_id, user_id=ALICE)


async def texts_of_alice(database: Database) -> list[str]:
    rows = await database.read(
        lambda connection: connection.fetch(
            "SELECT message_text FROM chat_history WHERE user_id = $1 AND withheld IS NULL ORDER BY message_id",
            ALICE,
        )
    )
    return [row["message_text"] for row in rows]


async def is_anywhere(database: Database, words: str) -> bool:
    """Tell whether any message that is kept, of whomever, holds these words."""
    return bool(
        await database.read(
            lambda connection: connection.fetchval(
                "SELECT EXISTS (SELECT FROM chat_history WHERE strpos(message_text, $1) > 0)", words
            )
        )
    )


async def meets_elsewhere(guild: TalkingGuild) -> None:
    """Let alice and the bot meet on another server too."""
    await guild.keepsake.directory.add_guild(Guild(guild_id=OTHER_GUILD, name="Elsewhere"))
    await guild.keepsake.directory.put_members([member("alice", OTHER_GUILD)])


async def asks_for_consent(guild: TalkingGuild) -> None:
    directory = guild.keepsake.directory
    was = await directory.guild(GUILD_ID)
    assert was is not None
    await directory.change_guild(was, replace(was, consent=ConsentDefault.ASKED))


@pytest.mark.smoke
async def test_off_keeps_nothing_more_answers_all_the_same_and_on_undoes_it(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "Bot, remember that I like pizza")
    off = await guild.say("alice", "Bot, stop remembering me")
    assert off is not None
    assert off.startswith("Done: from now on nothing that you say on this server")
    assert "Answer “yes” within 5 minutes" in off
    assert (await standing(guild)).opted_out
    assert await guild.say("alice", "the canary is yellow") is None
    assert await guild.say("alice", "Bot, help")
    refused = await guild.say("alice", "Bot, remember that I like ramen")
    assert refused == (
        "I keep nothing about you, as long as you have not agreed to it: “Bot, you may remember me” or /memory on "
        "changes that."
    )
    by_bob = await guild.say("bob", "Bot, remember that alice likes ramen")
    assert by_bob == "alice does not want anything remembered, so I stored nothing."
    assert not await is_anywhere(database, "canary")
    assert await texts_of_alice(database) == ["Bot, remember that I like pizza", "Bot, stop remembering me"]
    on = await guild.say("alice", "Bot, remember me again")
    assert on is not None
    assert on.startswith("Done: from now on what you say on this server is kept again.")
    assert not (await standing(guild)).absent
    assert await guild.say("alice", "Bot, remember that I like ramen") == "Remembered: alice likes ramen."


async def test_yes_to_the_offer_erases_the_past_and_off_stays(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "Bot, remember that I like pizza")
    await guild.say("alice", "I like tea as well")
    assert await guild.say("alice", "Бот, не запоминай меня больше")
    erased = await guild.say("alice", "да")
    assert erased is not None
    assert erased.startswith("Стёрто (на этом сервере): ")
    assert "2 факта о вас" in erased
    assert await texts_of_alice(database) == []
    assert (await standing(guild)).opted_out
    assert await guild.known("alice") == []


async def test_erasing_by_words_says_what_goes_and_needs_a_yes(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "Bot, remember that I like pizza")
    await guild.say("bob", "Bot, remember that alice is funny")
    asked = await guild.say("alice", "Bot, forget me completely")
    assert asked is not None
    assert asked.startswith("This erases ")
    assert "2 facts about you" in asked
    assert asked.endswith("Answer “yes” within 5 minutes and it is done.")
    assert await guild.say("alice", "no") == "All right, nothing was removed."
    assert len(await guild.known("alice")) == 2
    await guild.say("alice", "Bot, forget me completely")
    assert await guild.say("bob", "yes") is None
    erased = await guild.say("alice", "yes")
    assert erased is not None
    assert erased.startswith("Erased on this server: ")
    assert "2 facts about you" in erased
    assert await texts_of_alice(database) == []
    assert not (await standing(guild)).absent
    assert await guild.say("alice", "Bot, forget me completely") is not None
    await guild.keepsake.directory.put_members([member("alice")])
    assert await guild.say("alice", "Bot, remember that I like tea") == "Remembered: alice likes tea."


async def test_a_question_whether_it_would_erases_nothing(guild: TalkingGuild, database: Database) -> None:
    await guild.say("alice", "Bot, remember that I like pizza")
    for question in ("Bot, will you forget me?", "Bot, did you stop remembering me?"):
        await guild.say("alice", question)
    assert await guild.say("alice", "yes") is None
    assert await guild.known("alice") == ["alice likes pizza"]
    assert not (await standing(guild)).absent


async def test_what_was_said_while_the_bot_was_away_holds_without_a_word(guild: TalkingGuild) -> None:
    outcome = await guild.hear("alice", "Bot, stop remembering me", late=True)
    assert outcome.text is None
    assert (await standing(guild)).opted_out


async def test_a_private_member_is_nobodys_business(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like pizza")
    private = await guild.say("alice", "Бот, никому не рассказывай обо мне")
    assert private is not None
    assert private.startswith("Готово: на этом сервере другим о вас ничего не рассказывается.")
    assert (await standing(guild)).private
    assert "pizza" not in (await guild.say("bob", "Bot, what do you know about alice?") or "")
    assert "pizza" in (await guild.say("alice", "Bot, what do you know about me?") or "")
    assert await guild.say("alice", "Bot, you may tell others about me again")
    assert "pizza" in (await guild.say("bob", "Bot, what do you know about alice?") or "")


async def test_a_kind_that_is_not_wanted_is_not_kept(guild: TalkingGuild) -> None:
    chosen = await guild.say("alice", "Bot, don't keep my preferences")
    assert chosen is not None
    assert chosen.startswith("Done: preferences about you are no longer kept on this server")
    assert await guild.say("alice", "Bot, remember that I like pizza") == (
        "You chose that I keep no preferences about you, so I stored nothing; /memory categories changes that."
    )
    assert await guild.say("bob", "Bot, remember that alice likes pizza") == (
        "alice does not want that kind of thing remembered, so I stored nothing."
    )
    assert await guild.say("alice", "Бот, храни мои события 30 дней")
    listed = await guild.say("alice", "Bot, which kinds of memories do you keep about me?")
    assert listed is not None
    assert "- preferences: not kept" in listed
    assert "- events: kept for 30 days" in listed
    assert "- feelings: kept" in listed
    assert await guild.say("alice", "Bot, keep my preferences again")
    assert await guild.say("alice", "Bot, remember that I like pizza") == "Remembered: alice likes pizza."


async def test_what_told_of_a_kind_that_is_not_wanted_any_more_loses_its_text(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "Bot, remember that I like pizza")
    for direct in (False, True):
        told = await guild.say("alice", "Bot, what do you know about me?", direct=direct)
        assert told is not None and "likes pizza" in told
    await guild.say("alice", "Bot, don't keep my preferences")
    telling = """
        SELECT (SELECT count(*) FROM answers WHERE array_to_string(parts, ' ') LIKE '%likes pizza%')
             + (SELECT count(*) FROM chat_history WHERE kind = 'bot' AND message_text LIKE '%likes pizza%')
    """
    assert await database.read(lambda connection: connection.fetchval(telling)) == 0


async def test_a_file_is_handed_over_in_private_or_the_form_is_named(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like pizza")
    received: list[PrivateFile] = []
    takes_files = True

    async def hand_over(file: PrivateFile) -> bool:
        received.append(file)
        return takes_files

    request = "Bot, send me what you keep about me"
    assert "direct message" in (await guild.say("alice", request, hand_over=hand_over) or "")
    assert "pizza" in received[0].content.decode()
    assert received[0].name == "memory-2026-03-01.json"
    assert json.loads(received[0].content)
    takes_files = False
    assert "/memory export" in (await guild.say("alice", request, hand_over=hand_over) or "")
    assert "/memory export" in (await guild.say("alice", request) or "")
    late = await guild.hear("alice", request, hand_over=hand_over, late=True)
    assert late.text is None
    assert len(received) == 2


async def test_the_file_holds_nothing_of_rooms_that_the_member_cannot_read(guild: TalkingGuild) -> None:
    await guild.say("bob", "Bot, remember that alice is a canary", channel_id=MODS)
    received: list[PrivateFile] = []

    async def hand_over(file: PrivateFile) -> bool:
        received.append(file)
        return True

    async def reads_open(_: int) -> list[int]:
        return [0]

    async def reads_all(_: int) -> list[int]:
        return [0, MODS]

    request = "Bot, export my data"
    await guild.say("alice", request, hand_over=hand_over, reads=reads_open)
    await guild.say("alice", request, hand_over=hand_over, reads=reads_all)
    assert ["canary" in file.content.decode() for file in received] == [False, True]


async def test_in_a_direct_message_the_one_shared_server_is_meant(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like pizza")
    off = await guild.say("alice", "stop remembering me", direct=True)
    assert off is not None
    assert "on Test and in this conversation" in off
    assert (await standing(guild)).opted_out
    assert (await standing(guild, 9_000 + ALICE)).opted_out
    assert (await guild.say("alice", "yes", direct=True) or "").startswith("Erased on Test and in this")
    assert await guild.known("alice") == []


async def test_in_a_direct_message_it_is_asked_which_server_only_if_several_fit(guild: TalkingGuild) -> None:
    await meets_elsewhere(guild)
    asked = await guild.say("alice", "stop remembering me", direct=True)
    assert asked is not None
    assert asked.splitlines()[1:] == ["1. Test", "2. Elsewhere", "3. everywhere, here too"]
    assert not (await standing(guild)).opted_out
    assert await guild.say("alice", "7", direct=True) != asked
    assert "on Elsewhere" in (await guild.say("alice", "2", direct=True) or "")
    assert [(await standing(guild, one)).opted_out for one in (GUILD_ID, OTHER_GUILD)] == [False, True]
    again = await guild.say("alice", "stop remembering me", direct=True)
    assert again is not None
    assert "on Test and in this conversation" in again
    await guild.say("alice", "запоминай меня снова", direct=True)
    assert "везде" in (await guild.say("alice", "везде", direct=True) or "")
    assert [(await standing(guild, one)).opted_out for one in (GUILD_ID, OTHER_GUILD)] == [False, False]


async def test_erasing_in_a_direct_message_takes_only_the_server_that_was_chosen(guild: TalkingGuild) -> None:
    await meets_elsewhere(guild)
    await guild.say("alice", "Bot, remember that I like pizza")
    asked = await guild.say("alice", "erase me", direct=True)
    assert asked is not None
    assert "1. Test" in asked
    assert "on Test" in (await guild.say("alice", "1", direct=True) or "")
    assert (await guild.say("alice", "yes", direct=True) or "").startswith("Erased on Test: ")
    assert await guild.known("alice") == []


async def test_where_consent_is_asked_a_member_reads_once_how_to_give_it(
    guild: TalkingGuild, database: Database
) -> None:
    await asks_for_consent(guild)
    first = await guild.say("alice", "Bot, help")
    assert first is not None
    assert first.splitlines()[-1].startswith("-# Here I keep something only of those who agree")
    assert "you may remember me" in first
    assert "-# " not in (await guild.say("alice", "Bot, help") or "")
    assert "-# Здесь" in (await guild.say("bob", "Бот, помощь") or "")
    assert await guild.say("alice", "Bot, you may remember me")
    assert await guild.say("alice", "Bot, remember that I like pizza") == "Remembered: alice likes pizza."
    kinds = await database.read(lambda connection: connection.fetch("SELECT kind FROM notices"))
    assert all(re.fullmatch(r"opt_in:[0-9a-f]{64}", row["kind"]) for row in kinds)


@pytest.mark.parametrize("said", ["Bot, stop remembering me", "Bot, opt me in"])
async def test_who_has_decided_is_not_told_how_to(guild: TalkingGuild, said: str) -> None:
    await asks_for_consent(guild)
    await guild.say("alice", said)
    assert "-# " not in (await guild.say("alice", "Bot, help") or "")
