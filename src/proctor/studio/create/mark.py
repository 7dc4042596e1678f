"""A task becomes a template: the values that a person marked are drawn anew for every seed."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from proctor.errors import SpecError
from proctor.tasks.task import Draft, Task

NAME = re.compile(r"^[a-z][a-z0-9_]{0,30}$")

_MODULE = '''"""{summary}"""

import json

from proctor.tasks.draw import Draw
from proctor.tasks.fill_in import filled
from proctor.tasks.task import Draft
from proctor.tasks.template import template

VALUES = {values}

DRAFT = json.loads(r"""
{draft}
""")


@template(apps={apps}, level={level}, demand={demand!r}, services={services})
def {function}(draw: Draw) -> Draft:
    """{summary}"""
    return filled(DRAFT, {{name: draw.choice(values) for name, values in VALUES.items()}})
'''


def template_of(task: Task, marks: Sequence[dict[str, object]]) -> str:
    """Return a module with a template, which puts alternatives wherever a marked value stands."""
    values: dict[str, list[str]] = {}
    data = {name: value for name, value in task.to_json().items() if name in Draft.model_fields}
    text = json.dumps(data, indent=2, ensure_ascii=False)
    # The longest first, so that a value inside another one does not take it apart.
    for mark in sorted(marks, key=lambda each: -len(str(each.get("value", "")))):
        name, value, others = str(mark.get("name", "")), str(mark.get("value", "")), mark.get("others", [])
        if not NAME.match(name) or name in values:
            raise SpecError(f"{name!r} cannot be the name of a value", remedy="use lower case, digits and _; each once")
        if not isinstance(others, list) or not all(isinstance(other, str) and other for other in others) or not others:
            raise SpecError(f"the value {name} has no alternatives", remedy="write what else it may be, one per line")
        written = json.dumps(value, ensure_ascii=False)[1:-1]
        if not value or written not in text:
            raise SpecError(f"{value!r} does not occur in the task", remedy="mark a text as it is in the task")
        text = text.replace(written, f"{{{{{name}}}}}")
        values[name] = [value, *(other for other in others if other != value)]
    if '"""' in text:
        raise SpecError('the task contains """', remedy="leave that out to make a template of it")
    tags = task.tags
    name = task.id.partition("/")[2].rpartition("-v")[0].replace("-", "_")
    return _MODULE.format(
        summary=task.instruction.partition("\n")[0].replace('"', "'").replace("\\", "/"),
        values=json.dumps(values, indent=4, ensure_ascii=False),
        draft=text,
        apps=repr(tuple(tags.apps)),
        level=tags.level,
        demand="/".join((tags.domain, tags.scenario, tags.demand)),
        services=repr(tuple(tags.services)),
        function=f"{name}_varied",
    )
