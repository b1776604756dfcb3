"""Settings and switches are for those who may, say what is wrong with a value, and hold at once."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.chat.usecases.context import FormReply
from bot.core.domain import (
    AnswerMode,
    Channel,
    ConsentDefault,
    DisclosurePolicy,
    ForgettingOthers,
    Guild,
    RememberingOthers,
)
from tests.chat.guild import GENERAL, GUILD_ID, TalkingGuild
from tests.chat.usecases.visits import desk_of, manager, moderator, shown, visit

ELSEWHERE = 5_000
"""A channel of another guild."""


async def guild_of(guild: TalkingGuild) -> Guild:
    known = await guild.keepsake.directory.guild(GUILD_ID)
    assert known is not None
    return known


async def change(guild: TalkingGuild, name: str, value: str) -> FormReply:
    return await desk_of(guild).change(manager(guild), name, value)


async def test_every_setting_takes_what_it_allows_and_goes_back_to_its_default(guild: TalkingGuild) -> None:
    general = Channel(guild_id=GUILD_ID, channel_id=GENERAL, name="general")
    await guild.keepsake.directory.put_channel(general)
    new = await guild_of(guild)
    for name, value, becomes, said in (
        ("time_zone", "europe/berlin", replace(new, time_zone="Europe/Berlin"), "Europe/Berlin"),
        ("time_zone", "America/New York", replace(new, time_zone="America/New_York"), "America/New_York"),
        ("base_role", "4242", replace(new, base_role_id=4_242), "<@&4242>"),
        ("base_role", "<@&4243>", replace(new, base_role_id=4_243), "<@&4243>"),
        ("base_role", str(GUILD_ID), new, "@everyone"),
        ("base_role", "@everyone", new, "@everyone"),
        ("persona", " a grumpy cook\nwho sings ", replace(new, persona="a grumpy cook\nwho sings"), "sings"),
        ("retention_days", "0", replace(new, retention_days=0), "0"),
        ("retention_days", "36500", replace(new, retention_days=36_500), "36500"),
        ("text_search", "English", replace(new, text_search="english"), "english"),
        (
            "remember_others",
            "Moderators",
            replace(new, remembering_others=RememberingOthers.MODERATORS),
            "moderators",
        ),
        ("pings", "on", replace(new, pings=True), "on"),
        (
            "forget_others",
            "moderators",
            replace(new, forgetting_others=ForgettingOthers.MODERATORS),
            "moderators",
        ),
        ("tell_others", "Open", replace(new, telling_others=DisclosurePolicy.OPEN), "open"),
        ("consent", "asked", replace(new, consent=ConsentDefault.ASKED), "asked"),
        ("hearing", "off", replace(new, hearing=False), "off"),
        ("log_channel", str(GENERAL), replace(new, log_channel_id=GENERAL), f"<#{GENERAL}>"),
        ("log_channel", f"<#{GENERAL}>", replace(new, log_channel_id=GENERAL), f"<#{GENERAL}>"),
    ):
        answer = await change(guild, name, value)
        assert said in answer.text
        assert replace(await guild_of(guild), memory_epoch=0) == becomes, name
        listed = {
            setting.name: setting
            for setting in (await desk_of(guild).listed_settings(manager(guild))).settings
        }
        assert await change(guild, name, listed[name].value) is not None
        assert replace(await guild_of(guild), memory_epoch=0) == becomes, name
        answer = await change(guild, name, "")
        assert "the default (" in answer.text
        assert replace(await guild_of(guild), memory_epoch=0) == new, name
    assert "the default (30)" in (await change(guild, "retention_days", "")).text
    assert "the default (@everyone)" in (await change(guild, "base_role", "")).text


async def test_a_wrong_value_gets_one_sentence_with_it_and_with_what_is_allowed_and_changes_nothing(
    guild: TalkingGuild,
) -> None:
    elsewhere = Channel(guild_id=GUILD_ID + 1, channel_id=ELSEWHERE, name="general")
    await guild.keepsake.directory.put_channel(elsewhere)
    before = await guild_of(guild)
    for name, value, *parts in (
        ("time_zone", "europe/berln", "the closest is Europe/Berlin", "IANA"),
        ("time_zone", "berlin", "the closest is Europe/Berlin", "IANA"),
        ("time_zone", "localtime", "such as Europe/Berlin"),
        ("time_zone", "qqq", "such as Europe/Berlin"),
        ("base_role", "Members", "a role's id"),
        ("base_role", "99999999999999999999", "a role's id"),
        ("base_role", "0", "a role's id"),
        ("retention_days", "-1", "a whole number from 0 to 36500"),
        ("retention_days", "36501", "a whole number from 0 to 36500"),
        ("retention_days", "9" * 5_000, "a whole number from 0 to 36500"),
        ("retention_days", "two", "a whole number from 0 to 36500"),
        ("retention_days", "٣", "a whole number from 0 to 36500"),
        ("text_search", "germn", "the closest is german", "english", "simple"),
        ("text_search", "klingon; drop", "english", "simple"),
        ("text_search", "klingon", "english", "simple"),
        ("remember_others", "all", "everyone, moderators or nobody"),
        ("pings", "maybe", "on or off"),
        ("forget_others", "nobody", "tellers", "moderators"),
        ("tell_others", "all", "said", "open", "moderators"),
        ("consent", "presume", "the closest is presumed", "asked"),
        ("hearing", "perhaps", "on or off"),
        ("log_channel", "general", "a channel of this server"),
        ("log_channel", "4242", "a channel of this server"),
        ("log_channel", str(ELSEWHERE), "a channel of this server"),
    ):
        answer = (await change(guild, name, value)).text
        shown_value = value if len(value) <= 100 else "999…"
        assert shown_value in answer
        assert answer.endswith("Nothing was changed.")
        assert "\n" not in answer
        for part in parts:
            assert part in answer, (name, value)
    too_long = (await change(guild, "persona", "x" * 1_001)).text
    assert too_long == "That persona has 1001 characters; it must have 1000 at most. Nothing was changed."
    unknown = (await change(guild, "colour", "red")).text
    assert unknown.startswith("There is no setting “colour”: there are time_zone, base_role, persona")
    assert await guild_of(guild) == before


async def test_the_settings_are_for_managers_and_a_manager_without_the_base_role_may_set_it(
    guild: TalkingGuild,
) -> None:
    use_cases = desk_of(guild)
    for here in (visit(guild, "alice"), moderator(guild)):
        refused = await use_cases.listed_settings(here)
        assert refused.settings == ()
        assert refused.title.startswith("The settings are for those who may manage")
        assert (await use_cases.change(here, "pings", "on")).text.startswith("Only those who may manage")
        assert (await use_cases.channel(here, hearing=False)).text.startswith("Only those who may manage")
    assert (await use_cases.quiet(visit(guild, "alice"), "1h")).text.startswith("Only moderators can make me")
    assert (await guild_of(guild)).pings is False
    outside = replace(manager(guild), visitor=True)
    assert (await use_cases.change(outside, "base_role", "4242")).text == "Base role: <@&4242> from now on."
    names = [setting.name for setting in (await use_cases.listed_settings(outside)).settings]
    assert names == [
        "time_zone",
        "base_role",
        "persona",
        "retention_days",
        "text_search",
        "pings",
        "remember_others",
        "forget_others",
        "tell_others",
        "consent",
        "hearing",
        "log_channel",
    ]  # fmt: skip


async def test_a_setting_holds_for_the_next_message(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like pizza")
    known = "Bot, what do you know about me?"
    assert "[2026-03-01]" in (await guild.say("alice", known) or "")
    await change(guild, "time_zone", "Pacific/Pago_Pago")
    assert "[2026-02-28] alice likes pizza" in (await guild.say("alice", known) or "")
    await change(guild, "remember_others", "nobody")
    await guild.say("bob", "Bot, remember that alice likes snow")
    assert "snow" not in (await guild.say("alice", known) or "")
    assert (await guild.hear("alice", known)).pings is False
    await change(guild, "pings", "on")
    assert (await guild.hear("alice", known)).pings is True


@pytest.fixture
async def general(guild: TalkingGuild) -> None:
    await guild.keepsake.directory.put_channel(Channel(guild_id=GUILD_ID, channel_id=GENERAL, name="general"))


@pytest.mark.usefixtures("general")
async def test_when_the_bot_answers_in_a_channel_is_for_its_managers_to_say(guild: TalkingGuild) -> None:
    use_cases = desk_of(guild)
    told = await use_cases.channel_state(visit(guild, "alice"))
    assert told.text == "What is said in this channel is kept. I answer when I am spoken to."
    never = await use_cases.channel(manager(guild), answering=AnswerMode.NEVER)
    assert never.text == "What is said in this channel is kept. I answer nobody here."
    assert await guild.say("alice", "Bot, remember that I like pizza") is None
    await use_cases.channel(manager(guild), answering=AnswerMode.ALWAYS)
    assert await guild.say("alice", "what do you know about me?") is not None
    await use_cases.channel(manager(guild), answering=AnswerMode.ADDRESSED)
    assert await guild.say("alice", "what do you know about me?") is None


@pytest.mark.usefixtures("general")
async def test_what_is_said_where_nothing_is_heard_is_not_kept(guild: TalkingGuild) -> None:
    use_cases = desk_of(guild)
    await guild.say("alice", "the first of all words")
    said = await use_cases.channel(manager(guild), hearing=False)
    assert said.text.startswith("What is said in this channel is not kept;")
    await guild.say("alice", "a secret word")
    secret = guild.last
    assert secret is not None
    library = guild.keepsake.library
    assert await library.message(guild_id=GUILD_ID, message_id=secret.message_id) is None
    await use_cases.channel(manager(guild), hearing=True)
    await guild.say("alice", "a plain word")
    plain = guild.last
    assert plain is not None
    assert await library.message(guild_id=GUILD_ID, message_id=plain.message_id) is not None


@pytest.mark.usefixtures("general")
async def test_quiet_lasts_until_the_clock_passes_or_somebody_ends_it(guild: TalkingGuild) -> None:
    use_cases = desk_of(guild)
    asked = "Bot, what do you know about me?"
    said = await use_cases.quiet(moderator(guild), "1h")
    assert said.text == "I am quiet here until 2026-03-01 10:00 (UTC)."
    assert (await use_cases.channel_state(visit(guild, "alice"))).text.endswith(said.text)
    assert await guild.say("alice", asked) is None
    guild.clock.advance(timedelta(minutes=59))
    assert await guild.say("alice", asked) is None
    guild.clock.advance(timedelta(minutes=1))
    assert await guild.say("alice", asked) is not None
    await use_cases.quiet(moderator(guild), "7d")
    assert await guild.say("alice", asked) is None
    wrong = await use_cases.quiet(moderator(guild), "45s")
    assert wrong.text.startswith("“45s” is no duration")
    assert await guild.say("alice", asked) is None
    assert (await use_cases.quiet(manager(guild), "off")).text == "I am not quiet here."
    assert await guild.say("alice", asked) is not None
    assert await shown(guild, "alice") == []


async def test_switches_of_what_is_no_channel_are_one_sentence(guild: TalkingGuild) -> None:
    use_cases = desk_of(guild)
    unknown = replace(manager(guild), channel_id=4_242)
    assert (await use_cases.channel(unknown, hearing=False)).text.startswith("I do not know this channel yet")
    assert (await use_cases.quiet(unknown, "1h")).text.startswith("I do not know this channel yet")
    direct = replace(manager(guild), direct=True)
    assert (await use_cases.channel(direct, hearing=False)).text.startswith("A direct message has no such")
    assert (await use_cases.quiet(direct, "1h")).text.startswith("A direct message has no such")
