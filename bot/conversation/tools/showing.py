"""What a model is shown of memory by a tool, under short ids that alone it may name afterwards."""

from bot.language.local_ids import LocalIds
from bot.language.local_mentions import lengthened, shortened
from bot.memory.documents import DocumentFact, DocumentPlace, MemoryDocument


class Offered:
    """The short ids of one reply: members as its prompt has them, facts as they were shown."""

    def __init__(self, user_ids: LocalIds) -> None:
        self._user_ids = user_ids
        self._fact_ids = LocalIds("f")

    def shown(self, document: MemoryDocument, *, guild_id: int) -> MemoryDocument:
        """Return `document` as a model gets it: short ids, and nothing that only people who export it need.

        What is kept in another guild than `guild_id` gets no id: it is changed there.
        """
        return document.model_copy(
            update={
                "facts": tuple(self._fact(one, guild_id=guild_id) for one in document.facts),
                "places": tuple(self._place(one, guild_id=guild_id) for one in document.places),
            }
        )

    def user_id(self, short: str) -> int | None:
        """Return the member who was offered under a short id."""
        return _long(self._user_ids, short)

    def fact_id(self, short: str) -> int | None:
        """Return the fact that was shown under a short id."""
        return _long(self._fact_ids, short)

    def lengthened(self, text: str, *, known: str) -> str:
        """Return `text` of a model with members as `<@id>`; `ValueError` for an id that was not offered."""
        return lengthened(text, self._user_ids, known=known)

    def shortened(self, text: str) -> str:
        """Return `text` with members by their short ids."""
        return shortened(text, self._user_ids)

    def _fact(self, fact: DocumentFact, *, guild_id: int) -> DocumentFact:
        return DocumentFact(
            id=self._short(fact.id, is_here=fact.guild == guild_id),
            importance=fact.importance,
            origin=fact.origin,
            said_at=fact.said_at,
            category=fact.category,
            content=self.shortened(fact.content),
            holds_on=fact.holds_on,
            expires_at=fact.expires_at,
            tentative=fact.tentative,
        )

    def _place(self, place: DocumentPlace, *, guild_id: int) -> DocumentPlace:
        return DocumentPlace(
            id=self._short(place.id, is_here=place.guild == guild_id),
            importance=place.importance,
            origin=place.origin,
            said_at=place.said_at,
            name=self.shortened(place.name),
            notes=self.shortened(place.notes),
            conversations=place.conversations,
        )

    def _short(self, fact_id: str, *, is_here: bool) -> str:
        return self._fact_ids.short(int(fact_id)) if is_here else "elsewhere"


def _long(ids: LocalIds, short: str) -> int | None:
    try:
        return ids.long(short)
    except ValueError:
        return None
