"""Attacks this machine's own sandbox and says what held and what was let through."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import socket
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from proctor.attacks import bait_files, escapes, exhaustion, neighbours
from proctor.attacks import secrets as secret_attacks
from proctor.attacks.attack import Attack, attacks_of, read
from proctor.attacks.memory import MemoryWatch, megabytes
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.errors import ComputerError

Status = Literal["held", "let through", "not tried"]
MEMORY_MB = 512
SPARE_MB = 200
READS = 400
CANARY_NAME = "PROCTOR_ATTACK_CANARY"
MEANS = {
    "secrets": "code of an agent can learn what only the harness should know",
    "escapes": "code of an agent reaches the kernel or the machine in a way that a sandbox should close",
    "neighbours": "one sandbox can leave others on this machine without something they need",
    "exhaustion": "one sandbox can take more of this machine's memory than its limit",
    "reading": "what is judged can be replaced while it is judged",
    "breaking": "code of an agent can end its own computer",
    "leaving": "something of a sandbox stays on this machine after its end",
}
"""By the kind of attack."""
NO_GROUPS = "memory is only watched here; run as root, or have a control group delegated to you, for a limit that holds"
SHARED_IDS = "the sandboxes of one ordinary user share this; run as root, or run one sandbox at a time"
REPORT = "report it as docs/security.md says, with the output of `proctor doctor --attack --json`"


@dataclass(frozen=True, kw_only=True)
class AttackFinding:
    """What came of one attack."""

    name: str
    kind: str
    tries: str
    status: Status
    found: str = ""
    """What was let through, or why nothing was tried."""
    promised: bool = True
    """Whether Proctor promises that it holds on a machine like this one."""
    means: str = ""
    remedy: str = ""


@dataclass(frozen=True)
class AttackReport:
    """Everything that was tried."""

    findings: list[AttackFinding] = field(default_factory=list)

    @property
    def broken(self) -> list[AttackFinding]:
        """What was let through although Proctor promises that it is not."""
        return [finding for finding in self.findings if finding.status == "let through" and finding.promised]

    @property
    def advice(self) -> str:
        """What it comes to, in one sentence."""
        counts = {status: sum(f.status == status for f in self.findings) for status in ("held", "let through")}
        if self.broken:
            names = ", ".join(finding.name for finding in self.broken)
            return f"Not every promise holds on this machine: {names}; see docs/security.md for how to report it."
        loose = counts["let through"]
        rest = f", and {loose} that this machine cannot hold were let through" if loose else ""
        return f"Every promise holds here: {counts['held']} attacks were held{rest}."

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain data."""
        findings = [asdict(finding) for finding in self.findings]
        return {"held": not self.broken, "advice": self.advice, "findings": findings}


def attack_this_machine(
    note: Callable[[AttackFinding], object] = lambda finding: None, kinds: Collection[str] = tuple(MEANS)
) -> AttackReport:
    """Make a quick selection of attacks on two fresh sandboxes; `note` is called as each result comes in."""
    report = AttackReport()

    def add(finding: AttackFinding) -> None:
        report.findings.append(finding)
        note(finding)

    with _secret_in_the_environment() as canary, _servers() as given:
        trial = AttackTrial(canary, given, add)
        with _small() as computer, _small() as neighbour:
            supervisor, groups = computer.desktop.machine.supervisor_pid, computer.desktop.groups.folders
            for kind, make in trial.by_kind(computer, neighbour).items():
                try:
                    if kind in kinds:
                        make()
                except ComputerError as error:  # whatever is tried, it must not cost the computer
                    add(_judge(_outside_attack(kind, kind, MEANS[kind]), _words_of_loss(error)))
                    break
        if "leaving" in kinds:
            trial.look_for_leftovers(supervisor, groups)
    return report


def _small() -> SandboxComputer:
    return SandboxComputer(look="light", size=(800, 600), memory_mb=MEMORY_MB, processes=300, disk_mb=128)


@contextlib.contextmanager
def _secret_in_the_environment() -> Iterator[str]:
    """Put a secret where a user's keys are, so that it can be seen whether it gets out."""
    canary = f"canary-{secrets.token_hex(12)}"
    os.environ[CANARY_NAME] = canary
    try:
        yield canary
    finally:
        del os.environ[CANARY_NAME]


