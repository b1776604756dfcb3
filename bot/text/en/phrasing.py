"""English statements in the first person become statements about their author, by rules and small tables."""

import re
from dataclasses import dataclass
from typing import Final

from bot.text.tokens import words

_APOSTROPHE: Final = str.maketrans("’", "'")
_MODALS: Final = words(
    """can cannot can't could couldn't may might must mustn't shall should shouldn't will won't would wouldn't
    ought better did didn't cant couldnt wont wouldnt shouldnt didnt"""
)
_UNCHANGED: Final = _MODALS | words("was wasn't were weren't had hadn't ain't used")
_SINGULAR: Final = {
    "am": "is",
    "have": "has",
    "haven't": "hasn't",
    "havent": "hasn't",
    "do": "does",
    "don't": "doesn't",
    "dont": "doesn't",
    "go": "goes",
    "wanna": "wants to",
    "gotta": "has to",
}
_INVERTED: Final = {"am": "is", "do": "does", "have": "has", "don't": "doesn't", "haven't": "hasn't"}
_IRREGULAR_PAST: Final = words(
    """ate became began bent bit bled blew bought broke brought built burnt came caught chose clung crept dealt did
    dreamt drew drank drove dug fed fell felt fled flew forbade forgot forgave fought found froze gave got grew
    had heard held hid hung kept knew laid leant learnt led left lent lit lost made meant met misunderstood paid
    ran rang rode rose said sang sank sat saw sent sewed shone shook shot showed shrank slept slid smelt sold
    sought spelt spent spoke spoilt sprang stole stood struck stuck stung stank swore swept swam swung taught
    thought threw told took tore understood undertook was went were wept woke won wore wound wove wrote"""
)
"""Past forms that differ from the present one; the regular ones end in -ed."""

_ONE_FORM: Final = words("beat bet cast cost cut fit hit hurt let put quit read set shut split spread")
_PRESENT_IN_ED: Final = words(
    "bleed breed embed exceed feed heed need proceed seed shed shred speed succeed weed wed"
)
_PAST_TIME: Final = re.compile(
    r"\b(?:yesterday|ago|last (?:\w+)|in (?:19|20)\d\d|when <@\d+> was)\b", re.IGNORECASE
)
_JUST_PAST: Final = words("just already recently finally once")
_ADVERBS: Final = words(
    """actually all almost already also always at barely both definitely even ever finally first generally hardly
    just kind kinda least less longer more most mostly much never no not now occasionally of often once only
    personally pretty probably quite rarely rather really recently secretly seldom simply sometimes soon sort
    sorta still then too totally truly usually very"""
)
_NO_ADVERB: Final = words("apply bully comply fly imply multiply rally rely reply supply tally")
_HAD_AFTER_D: Final = words("been better gone done seen had eaten taken known met lost left made forgotten")
_JOINING: Final = words("and but or then yet")
_TURNS: Final = words(
    "who which that because when if since while although though whose where until unless as"
)
_STATIVE: Final = words("love like hate prefer need want enjoy live have adore dislike own")
_CLEAR_VERBS: Final = words(
    """hate prefer enjoy live need want have own eat speak know think go make take wear read write sing adore
    dislike collect teach learn listen play am do believe keep feel get bake do wash buy build grow visit don't
    haven't"""
)
_NOUNS_TOO: Final = words(
    "like love work drink watch study use cook drive dance run sleep walk travel code paint hope plan"
)
_COMPLEMENTS: Final = words(
    """a an the my your his her their our this that these those it them him me myself you to at in on for with as
    from about during every all some any too no not well very lots <@ when every often"""
)
_DETERMINERS: Final = words("my our his her their the a an your this that")
_EXCLAMATIONS: Final = words("god goodness gosh lord word pleasure bad")
_NUMBERED: Final = words(
    "war part chapter type phase level book act volume class stage tier elizabeth division figure"
)
_MINE_AFTER: Final = words("is are was were be been of 's like than also not still this's that's it's")
_CALL_ME: Final = re.compile(
    r"(?:(?:please|just|always|so)\s+)*(?:you\s+can\s+)?(?:please\s+)?call\s+me\s+(?!when|if|at|on|back|later)(?=\S)",
    re.IGNORECASE,
)
_FIRST_PERSON: Final = words("i i'm im i've ive i'll i'd me my mine myself")


def mentions_author(tokens: list[str]) -> bool:
    """Return whether some token is an English pronoun of the first person, singular."""
    return any(token.lower().translate(_APOSTROPHE) in _FIRST_PERSON for token in tokens)


