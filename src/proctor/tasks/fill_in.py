"""A draft with marked values, filled in: how templates begin as one demonstrated task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proctor.tasks.task import Draft


def fill_in(draft: Mapping[str, Any], values: Mapping[str, str]) -> Draft:
    """Return a draft with each `{{name}}` in its texts replaced by the value of that name."""
    return Draft(**{name: _fill_texts(value, values) for name, value in draft.items()})


filled = fill_in
"""As templates call it that were made earlier."""


def _fill_texts(value: Any, values: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        for name, text in values.items():
            value = value.replace(f"{{{{{name}}}}}", text)
        return value
    if isinstance(value, Mapping):
        return {_fill_texts(key, values): _fill_texts(item, values) for key, item in value.items()}
    return [_fill_texts(item, values) for item in value] if isinstance(value, list) else value
