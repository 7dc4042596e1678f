"""Hidden seeds: made from a secret, so that nobody can prepare for the tasks that they give."""

from __future__ import annotations

import hashlib
import hmac
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from proctor.errors import SpecError

VARIABLE = "PROCTOR_SEED_SECRET"
FROM_VARIABLE = "env"
LEAST_BYTES = 16
"""Of a secret; a shorter one could be found by trying."""
MOST_BYTES = 4096
SEED_BYTES = 6
"""Of a seed, which every program reads as a whole number."""
FINGERPRINT_LETTERS = 12


@dataclass(frozen=True)
class SeedSecret:
    """What only a maintainer knows; it is never written or shown, and its fingerprint does not tell it."""

    secret: bytes = field(repr=False)

    @classmethod
    def find(cls, where: str) -> Self:
        """Return the secret in a file, or in the environment for `env`; raises SpecError where there is none."""
        if where == FROM_VARIABLE:
            secret, place = os.environ.get(VARIABLE, "").encode(), f"the variable {VARIABLE}"
        else:
            place = f"the file {where}"
            try:
                with Path(where).open("rb") as file:
                    secret = file.read(MOST_BYTES)
            except OSError as error:
                raise SpecError(f"{place} cannot be read: {error.strerror}", remedy="name a file, or env") from error
        secret = secret.strip()
        if len(secret) < LEAST_BYTES:
            raise SpecError(
                f"{place} holds {len(secret)} bytes, too few for a secret",
                remedy=f"make one of {LEAST_BYTES} or more: head -c 32 /dev/urandom | base64",
            )
        return cls(secret)

    def seed(self, template: str, number: int) -> int:
        """Return the n-th seed of a template, given by the id of its tasks."""
        return int.from_bytes(self._digest(f"seed {template} {number}")[:SEED_BYTES], "big")

    @property
    def fingerprint(self) -> str:
        """A few letters by which results made with the same secret are known."""
        return self._digest("fingerprint").hex()[:FINGERPRINT_LETTERS]

    def _digest(self, what: str) -> bytes:
        return hmac.new(self.secret, f"proctor {what}".encode(), hashlib.sha256).digest()
