"""Values of interpreted programs: which there are, what may be done with them, and how much."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from proctor.actions import fields
from proctor.errors import AgentError

MAX_WORK = 300_000
"""Operations of one program, and characters and items that it creates."""
MAX_NUMBER = 10**18
MAX_WIDTH = 1000
"""Of a formatted value."""


_ROW = (str, list, tuple)


class Point(NamedTuple):
    """A place, as `position()` returns it."""

    x: float
    y: float


class Size(NamedTuple):
    """Width and height, as `size()` returns them."""

    width: float
    height: float


class MarkNumber(float):
    """A coordinate of a numbered mark; arithmetic makes an ordinary number of it."""

    mark: int

    def __new__(cls, value: float, mark: int) -> MarkNumber:
        """Return the coordinate with its mark."""
        made = super().__new__(cls, value)
        made.mark = mark
        return made


@dataclass(frozen=True, slots=True)
class Function:
    """Something that a program can call."""

    name: str
    call: Callable[..., object]


@dataclass(frozen=True, slots=True)
class Module:
    """Something that a program can import; `ignored` names may be assigned to without effect."""

    name: str
    members: Mapping[str, object]
    ignored: frozenset[str] = frozenset()


@dataclass(slots=True)
class Meter:
    """Counts what a program does and stops one that does too much."""

    left: int = MAX_WORK

    def spend(self, amount: int = 1) -> None:
        """Take from what is left; raises AgentError when nothing is."""
        self.left -= amount
        if self.left < 0:
            raise AgentError("the program does too much work", remedy="write a shorter one without long loops or texts")

    def keep(self, value: object) -> object:
        """Return a new value that a program may hold, paid for by its length."""
        if isinstance(value, str | list | tuple | dict):
            self.spend(len(value))
        # NaN is in no interval, so that it is refused with what is too large.
        elif isinstance(value, int | float) and not -MAX_NUMBER <= value <= MAX_NUMBER:
            raise AgentError("a number of the program is too large", remedy="keep numbers below 10**18")
        return value

    def weigh(self, *values: object) -> None:
        """Pay for every part of values before something looks at all of them, such as a comparison."""
        waiting = list(values)
        while waiting:
            value = waiting.pop()
            if isinstance(value, str):
                self.spend(1 + len(value) // 16)
                continue
            self.spend()
            if isinstance(value, Function | Module):
                raise AgentError(f"{value.name} is not a value", remedy="call it with parentheses")
            if isinstance(value, list | tuple | dict):
                # Paid before it is spread out: a list may hold itself many times.
                self.spend(len(value))
                waiting += [*value.keys(), *value.values()] if isinstance(value, dict) else value

    def items(self, value: object) -> Iterator[object]:
        """Yield what a loop over a value sees."""
        if not isinstance(value, str | list | tuple | dict | range):
            raise AgentError(f"{fields.show(value)} cannot be looped over", remedy="loop over a list or range(...)")
        for item in value:
            self.spend()
            yield item


def arithmetic(meter: Meter, operation: type, left: object, right: object) -> object:
    """Return the result of a binary operation; AgentError for one not allowed or growing too large."""
    function = OPERATORS.get(operation.__name__)
    if function is None:
        raise AgentError(f"the operator {operation.__name__} is not supported", remedy="use + - * / // % **")
    if not (isinstance(left, int | float) and isinstance(right, int | float)):
        _check_growth(meter, operation.__name__, left, right)
    elif operation.__name__ == "Pow" and (abs(right) > 64 or abs(left) > 10**6):
        raise AgentError("a power of the program is too large", remedy="keep exponents at 64 or below")
    result = function(left, right)
    if isinstance(result, complex):
        raise AgentError("a power of the program is not a real number", remedy="keep its base at 0 or above")
    return meter.keep(result)


def _check_growth(meter: Meter, name: str, left: object, right: object) -> None:
    """Allow joining and repeating of texts and lists, after paying for the result."""
    if name == "Add" and type(left) is type(right) and isinstance(left, _ROW) and isinstance(right, _ROW):
        return meter.spend(len(left) + len(right))
    if name == "Mult":
        many, times = (right, left) if isinstance(left, int) else (left, right)
        if isinstance(many, str | list | tuple) and isinstance(times, int):
            return meter.spend(len(many) * max(times, 0))
    raise AgentError(
        f"{name} of {fields.show(left)} and {fields.show(right)} is not understood", remedy="calculate with numbers"
    )


def compare(meter: Meter, operation: type, left: object, right: object) -> bool:
    """Return the result of a comparison."""
    meter.weigh(left, right)
    if isinstance(right, range) and not isinstance(left, int):
        raise AgentError("only whole numbers can be looked for in a range", remedy="compare with < and > instead")
    return bool(COMPARISONS[operation.__name__](left, right))


def format_value(meter: Meter, value: object, conversion: int, spec: str) -> str:
    """Return a value inside an f-string."""
    meter.weigh(value)
    if any(int(width) > MAX_WIDTH for width in re.findall(r"\d{1,9}", spec)) or len(spec) > 40:
        raise AgentError(f"the format {spec[:40]!r} is too wide", remedy=f"keep it at {MAX_WIDTH} or below")
    shown: object = repr(value) if conversion in (ord("r"), ord("a")) else str(value) if conversion > 0 else value
    result = format(shown, spec)
    meter.spend(len(result))
    return result


OPERATORS: dict[str, Callable[..., object]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Div": operator.truediv,
    "FloorDiv": operator.floordiv,
    "Mod": operator.mod,
    "Pow": operator.pow,
}
COMPARISONS: dict[str, Callable[..., object]] = {
    "In": lambda left, right: left in right,
    "NotIn": lambda left, right: left not in right,
    "Is": operator.is_,
    "IsNot": operator.is_not,
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
}

# What they do with a wrong index is an error of the program, which says so itself.
get_item: Callable[..., object] = operator.getitem
set_item: Callable[..., object] = operator.setitem
