"""Promises about secrets: what opens a door or an account is masked before anything is learned from around it."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.memory.secrets import MASK, masked

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"

SECRETS = [
    ("i just set my password to hunter2", "i just set my password to [secret]"),
    ("my password is swordfish", "my password is [secret]"),
    ("My Password: correcthorse!", "My Password: [secret]!"),
    ("my password's hunter2 and my name is bob", "my password's [secret] and my name is bob"),
    ("the wifi password is swordfish99.", "the wifi password is [secret]."),
    ('changed the password to "tr0ub4dor&3"', 'changed the password to "[secret]"'),
    ("password to the server is abc123 ok", "password to the server is [secret] ok"),
    ("login: bob pass: hunter2", "login: bob pass: [secret]"),
    ("my pin is 4821", "my pin is [secret]"),
    ("my passphrase is correct horse battery staple", "my passphrase is [secret]"),
    ("мой пароль qwerty123", "мой пароль [secret]"),
    ("пароль: зайчик", "пароль: [secret]"),
    ("пароль от вайфая — зайчик", "пароль от вайфая — [secret]"),
    ("я поставил пароль hunter2", "я поставил пароль [secret]"),
    ("сменила пароль на котик77", "сменила пароль на [secret]"),
    ("пин-код 1234", "пин-код [secret]"),
    ("api key: 9f8a7b6c5d4e3f2a1b0c", "api key: [secret]"),
    ("API_KEY=abcd1234efgh", "API_KEY=[secret]"),
    ("ключ апи: abcd1234efgh5678", "ключ апи: [secret]"),
    ("use sk-proj-abcdefghijklmnopqrstuvwxyz123456 for it", "use [secret] for it"),
    ("ghp_abcdefghijklmnopqrstuvwxyz0123456789", "[secret]"),
    ("AKIAIOSFODNN7EXAMPLE", "[secret]"),
    ("MTE4NzY1NDMyMTA5ODc2NTQz.GabcdE.abcdefghijklmnopqrstuvwxyz012", "[secret]"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdef", "[secret]"),
    ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", "[secret]"),
    ("https://bob:hunter2@example.com/x", "https://bob:[secret]@example.com/x"),
    (
        "https://discord.com/api/webhooks/123456789012345678/abc-DEF_1",
        "https://discord.com/api/webhooks/123456789012345678/[secret]",
    ),
    ("my card 4111 1111 1111 1111 expires", "my card [secret] expires"),
    ("5500-0000-0000-0004", "[secret]"),
    ("378282246310005", "[secret]"),
    ("pay to DE89 3704 0044 0532 0130 00 please", "pay to [secret] please"),
    ("GB82WEST12345698765432", "[secret]"),
    ("078-05-1120", "[secret]"),
    ("my ssn is 078051120", "my ssn is [secret]"),
]

PLAIN = """
the root password is disabled by default
what is the password to login
my password is wrong
I forgot my password
the password is asked by the dialog
set the password to something long
password manager is great
the key is to relax
the secret is in the sauce
pin it to the channel
pass me the salt
мой пароль не подходит
я забыл пароль от почты
ключ от квартиры на столе
my phone is 555-123-4567
<@264811613708746752> wrote 264811613708746752
4111 1111 1111 1112
DE89 3704 0044 0532 0130 01
it was 2024-01-02 03:04:05 and 1700000000000
https://discord.com/channels/264811613708746752/264811613708746753/1364462288240640000
""".strip().splitlines()

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


@pytest.mark.skipif(not DATA.is_dir(), reason="the chat logs are not here")
def test_the_talk_of_a_channel_about_computers_is_left_alone() -> None:
    said = [
        message["content"]
        for name in ("irc-ubuntu.json", "irc-ubuntu-2006.json")
        for message in json.loads((DATA / name).read_text(encoding="utf-8"))["messages"]
    ]
    assert sum(masked(text) != text for text in said) < 0.005 * len(said)
