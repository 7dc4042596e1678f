"""Whether agents may run code of their own where the limits of a computer could be passed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from proctor.computers import class_of
from proctor.computers.host_checks import HostBound
from proctor.errors import HostError
from proctor.runner.computer_spec import ComputerSpec
from proctor.runner.plan import Plan


def loose_bounds_of(plan: Plan) -> Sequence[HostBound]:
    """Return the limits of a plan's computers that programs inside could pass on this machine."""
    return class_of(ComputerSpec.parse(plan.rules.backend).name).loose_bounds()


def refuse_loose_bounds(plan: Plan, needed: Mapping[str, frozenset[str]]) -> None:
    """Raise HostError where an agent runs code that could take more of this machine than it is given."""
    coding = [label for label, found in needed.items() if "code" in found]
    loose = loose_bounds_of(plan) if coding else ()
    if loose:
        listed = "; ".join(f"{bound.name}: {bound.means}" for bound in loose)
        raise HostError(
            f"agent {coding[0]!r} runs code of its own, and not every bound of a computer holds here ({listed})",
            remedy=f"{loose[0].remedy}; or add --loose-limits if you trust that code",
        )
