"""What is forgotten and what stays, by the kinds of mistakes that forgetting can make."""

from collections.abc import Mapping, Sequence
from typing import Final

from tests.memory.rights.forgetting.denial_cases import CORRECTED, NEGATIONS
from tests.memory.rights.forgetting.identifier_cases import IDENTIFIERS, SPELLINGS
from tests.memory.rights.forgetting.people_cases import SHARED, WHO_SAID_IT
from tests.memory.rights.forgetting.scenes import Case
from tests.memory.rights.forgetting.sense_cases import ONE_OF_TWO, SENSES

KINDS: Final[Mapping[str, Sequence[Case]]] = {
    "an identifier within a longer one": IDENTIFIERS,
    "other spellings of an identifier": SPELLINGS,
    "the word in another sense": SENSES,
    "one of two things in a sentence": ONE_OF_TWO,
    "what denies it": NEGATIONS,
    "chains of corrections": CORRECTED,
    "what two people have in common": SHARED,
    "who said it and who asks": WHO_SAID_IT,
}