@contextlib.contextmanager
def _servers() -> Iterator[dict[str, Any]]:
    """Offer servers of the host to be reached, and return what an attacker is told of the host."""
    name = f"proctor-attack-{os.getpid()}"
    with socket.create_server(("127.0.0.1", 0)) as loopback, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind("\0" + name)
        abstract.listen()
        servers = [[int(socket.AF_INET), list(loopback.getsockname())], [int(socket.AF_UNIX), name]]
        yield {"servers": servers, "paths": [str(Path(__file__).resolve())], "words": [str(Path.home())]}


class AttackTrial:
    """Makes attacks and adds what came of them."""

    def __init__(self, canary: str, given: dict[str, Any], add: Callable[[AttackFinding], None]) -> None:
        self.canary, self.given, self.add = canary, given, add

    def by_kind(self, computer: SandboxComputer, neighbour: SandboxComputer) -> dict[str, Callable[[], None]]:
        """Return what is to be done for each kind of attack, in order: the last ones leave little of the computer."""
        return {
            "secrets": lambda: self.inside(computer, attacks_of(secret_attacks)),
            "escapes": lambda: self.ways_out(computer),
            "reading": lambda: self.attack_reads(computer),
            "neighbours": lambda: self.taking_from_a_neighbour(computer, neighbour),
            "exhaustion": lambda: self.memory(computer),
            "breaking": lambda: self.break_computer(computer),
        }

    def ways_out(self, computer: SandboxComputer) -> None:
        """Try every way out, as the agent and as root inside."""
        self.inside(computer, attacks_of(escapes))
        self.as_root_inside(computer)

    def inside(self, computer: SandboxComputer, attacks: Sequence[Attack]) -> None:
        """Make the attacks that tell by themselves what they got."""
        given = {**self.given, "others": [computer.desktop.session.display_pid]}
        for attack in attacks:
            self.add(self._as_agent(attack, computer, given))

    def as_root_inside(self, computer: SandboxComputer) -> None:
        """Make those ways out that root inside must not have either; services there run as root."""
        for attack in attacks_of(escapes):
            if not attack.extra.get("root"):
                continue
            argv = ["python3", "-I", "-c", attack.program(self.given)]
            done = computer.run(argv, root=True, timeout_sec=attack.timeout_sec)
            self.add(_findings_told(attack, done.stdout + done.stderr, suffix=" (root inside)"))

    def attack_reads(self, computer: SandboxComputer) -> None:
        """Read files while they are swapped and grow."""
        before = megabytes("/proc/self/status", "VmHWM")
        for attack in attacks_of(bait_files):
            path = f"/home/user/trap-{attack.name}"
            finding = self._as_agent(attack, computer, {"path": path})
            plain, got = self._read_again_and_again(computer, path)
            if grown := max(megabytes("/proc/self/status", "VmHWM") - before - SPARE_MB, 0):
                got = f"reading it took {grown + SPARE_MB:.0f} MB"
            _end_programs(computer)
            # A file that can never be read cannot be swapped either: that would show nothing.
            self.add(_judge(attack, got or finding.found, tried="" if plain else "the file could never be read"))

    def _read_again_and_again(self, computer: SandboxComputer, path: str) -> tuple[int, str]:
        plain = 0
        for _ in range(READS):
            try:
                data = computer.read_file(path)
            except (OSError, ComputerError):
                continue  # refused, as it should be
            if self.canary.encode() in data:
                return plain, "the harness's environment was read"
            if data.strip(b"\0") not in (b"a plain file", b""):
                return plain, f"something else was read: {data[:40]!r}"
            plain += data == b"a plain file"
        return plain, ""

    def taking_from_a_neighbour(self, computer: SandboxComputer, neighbour: SandboxComputer) -> None:
        """Use up what is counted by user, and see whether another sandbox still has some."""
        for attack in attacks_of(neighbours):
            partner = replace(attack, function=f"lambda: {attack.extra['neighbour']}")
            before = self._as_agent(partner, neighbour, {})
            if before.found:
                self.add(_judge(attack, "", tried=before.found))
                continue
            taken = self._as_agent(attack, computer, {})
            after = self._as_agent(partner, neighbour, {}).found
            # The attacker tells how much it took; one that took nothing has not attacked.
            tried = "" if taken.found and not taken.found.startswith("0 ") else f"nothing was taken: {taken.found}"
            # What the kernel counts by its own user alone is divided only where sandboxes have ids of their own.
            promised = os.geteuid() == 0 or not attack.extra.get("needs_root")
            self.add(_judge(attack, after, tried=tried, promised=promised))
            _end_programs(computer)

    def memory(self, computer: SandboxComputer) -> None:
        """Take memory past the limit in several ways and watch what the machine loses."""
        held_by = computer.desktop.groups.memory
        most = MEMORY_MB + SPARE_MB
        for attack in attacks_of(exhaustion):
            lost = self._lost_mb(attack, computer)
            if lost > most:  # others use this machine too: what was lost to them is not lost again
                lost = min(lost, self._lost_mb(attack, computer))
            got = f"the machine lost {lost:.0f} MB under a limit of {MEMORY_MB} MB" if lost > most else ""
            self.add(_judge(attack, got, promised=held_by == "cgroup"))

    def _lost_mb(self, attack: Attack, computer: SandboxComputer) -> float:
        with MemoryWatch() as memory:
            self._as_agent(attack, computer, {"memory_mb": MEMORY_MB})
        return memory.lost_mb

    def break_computer(self, computer: SandboxComputer) -> None:
        """Do to the interpreter and the computer what should only hurt whoever does it."""
        for name, code in BREAKING.items():
            attack = _outside_attack(name, "breaking", code[0])
            with contextlib.suppress(ComputerError):
                computer.execute(code[1], timeout_sec=3)
            try:
                alive = computer.run(["echo", "alive"], timeout_sec=10).stdout.strip() == "alive"
                alive = alive and computer.screenshot().size == computer.size
                self.add(_judge(attack, "" if alive else "the computer does not answer"))
            except (OSError, ComputerError) as error:
                self.add(_judge(attack, _words_of_loss(error)))

    def look_for_leftovers(self, supervisor: int, groups: Sequence[str]) -> None:
        """Look for what is left of a sandbox after its end."""
        attack = _outside_attack("outlive", "leaving", "Outlive the sandbox.")
        places = (f"/proc/{supervisor}", *groups)
        self.add(_judge(attack, ", ".join(place for place in places if Path(place).exists())))

    def _as_agent(self, attack: Attack, computer: SandboxComputer, given: dict[str, Any]) -> AttackFinding:
        try:
            done = computer.execute(attack.program(given), timeout_sec=attack.timeout_sec)
        except ComputerError as error:
            return _judge(attack, _words_of_loss(error))
        return _findings_told(attack, done.output)


