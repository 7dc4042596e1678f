"""The pages on which people make tasks: prepare, ask, demonstrate, choose what is judged, prove."""

from __future__ import annotations

import re
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from proctor import taxonomy
from proctor.errors import ProctorError, SpecError
from proctor.plain_text import printable
from proctor.studio.answers import body_of, json_answer, page, room_files, show, text_of
from proctor.studio.create.draft import DRAFT, Making, probes_of
from proctor.studio.create.proof import PAGE, DraftProof
from proctor.studio.create.sight import Looking
from proctor.studio.record.desk import Again, Desk
from proctor.studio.record.desks import left_actions, left_episode
from proctor.studio.record.pages import desks_of
from proctor.studio.studio import Studio
from proctor.tasks.free import free_task
from proctor.tasks.task import Task
from proctor.web.files import read_object

HOME = ("Create tasks", "/create", "Prepare a desktop, show the solution, choose what is judged, and prove it.")
STATIC = Path(__file__).parent / "static"
ID = re.compile(r"^[a-z0-9-]{1,80}$")
STAGES = ("prepare", "demonstrate")


def routes(studio: Studio) -> list[BaseRoute]:
    """Return where everything of this room is found."""
    return _Room(studio).routes()


class _Room:
    """Answers for the tasks in the making of one studio."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._folder = studio.folder / "making"
        self._made = studio.folder / "tasks"
        self._open: dict[str, Making] = {}
        self._proofs: dict[str, DraftProof] = {}
        self._desks: dict[str, str] = {}
        """The desk at which somebody works for each."""

    def routes(self) -> list[BaseRoute]:
        one = "/create/makings/{making}"
        return [
            Route("/create", show(STATIC / "room.html")),
            Route("/create/making/{making}", self.page),
            Route("/create/makings", self.list_all),
            Route("/create/makings", self.begin, methods=["POST"]),
            Route(one, self.status),
            Route(one + "/change", self.change, methods=["POST"]),
            Route(one + "/desk", self.sit_down, methods=["POST"]),
            Route(one + "/prove", self.prove, methods=["POST"]),
            Route(one + "/write", self.write, methods=["POST"]),
            room_files("/create-files", STATIC),
        ]

    def page(self, request: Request) -> Response:
        self._find_making(request)
        return page(STATIC / "making.html")

    def list_all(self, request: Request) -> Response:
        """Return the tasks in the making, and what can be chosen for a new one."""
        folders = sorted(self._folder.glob(f"*/{DRAFT}"), key=lambda file: -file.stat().st_mtime)
        makings = [self._open_making(file.parent.name) for file in folders]
        rows = [
            {
                "id": making.id,
                "name": making.draft.get("name", ""),
                "person": making.draft.get("person", ""),
                "instruction": printable(str(making.draft.get("instruction", ""))),
                "state": self._state(making),
            }
            for making in makings
            if making.draft
        ]
        return json_answer({"makings": rows, "apps": sorted(taxonomy.APPLICATIONS), "made": str(self._made)})

    async def begin(self, request: Request) -> Response:
        data = await body_of(request)
        apps = data.get("apps")
        try:
            making = Making.begin(
                self._folder,
                self._made,
                name=text_of(data, "name", 100),
                person=self._studio.person(request),
                apps=[each for each in apps if isinstance(each, str)] if isinstance(apps, list) else [],
            )
        except SpecError as error:
            raise HTTPException(400, printable(str(error))) from error
        self._open[making.id] = making
        return json_answer({"id": making.id, "address": f"/create/making/{making.id}"})

    def status(self, request: Request) -> Response:
        """Return one task in the making, with how its proof stands."""
        making = self._find_making(request)
        proof = self._proofs.get(making.id)
        demands = ["/".join((domain, scenario, demand)) for domain, scenarios in taxonomy.DEMANDS.items()
                   for scenario, found in scenarios.items() for demand in found]  # fmt: skip
        return json_answer(
            {
                **making.status(),
                "proof": proof.status() if proof else self._earlier_proof(making),
                "desk": self._desk_address(making),
                "lost": self._lost_desk(making),
                "file": str(self._made / f"{making.draft['name']}.json"),
                "folder": str(self._made),
                "demands": demands,
                "known_apps": sorted(taxonomy.APPLICATIONS),
            }
        )

    async def change(self, request: Request) -> Response:
        data = await body_of(request)
        making = self._find_making(request)
        version, fields = data.get("version"), data.get("fields")
        if type(version) is not int or not isinstance(fields, dict):
            raise HTTPException(400, "Send fields, and the version that they were made from.")
        try:
            await run_in_threadpool(making.change, fields, version)
        except ValueError as error:
            raise HTTPException(409, str(error)) from error
        except SpecError as error:
            raise HTTPException(400, printable(str(error))) from error
        return json_answer(making.status())

    async def sit_down(self, request: Request) -> Response:
        """Give a person a desktop, to prepare it or to show the solution on it."""
        data = await body_of(request)
        making, stage = self._find_making(request), text_of(data, "stage")
        if stage not in STAGES:
            raise HTTPException(400, "stage is prepare or demonstrate.")
        if address := self._desk_address(making):
            return json_answer({"address": address})
        again = self._again(making, stage) if data.get("go_on") is True else None
        try:
            task = self._preparation_task(making) if stage == "prepare" else making.task(unjudged=True)
        except ProctorError as error:
            raise HTTPException(400, printable(str(error))) from error
        told = making.take_prepared if stage == "prepare" else making.take_demonstration
        looking = Looking(told, making.draft["apps"], probes_of(making.draft["setup"]))
        desk = Desk(
            person=self._studio.person(request),
            visitor=request.scope["studio_visitor"],
            task=task,
            kind="record",
            suite="tasks",
            assets=making.assets,
            besides=(looking,),
            making=f"/create/making/{making.id}",
            stage=stage,
            again=again,
        )
        await run_in_threadpool(desks_of(self._studio).seat, desk, self._studio.computer)
        self._desks[making.id] = desk.id
        await run_in_threadpool(making.open_desk, stage, desk.run.name)
        return json_answer({"address": f"/record/desk/{desk.id}"})

    async def prove(self, request: Request) -> Response:
        data = await body_of(request)
        making = self._find_making(request)
        if (proof := self._proofs.get(making.id)) and proof.going_on:
            raise HTTPException(409, "It is already being proven.")
        task = self._write_task(making)
        folder = self._proof_folder(making)
        quick = data.get("quick") is True
        self._proofs[making.id] = DraftProof(task, folder, making.assets, self._studio.computer, quick=quick)
        return json_answer({})

    async def write(self, request: Request) -> Response:
        await body_of(request)
        making = self._find_making(request)
        self._write_task(making)
        return json_answer({"file": str(self._made / f"{making.draft['name']}.json")})

    def _earlier_proof(self, making: Making) -> dict[str, object] | None:
        """Return the proof that an earlier studio held, where the task is still the one that was proven."""
        found = read_object(self._proof_folder(making) / PAGE)
        try:
            return found if found and found.get("digest") == making.task().digest else None
        except ProctorError:
            return None

    def _proof_folder(self, making: Making) -> Path:
        return making.assets / "proof"

    def _write_task(self, making: Making) -> Task:
        try:
            making.write()
            return making.task()
        except ProctorError as error:
            raise HTTPException(400, printable(str(error))) from error

    def _preparation_task(self, making: Making) -> Task:
        """Return the task of somebody who prepares a desktop: nothing is asked, but services run."""
        services = [step for step in making.draft["setup"] if str(step.get("setup", "")).endswith("_service")]
        free = free_task()
        words = (
            f"Prepare the desktop for the task {making.draft['name']}: make files, change settings, open applications."
        )
        data = {**free.to_json(), "instruction": words, "setup": services}
        data["tags"] = {**data["tags"], "apps": making.draft["apps"]}
        return Task(**data)

    def _lost_desk(self, making: Making) -> dict[str, object] | None:
        """Return at which desktop somebody worked that ended before they said so, if there is one."""
        found = making.draft.get("at_desk")
        if not isinstance(found, dict) or self._desk_address(making):
            return None
        count = len(left_actions(self._studio.demonstrations, str(found.get("run"))))
        return {"stage": found.get("stage"), "run": found.get("run"), "actions": count}

    def _again(self, making: Making, stage: str) -> Again:
        lost = self._lost_desk(making)
        if lost is None or lost["stage"] != stage or not lost["actions"]:
            raise HTTPException(409, "There is nothing to continue from. Start over.")
        run = str(lost["run"])
        episode = left_episode(self._studio.demonstrations, run)
        assert episode is not None
        done = len(left_actions(self._studio.demonstrations, run))
        return Again(episode=episode, actions=done, about={"making": making.id}, back="", over=lambda _: None)

    def _desk_address(self, making: Making) -> str:
        desk = desks_of(self._studio).find(self._desks.get(making.id, ""))
        return f"/record/desk/{desk.id}" if desk is not None and not desk.ended else ""

    def _state(self, making: Making) -> str:
        proof = self._proofs.get(making.id)
        if status := proof.status() if proof else self._earlier_proof(making):
            return "being proven" if status["going_on"] else str(status["state"] or "not proven")
        if making.draft.get("demonstrated"):
            return "demonstrated"
        return "prepared" if making.draft.get("prepared") else "begun"

    def _find_making(self, request: Request) -> Making:
        name = request.path_params["making"]
        if not ID.match(name) or not (self._folder / name / DRAFT).is_file():
            raise HTTPException(404, "There is no such task in the making.")
        return self._open_making(name)

    def _open_making(self, name: str) -> Making:
        if name not in self._open:
            self._open[name] = Making(self._folder / name, self._made)
        return self._open[name]
