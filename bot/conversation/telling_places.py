"""How places are told: `- Home: quiet street in Seattle (mentioned in 3 conversations)`."""

from bot.conversation.texts import Text, counted, say
from bot.conversation.turn import Doors, Turn
from bot.domain import Language
from bot.memory.place_facts import RememberedPlace


def place_line(place: RememberedPlace, language: Language) -> str:
    """Return a place without the dash before it: its name, its notes, and in how many conversations it came up."""
    mentioned = say(
        Text.MENTIONED_IN,
        language,
        conversations=counted(max(1, place.conversations), "in conversation", language),
    )
    name = " ".join(place.name.split())
    told = f"{name}: {place.notes}" if place.notes else name
    return f"{told} {mentioned}"


async def places_of(turn: Turn, subject_id: int, doors: Doors) -> tuple[RememberedPlace, ...]:
    """Return the places of somebody that the place of this turn may see."""
    if not turn.view.audiences:
        return ()
    known = await doors.memory.places.of([subject_id], turn.view, asker_id=turn.message.user_id)
    return known.get(subject_id, ())