BREAKING = {
    "traced-interpreter": (
        "Ask to be traced by process 1, then stop.",
        "import ctypes, os\nctypes.CDLL(None).ptrace(0, 0, 0, 0)\nos.kill(os.getpid(), 10)",
    ),
    "all-killed": ("Kill every process that can be seen.", "import os\nos.kill(-1, 9)"),
    "home-closed": ("Take every right from the home folder.", "import os\nos.chmod('/home/user', 0)"),
}


def _outside_attack(name: str, kind: str, tries: str) -> Attack:
    return Attack(name=name, kind=kind, tries=tries, file=Path(__file__), function="")


def _words_of_loss(error: Exception) -> str:
    return f"the computer was lost: {' '.join(str(error).split())[:200]}"


def _findings_told(attack: Attack, output: str, *, suffix: str = "") -> AttackFinding:
    told = read(output)
    if told is None:
        return _judge(attack, "", suffix=suffix)  # it did not live to tell
    return _judge(attack, told.got, tried=told.broken, suffix=suffix)


def _judge(attack: Attack, got: str, *, tried: str = "", promised: bool = True, suffix: str = "") -> AttackFinding:
    status: Status = "let through" if got else "not tried" if tried else "held"
    return AttackFinding(
        name=attack.name + suffix,
        kind=attack.kind,
        tries=attack.tries,
        status=status,
        found=got or " ".join(tried.split())[-300:],
        promised=promised,
        means=MEANS[attack.kind] if got else "",
        remedy=_remedy(attack, promised) if got else "",
    )


def _end_programs(computer: SandboxComputer) -> None:
    """End what an attack left running, so that the next one finds the computer as it was."""
    computer.desktop.machine.kill(-1, signal.SIGKILL)
    with contextlib.suppress(ComputerError):
        computer.execute("pass")  # to the interpreter that was killed; the next one is a new one


def _remedy(attack: Attack, promised: bool) -> str:
    if promised:
        return REPORT
    return NO_GROUPS if attack.kind == "exhaustion" else SHARED_IDS
