"""What the managers of a guild choose from: the values of its settings and of its channels'."""

from enum import StrEnum


class Answering(StrEnum):
    """When the bot answers in a channel."""

    ALWAYS = "always"
    ADDRESSED = "addressed"
    NEVER = "never"


class RememberingOthers(StrEnum):
    """Who may have something remembered about somebody else in a guild."""

    EVERYONE = "everyone"
    MODERATORS = "moderators"
    NOBODY = "nobody"


class ForgettingOthers(StrEnum):
    """Who, beside its subject and moderators, may have forgotten what was told about somebody else."""

    TELLERS = "tellers"
    """Whoever told it."""
    MODERATORS = "moderators"
    """Nobody else."""


class TellingOthers(StrEnum):
    """How much a member is told about another one, of what may be seen where they ask."""

    SAID = "said"
    """What was said and done openly; no profile, feelings, love, sensitive matters or hours of activity."""
    OPEN = "open"
    """Everything that is open."""
    MODERATORS = "moderators"
    """Nothing, but moderators as with `SAID`."""


class Consent(StrEnum):
    """Whether anything is kept of members who never said so."""

    PRESUMED = "presumed"
    """Of everybody who did not opt out."""
    ASKED = "asked"
    """Of those alone who opted in."""
