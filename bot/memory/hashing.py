"""Keyed hashes with the secret of the installation: they recognise what was forgotten without telling it."""

import hashlib
import hmac
from collections.abc import Iterable


class Hasher:
    """Hashes subjects, keys and stems of one installation."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def subject(self, *, guild_id: int, subject_id: int) -> bytes:
        """Return the hash of a subject in its guild."""
        return self._hash("subject", str(guild_id), str(subject_id))

    def matters(self, *, guild_id: int, subject_id: int) -> bytes:
        """Return the hash under which stands what was forgotten of a subject, in whatever words."""
        return self._hash("matters", str(guild_id), str(subject_id))

    def ordered(self, *, guild_id: int, subject_id: int, author_id: int | None) -> bytes:
        """Return the hash under which stands what was ordered to be forgotten of a subject, as far as it is older.

        With an author only what they tell is meant.
        """
        told_by = "" if author_id is None else str(author_id)
        return self._hash("ordered", str(guild_id), str(subject_id), told_by)

    def key(self, *, guild_id: int, subject_id: int, key: str) -> bytes:
        """Return the hash of a fact's key."""
        return self._hash("key", str(guild_id), str(subject_id), key)

    def buried_key(self, *, guild_id: int, subject_id: int, key: str) -> str:
        """Return what stands in place of the key in the row of a forgotten fact."""
        return "gone:" + self.key(guild_id=guild_id, subject_id=subject_id, key=key).hex()

    def stems(self, stems: Iterable[str], *, guild_id: int) -> tuple[bytes, ...]:
        """Return the hashes of content stems, sorted, so that their order tells nothing."""
        return tuple(sorted(self._hash("stem", str(guild_id), stem) for stem in stems))

    def _hash(self, *parts: str) -> bytes:
        return hmac.digest(self._secret, "\x1f".join(parts).encode(), hashlib.sha256)
