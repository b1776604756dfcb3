"""Promises about secrets: what opens a door or an account is masked wherever something is said."""

import logging
import socket
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.memory.secrets import MASK, masked
from tests.memory.secret_cases import PLAIN, SECRETS, TOKENS, channels

PIECES = st.sampled_from(
    [
        *(word for said, _ in SECRETS for word in said.split()),
        *"password pin is to my : = — пароль на secret [secret] ] [ \" ' key token set changed //a: @b".split(),
    ]
)


@pytest.mark.parametrize(("said", "expected"), SECRETS)
def test_a_secret_is_masked_and_the_words_around_it_stay(said: str, expected: str) -> None:
    assert masked(said) == expected


@pytest.mark.parametrize("said", PLAIN)
def test_what_only_speaks_of_secrets_stays(said: str) -> None:
    assert masked(said) == said


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


def test_the_talk_of_a_channel_about_computers_is_left_alone() -> None:
    said = [text for texts in channels().values() for text in texts]
    if not said:
        pytest.skip("the chat logs are not here")
    assert sum(masked(text) != text for text in said) < 0.005 * len(said)


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
