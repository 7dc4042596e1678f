"""What the structure tests read: the modules of the package as syntax trees, and who imports whom."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"


@dataclass(frozen=True)
class Module:
    name: str
    path: Path
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, str(self.path))

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node of the tree, which a dozen tests go through."""
        return tuple(ast.walk(self.tree))

    @property
    def lines(self) -> int:
        return len(self.text.splitlines())


@dataclass(frozen=True)
class Import:
    """One imported module; `eager` when it happens while the importing module loads."""

    importer: str
    target: str
    eager: bool


def modules(source: Path) -> list[Module]:
    found = []
    for path in sorted(source.rglob("*.py")):
        parts = path.relative_to(source).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found.append(Module(name, path, path.read_text()))
    return found


@cache
def own_modules() -> list[Module]:
    """The modules of the package, read and parsed once."""
    found = modules(SOURCE)
    # Over a million nodes that stay: going through them again and again took most of the time.
    gc.disable()
    for module in found:
        _ = module.nodes
    gc.freeze()
    gc.enable()
    return found


def imports(module: Module, known: frozenset[str]) -> list[Import]:
    """Return every import of a module, wherever it stands; `from package import module` counts as the module."""
    found = []
    for node, eager in _walk(module.tree, True):
        if isinstance(node, ast.Import):
            found += [Import(module.name, alias.name, eager) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            origin = _absolute(module, node)
            for alias in node.names:
                deeper = f"{origin}.{alias.name}"
                found.append(Import(module.name, deeper if deeper in known else origin, eager))
    return found


def _walk(node: ast.AST, eager: bool) -> Iterator[tuple[ast.AST, bool]]:
    for child in ast.iter_child_nodes(node):
        deferred = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) or _is_type_checking(child)
        yield child, eager and not deferred
        yield from _walk(child, eager and not deferred)


def _is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def _absolute(module: Module, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    is_package = module.path.name == "__init__.py"
    parts = module.name.split(".")
    base = parts[: len(parts) - node.level + is_package]
    return ".".join([*base, *([node.module] if node.module else [])])
