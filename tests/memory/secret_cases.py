"""Messages with secrets and without, in both languages."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

_DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
_CHANNELS = ("irc-ubuntu.json", "irc-ubuntu-2006.json")

PASSWORDS = [
    ("i just set my password to hunter2", "i just set my password to [secret]"),
    ("my password is swordfish", "my password is [secret]"),
    ("My Password: correcthorse!", "My Password: [secret]!"),
    ("my password's hunter2 and my name is bob", "my password's [secret] and my name is bob"),
    ("the wifi password is swordfish99.", "the wifi password is [secret]."),
    ('changed the password to "tr0ub4dor&3"', 'changed the password to "[secret]"'),
    ("password to the server is abc123 ok", "password to the server is [secret] ok"),
    ("login: bob pass: hunter2", "login: bob pass: [secret]"),
    ("use bob and password hunter22", "use bob and password [secret]"),
    ("my password is ||hunter2||", "my password is ||[secret]||"),
    ("my pin is 4821", "my pin is [secret]"),
    ("my passphrase is correct horse battery staple", "my passphrase is [secret]"),
    ("мой пароль qwerty123", "мой пароль [secret]"),
    ("пароль: зайчик", "пароль: [secret]"),
    ("пароль от вайфая — зайчик", "пароль от вайфая — [secret]"),
    ("я поставил пароль hunter2", "я поставил пароль [secret]"),
    ("сменила пароль на котик77", "сменила пароль на [secret]"),
    ("пин-код 1234", "пин-код [secret]"),
    ("https://bob:hunter2@example.com/x", "https://bob:[secret]@example.com/x"),
]

TOKENS = [
    ("api key: 9f8a7b6c5d4e3f2a1b0c", "api key: [secret]"),
    ("API_KEY=abcd1234efgh", "API_KEY=[secret]"),
    ("ключ апи: abcd1234efgh5678", "ключ апи: [secret]"),
    ("use sk-proj-abcdefghijklmnopqrstuvwxyz123456 for it", "use [secret] for it"),
    ("ghp_abcdefghijklmnopqrstuvwxyz0123456789", "[secret]"),
    ("github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz", "[secret]"),
    ("glrt-abcdefghij0123456789 is the runner's", "[secret] is the runner's"),
    ("AKIAIOSFODNN7EXAMPLE", "[secret]"),
    ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "aws_secret_access_key = [secret]"),
    ("MTE4NzY1NDMyMTA5ODc2NTQz.GabcdE.abcdefghijklmnopqrstuvwxyz012", "[secret]"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdef", "[secret]"),
    (f"the bot's is 123456789:{'AAHdqTcvC' * 3}12345678 now", "the bot's is [secret] now"),
    (f"SG.{'aB3' * 7}a.{'aB3' * 14}a", "[secret]"),
    (f"mail goes by {'0a1b' * 8}-us12", "mail goes by [secret]"),
    (f"sid AC{'0a1b' * 8}", "sid [secret]"),
    (
        f"DefaultEndpointsProtocol=https;AccountKey={'Ab1+' * 21}Ab1=",
        "DefaultEndpointsProtocol=https;AccountKey=[secret]",
    ),
    (f"artifactory has AKCp{'5b' * 10}", "artifactory has [secret]"),
    (f"sq0csp-{'aB3_' * 10}aB3", "[secret]"),
    (f"xoxb-{'1' * 12}-{'2' * 12}-{'aB' * 12} in #ops", "[secret] in #ops"),
    ("https://hooks.slack.com/services/T0000/B0000/abc123", "[secret]"),
    ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", "[secret]"),
    ("-----BEGIN PGP PRIVATE KEY BLOCK-----\nabc", "[secret]"),
    (
        "https://discord.com/api/webhooks/123456789012345678/abc-DEF_1",
        "https://discord.com/api/webhooks/123456789012345678/[secret]",
    ),
]

NUMBERS = [
    ("my card 4111 1111 1111 1111 expires", "my card [secret] expires"),
    ("моя карта 4111-1111-1111-1111, cvv 123", "моя карта [secret], cvv [secret]"),
    ("5500-0000-0000-0004", "[secret]"),
    ("378282246310005", "[secret]"),
    ("pay to DE89 3704 0044 0532 0130 00 please", "pay to [secret] please"),
    ("pay DE89 3704 0044 0532 0130 00 SOON OK", "pay [secret] SOON OK"),
    ("de89370400440532013000", "[secret]"),
    ("GB82WEST12345698765432", "[secret]"),
    ("536-90-4399", "[secret]"),
    ("my ssn is 536904399", "my ssn is [secret]"),
    ("my social security number is 536 90 4399", "my social security number is [secret]"),
    ("мой ИНН 500100732259", "мой ИНН [secret]"),
    ("снилс 112-233-445 95", "снилс [secret]"),
    ("PESEL: 44051401359", "PESEL: [secret]"),
    ("my cpf: 390.533.447-05", "my cpf: [secret]"),
]

SECRETS = [*PASSWORDS, *TOKENS, *NUMBERS]
"""What was said, and what is left of it."""

PLAIN = [
    line
    for line in """
the root password is disabled by default
what is the password to login
my password is wrong
I forgot my password
the password is asked by the dialog
set the password to something long
password manager is great
forgot the password? https://example.com/reset2
ask <@264811613708746752> for the password <@264811613708746753>
the key is to relax
the secret is in the sauce
keyboard key F12 is broken
pin it to the channel
pass me the salt
pass 802.11n
мой пароль не подходит
я забыл пароль от почты
ключ от квартиры на столе
секретный ингредиент — любовь
позвони 8 800 555 35 35
my phone is 555-123-4567
+1 (555) 123-4567
<@264811613708746752> wrote 264811613708746752
<:party:1234567890123456789> <t:1700000000:R>
4111 1111 1111 1112
DE89 3704 0044 0532 0130 01
000-12-3456
the ssn of nobody is 000123456
ИНН компании 7707083893
снилс 112-233-445 96
it was 2024-01-02 03:04:05 and 1700000000000
192.168.100.200 and 10.0.0.255:8080
APEXLEGENDS at 8
commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904
550e8400-e29b-41d4-a716-446655440000
https://www.youtube.com/watch?v=dQw4w9WgXcQ1234
https://discord.com/channels/264811613708746752/264811613708746753/1364462288240640000
""".splitlines()
    if line
]
"""What only looks like a secret."""


def channels() -> Mapping[str, Sequence[str]]:
    """Return what was said in channels about computers, by file; nothing where the files are not."""
    return {
        name: [message["content"] for message in json.loads((_DATA / name).read_text("utf-8"))["messages"]]
        for name in _CHANNELS
        if (_DATA / name).is_file()
    }


def talks() -> Mapping[str, Sequence[str]]:
    """Return what people said, by file: in channels, to one another and to the bot; nothing where the files are not."""
    told = dict(channels())
    friends, commands = _DATA / "locomo-dev.json", _DATA / "language-cases.jsonl"
    if friends.is_file():
        told[friends.name] = [
            turn["text"]
            for talk in json.loads(friends.read_text("utf-8"))
            for name, session in talk["conversation"].items()
            if name.startswith("session_") and isinstance(session, list)
            for turn in session
        ]
    if commands.is_file():
        cases = [json.loads(line) for line in commands.read_text("utf-8").splitlines()]
        told[commands.name] = [text for case in cases for text in (*case["setup"], case["line"])]
    return told
