"""Checks over odd evidence: whatever texts, numbers and lengths a file puts into it, no check crashes."""

from __future__ import annotations

import functools
import random
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as some

from proctor.tasks.evidence import presentable
from proctor.tasks.examine import examine
from proctor.tasks.findings import Fault
from tests.hostile.reading.fuzz_files import BESIDES, Printing, judged, looked_at
from tests.hostile.reading.seeds import seeds

OURS = frozenset(
    {"date", "start", "end", "left_out", "instead_of", "thumbnail", "closeup", "colour", "fill", "kind", "repeats"}
)
"""What probes write in a form of their own, whatever the file says."""
ODD_TEXTS = ("", " ", "\n", "nan", "1e999", "=A12345678", "=" + "'" * 600, "\N{REPLACEMENT CHARACTER}", "x" * 5000, "%")
ODD_NUMBERS = (0, -1, 2**63, -(2**900), 10**200)
NOTHING = Fault("absent", "there is nothing")
ODD_FLOATS = (0.0, -0.0, 1e308, -1e308, 5e-324)


PROBES = sorted({seed.probe.name for seed in seeds()})


@functools.cache
def sound() -> dict[str, Any]:
    with Printing() as computer:
        for path, data in BESIDES.items():
            computer.write_file(path, data)
        return {seed.probe.name: looked_at(computer, seed, seed.data) for seed in seeds()}


def odd(value: Any, chance: random.Random, often: float) -> Any:
    """Return evidence of the same shape with some of its texts, numbers and lengths changed."""
    if isinstance(value, dict):
        return {key: item if key in OURS else odd(item, chance, often) for key, item in value.items()}
    if isinstance(value, list):
        items = [odd(item, chance, often) for item in value]
        change = chance.random()
        return items[: len(items) // 2] if change < often / 2 else items * 3 if change < often else items
    if chance.random() > often or value is None:
        return value
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return chance.choice(ODD_TEXTS)
    return chance.choice(ODD_NUMBERS if isinstance(value, int) else ODD_FLOATS)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(some.sampled_from(PROBES), some.integers(0, 2**32), some.floats(0.02, 0.6))
@example("sound", 51, 0.125)  # lists of one recording that are not equally long
def test_no_check_crashes(probe: str, number: int, often: float) -> None:
    chance = random.Random(number)
    seen = presentable(odd(sound()[probe], chance, often), probe)
    for check in judged(probe, chance):
        finding = examine(
            check,
            lambda call: seen if call.name.removesuffix("_before") == probe else sound().get(call.name, NOTHING),
        )
        assert 0.0 <= finding.score <= 1.0
