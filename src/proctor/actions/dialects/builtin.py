"""Python's functions and methods that interpreted programs may call, each paid for by its work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from proctor.actions import fields
from proctor.actions.dialects.values import Function, Meter
from proctor.errors import AgentError


def functions(meter: Meter) -> dict[str, Function]:
    """Return the functions by name."""
    table: dict[str, Callable[..., object]] = {
        "range": lambda *ends: range(*ends),
        "len": len,
        "enumerate": lambda items, start=0: [(place, item) for place, item in enumerate(_items(meter, items), start)],
        "zip": lambda *many: list(zip(*(_items(meter, items) for items in many), strict=False)),
        "reversed": lambda items: _items(meter, items)[::-1],
        "sorted": lambda items, reverse=False: sorted(_weigh_items(meter, items), reverse=bool(reverse)),
        "list": lambda items=(): _items(meter, items),
        "tuple": lambda items=(): tuple(_items(meter, items)),
        "sum": lambda items, start=0: sum(_numbers(meter, items), start),
        "min": lambda *values: min(_choices(meter, values)),
        "max": lambda *values: max(_choices(meter, values)),
        "int": lambda value=0: int(_scalar(value)),
        "float": lambda value=0.0: float(_scalar(value)),
        "str": lambda value="": _text(meter, value),
        "bool": lambda value=False: bool(value),
        "round": lambda value, digits=None: round(_number(value), _digits(digits)),
        "abs": lambda value: abs(_number(value)),
        "print": lambda *values, **options: None,
    }
    return {name: Function(name, call) for name, call in table.items()}


def method(meter: Meter, owner: object, name: str) -> Function:
    """Return a method of a text, list or dictionary; AgentError for any not known to be harmless."""
    table: dict[str, Callable[..., object]] = {}
    if isinstance(owner, str):
        table = _text_methods(meter, owner)
    elif isinstance(owner, list):
        table = {"append": owner.append, "pop": owner.pop, "copy": owner.copy}
        table["extend"] = lambda items: owner.extend(_items(meter, items))
    elif isinstance(owner, dict):
        table = {"get": lambda key, default=None: owner.get(_key(meter, key), default)}
        table |= {"keys": lambda: list(owner), "values": lambda: list(owner.values())}
        table["items"] = lambda: list(owner.items())
    if not isinstance(owner, str | list | dict) or name not in table:
        raise AgentError(f"{type(owner).__name__}.{name} is not available", remedy="write it without this method")
    meter.spend(len(owner))
    return Function(name, table[name])


def _text_methods(meter: Meter, owner: str) -> dict[str, Callable[..., object]]:
    plain = ("upper", "lower", "strip", "lstrip", "rstrip", "title", "capitalize", "startswith", "endswith", "split",
             "splitlines", "isdigit", "isupper", "islower", "isalpha", "count", "find")  # fmt: skip
    table: dict[str, Callable[..., object]] = {name: getattr(owner, name) for name in plain}

    def join(items: object) -> str:
        texts = _items(meter, items)
        meter.spend(sum(len(text) + len(owner) for text in texts if isinstance(text, str)))
        return owner.join(texts)

    def replace(old: str, new: str) -> str:
        meter.spend(len(owner) + owner.count(old) * len(new))
        return owner.replace(old, new)

    return table | {"join": join, "replace": replace}


def _items(meter: Meter, items: object) -> list[Any]:
    return list(meter.items(items))


def _weigh_items(meter: Meter, items: object) -> list[Any]:
    listed = _items(meter, items)
    meter.weigh(listed)
    return listed


def _numbers(meter: Meter, items: object) -> list[int | float]:
    return [_number(item) for item in meter.items(items)]


def _choices(meter: Meter, values: tuple[object, ...]) -> list[Any]:
    return _weigh_items(meter, values[0] if len(values) == 1 else values)


def _number(value: object) -> int | float:
    if isinstance(value, int | float):
        return value
    raise AgentError(f"{fields.show(value)} is not a number", remedy="calculate with numbers")


def _digits(value: object) -> int | None:
    if value is None or (isinstance(value, int) and abs(value) <= 20):
        return value
    raise AgentError(f"{fields.show(value)} digits are too many", remedy="round to 0 to 20 digits")


def _scalar(value: object) -> int | float | str:
    if isinstance(value, int | float) or (isinstance(value, str) and len(value) < 100):
        return value
    raise AgentError(f"{fields.show(value)} cannot be turned into a number", remedy="give a number or its digits")


def _key(meter: Meter, key: object) -> object:
    meter.weigh(key)
    return key


def _text(meter: Meter, value: object) -> str:
    meter.weigh(value)
    return str(value)
