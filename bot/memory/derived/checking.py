"""The common check of every text that a model writes: which of its sentences may be kept, given the sources."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final

from bot.llm.framing import LocalIds, lengthened, mentioned_in, shortened
from bot.llm.lines import NO_NAMES
from bot.memory.derived.grounding import Grounds, SentenceProblem
from bot.memory.policy.redaction import sentences_of
from bot.text.sensitive import says_sensitive

_PLAIN: Final = frozenset({SentenceProblem.STANDS, SentenceProblem.VAGUE})

_LEAST_FOUND: Final = 0.3
"""So much of what a text says stands in what it was told from, in whatever form: of other talk it is a fifth."""


class MemberInput(ABC):
    """What an operation is given that tells of members: the base of its input."""

    @property
    @abstractmethod
    def users(self) -> LocalIds:
        """The short ids of the members that the prompt offers."""

    @property
    @abstractmethod
    def wrote(self) -> Iterable[str]:
        """All that people wrote: a word that stands there is no short id."""

    @property
    def names(self) -> Mapping[str, str]:
        """Who may be called by a name in place of an id: those who alone bear it."""
        return NO_NAMES

    @cached_property
    def known(self) -> str:
        """All that people wrote, as the prompt has it."""
        return shortened("\n".join(self.wrote), self.users)

    def with_ids(self, text: str) -> str:
        """Return `text` of a model with members as `<@id>`; raises `ValueError` for members that were not offered."""
        if strangers := [one for one in mentioned_in(text) if one not in self.users]:
            raise ValueError(f"{strangers[0]} is no id of this prompt: write members as they stand there")
        return lengthened(text, self.users, known=self.known)

    @abstractmethod
    def grounds_of(self, whose: int | None) -> Grounds:
        """Return the sources of a text about a member, or about anybody."""

    @property
    def tells_manner(self) -> bool:
        """Whether a text also describes how somebody talks, which no source states in words."""
        return False

    def fitting(self, text: str, *, longest: int, whose: int | None = None) -> str:
        """Return what of a model's text, about `whose` if it is about one, can be kept.

        That is no sentence that names who was not offered, that orders the bot something, or that what the text was
        told from does not bear out in the words of those whom it is about; no more whole sentences than `longest`
        characters hold. A sentence in other words than were said stands in a text that keeps to them otherwise.
        Nothing is left of a text of which more than half falls, or that is in another language.
        """
        told = [sentence for sentence in sentences_of(text.strip()) if self._names_the_offered(sentence)]
        if not told:
            return ""
        grounds = self.grounds_of(whose)
        found = [grounds.finding(self.with_ids(sentence), whose=whose) for sentence in told]
        vague = [one for one in found if one.problem in _PLAIN]
        least = _LEAST_FOUND / 2 if self.tells_manner else _LEAST_FOUND
        keeps_to_words = sum(one.found for one in vague) >= least * sum(one.wanted for one in vague)
        kept, fallen = "", 0
        for sentence, one in zip(told, found, strict=True):
            is_vague = one.problem is SentenceProblem.VAGUE
            may_be_vague = keeps_to_words and (one.found > 0 or self.tells_manner)
            if one.problem not in _PLAIN or (is_vague and not may_be_vague):
                # What is sensitive is taken out of every text, and says nothing against the rest of it.
                fallen += 0 if says_sensitive(sentence) else len(sentence)
                continue
            if len(kept) + len(sentence.rstrip()) > longest:
                break
            kept += sentence
        return "" if fallen > len(kept) or grounds.is_foreign(kept, whose=whose) else kept.strip()

    def _names_the_offered(self, sentence: str) -> bool:
        try:
            self.with_ids(sentence)
        except ValueError:
            return False
        return True

    def check(self, text: str, *, longest: int, name: str = "the text") -> None:
        """Raise `ValueError` for a text that is empty, longer than `longest`, or names who was not offered."""
        if not text.strip():
            raise ValueError(
                f"{name} is empty, or says what nobody said: keep to what is there, and to its language"
            )
        if len(text) > longest:
            raise ValueError(f"{name} has {len(text)} characters: {longest} at most")
        self.with_ids(text)


def names_in(given: MemberInput) -> Mapping[str, str]:
    """Return the names that the answer to an operation may use in place of ids."""
    return given.names
