"""Setup steps that write the list of tasks of GTG."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Annotated
from xml.sax.saxutils import escape

from pydantic import Field

from proctor.tasks.model import PlainModel
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP
from proctor.vocabulary.apps.gtg.parse import GTG_FILE
from proctor.vocabulary.apps.notes.constants import WRITTEN, fixed_id

# Without it GTG takes its start for the first one and puts its own tasks in place of what is there.
GTG_BACKENDS = (
    "[backend_localfile]\nfirst_run = False\ndefault = True\nhuman-friendly-name = \nuser = \n"
    "pid = 2f0d6c1e-5b7a-4c58-9d0e-6a1b7f3c9e42\nenabled = True\nattached-tags = gtg-tags-all\n"
    "path = gtg_data.xml\nmodule = backend_localfile\n"
)


class Todo(PlainModel):
    """A task on a list: tags without the `@`."""

    title: Annotated[str, Field(min_length=1)]
    text: str = ""
    tags: tuple[str, ...] = ()
    due: date | None = None
    done: bool = False


@SETUP.register_before_use
def todo(context: SetupContext, tasks: list[Todo]) -> None:
    """Write GTG's list of tasks, and provide the bus that it needs to start."""
    context.computer.write_file(GTG_FILE, gtg_xml(tasks).encode())
    context.computer.write_file(".config/gtg/backends.conf", GTG_BACKENDS.encode())
    todo_at_hand(context)


@SETUP.register_before_use
def todo_at_hand(context: SetupContext) -> None:
    """Provide the bus that GTG needs to start; its list stays as it is."""
    # GTG listens for the end of a suspension on the system bus; the machine has only the session's.
    bus = (
        context.command(["sh", "-c", 'echo "${DBUS_SESSION_BUS_ADDRESS#unix:path=}"']).stdout.strip().partition(",")[0]
    )
    link = 'mkdir -p /run/dbus && ln -sfn -- "$1" /run/dbus/system_bus_socket'
    context.command(["sh", "-c", link, "sh", bus], root=True)


def gtg_xml(tasks: Sequence[Todo]) -> str:
    """Return a list of tasks as GTG keeps it."""
    tags = {
        tag: fixed_id(number, "9") for number, tag in enumerate(sorted({tag for task in tasks for tag in task.tags}))
    }
    taglist = "".join(f'<tag id="{number}" name="{escape(tag)}"/>' for tag, number in tags.items())
    tasklist = "\n".join(_gtg_task(task, number, tags) for number, task in enumerate(tasks))
    return (
        "<?xml version='1.0' encoding='UTF-8'?>\n"
        f'<gtgData appVersion="0.6" xmlVersion="2">\n<taglist>{taglist}</taglist>\n<searchlist/>\n'
        f"<tasklist>\n{tasklist}\n</tasklist>\n</gtgData>\n"
    )


def _gtg_task(task: Todo, number: int, tags: dict[str, str]) -> str:
    day = WRITTEN[:10]
    dates = f"<added>{day}</added><modified>{day}</modified>"
    dates += f"<due>{task.due}</due>" if task.due else ""
    dates += f"<done>{day}</done>" if task.done else ""
    marks = ", ".join(f"@{tag}" for tag in task.tags)
    content = "\n".join(part for part in (marks, task.text) if part)
    return (
        f'<task id="{fixed_id(number)}" status="{"Done" if task.done else "Active"}">'
        f"<title>{escape(task.title)}</title>"
        f"<tags>{''.join(f'<tag>{tags[tag]}</tag>' for tag in task.tags)}</tags><dates>{dates}</dates>"
        f'<recurring enabled="false"><term>None</term></recurring><subtasks/>'
        f"<content><![CDATA[{escape(content)}]]></content></task>"
    )
