"""The shell of a stand-in phone: as much of a plain shell as commands through adb need, and nothing of the host."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.android.stand_in.phone import Phone

OPERATORS = ("&&", "||", ">&2", "2>&1", "2>", ">>", ">", ";", "&")
Program = Callable[["Call"], int]


class Gone(Exception):
    """Whoever asked has hung up."""


@dataclass
class Session:
    """One connection: what is written to it, and what it is given to read."""

    write: Callable[[int, bytes], None]
    """Takes 1 or 2, for standard output or error, and bytes."""
    given: bytearray = field(default_factory=bytearray)
    all_given: threading.Event = field(default_factory=threading.Event)
    gone: threading.Event = field(default_factory=threading.Event)

    def wait(self, seconds: float | None) -> None:
        """Let time pass; raises Gone when whoever asked hangs up meanwhile."""
        if self.gone.wait(seconds):
            raise Gone


@dataclass
class Call:
    """One program that is being run."""

    phone: Phone
    session: Session
    argv: list[str]
    cwd: str
    env: dict[str, str]
    out: Callable[[int, bytes], None]
    pid: int

    def say(self, text: str | bytes) -> None:
        """Write to standard output."""
        self.out(1, text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text)

    def complain(self, text: str) -> None:
        """Write to standard error."""
        self.out(2, text.encode("utf-8", "surrogateescape"))

    def input(self) -> bytes:
        """Return all that the program is given to read."""
        self.session.all_given.wait()
        if self.session.gone.is_set():
            raise Gone
        return bytes(self.session.given)


@dataclass(frozen=True)
class Word:
    """A word of a command line; operators are bare."""

    text: str
    bare: bool


def words(line: str, pid: int) -> Iterator[Word]:
    """Split a line as a shell does: quotes, backslashes, `$$`, operators."""
    text, quoted, at = "", False, 0
    while at < len(line):
        char = line[at]
        operator = next((each for each in OPERATORS if line.startswith(each, at)), "")
        if operator.startswith("2") and text:
            operator = ""
        if char in " \t\n" or operator:
            if text or quoted:
                yield Word(text, False)
            text, quoted = "", False
            if operator or char == "\n":
                yield Word(operator or ";", True)
            at += len(operator) or 1
        elif char in "'\"":
            end = line.index(char, at + 1) if char in line[at + 1 :] else len(line)
            text, quoted, at = text + line[at + 1 : end], True, end + 1
        elif char == "\\" and at + 1 < len(line):
            text, at = text + line[at + 1], at + 2
        elif line.startswith("$$", at):
            text, at = text + str(pid), at + 2
        else:
            text, at = text + char, at + 1
    if text or quoted:
        yield Word(text, False)


def run(phone: Phone, session: Session, line: str, programs: Mapping[str, Program]) -> int:
    """Run a line to its end and return the status of its last command."""
    pid = phone.new_pid()
    commands: list[tuple[str, list[Word]]] = [("", [])]
    for word in words(line, pid):
        if word.bare and word.text in (";", "&", "&&", "||"):
            # A command in the background is over at once here: nothing on this phone takes long.
            commands.append((word.text if word.text in ("&&", "||") else "", []))
        else:
            commands[-1][1].append(word)
    running = _Running(phone, session, programs, pid)
    for joined, command in commands:
        if command and not (joined == "&&" and running.status or joined == "||" and not running.status):
            running.one(command)
            if running.over:
                break
    return running.status


class _Running:
    def __init__(self, phone: Phone, session: Session, programs: Mapping[str, Program], pid: int) -> None:
        self.phone, self.session, self.programs, self.pid = phone, session, programs, pid
        self.cwd, self.status, self.over = "/", 0, False
        self.env = {"HOME": "/", "PATH": "/system/bin", "USER": "shell"}

    def one(self, command: list[Word]) -> None:
        argv, out = self._redirected(command)
        call = Call(self.phone, self.session, argv, self.cwd, dict(self.env), out, self.pid)
        if argv and argv[0] == "exec":
            call.argv, self.over = argv[1:], True
        match call.argv[:1]:
            case []:
                return
            case ["cd"]:
                self._cd(call)
            case ["exit"]:
                self.over, self.status = True, int(call.argv[1]) if len(call.argv) > 1 else self.status
            case ["command"]:
                found = call.argv[-1] in self.programs
                call.say(f"/system/bin/{call.argv[-1]}\n" if found else "")
                self.status = 0 if found else 1
            case _:
                self.status = execute(call, self.programs)

    def _cd(self, call: Call) -> None:
        place = call.argv[-1]
        if self.phone.path(place, self.cwd).is_dir():
            self.cwd, self.status = self.phone.absolute(place, self.cwd), 0
        else:
            call.complain(f"/system/bin/sh: cd: {place}: No such file or directory\n")
            self.status = 2

    def _redirected(self, command: list[Word]) -> tuple[list[str], Callable[[int, bytes], None]]:
        argv: list[str] = []
        targets: dict[int, int | None] = {1: 1, 2: 2}
        waiting = iter(command)
        for word in waiting:
            if not word.bare:
                argv.append(word.text)
            elif word.text == ">&2":
                targets[1] = targets[2]
            elif word.text == "2>&1":
                targets[2] = targets[1]
            else:
                next(waiting, None)  # only /dev/null is ever written to in this way
                targets[2 if word.text == "2>" else 1] = None

        def out(number: int, data: bytes) -> None:
            target = targets[number]
            if target is not None and data:
                self.session.write(target, data)

        return argv, out


def execute(call: Call, programs: Mapping[str, Program]) -> int:
    """Run one program."""
    name = call.argv[0].rpartition("/")[2]
    if name == "env":
        return _env(call, programs)
    program = programs.get(name)
    if program is None:
        call.complain(f"/system/bin/sh: {call.argv[0]}: inaccessible or not found\n")
        return 127
    if name in call.phone.hanging:
        call.session.wait(None)
    return program(call)


def _env(call: Call, programs: Mapping[str, Program]) -> int:
    rest = call.argv[1:]
    while rest and "=" in rest[0] and not rest[0].startswith("-"):
        name, _, value = rest.pop(0).partition("=")
        call.env[name] = value
    if not rest:
        call.say("".join(f"{name}={value}\n" for name, value in call.env.items()))
        return 0
    call.argv = rest
    if rest[0] not in programs:
        call.complain(f"env: exec {rest[0]}: No such file or directory\n")
        return 127
    return execute(call, programs)
