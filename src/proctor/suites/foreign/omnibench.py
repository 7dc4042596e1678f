"""OmniBench's records as tasks: what can be run is, and of the rest it is said what it lacks."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from string import Formatter

from pydantic import ValidationError

from proctor import taxonomy
from proctor.errors import SpecError
from proctor.graphs.judge.progress import PATIENCE
from proctor.graphs.mathematics.dag import Dag
from proctor.graphs.mathematics.orders import is_order
from proctor.graphs.omnibench.evaluations import read_checks
from proctor.graphs.omnibench.records import SubtaskMetadata, SubtaskTrajectory, TaskMetadata, TaskTrajectory
from proctor.suites.foreign.assets import Assets
from proctor.suites.foreign.collection import ForeignTask, slug
from proctor.suites.foreign.faults import Reason
from proctor.suites.foreign.json_file import ForeignFile
from proctor.suites.foreign.omnibench_evaluations import check_of_evaluation
from proctor.suites.foreign.omnibench_records import FoundRecord, RecordsFound, first_names, read_records
from proctor.suites.foreign.programs import application
from proctor.suites.foreign.translation import NotJudgedYet
from proctor.tasks.call import Call
from proctor.tasks.shelves import expect, problems
from proctor.tasks.task import Admission, Limits, Source, Tags, Task
from proctor.tasks.task_graph import Edge, GraphNode, TaskGraph

STEPS, SECONDS = 80, 240
"""How many actions and how long an agent may take for each subtask, where a record does not say."""
_ORDER = re.compile(r"(?P<task>.*)\((?P<order>\d{1,9})\)")


@dataclass(frozen=True)
class ForeignRecord(ForeignTask):
    """A record of any kind; only tasks can be run."""

    @property
    def name(self) -> str:
        """What it is called here."""
        return slug(f"{self.kind}-{self.id}")

    def to_json(self) -> dict[str, object]:
        """Return its line of a report."""
        line = super().to_json()
        return {"record": self.kind, **{key: line[key] for key in line if key != "task" or self.kind == "task"}}


def read_omnibench(folder: Path, assets: Assets) -> Iterator[ForeignRecord]:
    """Yield every record of a folder with what stands in its way."""
    found = read_records(folder)
    for one in found.listed:
        reasons = [Reason("malformed", fault, one.place) for fault in one.faults]
        file = ForeignFile(one.path)
        if isinstance(one.record, TaskMetadata) and not reasons:
            yield _task(one, one.record, found, file)
            continue
        if not reasons:
            reasons += _lacks(one, found)
        yield ForeignRecord(
            "omnibench", file, one.id, domain=one.kind or "unknown", reasons=tuple(reasons), kind=one.kind or "unknown"
        )


def _lacks(one: FoundRecord, found: RecordsFound) -> Iterator[Reason]:
    """Yield what a record that is no task lacks."""
    if isinstance(one.record, SubtaskMetadata):
        yield from _needs_of_subtask(one.record, one.place)
        if one.record.id not in found.evaluations:
            yield Reason("not judged yet", "there is no evaluation of it", one.place)
    elif isinstance(one.record, SubtaskTrajectory):
        yield from _faults_of_ids("subtask", [one.record.subtask_id], found.subtasks, one.place)
        yield from _missing_pictures(one.record.observations, one)
    elif isinstance(one.record, TaskTrajectory):
        yield from _faults_of_order(one.record, found, one.place)
        yield from _missing_pictures(one.record.observations, one)
    elif one.kind == "evaluation":
        yield from _faults_of_ids("subtask", [one.id], found.subtasks, one.place)
        try:
            if read_checks(one.text) is None:
                check_of_evaluation(one.text, dict(_any_parameters(found.subtasks.get(one.id))))
        except ValueError as error:
            yield Reason("malformed", str(error), one.place)
        except NotJudgedYet as error:
            yield Reason("not judged yet", str(error), one.place)


def _any_parameters(subtask: SubtaskMetadata | None) -> Mapping[str, str]:
    return subtask.available_parameters[0] if subtask and subtask.available_parameters else {}


def _faults_of_ids(what: str, ids: Iterable[str], known: Collection[str], place: str) -> Iterator[Reason]:
    if unknown := [id for id in ids if id not in known]:
        yield Reason("malformed", f"no {what} has the id {first_names(unknown)}", place)


def _missing_pictures(names: Sequence[str], one: FoundRecord) -> Iterator[Reason]:
    if missing := [name for name in names if name and not (one.path.parent / name).is_file()]:
        yield Reason("needs asset", f"its pictures {first_names(missing)}", one.place)


def _faults_of_order(record: TaskTrajectory, found: RecordsFound, place: str) -> Iterator[Reason]:
    yield from _faults_of_ids("task", [record.task_id], found.tasks, place)
    task = found.tasks.get(record.task_id)
    if task is None:
        return
    named = _ORDER.fullmatch(record.trajectory_id)
    listed = task.successful_topo
    if sorted(record.topological_order) != sorted(task.dag.nodes):
        yield Reason("malformed", "its order is not one of all subtasks of its task", place)
    elif named and int(named["order"]) < len(listed) and listed[int(named["order"])] != record.topological_order:
        yield Reason("malformed", f"its order is not number {named['order']} of its task, as its id says", place)
    elif named and int(named["order"]) >= len(listed):
        yield Reason("malformed", f"its id says order {named['order']}, and its task lists {len(listed)}", place)


def _needs_of_subtask(subtask: SubtaskMetadata, place: str) -> Iterator[Reason]:
    if subtask.OS and subtask.OS.lower() not in ("linux", "ubuntu"):
        yield Reason("needs application", f"{subtask.application} on {subtask.OS}", place)
    elif not _application(subtask.application):
        yield Reason("needs application", subtask.application, place)
    try:
        names = {name for _, name, _, _ in Formatter().parse(subtask.instruction_template) if name is not None}
    except ValueError as error:
        yield Reason("malformed", f"its template cannot be read: {error}", place)
        return
    lacking = {name for each in subtask.available_parameters or ({},) for name in names - each.keys()}
    if lacking:
        yield Reason("malformed", f"no value stands for {first_names(sorted(lacking))} of its template", place)


def _application(name: str) -> str:
    return name if name in taxonomy.APPLICATIONS else application(name)


def _task(one: FoundRecord, task: TaskMetadata, found: RecordsFound, file: ForeignFile) -> ForeignRecord:
    record = partial(
        ForeignRecord, "omnibench", file, task.task_id, domain="task", instruction=task.task_instruction, kind="task"
    )
    reasons = list(_faults_of_graph(task, found, one.place))
    if reasons:
        return record(reasons=tuple(reasons))
    chosen: dict[str, Mapping[str, str]] = {}
    checks: dict[str, Call] = {}
    for id in task.dag.nodes:
        subtask = found.subtasks[id]
        reasons += _needs_of_subtask(subtask, one.place)
        parameters = _parameters(task, subtask)
        if parameters is None:
            why = f"with which of its {len(subtask.available_parameters)} sets of parameters subtask {id} is asked for"
            reasons.append(Reason("not judged yet", f"{why} is not told", one.place))
            continue
        chosen[id] = parameters
        try:
            checks[id] = _check(id, parameters, found)
        except NotJudgedYet as error:
            reasons.append(Reason("not judged yet", f"subtask {id}: {error}", one.place))
        except ValueError as error:
            reasons.append(Reason("malformed", f"the evaluation of subtask {id}: {error}", one.place))
    reasons += _needs_of_start(task, found, one.place)
    if reasons:
        return record(reasons=tuple(dict.fromkeys(reasons)))
    make = partial(make_task, task, found.subtasks, chosen, checks, file)
    try:
        made = make()
    except (ValidationError, ValueError, SpecError, TypeError) as error:
        said = str(error).partition("\n")[0][:300]
        return record(reasons=(Reason("malformed", f"what it takes to run it here cannot be used: {said}", one.place),))
    return record(tags=made.tags, make=make)


def _faults_of_graph(task: TaskMetadata, found: RecordsFound, place: str) -> Iterator[Reason]:
    nodes, edges = task.dag.nodes, task.dag.edges
    if not nodes:
        yield Reason("malformed", "its graph has no subtasks", place)
        return
    if twice := [id for id in nodes if nodes.count(id) > 1]:
        yield Reason("malformed", f"its graph has {first_names(twice)} twice", place)
    yield from _faults_of_ids("subtask", nodes, found.subtasks, place)
    named = [*edges, *(id for later in edges.values() for id in later)]
    if strays := [id for id in named if id not in nodes]:
        yield Reason("malformed", f"its edges name {first_names(strays)}, which its graph does not have", place)
        return
    try:
        dag = _dag(task)
    except SpecError as error:
        yield Reason("malformed", f"its graph: {error.message}", place)
        return
    if wrong := sum(not is_order(dag, order) for order in task.successful_topo):
        yield Reason("malformed", f"{wrong} of its {len(task.successful_topo)} orders go against its graph", place)


def _dag(task: TaskMetadata) -> Dag:
    pairs = [(first, later) for first, after in task.dag.edges.items() for later in after]
    return Dag.from_edges(pairs, task.dag.nodes)


def _parameters(task: TaskMetadata, subtask: SubtaskMetadata) -> Mapping[str, str] | None:
    """Return what a subtask is asked for with; None where neither the record nor the text tells."""
    if subtask.id in task.parameters:
        return task.parameters[subtask.id]
    sets = subtask.available_parameters
    if len(sets) <= 1:
        return sets[0] if sets else {}
    said = [each for each in sets if all(value in task.task_instruction for value in each.values())]
    return said[0] if len(said) == 1 else None


def _check(id: str, parameters: Mapping[str, str], found: RecordsFound) -> Call:
    if id not in found.evaluations:
        raise NotJudgedYet("there is no evaluation of it")
    return check_of_evaluation(found.evaluations[id], parameters)


def _needs_of_start(task: TaskMetadata, found: RecordsFound, place: str) -> Iterator[Reason]:
    """Yield what must be there when a task begins, where nothing says how it comes there."""
    if (task.proctor or {}).get("setup") is not None:
        return
    before = {later: first for first, after in task.dag.edges.items() for later in after}
    taken = [name for id in task.dag.nodes if id not in before for name in found.subtasks[id].input_resources]
    what = f"what is there when it begins: {first_names(taken)}" if taken else "how the computer is prepared"
    yield Reason("needs asset", what, place)


def make_task(
    task: TaskMetadata,
    subtasks: Mapping[str, SubtaskMetadata],
    chosen: Mapping[str, Mapping[str, str]],
    checks: Mapping[str, Call],
    file: ForeignFile,
) -> Task:
    """Return a task in our words.

    Raises:
        ValueError: What the record says of running it here is wrong.
        SpecError: It makes no task.
    """
    told = task.proctor or {}
    graph = _graph(task, subtasks, chosen, checks)
    steps = tuple(map(Call.from_json, _list_of(told, "setup")))
    for problem in problems(steps, ("setup",), "setup"):
        raise ValueError(problem.message)
    apps = tuple(dict.fromkeys(graph.apps.values()))
    places = dict.fromkeys(("domain", "scenario", "demand"), "")
    limits = {"steps": min(1000, STEPS * len(graph.nodes)), "seconds": SECONDS * len(graph.nodes)}
    return Task(
        id=f"omnibench/{slug(f'task-{task.task_id}')}-v1",
        instruction=task.task_instruction,
        intent=task.task_intent,
        setup=steps,
        check=expect.all_of([node.check for node in graph.nodes if node.lasts] or [graph.nodes[-1].check]),
        expected=tuple(map(str, _list_of(told, "expected"))) or ("**",),
        may_differ=tuple(map(Admission.model_validate, _list_of(told, "may_differ"))),
        graph=graph,
        tags=Tags.model_validate(
            told.get("tags") or {"apps": apps, "level": min(4, 2 * len(apps)), "demand_tree": "omnibench", **places}
        ),
        limits=Limits.model_validate(told.get("limits") or limits),
        source=Source(format="omnibench", file=file.path.name),
    )


def _graph(
    task: TaskMetadata,
    subtasks: Mapping[str, SubtaskMetadata],
    chosen: Mapping[str, Mapping[str, str]],
    checks: Mapping[str, Call],
) -> TaskGraph:
    told = task.proctor or {}
    replaced = {str(id) for id in _list_of(told, "passing")}
    last, ordering = _pairs(told, "last"), _pairs(told, "ordering")
    patience = told.get("patience", PATIENCE)
    if not isinstance(patience, int):
        raise ValueError("'patience' is no number")
    return TaskGraph(
        nodes=tuple(
            GraphNode(
                id=id,
                subtask=slug(subtasks[id].instruction_template)[:60],
                app=_application(subtasks[id].application),
                ask=subtasks[id].instruction_template.format(**chosen[id]).removesuffix("."),
                check=checks[id],
                lasts=id not in replaced,
                moves=0,
            )
            for id in task.dag.nodes
        ),
        edges=tuple(sorted(_dag(task).edges)),
        last=last,
        ordering=ordering,
        order=_dag(task).with_edges([*last, *ordering]).order,
        patience=patience,
    )


def _list_of(told: Mapping[str, object], name: str) -> list[object]:
    found = told.get(name, [])
    if not isinstance(found, list | tuple):
        raise ValueError(f"{name!r} is no list")
    return list(found)


def _pairs(told: Mapping[str, object], name: str) -> tuple[Edge, ...]:
    pairs = [tuple(map(str, pair)) for pair in _list_of(told, name) if isinstance(pair, list | tuple)]
    if not all(len(pair) == 2 for pair in pairs):
        raise ValueError(f"{name!r} is no list of pairs")
    return tuple((pair[0], pair[1]) for pair in pairs)
