"""Names become mentions when text is stored, and mentions become names when it is rendered."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from bot.conversation.names.cases import case_at, in_case
from bot.conversation.names.roster import Roster
from bot.conversation.names.vocabulary import DETERMINERS, is_function_word
from bot.domain import Member, mention_of

SOMEONE: Final = "someone"
"""What a member is called whose name is not known any more."""

MOST_WORDS: Final = 4
"""Words of a name that is looked for inside a text."""

_SHORTEST_BARE: Final = 3
_MENTION: Final = re.compile(r"<@!?([0-9]{1,19})>")
_CHUNK: Final = re.compile(r"\S+")
_OPENING_MARKS: Final = "([{\"'«“‘*_~"
_CLOSING_MARKS: Final = re.compile(r"(?:['’]s)?[.,!?;:)\]}\"'»”’*_~…]*$")


def rendered(text: str, names: Mapping[int, str]) -> str:
    """Return `text` with each `<@id>` replaced by its name in `names`; unknown ids are "someone".

    Names come in word for word, but for Russian ones in a Russian sentence, which take the case that it wants.
    """
    parts: list[str] = []
    done, case = 0, None
    for mention in _MENTION.finditer(text):
        line = text.rfind("\n", 0, mention.start()) + 1
        joined = case is not None and text[done : mention.start()] == " и "
        case = case if joined else case_at(text[line : mention.start()], text[mention.end() :])
        name = names.get(int(mention[1]), SOMEONE)
        parts += (text[done : mention.start()], name if case is None else in_case(name, case))
        done = mention.end()
    return "".join((*parts, text[done:]))


def with_mentions(text: str, members: Sequence[Member]) -> str:
    """Return `text` with the members that it names written as `<@id>`.

    "@name" always counts (the longest name that fits), a bare name only as it is written by its bearer.
    Names that two members share, and names inside longer tokens (`alice@acme.io`), stay as they are.
    """
    roster = Roster.of(members)
    chunks = list(_CHUNK.finditer(text))
    parts: list[str] = []
    done = index = 0
    while index < len(chunks):
        before = chunks[index - 1].group() if index else ""
        for length in range(min(MOST_WORDS, len(chunks) - index), 0, -1):
            start, end = chunks[index].start(), chunks[index + length - 1].end()
            if found := _named(text[start:end], roster, before=before):
                offset, name, user_id = found
                parts += (text[done : start + offset], mention_of(user_id))
                done = start + offset + len(name)
                index += length
                break
        else:
            index += 1
    return "".join((*parts, text[done:]))


def _named(words: str, roster: Roster, *, before: str) -> tuple[int, str, int] | None:
    """Return where in `words` a name stands, the name and whose it is; marks around it do not count."""
    opened = len(words) - len(words.lstrip(_OPENING_MARKS))
    closing = _CLOSING_MARKS.search(words, opened)
    bare = words[opened : closing.start()] if closing else words[opened:]
    for offset, name in dict.fromkeys(((0, words), (opened, bare))):
        user_ids = roster.named(name) if name.startswith("@") else _as_written(name, roster, before=before)
        if len(user_ids) == 1:
            return offset, name, user_ids[0]
    return None


def _as_written(name: str, roster: Roster, *, before: str) -> tuple[int, ...]:
    """Return whose name this is letter for letter, unless it may well be an ordinary word."""
    if sum(map(str.isalpha, name)) < _SHORTEST_BARE or is_function_word(name):
        return ()
    if name.islower() and before.lower() in DETERMINERS:
        return ()
    return roster.written(name)
