"""English statements in the first person become statements about their author, by rules and small tables."""

import re
from dataclasses import dataclass, field
from typing import Final

from bot.text.en.verbs import (
    AFTER_THEY,
    CLEAR,
    INVERTED,
    IRREGULAR_PAST,
    MODALS,
    NOUNS_TOO,
    OF_THINGS,
    ONE_FORM,
    PRESENT_IN_ED,
    REQUESTS,
    SHORT_PAST,
    SINGULAR,
    STATIVE,
    THINGS_TOO,
    UNCHANGED,
    VERBS,
    is_surely_verb,
    third_form,
)
from bot.text.languages import Rewritten
from bot.text.tokens import PROTECTED, words

_APOSTROPHE: Final = str.maketrans("’", "'")
_PAST_TIME: Final = re.compile(
    r"\b(?:yesterday|ago|last (?:\w+)|in (?:19|20)\d\d|when <@\d+> was)\b", re.IGNORECASE
)
_JUST_PAST: Final = words("just already recently finally once")
_ADVERBS: Final = words(
    """actually all almost already also always at barely both definitely even ever finally first generally hardly
    just kind kinda highkey least less longer lowkey more most mostly much never no not now occasionally of
    often once only personally pretty probably quite rarely rather really recently secretly seldom simply
    sometimes soon sort sorta still then too totally truly usually very"""
)
_NO_ADVERB: Final = words("apply bully comply fly imply multiply rally rely reply supply tally")
_HAD_AFTER_D: Final = words("been better gone done seen had eaten taken known met lost left made forgotten")
_JOINING: Final = words("and but or then yet ,")
_OTHERS: Final = words("he she it we they you everyone everybody somebody someone people")
_OFTEN: Final = re.compile(
    r"\b(?:every|always|often|usually|sometimes|never|a lot|daily|all the time|\w+days)\b",
    re.IGNORECASE,
)
_TURNS: Final = words(
    "who which that because when if since while although though whose where until unless as"
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
_DOUBTFUL: Final = re.compile(
    r"""[?\n] | (?:[!…;]|(?<!\bst)(?<!\bmt)(?<!\bdr)(?<!\bmr)(?<!\bms)(?<!\bmrs)\.)\s+\S
    | \.\s+(?:i|i'm|im|i've|my|it|it's|he|she|they|we|this|that)\b
    | \b(?:you|your|yours|you're|youre|you'll|you've|u|ur|yourself|we|us|our|ours|we're|let's)\b
    | \b(?:imma|ima|i'ma)\b | \b(?:not|than|like)\ (?:me|myself)\b
    | (?:\b(?:am|be|being|been|im)|'(?:m|re))\ (?:\w+\ )?(?:me|myself)\b
    | ^(?:me|mine|myself)\ (?!and\b) | \b(?:my|i|me)\ (?:my|i|me)\b | \bi\ and\ i\b""",
    re.VERBOSE,
)
"""What makes it unsure who says what of whom."""

_OF_A_TITLE: Final = re.compile(
    r"\b(?:called|named|titled|title|song|film|movie|book|show|album|track|band|game|anime|series)\b"
)

_THEY: Final = re.compile(r"\b(?:they|them|their|theirs|themselves|they're)\b")
_PLURAL: Final = re.compile(
    r"""\b(?:my|their|his|her|the|these|those|some|all|most|many|other|two|three|both|\d+)\s+(?:[\w'’-]+\s+)?\w+[^\Wsui]s\b
    | \b(?:people|kids|children|parents|friends|everyone|everybody)\b""",
    re.VERBOSE | re.IGNORECASE,
)
"""Others whom "they" could mean."""

_FIRST_PERSON: Final = words("i i'm im i've ive i'll i'd me my mine myself imma ima i'ma")
_MOST_NAMES: Final = 2
_BEFORE_A_REQUEST: Final = words("please pls don't dont never always just ever")
_SUBJECTS: Final = words("i i'm im i've ive i'll i'd")


_WITHOUT_SUBJECT: Final = re.compile(
    r"""(?:(?:also|always|still|really|just|never|often|usually|mostly|only|totally|absolutely)\ )*
    (?:(?:don't|dont|do\ not|can't|cant|cannot)\ (?:like|love|eat|drink|stand|smoke|have|own|speak|know|want|need|do
        |work|swim|drive|play|watch|use|care|believe|trust|read|cook|sleep|understand|get|wear|live)\b
    | (?:hate|prefer|enjoy|dislike|adore|loathe|despise|love|own|speak|collect)
        \ (?!(?:is|was|are|speech|mail|crimes?|songs?|stor(?:y|ies)|letters?|life|island|hurts?|it\ or|up|items?)\b)\S
    | have\ (?:a|an|two|three|four|\d+)\ (?!(?:nice|good|great|lovely|look|go|seat|safe)\b)\S
    | (?:live|work|study|grew\ up|come|moved)\ (?:in|at|near|for|as|from|to|with|on|out)\b
    | (?:got|getting)\ (?:a|an|my|married|divorced|engaged)\b
    | (?:born|raised)\ (?:in|on)\b
    | allergic\ to\b
    | (?:vegan|vegetarian|left-handed|right-handed|colou?rblind)(?:\ (?:since|now|for)\b|$))""",
    re.VERBOSE,
)
"""What somebody says of themselves without a word for themselves, at the start of a statement."""


def speaks_of_author(tokens: list[str]) -> bool:
    """Return whether the words of a statement, with "" for quotations and the like, speak of its author."""
    plain = "".join(tokens).lower().translate(_APOSTROPHE)
    said = _Rewriting(list(tokens), mention="")
    return bool(_WITHOUT_SUBJECT.match(plain)) or any(said.names_author(at) for at in range(len(tokens)))


_VERB_FIRST: Final = re.compile(
    r"(?:(?:also|always|still|really|just|never|often|usually|mostly)\s+)*"
    r"(?:hate|prefer|enjoy|dislike|adore|loathe|despise|love|own|speak|collect|live|work|study|have|don't|can't|dont|cant"
    r"|cannot|do|got|come|moved|grew)\s"
)


def mentions_author(tokens: list[str]) -> bool:
    """Return whether some token is an English pronoun of the first person, singular."""
    return any(token.lower().translate(_APOSTROPHE) in _FIRST_PERSON for token in tokens)


def is_past_form(word: str) -> bool:
    """Return whether a word in lower case is the past form of a verb."""
    regular = len(word) > 4 and word.isascii() and word.endswith("ed") and not word.endswith("eed")
    return regular or word in IRREGULAR_PAST or word in SHORT_PAST


def third_person(tokens: list[str], *, mention: str) -> Rewritten:
    """Return the tokens of a statement with its author as `mention`, later as "they", and whether that is sure.

    Joined, `tokens` are the whole text; those that are no words (quotations, mentions) stay as they are.
    """
    text = "".join(tokens)
    called = _CALL_ME.match(text)
    if called is None:
        return _Rewriting(list(tokens), mention).run()
    rest = _Rewriting(_after(tokens, called.end()), mention, named=True).run()
    names = text[called.end() :].strip(" .!").split()
    sure = rest.sure and len(names) <= _MOST_NAMES and all(name[0].isupper() for name in names)
    return Rewritten([f"{mention} wants to be called ", *rest.tokens], sure)


def with_subject(text: str) -> str | None:
    """Return `text` with the subject that was left out put before its verb; `None` if none was left out."""
    said = text.lower().translate(_APOSTROPHE)
    if _WITHOUT_SUBJECT.match(said) is None:
        return None
    rest = f"{text[0].lower()}{text[1:]}"
    if _VERB_FIRST.match(said):
        return f"I {rest}"
    return f"I was {rest}" if said.startswith(("born", "raised")) else f"I'm {rest}"


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
    sure: bool = field(default=True, init=False)
    _request: int | None = field(default=None, init=False)
    """Where somebody is asked for something behind what is told."""

    def run(self) -> Rewritten:
        """Rewrite every pronoun, and the verbs of those that are subjects, from left to right."""
        plain = ("" if PROTECTED.fullmatch(token) else token for token in self.tokens)
        said = "".join(plain).lower().translate(_APOSTROPHE)
        named = [at for at in range(len(self.tokens)) if self.names_author(at)]
        if named and (_DOUBTFUL.search(said) or self._is_a_request() or self._may_be_a_title(named[0])):
            self.sure = False
        self._request = self._asked_behind(named[0]) if named else None
        self.sure &= self._request is None
        first_is_subject = bool(named) and self._word(named[0]).startswith("i")
        for at in named:
            if self.named and self._word(at) != "myself":
                may_be_others = _THEY.search(said) or _PLURAL.search("".join(self.tokens[:at]))
                self.sure &= first_is_subject and not may_be_others
            if self._word(at) in _SUBJECTS and _OF_A_TITLE.search("".join(self.tokens[:at])):
                self.sure = False
            self._rewrite(at, self._word(at))
        return Rewritten(self.tokens, self.sure)

    def _rewrite(self, at: int, word: str) -> None:
        """Rewrite the pronoun at `at`."""
        if word == "me":
            self.tokens[at] = self._name("them")
        elif word == "my":
            self.tokens[at] = self._name("their", "'s")
        elif word == "mine":
            self.tokens[at] = self._name("theirs", "'s")
        elif word == "myself":
            self.tokens[at] = "themselves"
        elif word in _SUBJECTS:
            self._subject(at, word)

    def _is_a_request(self) -> bool:
        """Return whether somebody is asked to do something for the author: "remind me to call"."""
        at = 0
        while self._word(at) in _BEFORE_A_REQUEST:
            at = self._next(at)
        return self._word(at) in VERBS - {"like", "love"} and self._word(self._next(at)) in {"me", "my"}

    def _asked_behind(self, first: int) -> int | None:
        """Return where the verb of a request is that a statement goes on with: "I'm vegan and make me a sandwich"."""
        says_how = self._word(first) in {"i'm", "im", "my"} or self._word(self._next(first)) == "am"
        for at in range(first, len(self.tokens)):
            if self._word(at) not in _JOINING | {"so"}:
                continue
            verb = self._next(at)
            while self._word(verb) in _BEFORE_A_REQUEST | {"then"}:
                verb = self._next(verb)
            is_for_author = self._word(verb) in VERBS and self._word(self._next(verb)) == "me"
            if is_for_author or (says_how and self._word(verb) in REQUESTS):
                return verb
        return None

    def _may_be_a_title(self, at: int) -> bool:
        """Return whether a title may begin with the pronoun at `at`: "I Am Legend", "I, Robot"."""
        following = self.tokens[self._next(at)] if self._next(at) < len(self.tokens) else ""
        if following == ",":
            return True
        capitals = following[:1].isupper() and self.tokens[at][0].isupper()
        return capitals and self._word(self._next(at)) not in _FIRST_PERSON and not self._is_shouted()

    def _is_shouted(self) -> bool:
        return "".join(self.tokens).isupper()

    def names_author(self, at: int) -> bool:
        """Return whether the token at `at` is a pronoun of the author: no numeral, exclamation, title or coal mine."""
        word = self._word(at)
        if word not in _FIRST_PERSON or self._is_in_a_title(at):
            return False
        if word == "my":
            return self._word(self._next(at)) not in _EXCLAMATIONS
        if word == "mine":
            return self._is_possession(at)
        return word not in {"i", "i'm"} or not self._is_a_numeral(at)

    def _is_in_a_title(self, at: int) -> bool:
        """Return whether the pronoun at `at` begins a title inside a sentence: "the song I Will Survive"."""
        inside = any(token.isalpha() or token.startswith("<@") for token in self.tokens[:at])
        follows_a_name = self._previous(at) >= 0 and self.tokens[self._previous(at)][:1] in {"&"}
        return inside and (self._may_be_a_title(at) or follows_a_name) and self.tokens[at][0].isupper()

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
        elif singular and self._word(self._previous(at)) in {"and", "or"}:
            self.sure = False
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
            self.sure &= had or self._word(self._verb_after(at)) in VERBS | {"be", "rather", "say"}
            self.tokens[at] = f"{subject} {'had' if had else 'would'}"
        else:
            self.tokens[at] = subject
            self._agree(at, singular=singular)
            return
        if singular:
            self._agree_joined(at, governed="modal" if word in {"i'll", "i'd"} else "", behind="am")

    def _agree(self, at: int, *, singular: bool) -> None:
        """Make the verb of the subject at `at` agree with it."""
        before, verb_at = self._previous(at), self._verb_after(at)
        verb = self._word(verb_at)
        if singular and self._word(before) in INVERTED:
            self._put(before, INVERTED[self._word(before)])
            self.sure = False
        elif not singular:
            if verb in AFTER_THEY:
                self._put(verb_at, AFTER_THEY[verb])
            elif self._word(before) == "am":
                self._put(before, "are")
        elif self._word(before) not in MODALS and not self._is_one_of_several(at) and verb:
            self._put(verb_at, self._singular(verb, verb_at))
            self.sure &= self._is_known(verb, verb_at)
            governed = "modal" if verb in MODALS | {"don't", "dont"} else ""
            self._agree_joined(verb_at, governed=governed, behind=verb)

    def _is_known(self, verb: str, at: int) -> bool:
        """Return whether the form that `verb` at `at` was given is the right one for certain."""
        if verb in ONE_FORM:
            return bool(_OFTEN.search("".join(self.tokens))) or self._word(at) == verb
        return verb in VERBS or verb in SINGULAR or verb in UNCHANGED or is_past_form(verb)

    def _agree_joined(self, at: int, *, governed: str, behind: str) -> None:
        """Make verbs agree that are joined to the one `behind` them, at `at`: "I like pizza and hate olives"."""
        of_others, start = False, at
        while (at := self._next(at)) < len(self.tokens):
            word = self._word(at)
            if self.tokens[at] in ".!?;" or (word in _SUBJECTS and self.names_author(at)):
                return
            of_others = of_others or word in _TURNS | _OTHERS or self.tokens[at].startswith("<@")
            if word == "to" and self._word(self._next(at)) in VERBS | {"be"}:
                governed = governed or "to"
            if word not in _JOINING:
                continue
            verb_at = self._verb_after(at)
            verb = self._word(verb_at)
            if verb_at == self._request:
                return
            surely = is_surely_verb(verb, self._word(self._next(verb_at)), behind=behind)
            if (
                (surely or (self._is_joined_verb(verb, verb_at) and word != ","))
                and not of_others
                and (not governed or (governed == "to" and verb in STATIVE) or word == "but")
            ):
                self.sure &= (
                    (surely or verb in CLEAR | STATIVE)
                    and verb not in ONE_FORM
                    and (governed != "to" or word == "but")
                )
                self._put(verb_at, self._singular(verb, verb_at))
                governed = ""
            elif verb in VERBS and not (governed == "modal" and word == "or"):
                is_thing = word == "," or behind in OF_THINGS or verb not in NOUNS_TOO
                is_last = self._next(verb_at) >= len(self.tokens)
                # "I study and work": of two verbs one alone would be put into the third person.
                self.sure &= verb in THINGS_TOO and is_last and is_thing and at != self._next(start)

    def _is_joined_verb(self, verb: str, at: int) -> bool:
        """Return whether the word at `at` is a verb of the subject rather than a thing."""
        following = self._next(at)
        if following >= len(self.tokens):
            return False
        if verb in CLEAR:
            return True
        return verb in NOUNS_TOO and (
            self._word(following) in _COMPLEMENTS
            or self.tokens[following].startswith("<@")
            or verb in {"like", "love"}
        )

    def _singular(self, verb: str, at: int) -> str:
        """Return the form of `verb` after he or she; past forms and modals stay."""
        if verb in SINGULAR:
            return third_form(verb)
        if verb in UNCHANGED or verb in IRREGULAR_PAST or not re.fullmatch(r"[a-z]+(?:-[a-z]+)*", verb):
            return verb
        if verb.endswith("ed") and verb not in PRESENT_IN_ED:
            return verb
        rest = "".join(self.tokens[at:])
        if verb in ONE_FORM and (_PAST_TIME.search(rest) or self._word(self._previous(at)) in _JUST_PAST):
            return verb
        return third_form(verb)

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
        before = self._previous(at)
        following = self._word(self._next(at))
        counted = self._word(before) in _NUMBERED and (
            self._word(before) == "war"
            or self.tokens[before][0].isupper()
            or not (following in VERBS or is_past_form(following))
        )
        return counted or bool(
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
