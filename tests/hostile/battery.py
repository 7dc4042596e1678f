"""`python -m tests.hostile.battery [--rootless] [NAMES]`: makes every attack and says what held."""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import fnmatch
import json
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from proctor.attacks.attack import Attack
from tests.hostile import episode
from tests.hostile.episode import Outcome
from tests.hostile.shelf import everything, quick
from tests.ordinary import OrdinaryUser, share_image


def chosen(names: list[str]) -> list[Attack]:
    """Return the attacks that are made as episodes, or those of them that are named (with * and ?)."""
    direct = {attack.name for attack in quick()}
    shelf = [attack for attack in everything().values() if attack.name not in direct]
    if not names:
        return shelf
    return [a for a in shelf if any(fnmatch.fnmatch(a.name, name) or a.kind == name for name in names)]


def batches(attacks: list[Attack], size: int, *, once: bool) -> Iterator[tuple[int, list[Attack]]]:
    """Put attacks that are tried equally often into runs of some size."""
    waiting: dict[int, list[Attack]] = {}
    for attack in attacks:
        samples = 1 if once else int(attack.extra.get("samples", 1))
        if attack.kind == "memory":
            # What the kernel still remembers of one would be counted as taken by the next.
            yield samples, [attack]
        else:
            waiting.setdefault(samples, []).append(attack)
    for samples, group in waiting.items():
        for place in range(0, len(group), size):
            yield samples, group[place : place + size]


def line(outcome: Outcome) -> str:
    """Return one line of the table."""
    state = "held" if outcome.held else "FAILED"
    figures = f"{outcome.seconds:6.1f} s {outcome.lost_mb:6.0f} MB {outcome.harness_mb:5.0f} MB"
    stops = ",".join(sorted(set(outcome.stops))) or "-"
    words = "; ".join(" ".join(failure.split())[:260] for failure in outcome.failures)
    return f"{state:7}{outcome.attack:34}{figures}  {stops:20} {words}"


def main() -> int:
    """Make the attacks."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile.battery", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="attacks or kinds, with * and ?; all when none is named"
    )
    parser.add_argument("--rootless", action="store_true", help="as the user that scripts/test-user makes")
    parser.add_argument("--user", default="proctor-test")
    parser.add_argument("--once", action="store_true", help="one episode each, even where chance plays a part")
    parser.add_argument("--batch", type=int, default=6, help="attacks in one run")
    parser.add_argument("--list", action="store_true", help="only name them")
    parser.add_argument("--json", type=Path, help="write everything that was measured to this file")
    options = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM):  # whichever way it is ended, what it started is ended too
        signal.signal(number, signal.default_int_handler)
    attacks = chosen(options.names)
    if options.list:
        for attack in attacks:
            print(f"{attack.kind:12}{attack.name:34}{attack.tries}")
        return 0
    user = OrdinaryUser(options.user) if options.rootless else None
    if user is not None:
        share_image(user)
    outcomes: list[Outcome] = []
    with _alone():
        idle = episode.measure_idle(user)
    print(f"idle: {idle.lost_mb:.0f} MB together, {idle.harness_mb:.0f} MB of the harness", flush=True)
    for samples, batch in batches(attacks, options.batch, once=options.once):
        with _alone():
            made = episode.run(batch, user=user, samples=samples, idle=idle)
        for outcome in made:
            print(line(outcome), flush=True)
        outcomes += made
        if options.json:
            options.json.write_text(json.dumps([outcome.to_json() for outcome in outcomes], indent=1))
    failed = [outcome for outcome in outcomes if not outcome.held]
    print(f"{len(outcomes) - len(failed)} of {len(outcomes)} attacks were held")
    return 1 if failed else 0


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Keep other batteries on this machine from measuring at the same time."""
    with Path(tempfile.gettempdir(), "battery.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    sys.exit(main())
