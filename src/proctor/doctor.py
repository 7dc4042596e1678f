"""Examines this machine: whether computers can be opened here, and what would fix it if not."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace

from proctor.computers import DEFAULT
from proctor.computers.fit import Lack
from proctor.computers.host_checks import Check, HostFinding, Status, judge, size_text, unless
from proctor.computers.images import folders, store
from proctor.computers.kinds import ListedComputer, kinds, list_computers
from proctor.errors import ProctorError


@dataclass(frozen=True, slots=True)
class HostReport:
    """Everything that was looked at."""

    findings: tuple[HostFinding, ...]
    computers: tuple[ListedComputer, ...] = ()
    """Every kind of computer, with what it lacks here."""

    @property
    def ready(self) -> bool:
        """Whether the computer can be opened that is opened unless another is named."""
        return not self._with("missing")

    @property
    def advice(self) -> str:
        """What to do next, in one sentence."""
        if missing := self._with("missing"):
            # An image can only be built once the rest is there, so it is fixed last.
            first = next((finding for finding in missing if finding.name != "images"), missing[0])
            return f"No {DEFAULT} can be started yet: fix {first.name!r} first: {first.remedy}."
        if warnings := self._with("warn"):
            names = ", ".join(finding.name for finding in warnings)
            return f"A {DEFAULT} can be started; see the remedies for {names}, then run `proctor computers demo`."
        return "Everything is in place: run `proctor computers demo`."

    def to_json(self) -> dict[str, object]:
        """Return the report as plain data."""
        return {
            "ready": self.ready,
            "advice": self.advice,
            "findings": [asdict(finding) for finding in self.findings],
            "computers": [asdict(computer) for computer in self.computers],
        }

    def _with(self, status: Status) -> list[HostFinding]:
        return [finding for finding in self.findings if finding.status == status]


def examine() -> HostReport:
    """Look at everything once, though several kinds of computer ask for it; nothing is left behind."""
    findings: dict[str, HostFinding] = {}
    missing: list[Lack] = []
    for name, check, needed in _checks():
        if name in findings:
            continue
        finding = look(name, check)
        if finding.status == "missing":
            missing.append(Lack(what=name, remedy=finding.remedy))
        # What only another kind of computer lacks keeps nobody from the usual one.
        findings[name] = finding if needed or finding.status != "missing" else replace(finding, status="warn")
    return HostReport(tuple(findings.values()), tuple(list_computers(missing)))


def _checks() -> Iterator[tuple[str, Check, bool]]:
    yield "python", _python, True
    for name, kind in kinds().items():
        for each, check in kind.checks().items():
            yield each, check, name == DEFAULT
    yield "images", _images, True


def look(name: str, check: Check) -> HostFinding:
    """Return what a check finds; one that fails tells how, so that the others are told too."""
    try:
        return check(name)
    except ProctorError as error:
        return HostFinding(name=name, status="missing", found=error.message, remedy=error.remedy)
    except Exception as error:
        return HostFinding(name=name, status="warn", found=f"could not be looked at: {type(error).__name__}: {error}")


def _python(name: str) -> HostFinding:
    good = sys.version_info >= (3, 11)
    return judge(name, good, f"{platform.python_version()} at {sys.executable}", "install Python 3.11 or newer")


def _images(name: str) -> HostFinding:
    usable = {image.name: image for image in store.images()}
    place = folders.images_folder()
    present = [path.name for path in place.iterdir() if not path.name.startswith(".")] if place.is_dir() else []
    broken = sorted(set(present) - set(usable))
    built = (f"{image.name} ({size_text(image.disk_bytes)})" for image in usable.values())
    found = ", ".join(built) or "none that can be used"
    if broken:
        command = f"proctor images build {broken[0]} --force"
        return judge(name, False, f"{found}; damaged: {', '.join(broken)}", command, otherwise=unless(usable))
    return judge(name, bool(usable), found, "proctor images build starter")
