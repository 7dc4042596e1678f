"""Whether agents may run code of their own where the limits of a computer could be passed."""

from __future__ import annotations

from collections.abc import Mapping

from proctor.computers import class_of
from proctor.errors import HostError
from proctor.runner.computer_spec import ComputerSpec
from proctor.runner.plan import Plan


def refuse_loose_bounds(plan: Plan, needed: Mapping[str, frozenset[str]]) -> None:
    """Raise HostError where an agent runs code that could take more of this machine than it is given."""
    coding = [label for label, found in needed.items() if "code" in found]
    loose = class_of(ComputerSpec.parse(plan.rules.backend).name).loose_bounds() if coding else ()
    if loose:
        listed = "; ".join(f"{bound.name}: {bound.means}" for bound in loose)
        raise HostError(
            f"agent {coding[0]!r} runs code of its own, and not every bound of a computer holds here ({listed})",
            remedy=f"{loose[0].remedy}; or add --loose-limits where you know whose code it is",
        )
