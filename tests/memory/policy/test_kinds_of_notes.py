"""What somebody has remembered of themselves and of others, judged by the table of kinds: a list of sentences that was
written before the patterns of the table.
"""

import pytest

from bot.memory.policy.admission import ProposedStatement, Verdict, verdict_by_words
from bot.text.kinds import kept_alone
from tests.sentences import told_of_others

ALICE, BOB, CAROL = 11, 12, 13
_EACH = pytest.mark.parametrize("language", ["english", "russian"])


def said(language: str, heading: str) -> list[str]:
    return [
        sentence.replace("{x}", f"<@{BOB}>").replace("{y}", f"<@{CAROL}>")
        for sentence in told_of_others(language)[heading]
    ]


def verdict(statement: str) -> Verdict:
    wanted = ProposedStatement(statement, author_id=ALICE, speaker_id=ALICE, subject_id=BOB, bot_id=77)
    return verdict_by_words(wanted).verdict


@_EACH
def test_what_is_sensitive_or_unkind_is_not_kept_of_another(language: str) -> None:
    for heading in ("sensitive of another", "unkind of another"):
        assert [one for one in said(language, heading) if verdict(one) is Verdict.FINE] == []


@_EACH
def test_everything_else_is_kept_of_another(language: str) -> None:
    assert [one for one in said(language, "kept of another") if verdict(one) is not Verdict.FINE] == []


@_EACH
def test_of_oneself_only_what_is_sensitive_is_kept_for_oneself_alone(language: str) -> None:
    assert [one for one in said(language, "own, for them alone") if kept_alone(one) is None] == []
    assert [one for one in said(language, "own, told to others") if kept_alone(one) is not None] == []
