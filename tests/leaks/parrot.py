"""The worst model that could be: whatever it is asked, it repeats every canary that its prompt holds."""

import html
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from tests.leaks.canaries import canaries_in
from tests.said import MESSAGE_SECTIONS, said_in
from tests.servers.asked import Asked
from tests.servers.base import Reply
from tests.servers.gemini import GeminiServer

_TAG: Final = re.compile(r"<(?P<name>\w+)(?P<attributes>(?:\s[^<>]*)?)>(?P<text>[^<]*)")
_SPEAKER: Final = re.compile(r'\b(?:by|author|member)="(u\d+)"')
_ID: Final = re.compile(r'\bid="(\w+)"')
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+| / ")
_SAID_TO_BOT: Final = re.compile(r"^(?:Bot|Бот),? (?:please )?remember that ", re.IGNORECASE)
_DATED: Final = re.compile(r"^(?:- |\[[\d :-]+\] )+")
_SIGNED: Final = re.compile(r"^(?:@?u\d+: )+")
_WANTED: Final = re.compile(r"tell what each of these members did: ([u\d, ]*)\.")
_NOTHING: Final = "They said hello and made plans."

_LONGEST_SENTENCE: Final = 200


class Parrot:
    """Repeats into everything that is kept; in its replies only while it is `talkative`."""

    def __init__(self) -> None:
        self.talkative = True

    def teach(self, gemini: GeminiServer) -> None:
        """Let `gemini` answer so."""
        answers: Mapping[str, Callable[[Asked], Reply]] = {
            "reply": self._reply,
            "summarise_day": _tell_each,
            "historical": _tell_each,
            "merge_context": _tell_each,
            "merge_facts": _merge_facts,
            "roll_summary": lambda asked: {"text": repeated(asked, 1_900)},
            "make_episode": _make_episode,
            "compact_episodes": _compact,
            "learn_profile": _learn,
            "catch_up": _catch_up,
            "choose_facts": lambda _: {"facts": []},
            "route": lambda _: {"kind": "chat", "confident": True},
        }
        for operation, answer in answers.items():
            gemini.answer(operation, answer)

    def _reply(self, asked: Asked) -> Reply:
        return repeated(asked, 1_700) if self.talkative else "Hm."


def repeated(asked: Asked, characters: int) -> str:
    """Return the sentences of a prompt that hold canaries, the newest first, as many as fit; each canary once."""
    told: list[str] = []
    for sentence in reversed(_sentences(asked.prompt)):
        told_before = set().union(*map(canaries_in, told)) if told else set()
        if canaries_in(sentence) <= told_before or len(" ".join([*told, sentence])) > characters:
            continue
        told.append(sentence)
    return " ".join(told) or _NOTHING


def _sentences(prompt: str) -> list[str]:
    """Return what a prompt holds and has a canary in it, sentence by sentence, signed by who said it."""
    told = [
        (speaker[1] if (speaker := _SPEAKER.search(tag["attributes"])) else "", html.unescape(tag["text"]))
        for tag in _TAG.finditer(prompt)
        if tag["name"] not in MESSAGE_SECTIONS
    ]
    found = []
    for signer, text in [*told, *((one.by, one.text) for one in said_in(prompt))]:
        for piece in _SENTENCE.split(text):
            words = _SAID_TO_BOT.sub("", _DATED.sub("", " ".join(piece.split())))
            if canaries_in(words) and len(words) < _LONGEST_SENTENCE:
                signed = f"@{signer}: " if signer.startswith("u") and "@u" not in words else ""
                found.append(f"{signed}{words.rstrip('.!?')}.")
    return found


def _ids(asked: Asked, *names: str) -> list[str]:
    tags = (tag for tag in _TAG.finditer(asked.prompt) if tag["name"] in names)
    return [found[1] for tag in tags if (found := _ID.search(tag["attributes"]))]


def _tell_each(asked: Asked) -> Reply:
    """Tell of each member whatever is known of anybody."""
    wanted = _WANTED.search(asked.prompt)
    members = wanted[1].split(", ") if wanted else _ids(asked, "member")
    text = repeated(asked, 850)
    return {"texts": [{"member": one, "text": text} for one in dict.fromkeys(members)]}


def _merge_facts(asked: Asked) -> Reply:
    facts = [
        html.unescape(tag["text"]).strip() for tag in _TAG.finditer(asked.prompt) if tag["name"] == "fact"
    ]
    return {"narrative": ". ".join(facts), "told": _ids(asked, "fact"), "contradicted": []}


def _make_episode(asked: Asked) -> Reply:
    text = repeated(asked, 380)
    return {"text": text, "importance": 5, "tags": sorted(canaries_in(text))[:5]}


def _compact(asked: Asked) -> Reply:
    notes = _ids(asked, "note")
    return {
        "action": "edit",
        "target": notes[1],
        "merged": notes[0],
        "text": repeated(asked, 380),
        "reason": "worse",
    }


def _learn(asked: Asked) -> Reply:
    """Write all into the profile, and facts that rest on messages which do not say them."""
    own = [one.short_id for one in said_in(asked.prompt) if one.short_id]
    sentences = _sentences(asked.prompt)
    facts = [
        {"message": own[number % len(own)], "text": f"@u1 knows that {_plain(sentence)}"}
        for number, sentence in enumerate(sentences[-3:])
    ]
    # In a profile of somebody else nobody is known again by a plain name: that is a weakness known of unsaying.
    told = [one for one in _SENTENCE.split(repeated(asked, 1_400)) if "@u" in one]
    return {"profile": " ".join(told) or _NOTHING, "facts": facts if own else []}


def _plain(sentence: str) -> str:
    return _SIGNED.sub("", sentence)


def _catch_up(asked: Asked) -> Reply:
    first = said_in(asked.prompt)[0].short_id
    return {"topics": [{"text": text, "message": first} for text in _in_pieces(asked)]}


def _in_pieces(asked: Asked) -> Iterable[str]:
    """Return all of it in topics of the length allowed."""
    pieces = [""]
    for sentence in _SENTENCE.split(repeated(asked, 2_500)):
        if len(pieces[-1]) + len(sentence) > 380:
            pieces.append("")
        pieces[-1] = f"{pieces[-1]} {sentence}".strip()
    return pieces[:5]
