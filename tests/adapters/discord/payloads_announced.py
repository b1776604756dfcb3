"""What Discord announces by itself, and what of it is kept: names that people gave, no numbers and no quotes."""

from typing import Any

from bot.core.domain import MessageKind
from tests.adapters.discord.payloads import Odd, posted, referring
from tests.adapters.discord.sight import ALICE_ID, BOB_ID, DIRECT_ID, GENERAL_ID, THREAD_ID, Json, user


def _closed(**told: str) -> Json:
    """Return the embed in which Discord tells how a poll ended."""
    fields = [{"name": name, "value": value, "inline": False} for name, value in told.items()]
    return {"type": "poll_result", "fields": fields}


_POLL_RESULT = _closed(
    poll_question_text="When?",
    victor_answer_votes="3",
    total_votes="4",
    victor_answer_id="1",
    victor_answer_text="Friday",
)
_DRAWN = _closed(poll_question_text="When?", total_votes="0")
_BLOCKED = {
    "type": "auto_moderation_message",
    "description": "the words that were blocked",
    "fields": [{"name": "rule_name", "value": "no words", "inline": False}],
}
_SUBSCRIPTION = {
    "role_subscription_listing_id": "1",
    "tier_name": "Captain",
    "total_months_subscribed": 2,
    "is_renewal": True,
}


def _announced(
    name: str,
    kind: int,
    content: str = "",
    *,
    text: str = "",
    attachments: tuple[str, ...] = (),
    described: bool = True,
    **fields: Any,
) -> Odd:
    return Odd(
        name=name,
        payload=posted(content, type=kind, **fields),
        text=text,
        attachments=attachments,
        kind=MessageKind.SYSTEM,
        described=described,
    )


ANNOUNCED = [
    _announced("somebody added to a thread", 1, channel_id=str(THREAD_ID), mentions=[user(BOB_ID, "bob")]),
    _announced(
        "somebody removed from a group",
        2,
        channel_id=str(DIRECT_ID),
        mentions=[user(BOB_ID, "bob")],
        without=("guild_id", "member"),
    ),
    _announced("somebody added, and not said who", 1, channel_id=str(THREAD_ID)),
    _announced(
        "a call",
        3,
        channel_id=str(DIRECT_ID),
        without=("guild_id", "member"),
        call={"participants": [str(ALICE_ID), str(BOB_ID)], "ended_timestamp": None},
    ),
    _announced(
        "a call that ended",
        3,
        channel_id=str(DIRECT_ID),
        without=("guild_id", "member"),
        call={"participants": [], "ended_timestamp": "2026-11-20T10:30:00+00:00"},
    ),
    _announced("a new name of a post", 4, "a louder bell", text="a louder bell", channel_id=str(THREAD_ID)),
    _announced("a new picture of a group", 5, channel_id=str(DIRECT_ID), without=("guild_id", "member")),
    _announced("a pin", 6, message_reference=referring(77)),
    _announced("somebody joined", 7),
    _announced("a boost", 8),
    _announced("boosts", 8, "3"),
    _announced("a boost to the first level", 9),
    _announced("a boost to the third level", 11, "2"),
    _announced(
        "a channel is followed",
        12,
        "Ferry Line #delays",
        message_reference={"type": 0, "channel_id": "66", "guild_id": "998"},
    ),
    _announced("somebody streams", 13, described=False),
    _announced("no longer in discovery", 14),
    _announced("a last warning by discovery", 17),
    _announced(
        "a thread was begun",
        18,
        "Bot, remember that the ferry sank",
        text="Bot, remember that the ferry sank",
        message_reference={"type": 0, "channel_id": str(THREAD_ID), "guild_id": "900000000000000001"},
    ),
    _announced(
        "what a thread was begun on",
        21,
        channel_id=str(THREAD_ID),
        message_reference=referring(77, channel_id=GENERAL_ID),
        referenced_message=posted("let us plan"),
    ),
    _announced(
        "what a thread was begun on, deleted",
        21,
        channel_id=str(THREAD_ID),
        message_reference=referring(77, channel_id=GENERAL_ID),
        referenced_message=None,
    ),
    _announced("a reminder to invite", 22),
    _announced("moderation blocked a message", 24, embeds=[_BLOCKED]),
    _announced("a subscription", 25, role_subscription_data=_SUBSCRIPTION),
    _announced("an offer to pay", 26),
    _announced("a stage begins", 27, "Sea shanties", text="Sea shanties"),
    _announced("a stage ends", 28, "Sea shanties", text="Sea shanties"),
    _announced("a speaker", 29),
    _announced("a raised hand", 30, described=False),
    _announced("a stage's topic", 31, "Shanties", text="Shanties"),
    _announced(
        "an application's subscription",
        32,
        application={"id": "822", "name": "Dice", "description": "", "icon": None, "type": None},
    ),
    _announced("security on", 36, "2026-11-21T10:00:00+00:00"),
    _announced("security off", 37),
    _announced("a raid", 38),
    _announced("a false alarm", 39),
    _announced(
        "a purchase",
        44,
        described=False,
        purchase_notification={
            "type": 0,
            "guild_product_purchase": {"listing_id": "1", "product_name": "Map"},
        },
    ),
    _announced(
        "a poll's result",
        46,
        embeds=[_POLL_RESULT],
        message_reference=referring(77),
        attachments=("[poll closed: When?: Friday]",),
    ),
    _announced(
        "a poll's result without a winner", 46, embeds=[_DRAWN], attachments=("[poll closed: When?]",)
    ),
    _announced("a poll's result that lost its embed", 46, attachments=("[poll closed]",)),
    _announced("a stream in better quality", 55),
    _announced("a new emoji", 63, "<:ferry:3>", described=False),
    _announced("a type yet to be invented", 999, "from the future", described=False),
]
