"""A task that asks for nothing: a desktop on which somebody shows, or learns, what they like."""

from __future__ import annotations

from proctor.tasks.call import Call
from proctor.tasks.task import UNJUDGED, Source, Tags, Task

FREE = "studio/free-desktop-v1"


def free_task(instruction: str = "Show whatever you like on this desktop.", *, judged: bool = False) -> Task:
    """Return a task that asks for nothing, so that there is nothing to judge.

    With `judged`, whoever holds its exam brings a judge of their own.
    """
    return Task(
        id=FREE,
        instruction=instruction or "Do whatever you like on this desktop.",
        check=Call("check", "folder_exists", {"of": Call("probe", "file", {"path": "."})}),
        expected=("**",),
        # Every desktop has an editor; a task must name something it is about.
        tags=Tags(apps=("mousepad",), level=1, domain="Free", scenario="Free", demand="Free", demand_tree="studio"),
        source=Source(format="code" if judged else UNJUDGED),
    )
