"""Messages that carry something beside their words, or instead of them."""

from bot.core.domain import MessageKind
from tests.adapters.discord.payloads import CDN, Odd, attached, poll, posted, referring, shown, snapshot
from tests.adapters.discord.sight import BOB_ID, user

_OTHER_BOT = user(810000000000000001, "dice", bot=True)
_WAVE = {"id": "749054660769218631", "name": "wave", "format_type": 3}
_GAME = {"id": "822", "name": "Sea Chess", "description": "", "icon": None, "type": None}

CARRIED = [
    Odd(
        name="a picture",
        payload=posted(attachments=[attached("cat.png", "image/png", width=8, height=8)]),
        attachments=("[image: cat.png]",),
    ),
    Odd(
        name="a picture with words",
        payload=posted("my cat", attachments=[attached("cat.png", "image/png")]),
        text="my cat",
        attachments=("[image: cat.png]",),
    ),
    Odd(
        name="a picture that is described",
        payload=posted(attachments=[attached("cat.png", "image/png", description="a cat\non a boat")]),
        attachments=("[image: cat.png: a cat on a boat]",),
    ),
    Odd(
        name="a spoiler",
        payload=posted(attachments=[attached("SPOILER_end.webp", "image/webp")]),
        attachments=("[image: end.webp]",),
    ),
    Odd(
        name="a picture by its suffix alone",
        payload=posted(attachments=[attached("cat.HEIC")]),
        attachments=("[image: cat.HEIC]",),
    ),
    Odd(
        name="a name in another script",
        payload=posted(attachments=[attached("unknown.png", "image/png", title="мой кот")]),
        attachments=("[image: мой кот.png]",),
    ),
    Odd(
        name="a name without a suffix",
        payload=posted(attachments=[attached("LICENSE")]),
        attachments=("[file: LICENSE]",),
    ),
    Odd(
        name="a name that breaks out of brackets",
        payload=posted(attachments=[attached("a]\n[file: b.txt")]),
        attachments=("[file: a] [file: b.txt]",),
        described=False,
    ),
    Odd(
        name="a video",
        payload=posted(attachments=[attached("regatta.mov", "video/quicktime")]),
        attachments=("[video: regatta.mov]",),
    ),
    Odd(
        name="a clip",
        payload=posted(
            attachments=[
                attached(
                    "clip.mp4",
                    "video/mp4",
                    flags=1,
                    clip_created_at="2026-11-20T09:00:00+00:00",
                    clip_participants=[user(BOB_ID, "bob")],
                )
            ]
        ),
        attachments=("[video: clip.mp4]",),
    ),
    Odd(
        name="music",
        payload=posted(attachments=[attached("song.mp3", "audio/mpeg")]),
        attachments=("[audio: song.mp3]",),
    ),
    Odd(
        name="a text file",
        payload=posted(attachments=[attached("message.txt", "text/plain; charset=utf-8")]),
        attachments=("[file: message.txt]",),
    ),
    Odd(
        name="a name of a thousand letters",
        payload=posted(attachments=[attached("b" * 1000)]),
        attachments=("[file: " + "b" * 299 + "…]",),
    ),
    Odd(
        name="a voice message",
        payload=posted(
            flags=1 << 13,
            attachments=[attached("voice-message.ogg", "audio/ogg", duration_secs=11.6, waveform="AAAA")],
        ),
        attachments=("[voice message: 12 s]",),
    ),
    Odd(
        name="a voice message of no length",
        payload=posted(
            flags=1 << 13,
            attachments=[attached("voice-message.ogg", "audio/ogg", duration_secs=0.0, waveform="")],
        ),
        attachments=("[voice message: 1 s]",),
    ),
    Odd(
        name="ten files and more",
        payload=posted(attachments=[attached(f"{number}.bin") for number in range(25)]),
        attachments=tuple(f"[file: {number}.bin]" for number in range(20)),
    ),
    Odd(name="a sticker", payload=posted(sticker_items=[_WAVE]), attachments=("[sticker: wave]",)),
    Odd(
        name="a sticker of a form yet to come",
        payload=posted(sticker_items=[{**_WAVE, "format_type": 9}]),
        attachments=("[sticker: wave]",),
        described=False,
    ),
    Odd(
        name="a poll",
        payload=posted(
            poll=poll("When?", {"text": "Friday"}, {"text": "Saturday", "emoji": {"id": None, "name": "⛵"}})
        ),
        attachments=("[poll: When?: Friday / Saturday]",),
    ),
    Odd(
        name="a poll of emoji",
        payload=posted(poll=poll("When?", {"text": "", "emoji": {"id": None, "name": "⛵"}}, {"text": "no"})),
        attachments=("[poll: When?: ⛵ / no]",),
    ),
    Odd(
        name="a preview of a link",
        payload=posted(
            "https://example.com/ferry",
            embeds=[
                {
                    "type": "article",
                    "url": "https://example.com/ferry",
                    "title": "Ferry times",
                    "description": "Every hour.",
                    "thumbnail": {"url": "https://example.com/a.png", "width": 1, "height": 1},
                }
            ],
        ),
        text="https://example.com/ferry",
        attachments=("[embed: Ferry times: Every hour.]",),
    ),
    Odd(
        name="a preview of a picture",
        payload=posted(
            "https://example.com/a.png", embeds=[{"type": "image", "url": "https://example.com/a.png"}]
        ),
        text="https://example.com/a.png",
    ),
    Odd(
        name="a moving picture from a search",
        payload=posted(
            "https://tenor.com/view/1",
            embeds=[
                {
                    "type": "gifv",
                    "url": "https://tenor.com/view/1",
                    "provider": {"name": "Tenor", "url": "https://tenor.com"},
                }
            ],
        ),
        text="https://tenor.com/view/1",
    ),
    Odd(
        name="a preview that its author took away",
        payload=posted(
            "https://example.com/ferry", flags=1 << 2, embeds=[{"type": "link", "title": "Ferry times"}]
        ),
        text="https://example.com/ferry",
    ),
    Odd(
        name="an embed alone",
        payload=posted(
            author=_OTHER_BOT,
            embeds=[
                {
                    "type": "rich",
                    "description": "x" * 4096,
                    "fields": [{"name": "a", "value": "b", "inline": False}],
                }
            ],
        ),
        attachments=("[embed: " + "x" * 299 + "…]",),
        kind=MessageKind.BOT,
    ),
    Odd(
        name="an embed from a webhook",
        payload=posted(
            author=user(830, "CI", bot=True),
            webhook_id="830",
            embeds=[{"type": "rich", "title": "Build\n42", "description": "passed"}],
            without=("member",),
        ),
        attachments=("[embed: Build 42: passed]",),
        kind=MessageKind.WEBHOOK,
    ),
    Odd(
        name="a forward",
        payload=posted(
            flags=1 << 14,
            message_reference=referring(77, kind=1),
            message_snapshots=[snapshot(f"<@!{BOB_ID}> the\nferry is late")],
        ),
        attachments=(f"[forwarded: <@{BOB_ID}> the ferry is late]",),
        described=False,
    ),
    Odd(
        name="a forward of pictures, a sticker and a preview",
        payload=posted(
            flags=1 << 14,
            message_reference=referring(77, kind=1, channel_id=66),
            message_snapshots=[
                snapshot(
                    attachments=[attached("cat.png", "image/png")],
                    sticker_items=[_WAVE],
                    embeds=[{"type": "rich", "title": "Ferry"}],
                )
            ],
        ),
        attachments=("[forwarded]", "[image: cat.png]", "[sticker: wave]", "[embed: Ferry]"),
        described=False,
    ),
    Odd(
        name="a forward of components",
        payload=posted(
            flags=1 << 14,
            message_reference=referring(77, kind=1),
            message_snapshots=[snapshot(components=[shown("at noon")])],
        ),
        attachments=("[forwarded: at noon]",),
        described=False,
    ),
    Odd(
        name="a forward of an announcement of Discord's",
        payload=posted(
            flags=1 << 14, message_reference=referring(77, kind=1), message_snapshots=[snapshot(type=7)]
        ),
        attachments=("[forwarded]",),
        described=False,
    ),
    Odd(
        name="a forward with nothing in it",
        payload=posted(flags=1 << 14, message_reference=referring(77, kind=1), message_snapshots=[]),
        described=False,
    ),
    Odd(
        name="an invitation to play together",
        payload=posted(activity={"type": 1, "party_id": "p-1"}, application=_GAME, without=("components",)),
        attachments=("[activity: Sea Chess]",),
        described=False,
    ),
    Odd(
        name="an invitation to listen, from an unnamed application",
        payload=posted(activity={"type": 3, "party_id": "spotify:1"}),
        attachments=("[activity]",),
    ),
    Odd(
        name="the address of a file, written by hand",
        payload=posted(f"{CDN}/cat.png?ex=1"),
        text=f"{CDN}/cat.png?ex=1",
    ),
]
