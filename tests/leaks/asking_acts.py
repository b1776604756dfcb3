"""What people ask of the bot, in words and by forms."""

from dataclasses import replace
from typing import Final

from bot.core.domain import GUILD_SUBJECT
from tests.leaks.canaries import Way
from tests.leaks.drawn import Act, Drawn, named, process_of
from tests.leaks.hunt import Hunt
from tests.leaks.looking import Step
from tests.leaks.world import VISITOR

_QUESTIONS: Final = (
    "Bot, when did we talk about the boat?",
    "Bot, when did we talk about what is called?",
    "Bot, what did I miss?",
    "Bot, what do you know about boats?",
    "Bot, what do you know about this server?",
    "Bot, how do you know that?",
)
_FORMS: Final = (
    "show",
    "search",
    "catch up",
    "profile",
    "sentences",
    "choices",
    "why",
    "episodes",
    "figures",
    "figures of the guild",
    "show the guild",
)


async def chat(hunt: Hunt, drawn: Drawn) -> None:
    """Chat with the bot about something."""
    hunt.world.parrot.talkative = drawn.flag
    hunt.begin(
        f"chats about the {drawn.thing} with a bot that {'talks' if drawn.flag else 'is terse'}", drawn.step
    )
    await hunt.speak(process_of(hunt, drawn), drawn.step, f"Bot, what do you think of the {drawn.thing}?")
    await hunt.end()


async def ask_about(hunt: Hunt, drawn: Drawn) -> None:
    """Ask in words what is known about somebody."""
    hunt.begin(f"asks what is known about {drawn.about_id}", drawn.step)
    await hunt.speak(process_of(hunt, drawn), drawn.step, f"Bot, what do you know about <@{drawn.about_id}>?")
    answer = hunt.last_answer.get(drawn.place.channel_id)
    hunt.told_about(answer.text if answer else "", drawn.about_id)
    await hunt.end()


async def ask(hunt: Hunt, drawn: Drawn) -> None:
    """Ask something else in words, one thing in reply to what the bot said last."""
    question = _QUESTIONS[drawn.picked % len(_QUESTIONS)]
    last = hunt.last_answer.get(drawn.place.channel_id) if question == _QUESTIONS[-1] else None
    hunt.begin(f"asks {question!r}", drawn.step)
    await hunt.speak(process_of(hunt, drawn), drawn.step, question, reply_to=last)
    await hunt.end()


async def use_a_form(hunt: Hunt, drawn: Drawn) -> None:
    """Ask something of what is kept by a form."""
    form = _FORMS[drawn.picked % len(_FORMS)]
    hunt.begin(f"uses the form {form!r}", drawn.step)
    shown = await _shown(hunt, drawn, form)
    if shown is not None:
        hunt.shown(shown, about_id=drawn.about_id if form in ("show", "choices") else None)
    await hunt.end()


async def _shown(hunt: Hunt, drawn: Drawn, form: str) -> object:
    use_cases, visit = process_of(hunt, drawn).use_cases, hunt.world.visit(drawn.place, drawn.step.user_id)
    last = hunt.last_answer.get(drawn.place.channel_id)
    match form:
        case "show":
            return await use_cases.show(visit, drawn.about_id)
        case "show the guild":
            return await use_cases.show(visit, GUILD_SUBJECT)
        case "search":
            return await use_cases.search(visit, "boat garden called like")
        case "catch up":
            return await use_cases.catch_up(visit, None, "")
        case "profile":
            return await use_cases.profile(visit)
        case "sentences":
            return await use_cases.sentences(visit, "")
        case "choices":
            return await use_cases.choices(visit, drawn.about_id, "")
        case "episodes":
            return await use_cases.episodes(replace(visit, from_moderator=True))
        case "figures":
            return await use_cases.stats(visit)
        case "figures of the guild":
            return await use_cases.guild_stats(replace(visit, from_manager=True))
        case _:
            return await use_cases.why(visit, last.message_id) if last is not None else None


async def visit(hunt: Hunt, drawn: Drawn) -> None:
    """Let somebody without the base role talk, or ask."""
    step = Step(drawn.place, VISITOR)
    if drawn.place.owner_id is not None:
        return
    hunt.begin("asks" if drawn.flag else "talks", step)
    if drawn.flag:
        await hunt.speak(process_of(hunt, drawn), step, f"Bot, what do you think of the {drawn.thing}?")
    else:
        await hunt.say(process_of(hunt, drawn), step, Way.TALK, drawn.thing, VISITOR)
    await hunt.end()


ACTS: Final[dict[str, Act]] = named({chat: 4, ask_about: 2, ask: 2, use_a_form: 2, visit: 1})
