"""Code actions: a persistent Python and a persistent shell as the agent's user, with output, timeout and interrupt."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import time
from collections.abc import Mapping

from proctor.computers.sandbox_machine.machine import SandboxMachine
from proctor.computers.sandbox_machine.script import GUEST
from proctor.computers.values import CodeResult
from proctor.errors import ComputerError, UnknownName
from proctor.home import HOME

KERNEL = "/run/proctor-kernel.py"
OUTPUT_CHARS = 100_000
REPORT_BYTES = 4096
DRAINED_PARTS = 64
INTERRUPT_SEC = 2.0
# The status goes out on its own descriptor, so that nothing the code prints can be mistaken for it.
SHELL_LOOP = """
trap : INT
while IFS= read -r -d '' -u 3 code; do
  eval "$code" </dev/null 3<&- 4>&-
  printf '{"status": %d}\\n' "$?" >&4
done
"""


class Interpreter:
    """One running interpreter inside."""

    def __init__(self, machine: SandboxMachine, argv: list[str], env: Mapping[str, str]) -> None:
        self.machine = machine
        self.output, output_write = os.pipe2(os.O_CLOEXEC)
        os.fchmod(output_write, 0o666)  # it is ours, and scripts write to /dev/stdout and /dev/stderr by name
        requests_read, self.requests = os.pipe2(os.O_CLOEXEC)
        self.reports, reports_write = os.pipe2(os.O_CLOEXEC)
        fds = {1: output_write, 2: output_write, 3: requests_read, 4: reports_write}
        try:
            self.pid = machine.spawn(argv, env=env, fds=fds, cwd=HOME)
        except BaseException:
            self.close()
            raise
        finally:
            for fd in (output_write, requests_read, reports_write):
                os.close(fd)
        for fd in (self.output, self.requests, self.reports):
            os.set_blocking(fd, False)

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self.machine.ended(self.pid) is None

    def run(self, code: str, timeout_sec: float) -> CodeResult:
        """Run one piece of code; an overdue one is interrupted, a stubborn one ends the interpreter."""
        output = _Output()
        pending = memoryview(code.encode() + b"\0")
        deadline = time.monotonic() + timeout_sec
        interrupted = False
        report = b""
        with selectors.DefaultSelector() as selector:
            selector.register(self.requests, selectors.EVENT_WRITE)
            selector.register(self.output, selectors.EVENT_READ)
            selector.register(self.reports, selectors.EVENT_READ)
            while not report.endswith(b"\n"):
                left = deadline - time.monotonic()
                if left <= 0:
                    if interrupted:
                        self.machine.kill(self.pid, signal.SIGKILL, group=True)
                        self.machine.wait(self.pid, INTERRUPT_SEC)  # so that the next piece of code finds it gone
                        return output.result("killed after its time was up; variables are lost", timed_out=True)
                    self.machine.kill(self.pid, signal.SIGINT, group=True)
                    interrupted, deadline = True, time.monotonic() + INTERRUPT_SEC
                    continue
                for key, _ in selector.select(left):
                    if key.fd == self.requests:
                        pending = self._feed(pending)
                        if not pending:
                            selector.unregister(self.requests)
                    elif key.fd == self.output:
                        self._drain(output)
                    else:
                        part = os.read(self.reports, 4096)
                        if not part:
                            self._drain(output)
                            self.machine.wait(self.pid, INTERRUPT_SEC)  # raises when the whole machine is gone
                            return output.result("the interpreter ended", timed_out=False)
                        report = (report + part)[-REPORT_BYTES:]
        self._drain(output)
        return output.result(_error(report), timed_out=interrupted)

    def _feed(self, pending: memoryview) -> memoryview:
        try:
            return pending[os.write(self.requests, pending) :]
        except BrokenPipeError:
            return memoryview(b"")  # it is gone; the end of its reports says so

    def _drain(self, output: _Output) -> None:
        """Take what was printed; somebody may print without end, so only as much as would be shown."""
        with contextlib.suppress(BlockingIOError):
            for _ in range(DRAINED_PARTS):
                if not (part := os.read(self.output, 65536)):
                    return
                output.add(part)

    def close(self) -> None:
        """Close our ends; the interpreter sees that and goes."""
        for fd in (self.output, self.requests, self.reports):
            os.close(fd)


class _Output:
    """What was printed, its middle left out when it grows too long."""

    def __init__(self) -> None:
        self.head = bytearray()
        self.tail = bytearray()
        self.dropped = 0

    def add(self, part: bytes) -> None:
        room = OUTPUT_CHARS // 2 - len(self.head)
        self.head += part[: max(room, 0)]
        self.tail += part[max(room, 0) :]
        if len(self.tail) > OUTPUT_CHARS:
            self.dropped += len(self.tail) - OUTPUT_CHARS // 2
            del self.tail[: -OUTPUT_CHARS // 2]

    def result(self, error: str, *, timed_out: bool) -> CodeResult:
        note = f"\n[... {self.dropped} bytes left out ...]\n".encode() if self.dropped else b""
        text = (bytes(self.head) + note + bytes(self.tail)).decode(errors="replace")
        return CodeResult(output=text, error=error, timed_out=timed_out)


def _error(report: bytes) -> str:
    try:
        data = json.loads(report.splitlines()[-1])
        if data.get("status"):
            return f"exit status {int(data['status'])}"
        return str(data.get("error", ""))[:200]
    except (ValueError, AttributeError, TypeError, OverflowError, RecursionError):
        # The agent's own code can write to the descriptor; that is its own loss.
        return "the interpreter's report was not understood"


class Interpreters:
    """The agent's interpreters, started when first needed and again when they ended."""

    def __init__(self, machine: SandboxMachine, env: Mapping[str, str]) -> None:
        self.machine = machine
        self.env = dict(env)
        self._running: dict[str, Interpreter] = {}

    def run(self, code: str, language: str, timeout_sec: float) -> CodeResult:
        """Run code in the interpreter of a language."""
        current = self._running.get(language)
        if current is None or not current.alive:
            if current is not None:
                del self._running[language]  # first: what cannot be started again must not be closed again
                current.close()
            try:
                current = self._running[language] = self._start(language)
            except OSError as error:
                # A closed home, a full disk or no process left: what the agent brought about is what its code comes to.
                return CodeResult(output="", error=f"the {language} interpreter could not be started: {error.strerror}")
        return current.run(code, timeout_sec)

    def _start(self, language: str) -> Interpreter:
        match language:
            case "python":
                with self.machine.open(KERNEL, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, uid=0) as file:
                    file.write((GUEST / "kernel.py").read_bytes())
                argv = ["python3", "-u", KERNEL]
            case "shell":
                argv = ["bash", "-c", SHELL_LOOP, "shell"]
            case _:
                raise UnknownName("language", language, ("python", "shell"))
        try:
            return Interpreter(self.machine, argv, self.env)
        except FileNotFoundError as error:
            if error.filename == argv[0]:
                raise ComputerError(f"the {language} interpreter could not be started: {error}") from error
            raise

    def close(self) -> None:
        """Let every interpreter go."""
        for interpreter in self._running.values():
            interpreter.close()
        self._running.clear()
