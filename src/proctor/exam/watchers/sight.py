"""SightWatcher: what the agent was shown, for tasks that ask whether it looked before it gave up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from proctor.actions.action import Action, Fail, RunCode
from proctor.computers.computer import Computer
from proctor.computers.parts.besides import FollowedFiles
from proctor.errors import ComputerError, HostError
from proctor.exam.state import ExamState
from proctor.exam.watcher import Reply, Watcher
from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree
from proctor.records import Step
from proctor.tasks.call import Call, walk

TERMINAL = "terminal"
SENDS = ("return", "enter")
"""Keys that run what was typed into a terminal."""


def sights(check: Call) -> list[Watcher]:
    """Return the watcher that a check needs, if it asks what was shown."""
    asked = [call for _, call in walk(check) if call.kind == "probe" and call.name == "shown"]
    return [SightWatcher([path for call in asked for path in call.arguments.get("reads") or ()])] if asked else []


class SightWatcher(Watcher):
    """Reads the screen whenever the agent is shown it, and notes what commands print and read.

    A given tree counts as far as it says that something shows; without one, as far as the screen can be seen.
    """

    looks = True

    def __init__(self, places: Sequence[str]) -> None:
        self._places = places

    def begin(self, exam: ExamState) -> None:
        """Note what is shown first, and follow the places that matter."""
        files = exam.computer.parts.files
        if self._places and isinstance(files, FollowedFiles):
            files.watch_reads(self._places)
        self._look(exam, anew=False)

    def before(self, exam: ExamState, action: Action) -> Reply:
        """Look once more when it gives up: pages go on loading while an agent thinks."""
        self._read(exam.computer)  # what was read until now is not this action's doing
        if isinstance(action, Fail) and exam.acted:
            self._look(exam, anew=True)
        return None

    def after(self, exam: ExamState, step: Step) -> Step:
        """Note what the agent wrote, what that read, and what it is shown now."""
        action = step.action or {}
        ran = str(action.get("code", "")) if step.kind == RunCode.kind else ""
        typed = str(action.get("text", "")) if step.kind == "type" else ""
        exam.shown.wrote(f"{ran}\n" if ran else typed)
        sent = step.kind == "press" and any(key in str(action.get("keys", "")).lower() for key in SENDS)
        line = exam.shown.end_line() if sent else ""
        if read := self._read(exam.computer):
            exam.shown.search(ran or typed or line, read)
        exam.shown.show(told.text for told in exam.told)
        self._look(exam, anew=False)
        return step

    def _read(self, computer: Computer) -> list[str]:
        files = computer.parts.files
        if not self._places or not isinstance(files, FollowedFiles):
            return []
        try:
            return files.reads()
        except HostError:
            raise
        except (ComputerError, OSError):
            return []  # a broken computer is found out elsewhere

    def _look(self, exam: ExamState, *, anew: bool) -> None:
        """Take in the tree that the agent was given, or else what of it can be seen on the screen."""
        computer, given = exam.computer, exam.observation.tree
        if given is not None and not anew:
            _show(exam, (node for node in given.nodes if node.showing))
        if computer.parts.tree is None:
            return
        try:
            tree = given if given is not None and not anew else computer.tree()
            windows = [window for window in computer.windows() if not window.minimised]
        except HostError:
            raise
        except (ComputerError, OSError):
            return
        layers = [(window.title, window.box) for window in windows]
        _show(exam, _visible(tree, layers, computer.size))
        if layers:
            exam.shown.show_window(layers[-1][0])


def _show(exam: ExamState, nodes: Iterable[Node]) -> None:
    for node in nodes:
        exam.shown.show((node.name, node.text), terminal=node.role == TERMINAL)


def _visible(tree: Tree, layers: Sequence[tuple[str, Box]], size: tuple[int, int]) -> Iterator[Node]:
    """Yield what can be seen: on the screen, and not below another window."""
    titles = {title for title, _ in layers}
    for node in tree.nodes:
        if not node.showing or node.box is None or not (part := node.box.intersect(Box(0, 0, *size))):
            continue
        top = next((title for title, box in reversed(layers) if box.contains(*part.center)), None)
        if top in (None, node.window) or node.window not in titles:
            yield node
