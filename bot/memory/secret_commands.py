"""Secrets in commands of a shell, known by the program and its options."""

import re
from collections.abc import Iterator
from typing import Final

from bot.memory.secret_spans import Span
from bot.memory.secret_vocabulary import NO_PASSWORD, PLACEHOLDER

_FLAGS: Final = re.VERBOSE
_SAID: Final = r"(?:'(?P<single>[^'\n]+)'|\"(?P<double>[^\"\n]+)\"|(?P<bare>[^\s'\"`|;&-][^\s'\"`|;&]*))"
_USER: Final = r"[\w.@+\\/-]+"
_PAIR: Final = (
    rf"(?:'{_USER}:(?P<single>[^'\n]+)'|\"{_USER}:(?P<double>[^\"\n]+)\""
    rf"|{_USER}:(?P<bare>[^\s'\"`@/]+))(?!\S*://)"
)

_COMMANDS: Final = tuple(
    (marker, re.compile(pattern, _FLAGS))
    for marker, pattern in (
        ("curl", rf"\bcurl\b[^\n|]*?\s(?:-[a-zA-Z]*[uU]\s*|--(?:proxy-)?user[\s=]){_PAIR}"),
        ("http", rf"\b(?:https?|xh)\b[^\n|]*?\s(?:-a|--auth)[\s=]{_PAIR}"),
        (
            "--",
            rf"(?<!\S)--[\w-]*(?:pass(?:word|wd|phrase|code)?|pwd|token|secret|api-?key|access-?key"
            rf"|auth-?key)(?:=|\s+){_SAID}",
        ),
        ("-p", rf"\b(?:mysql\w*|mariadb\w*|7z|7za|rar|unrar)\b[^\n|]*?\s-p{_SAID}"),
        (
            "-p",
            rf"\b(?:sshpass|mongo(?:sh|dump|restore)?|twine|(?:docker|podman|helm(?:\s+registry)?|az"
            rf"|skopeo|oc)\s+login|rabbitmqadmin)\b[^\n|]*?\s-p\s*{_SAID}",
        ),
        (
            "-P",
            rf"\b(?:sqlcmd|bcp|zip|unzip|mosquitto_\w+|ipmitool|tsql|plink|psftp|pscp)\b[^\n|]*?\s-(?:P"
            rf"|pw)\s*{_SAID}",
        ),
        ("-pw", rf"\b(?:plink|psftp|pscp|putty)\b[^\n|]*?\s-pw\s+{_SAID}"),
        ("-a", rf"\bredis-cli\b[^\n|]*?\s-a\s+{_SAID}"),
        ("-w", rf"\bldap\w+\b[^\n|]*?\s-w\s*{_SAID}"),
        (
            "-U",
            rf"\b(?:smbclient|rpcclient|net|mount\.cifs|winexe|wmic)\b[^\n|]*?\s-U\s*['\"]?{_USER}%{_SAID}",
        ),
        ("net use", rf"\bnet\s+use\b[^\n]*?/user:\S+\s+{_SAID}"),
        ("net use", rf"\bnet\s+use\s+(?:\w:\s+)?\\\\\S+\s+(?!/){_SAID}\s+/user:"),
        ("sudo", rf"\becho\s+(?:-n\s+)?{_SAID}\s*\|\s*sudo\s+-S"),
        ("sudo", rf"\bsudo\s+-S\b[^\n]*<<<\s*{_SAID}"),
        (
            "passwd",
            r"\becho\s+(?:-n\s+)?['\"]?[\w.-]+:(?P<bare>[^\s'\"]+)['\"]?\s*\|\s*(?:sudo\s+)?chpasswd",
        ),
        ("passwd", rf"\bhtpasswd\s+-\w*b\w*\s+\S+\s+\S+\s+{_SAID}"),
        (
            "echo",
            rf"\becho\s+(?:-n\s+)?{_SAID}\s*\|\s*(?:sudo\s+)?(?:passwd\s+--stdin|cryptsetup"
            rf"|docker\s+login|gh\s+auth)",
        ),
        ("pass:", r"-pass(?:in|out)?\s+pass:(?P<bare>[^\s'\"]+)"),
        ("-k", rf"\bnuget\b[^\n|]*?\s-k\s+{_SAID}"),
        ("-storepass", rf"-(?:store|key)pass\s+{_SAID}"),
        ("lftp", rf"\blftp\b[^\n|]*?\s-u\s+{_USER},{_SAID}"),
        ("password=", r"[,\s](?:user(?:name)?=[^\s,]+,)?password=(?P<bare>[^\s,'\"]+)"),
        ("identified", r"(?i:identified\s+(?:with\s+\w+\s+)?by)\s+['\"](?P<bare>[^'\"\n]+)['\"]"),
        ("IDENTIFIED", r"(?i:identified\s+(?:with\s+\w+\s+)?by)\s+['\"](?P<bare>[^'\"\n]+)['\"]"),
        ("PASSWORD '", r"PASSWORD\s+'(?P<bare>[^'\n]+)'"),
        ("password '", r"(?i:with|set|user)[^\n]*?password\s+'(?P<bare>[^'\n]+)'"),
        (
            "login",
            r"(?<!\w)(?:npm|cargo|gh|huggingface-cli|hf|vercel|fly|netlify|vault"
            r"|doppler)\s+(?:auth\s+)?login\s+(?:--\w+\s+)?(?P<bare>[\w.-]{16,})",
        ),
    )
)


def in_commands(text: str) -> Iterator[Span]:
    """Return where secrets lie in commands."""
    for marker, pattern in _COMMANDS:
        if marker not in text:
            continue
        for found in pattern.finditer(text):
            for group, value in found.groupdict().items():
                if value and value.lower() not in NO_PASSWORD and PLACEHOLDER.match(value) is None:
                    yield found.span(group)
