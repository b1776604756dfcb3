"""What somebody wrote is quoted to nobody else who asks about them, in whatever way: without a model there is nothing
that could tell what may be told of it.
"""

from dataclasses import replace
from datetime import timedelta
from itertools import cycle, islice

import pytest

from bot.chat.usecases.context import RequestContext
from bot.core.domain import Channel, Language, Member
from bot.text.sentences import sentences
from bot.text.tokens import content_stems
from tests.chat.guild import GENERAL, GUILD_ID, NAMES, TalkingGuild
from tests.chat.usecases.visits import desk_of, visit
from tests.sentences import sensitive

ASKED = {
    "english": (
        "Bot, what do you know about {who}?",
        "Bot, who is {who}?",
        "Bot, tell me about {who}",
        "Bot, what's {who} up to?",
        "Bot, what did {who} say?",
        "Bot, what has {who} been doing lately",
        "Bot, what do you remember about {who}?",
        "Bot, when did {who} last write?",
        "Bot, anything new about {who}",
    ),
    "russian": (
        "Бот, что ты знаешь о {who}?",
        "Бот, что ты знаешь про {who}?",
        "Бот, кто такой {who}?",
        "Бот, расскажи о {who}",
        "Бот, расскажи мне про {who}",
        "Бот, как дела у {who}?",
        "Бот, что говорил {who}?",
        "Бот, что ты помнишь о {who}?",
        "Бот, чем занят {who}",
    ),
}
CATALOGUE = [
    str(sentence)
    for language in Language
    for key, sentence in sentences(language).items()
    if key.startswith("chat.")
]
"""What the bot says of itself, whatever was asked."""

HARMLESS = {"english": "the train was on time", "russian": "поезд пришёл вовремя"}
KINDS = [(language, kind) for language in ASKED for kind in sensitive(language)]


async def people_who_said(guild: TalkingGuild, sentences: list[str]) -> list[int]:
    """Have each sentence said openly by a member of their own, and return who they are."""
    people = [10_000 + number for number, _ in enumerate(sentences)]
    names = {f"walker{user_id}": user_id for user_id in people}
    await guild.keepsake.directory.put_channel(Channel(guild_id=GUILD_ID, channel_id=GENERAL, name="plaza"))
    await guild.keepsake.directory.put_members(
        [Member(guild_id=GUILD_ID, user_id=user_id, user_name=name) for name, user_id in names.items()]
    )
    for name, sentence in zip(names, sentences, strict=True):
        message = await said_by(guild, names[name], sentence)
        assert message is None, sentence
    return people


async def said_by(guild: TalkingGuild, user_id: int, text: str) -> str | None:
    name = f"walker{user_id}"
    NAMES[name] = user_id
    try:
        return await guild.say(name, text, after=timedelta(seconds=2))
    finally:
        del NAMES[name]


async def everything_shown(guild: TalkingGuild, here: RequestContext, subject_id: int) -> str:
    """Return all that forms and menus show of a member."""
    shown = await desk_of(guild).show(here, subject_id)
    offered = await desk_of(guild).choices(replace(here, from_moderator=True), subject_id, "")
    return "\n".join(
        [shown.title, *(line.text for line in shown.lines), shown.lately, shown.profile]
        + [choice.text for choice in offered]
    )


async def why(guild: TalkingGuild, here: RequestContext, language: str) -> str:
    """Return what the answer just given rests on, by words and by the menu."""
    if guild.answer is None:
        return ""
    shown = await desk_of(guild).why(here, guild.answer.message_id)
    asked = "Bot, how do you know that?" if language == "english" else "Бот, откуда ты это знаешь?"
    in_words = await guild.say("bob", asked, reply_to=guild.answer)
    return "\n".join([in_words or "", shown.title, *(line.text for line in shown.lines)])


@pytest.mark.parametrize("number", [6, pytest.param(30, marks=pytest.mark.soak)])
@pytest.mark.parametrize(("language", "kind"), KINDS)
async def test_what_somebody_said_of_themselves_is_told_to_nobody_else(
    guild: TalkingGuild, language: str, kind: str, number: int
) -> None:
    assert len(sensitive(language)[kind]) == 30
    place = KINDS.index((language, kind))
    step = 30 // number
    sentences = sensitive(language)[kind][place % step :: step]
    people = await people_who_said(guild, [*sentences, HARMLESS[language]])
    here = visit(guild, "bob", russian=language == "russian")
    asked = islice(cycle(ASKED[language]), place, None)
    innocent = [
        *[await said_by(guild, NAMES["bob"], one.format(who=f"<@{people[-1]}>")) for one in ASKED[language]],
        await everything_shown(guild, here, people[-1]),
    ]
    told_of_all = content_stems("\n".join([*filter(None, innocent), *ASKED[language], *CATALOGUE]))
    for user_id, sentence in zip(people, sentences, strict=False):
        guild.answer = None
        who = f"<@{user_id}>" if user_id % 2 else f"walker{user_id}"
        told = [await guild.say("bob", next(asked).format(who=who))]
        if user_id % 5 == 0:
            told.append(await why(guild, here, language))
        if user_id % 2 == 0 or told == [None]:
            told.append(await everything_shown(guild, here, user_id))
        leaked = (content_stems(sentence) - told_of_all) & content_stems("\n".join(filter(None, told)))
        assert not leaked, (sentence, leaked)
        assert sentence not in "\n".join(filter(None, told))


async def test_others_are_told_how_much_somebody_wrote_and_where_and_themselves_what(
    guild: TalkingGuild,
) -> None:
    (user_id,) = await people_who_said(guild, ["i take prozac"])
    here = replace(visit(guild, "bob"), jump=lambda channel_id, _: f"jump/{channel_id}")
    shown = await desk_of(guild).show(here, user_id)
    assert shown.title.splitlines() == [
        "I have nothing noted about walker10000 yet.",
        "walker10000 has written 1 message here since 2026-03-01.",
        f"- #plaza · 1 message · jump/{GENERAL}",
    ]
    own = await desk_of(guild).show(replace(here, user_id=user_id), user_id)
    assert "prozac" in own.title + own.lately
