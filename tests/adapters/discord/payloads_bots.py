"""What bots, webhooks and their components say."""

from bot.core.domain import MessageKind
from tests.adapters.discord.payloads import Odd, attached, posted, referring, shown
from tests.adapters.discord.sight import ALICE_ID, APPLICATION_ID, BOB_ID, BOT_ID, GENERAL_ID, user

_OWNERS = {"0": str(BOT_ID)}
_BUTTON = {
    "type": 1,
    "id": 9,
    "components": [{"type": 2, "id": 10, "style": 1, "label": "Join", "custom_id": "j"}],
}
_OTHER_BOT = user(810000000000000001, "dice", bot=True)
_COMMAND = {
    "id": "1440000000000000001",
    "type": 2,
    "user": user(ALICE_ID, "alice"),
    "authorizing_integration_owners": _OWNERS,
}

SPOKEN = [
    Odd(
        name="from another bot",
        payload=posted("rolled 6", author=_OTHER_BOT),
        text="rolled 6",
        kind=MessageKind.BOT,
    ),
    Odd(
        name="from the bot itself",
        payload=posted("Remembered.", author=user(BOT_ID, "keepsake", bot=True)),
        text="Remembered.",
        kind=MessageKind.BOT,
    ),
    Odd(
        name="another bot's answer to a command",
        payload=posted(
            "rolled 4",
            type=20,
            author=_OTHER_BOT,
            webhook_id="820",
            application_id="820",
            interaction_metadata=_COMMAND,
            interaction={
                "id": "1440000000000000001",
                "type": 2,
                "name": "roll",
                "user": user(ALICE_ID, "alice"),
            },
        ),
        text="rolled 4",
        kind=MessageKind.BOT,
    ),
    Odd(
        name="what a bot added to its answer",
        payload=posted("and 5", author=_OTHER_BOT, webhook_id="820", application_id="820"),
        text="and 5",
        kind=MessageKind.BOT,
    ),
    Odd(
        name="an answer to a menu over a message",
        payload=posted(
            "translated",
            type=23,
            author=_OTHER_BOT,
            webhook_id="820",
            application_id="820",
            message_reference=referring(1449),
            interaction_metadata={**_COMMAND, "target_message_id": "1449"},
        ),
        text="translated",
        kind=MessageKind.BOT,
        reply_to_id=1449,
    ),
    Odd(
        name="an answer that is still thought about",
        payload=posted("", type=20, author=_OTHER_BOT, webhook_id="820", application_id="820", flags=1 << 7),
        kind=MessageKind.BOT,
    ),
    Odd(
        name="an answer for one pair of eyes",
        payload=posted(
            "your secret is safe",
            type=20,
            author=user(BOT_ID, "keepsake", bot=True),
            webhook_id=str(APPLICATION_ID),
            application_id=str(APPLICATION_ID),
            flags=1 << 6,
            attachments=[attached("secret.png")],
        ),
        kind=MessageKind.BOT,
    ),
    Odd(
        name="from a webhook",
        payload=posted(
            "build passed", author=user(830, "CI", bot=True), webhook_id="830", without=("member",)
        ),
        text="build passed",
        kind=MessageKind.WEBHOOK,
    ),
    Odd(
        name="from an application's webhook",
        payload=posted(
            "build passed",
            author=user(830, "CI", bot=True),
            webhook_id="830",
            application_id="820",
            without=("member",),
        ),
        text="build passed",
        kind=MessageKind.WEBHOOK,
    ),
    Odd(
        name="from a webhook in the name of a member",
        payload=posted("it is me", author=user(830, "alice"), webhook_id="830", without=("member",)),
        text="it is me",
        kind=MessageKind.WEBHOOK,
    ),
    Odd(
        name="an announcement that is followed",
        payload=posted(
            "version 2",
            author=user(830, "News #updates", bot=True),
            webhook_id="830",
            flags=1 << 1,
            without=("member",),
            message_reference=referring(77, channel_id=66),
        ),
        text="version 2",
        kind=MessageKind.WEBHOOK,
    ),
    Odd(
        name="a followed announcement that was taken back",
        payload=posted(
            "[Original Message Deleted]",
            author=user(830, "News", bot=True),
            webhook_id="830",
            flags=1 << 1 | 1 << 3,
            without=("member",),
        ),
        kind=MessageKind.WEBHOOK,
    ),
    Odd(
        name="an announcement that was published", payload=posted("version 2", flags=1 << 0), text="version 2"
    ),
    Odd(
        name="laid out in components alone",
        payload=posted(
            author=_OTHER_BOT,
            flags=1 << 15,
            components=[
                shown("# Regatta"),
                {
                    "type": 17,
                    "id": 2,
                    "accent_color": None,
                    "spoiler": False,
                    "components": [
                        shown(f"led by <@!{BOB_ID}>", 3),
                        {"type": 14, "id": 4, "divider": True, "spacing": 1},
                        {
                            "type": 9,
                            "id": 5,
                            "components": [shown("at noon", 6)],
                            "accessory": {
                                "type": 2,
                                "id": 7,
                                "style": 5,
                                "label": "Map",
                                "url": "https://example.com/",
                            },
                        },
                    ],
                },
                _BUTTON,
            ],
        ),
        text=f"# Regatta\nled by <@{BOB_ID}>\nat noon",
        kind=MessageKind.BOT,
    ),
    Odd(
        name="buttons below words",
        payload=posted("join us", author=_OTHER_BOT, components=[_BUTTON]),
        text="join us",
        kind=MessageKind.BOT,
    ),
    Odd(
        name="a component yet to be invented",
        payload=posted(
            author=_OTHER_BOT, flags=1 << 15, components=[{"type": 99, "id": 1}, shown("seen", 2)]
        ),
        text="seen",
        kind=MessageKind.BOT,
        described=False,
    ),
    Odd(
        name="from beyond the known channels, with a channel mentioned",
        payload=posted(
            "see <#5>",
            mention_channels=[{"id": str(GENERAL_ID), "name": "general", "type": 0, "guild_id": "998"}],
        ),
        text="see <#5>",
    ),
]