def is_past_form(word: str) -> bool:
    """Return whether a word in lower case is the past form of a verb."""
    regular = len(word) > 4 and word.isascii() and word.endswith("ed") and not word.endswith("eed")
    return regular or word in _IRREGULAR_PAST


def third_person(tokens: list[str], *, mention: str) -> list[str]:
    """Return the tokens of a statement with its author as `mention`, later as "they".

    Joined, `tokens` are the whole text; those that are no words (quotations, mentions) stay as they are.
    """
    called = _CALL_ME.match("".join(tokens))
    if called:
        rest = _after(tokens, called.end())
        return [f"{mention} wants to be called ", *_Rewriting(rest, mention, named=True).run()]
    return _Rewriting(list(tokens), mention).run()


def _after(tokens: list[str], characters: int) -> list[str]:
    """Return the tokens that begin `characters` after the start of the text."""
    while characters > 0:
        characters -= len(tokens[0])
        tokens = tokens[1:]
    return tokens


@dataclass(slots=True)
class _Rewriting:
    """One pass over the tokens; `named` says whether the author has been named already."""

    tokens: list[str]
    mention: str
    named: bool = False

    def run(self) -> list[str]:
        """Rewrite every pronoun, and the verbs of those that are subjects, from left to right."""
        for at in range(len(self.tokens)):
            word = self._word(at)
            if word in {"i", "i'm", "im", "i've", "ive", "i'll", "i'd"} and not self._is_a_numeral(at):
                self._subject(at, word)
            elif word == "me":
                self.tokens[at] = self._name("them")
            elif word == "my" and self._word(self._next(at)) not in _EXCLAMATIONS:
                self.tokens[at] = self._name("their", "'s")
            elif word == "mine" and self._is_possession(at):
                self.tokens[at] = self._name("theirs", "'s")
            elif word == "myself":
                self.tokens[at] = "themselves"
        return self.tokens

    def _name(self, pronoun: str, ending: str = "") -> str:
        """Return the author's mention the first time and `pronoun` after that."""
        if self.named:
            return pronoun
        self.named = True
        return self.mention + ending

    def _subject(self, at: int, word: str) -> None:
        """Rewrite the subject at `at` with what is fused to it, then the verbs that go with it."""
        singular = not self.named
        subject = self._name("they")
        if self._is_one_of_several(at):
            subject = self.mention
        if word in {"i'm", "im"}:
            self.tokens[at] = f"{subject} {'is' if singular else 'are'}"
        elif word in {"i've", "ive"}:
            self.tokens[at] = f"{subject} {'has' if singular else 'have'}"
        elif word == "i'll":
            self.tokens[at] = f"{subject} will"
        elif word == "i'd":
            had = (
                self._word(self._verb_after(at)) in _HAD_AFTER_D or self._word(self._next(at)) in _HAD_AFTER_D
            )
            self.tokens[at] = f"{subject} {'had' if had else 'would'}"
        else:
            self.tokens[at] = subject
            self._agree(at, singular=singular)
            return
        if singular and word not in {"i'll", "i'd"}:
            self._agree_joined(at, governed="")

    def _agree(self, at: int, *, singular: bool) -> None:
        """Make the verb of the subject at `at` agree with it."""
        before, verb_at = self._previous(at), self._verb_after(at)
        verb = self._word(verb_at)
        if singular and self._word(before) in _INVERTED:
            self._put(before, _INVERTED[self._word(before)])
        elif not singular:
            if verb == "am":
                self._put(verb_at, "are")
            elif self._word(before) == "am":
                self._put(before, "are")
        elif self._word(before) not in _MODALS and not self._is_one_of_several(at) and verb:
            self._put(verb_at, self._singular(verb, verb_at))
            if verb in _MODALS or verb in {"don't", "dont"}:
                self._agree_joined(verb_at, governed="modal")
            elif verb not in _UNCHANGED and self._word(verb_at) != verb:
                self._agree_joined(verb_at, governed="")

    def _agree_joined(self, at: int, *, governed: str) -> None:
        """Make verbs agree that are joined to the one at `at`: "I like pizza and hate olives"."""
        while (at := self._next(at)) < len(self.tokens):
            word = self._word(at)
            if (
                word in _TURNS
                or word in _FIRST_PERSON - {"my", "me", "myself", "mine"}
                or self.tokens[at] in ".!?;"
            ):
                return
            if word == "to" and self._word(self._next(at)) not in _COMPLEMENTS:
                governed = governed or "to"
            if word not in _JOINING:
                continue
            verb_at = self._verb_after(at)
            verb = self._word(verb_at)
            if self._is_joined_verb(verb, verb_at) and (
                not governed or (governed == "to" and verb in _STATIVE) or word == "but"
            ):
                self._put(verb_at, self._singular(verb, verb_at))
                governed = ""

    def _is_joined_verb(self, verb: str, at: int) -> bool:
        """Return whether the word at `at` is a verb of the subject rather than a thing."""
        following = self._next(at)
        if following >= len(self.tokens):
            return False
        if verb in _CLEAR_VERBS:
            return True
        return verb in _NOUNS_TOO and (
            self._word(following) in _COMPLEMENTS
            or self.tokens[following].startswith("<@")
            or verb in {"like", "love"}
        )

    def _singular(self, verb: str, at: int) -> str:
        """Return the form of `verb` after he or she; past forms and modals stay."""
        if verb in _SINGULAR:
            return _SINGULAR[verb]
        if verb in _UNCHANGED or verb in _IRREGULAR_PAST or not re.fullmatch(r"[a-z]+(?:-[a-z]+)*", verb):
            return verb
        if verb.endswith("ed") and verb not in _PRESENT_IN_ED:
            return verb
        rest = "".join(self.tokens[at:])
        if verb in _ONE_FORM and (_PAST_TIME.search(rest) or self._word(self._previous(at)) in _JUST_PAST):
            return verb
        if re.search(r"(?:s|sh|ch|x|z|o)$", verb):
            return f"{verb}es"
        return re.sub(r"(?<=[^aeiou])y$", "ie", verb) + "s"

    def _verb_after(self, at: int) -> int:
        """Return where the verb of the subject at `at` is: after its adverbs."""
        at = self._next(at)
        while (word := self._word(at)) and (
            word in _ADVERBS or (word.endswith("ly") and len(word) > 4 and word not in _NO_ADVERB)
        ):
            at = self._next(at)
        return at

    def _is_one_of_several(self, at: int) -> bool:
        """Return whether the subject at `at` is part of a larger one: "Bob and I", "I and Bob"."""
        if self._word(self._next(at)) in {"and", "or"}:
            return True
        joining = self._previous(at)
        if self._word(joining) not in {"and", "or"}:
            return False
        before = [token for token in self.tokens[:joining] if not token.isspace()]
        if before and (before[0].lower() in _DETERMINERS or before[0] == f"{self.mention}'s"):
            return len(before) == 2 or (len(before) == 3 and not re.search(r"(?:s|ed)$", before[2]))
        return len(before) == 1 or (len(before) == 2 and all(token[0].isupper() for token in before))

    def _is_a_numeral(self, at: int) -> bool:
        """Return whether the "I" at `at` counts something, or abbreviates: "World War I", "i.e."."""
        near = "".join(self.tokens[max(0, at - 1) : at + 2])
        return self._word(self._previous(at)) in _NUMBERED or bool(
            re.search(
                r"^\.?i\.\w|\w\.i$|^[-/]i|i[-/]$",
                near + "".join(self.tokens[at + 2 : at + 3])[:1],
                re.IGNORECASE,
            )
        )

    def _is_possession(self, at: int) -> bool:
        """Return whether the "mine" at `at` is what belongs to the author, not a coal mine."""
        before = self._previous(at)
        return (
            self._word(before) in _MINE_AFTER
            or self._word(before).endswith("'s")
            or (before < 0 and self._word(self._next(at)) in {"is", "are", "was", "were"})
        )

    def _word(self, at: int) -> str:
        """Return the word at `at` in lower case, or nothing outside the text."""
        return self.tokens[at].lower().translate(_APOSTROPHE) if 0 <= at < len(self.tokens) else ""

    def _next(self, at: int) -> int:
        """Return where the word after `at` is if only white space is between."""
        return at + 2 if at + 1 < len(self.tokens) and self.tokens[at + 1].isspace() else at + 1

    def _previous(self, at: int) -> int:
        """Return where the word before `at` is if only white space is between."""
        return at - 2 if at >= 1 and self.tokens[at - 1].isspace() else at - 1

    def _put(self, at: int, word: str) -> None:
        """Put `word` where a word is, as loud as that was."""
        old = self.tokens[at]
        self.tokens[at] = word.upper() if len(old) > 1 and old.isupper() else word
