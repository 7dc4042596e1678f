"""Has bytes read by a warm process without rights, so that no file can harm the harness."""

from __future__ import annotations

import atexit
import functools
import importlib.util
import json
import os
import signal
import time
from collections.abc import Callable, Iterable
from typing import Any, ParamSpec, TypeVar, get_args

from proctor.errors import MissingExtra
from proctor.tasks.deadline import put_off, to_look
from proctor.tasks.evidence import writable
from proctor.tasks.findings import CannotSee, FaultKind
from proctor.tasks.reader.confine import CPU_SEC, WALL_SEC
from proctor.tasks.reader.memory import ReaderMemory, key_of
from proctor.tasks.reader.process import Needs, Reader, ReaderAnswer
from proctor.tasks.reader.wire import LENGTH, LIBRARIES

MOST_REASON = 1000
MOST_LACKING = 10
"""How often parts of libraries may turn out to be missing, one after the other."""

Given = ParamSpec("Given")
Result = TypeVar("Result")

READER = Reader()
"""Of this process; one is enough, since what is judged is judged in turn."""
MEMORY = ReaderMemory()
atexit.register(READER.stop)
os.register_at_fork(after_in_child=READER.forget)


def parsed(label: str, function: Callable[Given, Result], *given: Given.args, **named: Given.kwargs) -> Result:
    """Return what a function of a module that reads makes of its arguments, run in the reader.

    Args:
        label: What is read, for messages: mostly its path.
        function: Takes bytes and plain data, returns plain data.
        given: Its arguments.
        named: More of them.

    Raises:
        CannotSee: The function says so, or it raised, crashed, or took more memory or time than it may.
        MissingExtra: A library is not installed here.
        HostError: The reader does not run.
    """
    assert not named, "arguments are given by position"
    call = path_of(function)
    key = key_of(call, given)
    if key not in MEMORY:
        # Settings and the like are looked at again and again, and mostly nobody has changed them.
        MEMORY.keep(key, value := ask(READER, call, label, given))
        return value  # type: ignore[no-any-return]
    return MEMORY.recall(key)  # type: ignore[return-value]


def ask(
    reader: Reader,
    call: str,
    label: str,
    given: tuple[object, ...],
    left: Callable[[], float] = to_look,
    needs: Needs | None = None,
) -> Any:
    """Return what a reader makes of some arguments; raises as `parsed` does, and what `left` raises.

    Args:
        reader: Who reads.
        call: The function, as `module:name`.
        label: What is read.
        given: The arguments.
        left: Returns the seconds that are left for it.
        needs: What the reader loads before.
    """
    needs = needs or Needs()
    for _ in range(MOST_LACKING):
        began = time.monotonic()
        reading = reader.ask(call, label, given, min(left(), WALL_SEC), needs)
        # Nobody answers for the time in which others were read for, or the reader began.
        put_off(max(time.monotonic() - began - reading.seconds, 0.0))
        told = _answer_of(label, reading)
        if told.keys() != {"lacks"}:
            break
        # A library loads parts of itself when it meets something for the first time, which it cannot in the cage.
        needs = {**needs, "late": [str(name) for name in told["lacks"]] if isinstance(told["lacks"], list) else []}
    return _value(label, told)


def path_of(function: Callable[..., object]) -> str:
    """Return a function as the reader is told of it."""
    return f"{function.__module__}:{function.__qualname__}"


def warm(modules: Iterable[str] = (), checks: Iterable[str] = ()) -> None:
    """Start the reader if it does not run and let it load what will be needed, without waiting."""
    READER.load(Needs(load=sorted(set(modules)), checks=sorted(set(checks))))


def facts() -> dict[str, Any]:
    """Return how well the reader is locked up here: whether system calls are filtered, and who it is."""
    told = _value("the reader", _answer_of("the reader", READER.facts()))
    return {"filtered": bool(told["filtered"]), "user": told["user"]}


def _answer_of(label: str, reading: ReaderAnswer) -> dict[str, object]:
    """Return what a child said; it had hostile bytes to deal with, so its word is not trusted either."""
    answer, code, _ = reading
    whole = len(answer) >= LENGTH.size and LENGTH.unpack_from(answer)[0] == len(answer) - LENGTH.size
    if code != 0 or not whole:
        raise _fault_of_end(label, code)
    try:
        told = json.loads(answer[LENGTH.size :])
    except (ValueError, RecursionError) as error:
        raise CannotSee("unreadable", f"{label} cannot be read: nothing sensible comes of it") from error
    return told if isinstance(told, dict) else {}


def _value(label: str, told: dict[str, Any]) -> Any:
    if told.keys() == {"value"}:
        return told["value"]
    if told.keys() == {"fault", "why"} and told["fault"] in get_args(FaultKind):
        raise CannotSee(told["fault"], writable(str(told["why"])[:MOST_REASON]))
    if told.keys() == {"missing"} and told["missing"] in LIBRARIES and not _is_installed(LIBRARIES[told["missing"]]):
        raise MissingExtra("reading such files", told["missing"])
    raise CannotSee("unreadable", f"{label} cannot be read: nothing sensible comes of it")


@functools.cache
def _is_installed(library: str) -> bool:
    return importlib.util.find_spec(library) is not None


def _fault_of_end(label: str, code: int) -> CannotSee:
    if code == -signal.SIGALRM:
        return CannotSee("refused", f"{label} takes more time to read than there is")
    if code == -signal.SIGXCPU:
        return CannotSee("refused", f"{label} takes more than {CPU_SEC} s to read")
    if code == -signal.SIGKILL:
        return CannotSee("refused", f"{label} takes more time or memory to read than it may")
    if code < 0:
        said = signal.strsignal(-code) or f"signal {-code}"
        return CannotSee("unreadable", f"{label} crashes the program that reads it ({said})")
    return CannotSee("unreadable", f"{label} cannot be read")
