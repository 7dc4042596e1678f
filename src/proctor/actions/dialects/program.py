"""A bounded interpreter for the small programs that models write, which Python never runs."""

from __future__ import annotations

import ast
import difflib
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, runtime_checkable

from proctor.actions.dialects import builtin, values
from proctor.actions.dialects.values import Function, Meter, Module, Point, Size
from proctor.errors import AgentError

MAX_SOURCE = 100_000
"""Characters."""
_CONSTRUCTS = {
    "FunctionDef": "def", "AsyncFunctionDef": "async def", "ClassDef": "class", "Lambda": "lambda", "Try": "try",
    "Raise": "raise", "Return": "return", "Global": "global", "Nonlocal": "nonlocal", "Delete": "del",
    "Assert": "assert", "Match": "match", "Await": "await", "Yield": "yield",
}  # fmt: skip


@runtime_checkable
class Block(Protocol):
    """What a `with` statement may open."""

    def enter(self) -> None:
        """Begin the block."""

    def leave(self) -> None:
        """End the block."""


class _Leave(Exception):
    """Leaves a loop, or one turn of it."""

    def __init__(self, loop: bool) -> None:
        self.loop = loop


def parse(source: str) -> ast.Module:
    """Return the syntax tree of a program; raises AgentError with the line that is wrong."""
    if len(source) > MAX_SOURCE:
        raise AgentError(f"the program has {len(source)} characters", remedy=f"write at most {MAX_SOURCE}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except SyntaxError as error:
        raise AgentError(f"line {error.lineno or 1}: {error.msg}", remedy="write valid Python") from error
    except (ValueError, MemoryError, RecursionError) as error:
        raise AgentError("the program is not valid Python", remedy="write plain, short code") from error


class Program:
    """One run of a program over names that it may use."""

    def __init__(
        self,
        source: str,
        names: Mapping[str, object],
        modules: Mapping[str, Module],
        meter: Meter,
        *,
        element: Callable[[int], object] | None = None,
    ) -> None:
        """Parse it; `element` is asked for those `tag_N` that are not among the names, and says why."""
        self._lines = [line.encode(errors="replace") for line in re.split("\r\n|\r|\n", source)]
        self._tree = parse(source)
        self._element = element
        self._names = {**builtin.functions(meter), **names}
        self._modules = modules
        self._meter = meter
        self._node: ast.AST = self._tree
        self.statement = 0
        """How many statements have begun."""

    def run(self) -> None:
        """Carry the program out; raises AgentError naming the line and what is wrong with it."""
        try:
            self._block(self._tree.body)
        except AgentError as error:
            raise AgentError(f"line {self._line()}: {error.message}", remedy=error.remedy) from error
        except _Leave as error:
            raise AgentError(f"line {self._line()}: break outside a loop", remedy="use it inside a loop") from error
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise AgentError(f"line {self._line()}: {str(error)[:200]}", remedy="correct this line") from error

    def here(self) -> str:
        """Return the text of the call that is being made."""
        node = self._node
        first, last = getattr(node, "lineno", 1), getattr(node, "end_lineno", 1)
        if first == last:
            start, end = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", None)
            return self._lines[first - 1][start:end].decode(errors="replace")
        return b"\n".join(self._lines[first - 1 : last]).decode(errors="replace").strip()

    def _line(self) -> int:
        return getattr(self._node, "lineno", 1)

    # Statements

    def _block(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            self._node = statement
            self._meter.spend()
            self.statement += 1
            handler: Callable[[object], None] | None = getattr(self, f"_do_{type(statement).__name__}", None)
            if handler is None:
                raise self._unknown(statement)
            handler(statement)

    def _do_Pass(self, node: ast.Pass) -> None:
        pass

    def _do_Expr(self, node: ast.Expr) -> None:
        value = self._value(node.value)
        if isinstance(value, Function):
            # A special word such as DONE is written like a name.
            if not (isinstance(node.value, ast.Name) and value.name.isupper()):
                raise AgentError(f"{value.name} is named but not called", remedy="add parentheses")
            value.call()

    def _do_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._names[alias.asname or alias.name] = self._module(alias.name)

    def _do_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = self._module(node.module or ".")
        for alias in node.names:
            if alias.name == "*":
                self._names.update(module.members)
            else:
                self._names[alias.asname or alias.name] = _member(module, alias.name)

    def _do_Assign(self, node: ast.Assign) -> None:
        value = self._value(node.value)
        for target in node.targets:
            self._assign(target, value)

    def _do_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._assign(node.target, self._value(node.value))

    def _do_AugAssign(self, node: ast.AugAssign) -> None:
        self._assign(node.target, self._arithmetic(node.op, self._value(node.target), self._value(node.value)))

    def _do_If(self, node: ast.If) -> None:
        self._block(node.body if self._value(node.test) else node.orelse)

    def _do_While(self, node: ast.While) -> None:
        while self._value(node.test):
            if not self._turn(node.body):
                return
        self._block(node.orelse)

    def _do_For(self, node: ast.For) -> None:
        for item in self._meter.items(self._value(node.iter)):
            self._assign(node.target, item)
            if not self._turn(node.body):
                return
        self._block(node.orelse)

    def _do_Break(self, node: ast.Break) -> None:
        raise _Leave(loop=True)

    def _do_Continue(self, node: ast.Continue) -> None:
        raise _Leave(loop=False)

    def _do_With(self, node: ast.With) -> None:
        opened: list[Block] = []
        for item in node.items:
            value = self._value(item.context_expr)
            if not isinstance(value, Block):
                raise AgentError("`with` works only with hold(...)", remedy="write with pyautogui.hold('ctrl'):")
            value.enter()
            opened.append(value)
        self._block(node.body)
        for block in reversed(opened):
            block.leave()

    def _turn(self, body: Sequence[ast.stmt]) -> bool:
        """Run a loop's body once; tell whether the loop goes on."""
        self._meter.spend()
        try:
            self._block(body)
        except _Leave as leave:
            return not leave.loop
        return True

    def _assign(self, target: ast.expr, value: object) -> None:
        match target:
            case ast.Name(id=name):
                self._names[name] = value
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                items = list(self._meter.items(value))
                for inner, item in zip(targets, items, strict=True):
                    self._assign(inner, item)
            case ast.Subscript():
                owner, place = self._value(target.value), self._value(target.slice)
                if not isinstance(owner, list | dict) or isinstance(place, slice):
                    raise self._unknown(target)
                self._meter.weigh(place)
                values.set_item(owner, place, value)
            case ast.Attribute(attr=name):
                owner = self._value(target.value)
                if not (isinstance(owner, Module) and name in owner.ignored):
                    raise AgentError(f"{ast.unparse(target)[:60]} cannot be set", remedy="leave the assignment out")
            case _:
                raise self._unknown(target)

    # Expressions

    def _value(self, node: ast.expr) -> object:
        self._meter.spend()
        handler: Callable[[object], object] | None = getattr(self, f"_get_{type(node).__name__}", None)
        if handler is None:
            raise self._unknown(node)
        return handler(node)

    def _get_Constant(self, node: ast.Constant) -> object:
        if node.value is not None and not isinstance(node.value, str | int | float):
            raise AgentError(f"a value of type {type(node.value).__name__} is not understood", remedy="write a text")
        return self._meter.keep(node.value)

    def _get_Name(self, node: ast.Name) -> object:
        if node.id in self._names:
            return self._names[node.id]
        if self._element and (tag := re.fullmatch(r"tag_(\d{1,9})", node.id)):
            self._element(int(tag[1]))
        near = difflib.get_close_matches(node.id[:60], self._names, n=1)
        remedy = f"did you mean {near[0]!r}?" if near else "set it first, or import pyautogui"
        raise AgentError(f"the name {node.id[:60]!r} is not known", remedy=remedy)

    def _get_Attribute(self, node: ast.Attribute) -> object:
        owner = self._value(node.value)
        if isinstance(owner, Module):
            return _member(owner, node.attr)
        if isinstance(owner, Point | Size) and node.attr in owner._fields:
            return owner._asdict()[node.attr]
        return builtin.method(self._meter, owner, node.attr)

    def _get_Call(self, node: ast.Call) -> object:
        function = self._value(node.func)
        if not isinstance(function, Function):
            raise AgentError(f"{ast.unparse(node.func)[:60]} cannot be called", remedy="call a function")
        arguments: list[object] = []
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                arguments += self._meter.items(self._value(argument.value))
            else:
                arguments.append(self._value(argument))
        options: dict[str, object] = {}
        for keyword in node.keywords:
            value = self._value(keyword.value)
            if keyword.arg is not None:
                options[keyword.arg] = value
            elif isinstance(value, dict):
                options |= value
        self._node = node
        return self._meter.keep(function.call(*arguments, **options))

    def _get_BinOp(self, node: ast.BinOp) -> object:
        return self._arithmetic(node.op, self._value(node.left), self._value(node.right))

    def _get_UnaryOp(self, node: ast.UnaryOp) -> object:
        value = self._value(node.operand)
        if isinstance(node.op, ast.Not):
            return not value
        if not isinstance(value, int | float) or isinstance(node.op, ast.Invert):
            raise self._unknown(node)
        return -value if isinstance(node.op, ast.USub) else +value

    def _get_BoolOp(self, node: ast.BoolOp) -> object:
        value: object = None
        for operand in node.values:
            value = self._value(operand)
            if bool(value) is isinstance(node.op, ast.Or):
                break
        return value

    def _get_Compare(self, node: ast.Compare) -> object:
        left = self._value(node.left)
        for operation, comparator in zip(node.ops, node.comparators, strict=True):
            right = self._value(comparator)
            if not values.compare(self._meter, type(operation), left, right):
                return False
            left = right
        return True

    def _get_IfExp(self, node: ast.IfExp) -> object:
        return self._value(node.body if self._value(node.test) else node.orelse)

    def _get_JoinedStr(self, node: ast.JoinedStr) -> object:
        pieces: list[str] = []
        for piece in node.values:
            if isinstance(piece, ast.FormattedValue):
                spec = self._get_JoinedStr(piece.format_spec) if isinstance(piece.format_spec, ast.JoinedStr) else ""
                value = self._value(piece.value)
                pieces.append(values.format_value(self._meter, value, piece.conversion, str(spec)))
            else:
                pieces.append(str(self._value(piece)))
        return self._meter.keep("".join(pieces))

    def _get_List(self, node: ast.List | ast.Tuple) -> list[object]:
        items: list[object] = []
        for item in node.elts:
            if isinstance(item, ast.Starred):
                items += self._meter.items(self._value(item.value))
            else:
                items.append(self._value(item))
        return items

    def _get_Tuple(self, node: ast.Tuple) -> object:
        return tuple(self._get_List(node))

    def _get_Dict(self, node: ast.Dict) -> object:
        made: dict[object, object] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                raise AgentError("** inside a dictionary is not understood", remedy="write its items")
            held = self._value(key)
            self._meter.weigh(held)
            made[held] = self._value(value)
        return made

    def _get_Subscript(self, node: ast.Subscript) -> object:
        owner, place = self._value(node.value), self._value(node.slice)
        if not isinstance(owner, str | list | tuple | dict | range):
            raise self._unknown(node)
        self._meter.weigh(place)
        return self._meter.keep(values.get_item(owner, place))

    def _get_Slice(self, node: ast.Slice) -> object:
        return slice(*(None if end is None else self._value(end) for end in (node.lower, node.upper, node.step)))

    def _arithmetic(self, operation: ast.operator, left: object, right: object) -> object:
        return values.arithmetic(self._meter, type(operation), left, right)

    def _module(self, name: str) -> Module:
        if name not in self._modules:
            known = ", ".join(self._modules)
            raise AgentError(f"the module {name[:60]!r} is not available", remedy=f"use only: {known}")
        return self._modules[name]

    def _unknown(self, node: ast.AST) -> AgentError:
        self._node = node if hasattr(node, "lineno") else self._node
        construct = _CONSTRUCTS.get(type(node).__name__, type(node).__name__)
        return AgentError(f"{construct} is not supported here", remedy="write plain calls, loops and conditions")


def _member(module: Module, name: str) -> object:
    if name in module.members:
        return module.members[name]
    near = difflib.get_close_matches(name[:60], module.members, n=1)
    remedy = f"did you mean {module.name}.{near[0]}?" if near else "use the pointer, the keyboard and time.sleep only"
    raise AgentError(f"{module.name}.{name[:60]} is not available", remedy=remedy)
