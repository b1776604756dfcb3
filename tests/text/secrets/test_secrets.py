"""Promises about secrets: what opens a door or an account is masked wherever something is said."""

import logging
import re
import socket
import sys
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.text.secrets.masking import masked
from bot.text.secrets.spans import MASK
from tests.memory.secret_cases import PLAIN, SECRETS, TOKENS, talks
from tests.text.secrets.fresh import FRESH
from tests.text.secrets.telling import harmless, is_hidden, said
from tests.text.secrets.third import THIRD
from tests.text.secrets.tokens import TOKENS_SAID
from tests.text.secrets.words import WORDS_SAID

EVERY = (TOKENS_SAID, WORDS_SAID, FRESH, THIRD)

PIECES = st.sampled_from(
    [
        *(word for said, _ in SECRETS for word in said.split()),
        *"password pin is to my : = — пароль на secret [secret] ] [ \" ' key token set changed //a: @b".split(),
    ]
)


@pytest.mark.parametrize(("text", "expected"), SECRETS)
def test_a_secret_is_masked_and_the_words_around_it_stay(text: str, expected: str) -> None:
    assert masked(text) == expected


@pytest.mark.smoke
@pytest.mark.parametrize("text", PLAIN)
def test_what_only_speaks_of_secrets_stays(text: str) -> None:
    assert masked(text) == text


@given(
    st.one_of(
        st.text(max_size=200),
        st.lists(PIECES, max_size=14).map(" ".join),
        st.lists(PIECES, max_size=8).map("".join),
    )
)
@settings(max_examples=500, deadline=None)
def test_what_is_masked_is_not_masked_again(text: str) -> None:
    once = masked(text)
    assert masked(once) == once
    assert once == text or MASK in once


@given(
    st.sampled_from(TOKENS),
    st.sampled_from(["", "look: ", "(", "смотри "]),
    st.sampled_from([" ok", "", "\nда"]),
)
def test_a_secret_is_found_whatever_stands_around_it(case: tuple[str, str], before: str, after: str) -> None:
    said, expected = case
    if "BEGIN PGP" in said:
        # What is cut off goes to the end.
        after = ""
    assert masked(before + said + after) == before + expected + after


@pytest.mark.parametrize(
    ("kinds", "at_least"),
    [(TOKENS_SAID, 0.97), (WORDS_SAID, 0.97), (FRESH, 0.95), (THIRD, 0.9)],
    ids=["tokens", "words", "fresh", "third"],
)
def test_secrets_of_every_kind_are_hidden(kinds: Mapping[str, Sequence[str]], at_least: float) -> None:
    told = list(said(kinds))
    seen = [(kind, case.text) for kind, case in told if not is_hidden(case.secrets, masked(case.text))]
    assert len(seen) <= (1 - at_least) * len(told), seen


@pytest.mark.parametrize("kinds", EVERY, ids=["tokens", "words", "fresh", "third"])
def test_hiding_a_secret_leaves_the_words_around_it(kinds: Mapping[str, Sequence[str]]) -> None:
    gone, stood = 0, 0
    for _, case in said(kinds):
        once = masked(case.text)
        assert masked(once) == once
        around = set(re.findall(r"\w{2,}", " ".join(case.around)))
        gone += len(around - set(re.findall(r"\w{2,}", once)))
        stood += len(around)
    assert gone < 0.1 * stood


def test_what_only_looks_like_a_secret_stays() -> None:
    assert [text for text in harmless() if masked(text) != text] == []


@pytest.mark.parametrize("hidden", ["\u200b", "\u200d", "\u2060", "\ufeff"])
def test_letters_that_nobody_sees_hide_no_secret(hidden: str) -> None:
    assert "swordfish7" not in masked(f"my pass{hidden}word is sword{hidden}fish7").replace(hidden, "")
    assert masked(f"nothing{hidden} to hide") == f"nothing{hidden} to hide"


@pytest.mark.parametrize(
    "name", ["irc-ubuntu.json", "irc-ubuntu-2006.json", "locomo-dev.json", "language-cases.jsonl"]
)
def test_the_talk_of_people_is_left_alone(name: str) -> None:
    told = talks().get(name)
    if told is None:
        pytest.skip(f"../shared/data/{name} is not here")
    assert sum(masked(text) != text for text in told) < 0.005 * len(told)


def test_looking_for_secrets_asks_no_server_and_writes_no_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("somebody is asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    with caplog.at_level(logging.DEBUG):
        for said, _ in SECRETS:
            masked(said)
    assert not caplog.records
    assert capsys.readouterr() == ("", "")


def test_the_library_of_detectors_is_loaded_by_plugins_alone() -> None:
    masked(TOKENS[0][0])
    loaded = {name for name in sys.modules if name.startswith("detect_secrets.plugins.")}
    assert not loaded & {"detect_secrets.plugins.high_entropy_strings", "detect_secrets.plugins.keyword"}
