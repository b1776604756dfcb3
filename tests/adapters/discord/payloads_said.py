"""Messages whose words are the odd thing: who wrote them, where, and in which form."""

from bot.core.domain import MessageKind
from tests.adapters.discord.payloads import Odd, attached, posted, referring
from tests.adapters.discord.sight import (
    ALICE_ID,
    BOB_ID,
    DIRECT_ID,
    FORUM_ID,
    POST_ID,
    THREAD_ID,
    VOICE_ID,
    user,
)

SAID = [
    Odd(name="plain words", payload=posted("the ferry leaves at 8"), text="the ferry leaves at 8"),
    Odd(
        name="a mention by nickname",
        payload=posted(f"hi <@!{BOB_ID}> and <@{ALICE_ID}>"),
        text=f"hi <@{BOB_ID}> and <@{ALICE_ID}>",
    ),
    Odd(
        name="markup of all kinds",
        payload=posted(
            "<#1> <@&2> <:ferry:3> <a:wave:4> </memory show:5> <t:6:R> ||late|| **now** @everyone"
        ),
        text="<#1> <@&2> <:ferry:3> <a:wave:4> </memory show:5> <t:6:R> ||late|| **now** @everyone",
    ),
    Odd(
        name="what looks like a mention",
        payload=posted("<@!abc> <@!> <@!１２>"),
        text="<@!abc> <@!> <@!１２>",
    ),
    Odd(name="a NUL and half a surrogate", payload=posted("fer\0ry \ud83d!"), text="ferry !"),
    Odd(name="longer than any message", payload=posted("a" * 9_000), text="a" * 7_999 + "…"),
    Odd(name="no content, as without the intent", payload=posted("")),
    Odd(name="a silent message", payload=posted("psst", flags=1 << 12), text="psst"),
    Odd(name="read out aloud", payload=posted("ahoy", tts=True), text="ahoy"),
    Odd(
        name="a custom theme that is shared",
        payload=posted(
            "look",
            shared_client_theme={"colors": ["5865F2"], "gradient_angle": 0, "base_mix": 58, "base_theme": 1},
        ),
        text="look",
    ),
    Odd(name="edited", payload=posted("at 9", edited_timestamp="2026-11-20T10:05:00+00:00"), text="at 9"),
    Odd(
        name="a reply",
        payload=posted("yes", type=19, message_reference=referring(1449), referenced_message=posted("at 8?")),
        text="yes",
        reply_to_id=1449,
    ),
    Odd(
        name="a reply to what was deleted",
        payload=posted("yes", type=19, message_reference=referring(1449), referenced_message=None),
        text="yes",
        reply_to_id=1449,
    ),
    Odd(
        name="a reply whose question was not sent along",
        payload=posted("yes", type=19, message_reference=referring(1449)),
        text="yes",
        reply_to_id=1449,
    ),
    Odd(
        name="a reply that quotes a forward",
        payload=posted(
            "oh", type=19, message_reference=referring(1449), referenced_message=posted(flags=1 << 14)
        ),
        text="oh",
        reply_to_id=1449,
    ),
    Odd(name="a gift", payload=posted("https://discord.gift/abcdef"), text="https://discord.gift/abcdef"),
    Odd(
        name="an invitation to the guild",
        payload=posted("https://discord.gg/harbour"),
        text="https://discord.gg/harbour",
    ),
    Odd(
        name="in a thread",
        payload=posted("in the thread", channel_id=str(THREAD_ID), position=3),
        text="in the thread",
    ),
    Odd(
        name="a message that began a thread", payload=posted("let us plan", flags=1 << 5), text="let us plan"
    ),
    Odd(
        name="the first message of a forum's post",
        payload=posted("a bell for the pier", id=str(POST_ID), channel_id=str(POST_ID), position=0),
        text="a bell for the pier",
    ),
    Odd(
        name="in a voice channel",
        payload=posted("can you hear me", channel_id=str(VOICE_ID)),
        text="can you hear me",
    ),
    Odd(name="in a forum itself", payload=posted("?", channel_id=str(FORUM_ID)), text="?"),
    Odd(
        name="in a channel that nobody told of",
        payload=posted("who is there", channel_id="999"),
        text="who is there",
    ),
    Odd(
        name="in a guild that nobody told of",
        payload=posted("who is there", guild_id="998", channel_id="999"),
        text="who is there",
    ),
    Odd(
        name="directly",
        payload=posted("just us", channel_id=str(DIRECT_ID), without=("guild_id", "member")),
        text="just us",
    ),
    Odd(
        name="directly, without a word",
        payload=posted(
            channel_id=str(DIRECT_ID), without=("guild_id", "member"), attachments=[attached("cat.png")]
        ),
        attachments=("[image: cat.png]",),
    ),
    Odd(
        name="from somebody whose membership was not sent",
        payload=posted("hello", author=user(805, "eve"), without=("member",)),
        text="hello",
    ),
    Odd(
        name="from the account of those who are gone",
        payload=posted("bye", author=user(456226577798135808, "Deleted User")),
        text="bye",
        kind=MessageKind.SYSTEM,
    ),
    Odd(
        name="from an account that was deleted",
        payload=posted("bye", author=user(806, "deleted_user_1a2b")),
        text="bye",
    ),
    Odd(
        name="from Discord's own account",
        payload=posted("Welcome", author=user(643945264868098049, "discord", system=True)),
        text="Welcome",
        kind=MessageKind.SYSTEM,
    ),
    Odd(
        name="from nobody",
        payload=posted("echo", without=("author", "member")),
        text="echo",
        kind=MessageKind.SYSTEM,
        described=False,
    ),
    Odd(
        name="from a lobby of a game",
        payload=posted("gg", lobby_member={"additional_name": "Ali"}),
        text="gg",
        described=False,
    ),
]
