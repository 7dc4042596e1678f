"""`ProctorVerifier`: the checks judge on the host, and nothing is put into the computer to do so."""

from __future__ import annotations

from harbor.models.verifier.result import VerifierResult
from harbor.verifier.base import BaseVerifier

from proctor.errors import SpecError
from proctor.interop.harbor.environment import ProctorEnvironment
from proctor.interop.harbor.reward import rewards


class ProctorVerifier(BaseVerifier):
    """For `--verifier proctor.interop.harbor:ProctorVerifier`; a void has no reward, and raises."""

    async def verify(self) -> VerifierResult:
        """Return the rewards that the checks give."""
        if not isinstance(self.environment, ProctorEnvironment):
            raise SpecError(
                "these checks only work on Proctor's computers",
                remedy="add -e proctor.interop.harbor:ProctorEnvironment",
            )
        return VerifierResult(rewards=rewards(await self.environment.judge()))
