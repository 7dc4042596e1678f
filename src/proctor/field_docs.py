"""What the text below each field of a class says of it, as its source has it."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import textwrap
from functools import cache


@cache
def field_docs(kind: type) -> dict[str, str]:
    """Return the text below each field of a dataclass or model, its own before those of its bases.

    A class without a source, such as one that was typed at a prompt, has none.
    """
    found: dict[str, str] = {}
    for base in (each for each in kind.__mro__ if dataclasses.is_dataclass(each) or hasattr(each, "model_fields")):
        try:
            (body,) = ast.parse(textwrap.dedent(inspect.getsource(base))).body
        except (OSError, TypeError):
            continue
        assert isinstance(body, ast.ClassDef)
        for field, after in zip(body.body, body.body[1:], strict=False):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(after, ast.Expr):
                found.setdefault(field.target.id, " ".join(str(ast.literal_eval(after.value)).split()))
    return found
