"""A task in the making: all that is known of it so far, and the task file that it becomes."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from proctor import taxonomy
from proctor.errors import ProctorError, SpecError
from proctor.plain_text import printable
from proctor.prove.scaffold import test_of
from proctor.store.files import write_whole
from proctor.studio.create.capture_setup import setup_of
from proctor.studio.create.mark import template_of
from proctor.studio.create.near_misses import follow_solution, near_misses_of
from proctor.studio.create.propose_checks import expected_of, proposals
from proctor.studio.create.sight import Looking
from proctor.studio.refine.key import draft_key
from proctor.tasks.call import Call
from proctor.tasks.load import task_from_json
from proctor.tasks.task import UNJUDGED, Task
from proctor.web.files import read_object

DRAFT = "draft.json"
NAME = re.compile(r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$")
SUITE = "tasks"
FIELDS = (
    "instruction", "paraphrases", "apps", "level", "demand", "setup", "events", "checks", "expected", "solution",
    "near_misses", "may_differ", "marks",
)  # fmt: skip
SHAPES: dict[str, type] = {
    "paraphrases": str, "apps": str, "expected": str, "setup": dict, "events": dict, "checks": dict, "solution": dict,
    "near_misses": dict, "may_differ": dict, "marks": dict,
}  # fmt: skip
"""Of what kind the members of the lists among them are."""
WANTED: dict[str, dict[str, type]] = {
    "events": {"name": str, "do": list, "when": dict},
    "near_misses": {"name": str, "moves": list},
    "marks": {"name": str, "value": str, "others": list},
}
"""What must be in each of them for the page to show it."""


class Making:
    """One task in the making; every change is on disk before anyone hears of it."""

    def __init__(self, folder: Path, made: Path) -> None:
        """Open one: its draft lies in `folder`, finished task files go to `made`."""
        self.id = folder.name
        self._folder, self._made = folder, made
        self._lock = threading.RLock()
        self.draft: dict[str, Any] = read_object(folder / DRAFT) or {}
        if self.draft:
            self.draft.setdefault("events", [])  # drafts from before there were any

    @classmethod
    def begin(cls, folder: Path, made: Path, *, name: str, person: str, apps: list[str]) -> Making:
        """Begin a task; raises SpecError for a name or application that cannot be."""
        if not NAME.match(name) or len(name) > 60:
            raise SpecError(f"{name!r} cannot be the name of a task", remedy="use lower case, digits and hyphens")
        check_apps(apps)
        place = folder / f"{name}-{secrets.token_hex(3)}"
        place.mkdir(parents=True)
        making = cls(place, made)
        first = next(iter(taxonomy.DEMANDS))
        scenario = next(iter(taxonomy.DEMANDS[first]))
        demand = next(iter(taxonomy.DEMANDS[first][scenario]))
        making.draft = {
            "name": name, "person": person, "began": round(time.time(), 3), "version": 0, "instruction": "",
            "paraphrases": [], "apps": apps, "level": 2, "demand": f"{first}/{scenario}/{demand}", "setup": [],
            "events": [], "checks": [], "expected": [], "solution": [], "near_misses": [], "may_differ": [],
            "marks": [], "prepared": False, "demonstrated": False, "notes": [], "assets": {},
        }  # fmt: skip
        making._keep()
        return making

    def change(self, fields: dict[str, Any], version: int) -> None:
        """Take what a person wrote; raises ValueError where it was changed since that version."""
        with self._lock:
            if version != self.draft["version"]:
                # A page whose answer was lost sends the same once more.
                if fields and all(self.draft.get(name) == value for name, value in fields.items()):
                    return
                raise ValueError("This was changed elsewhere in the meantime. Reload the page.")
            for name, value in fields.items():
                if name not in FIELDS or not _is_shaped(name, value):
                    raise SpecError(f"{name} cannot be changed this way", remedy="write it as the page does")
            if "apps" in fields:
                check_apps(fields["apps"])
            if "solution" in fields and "near_misses" not in fields:
                misses = follow_solution(self.draft["near_misses"], self.draft["solution"], fields["solution"])
                fields = {**fields, "near_misses": misses}
            self.draft |= fields
            self._keep()

    def open_desk(self, stage: str, run: str) -> None:
        """Remember at which desktop somebody works for it, should the studio be killed."""
        with self._lock:
            self.draft["at_desk"] = {"stage": stage, "run": run}
            self._keep()

    def take_prepared(self, seen: Looking) -> None:
        """Take a desktop that was prepared by hand as the setup of the task."""
        self.draft.pop("at_desk", None)
        if seen.trouble:
            self._note(seen.trouble)
            return
        steps, assets = setup_of(seen.prepared, seen.left, seen.files)
        with self._lock:
            for name, data in assets.items():
                write_whole(self._folder, name, data)
            digests = {name: hashlib.sha256(data).hexdigest() for name, data in assets.items()}
            kept = [step for step in self.draft["setup"] if step.get("kept")]
            self.draft |= {"setup": [*kept, *steps], "prepared": True, "assets": {**self.draft["assets"], **digests}}
            self._add_apps(seen)
            self._note("" if steps else "Nothing was changed: the task begins on the desktop as it is.")

    def take_demonstration(self, seen: Looking) -> None:
        """Take a demonstration: the answer key, and proposals of checks and near misses."""
        self.draft.pop("at_desk", None)
        if seen.trouble:
            self._note(seen.trouble)
            return
        said = [step.action["text"] for step in seen.steps if step.kind == "answer" and step.action]
        key = draft_key(seen.steps)
        solution = key.calls
        found = proposals(seen.prepared, seen.left, seen.files, str(said[-1]) if said else None)
        with self._lock:
            self.draft |= {
                "solution": solution,
                "checks": [asdict(each) for each in found],
                "expected": expected_of(seen.files),
                "near_misses": near_misses_of(solution),
                "demonstrated": True,
            }
            self._add_apps(seen)
            nothing = ["Nothing that lasts was changed, so there is nothing to judge."] if not found else []
            self._note("\n".join([*key.problems, *key.notes, *nothing]))

    def task(self, *, unjudged: bool = False) -> Task:
        """Return the task as it is now; raises SpecError that lists what is missing.

        `unjudged` leaves the judgement open: for a demonstration, which is to show what there is to judge.
        """
        draft = self.draft
        accepted = [each.get("check") for each in draft["checks"] if each.get("accepted")]
        if not unjudged and not accepted:
            raise SpecError("no check is accepted", remedy="demonstrate the solution, then accept what to check")
        if not str(draft["instruction"]).strip() and not unjudged:
            raise SpecError("there is no instruction", remedy="write what is asked, as a user would say it")
        anything = {"check": "folder_exists", "of": {"probe": "file", "path": "."}}
        check = anything if unjudged else accepted[0] if len(accepted) == 1 else {"check": "all_of", "of": accepted}
        parts = str(draft["demand"]).split("/")
        domain, scenario, demand = parts if len(parts) == 3 else ("", "", "")
        data = {
            "id": f"{SUITE}/{draft['name']}-v1",
            "instruction": draft["instruction"] or "Show how it is done.",
            "paraphrases": [text for text in draft["paraphrases"] if str(text).strip()],
            "setup": [{name: value for name, value in step.items() if name != "kept"} for step in draft["setup"]],
            "events": draft["events"],
            "check": check,
            "expected": ["**"] if unjudged else draft["expected"],
            "tags": {"apps": draft["apps"], "level": draft["level"], "domain": domain, "scenario": scenario,
                     "demand": demand, "services": services_of(draft["setup"])},
            "assets": self._assets(),
            **({"source": {"format": UNJUDGED}} if unjudged else {}),
        }  # fmt: skip
        if not unjudged:
            misses = [each for each in draft["near_misses"] if each.get("accepted")]
            data |= {
                "solution": draft["solution"],
                "near_misses": [{"name": each["name"], "moves": each["moves"]} for each in misses],
                "may_differ": draft["may_differ"],
            }
        return task_from_json(data)

    def write(self) -> list[Path]:
        """Write and return the task file, its test, what its setup needs and, with marks, the template."""
        task = self.task()
        name = self.draft["name"]
        self._made.mkdir(parents=True, exist_ok=True)
        texts = {
            f"{name}.json": json.dumps(task.to_json(), indent=2, ensure_ascii=False) + "\n",
            f"test_{name.replace('-', '_')}.py": test_of(task.id, f"{name}.json"),
        }
        module = f"{name.replace('-', '_')}_template.py"
        if self.draft["marks"]:
            texts[module] = template_of(task, self.draft["marks"])
        else:
            (self._made / module).unlink(missing_ok=True)
        for file, text in texts.items():
            write_whole(self._made, file, text.encode())
        for asset in task.assets:
            write_whole(self._made, asset, (self._folder / asset).read_bytes())
        return [self._made / file for file in [*texts, *task.assets]]

    @property
    def assets(self) -> Path:
        """Where the files are that its setup needs."""
        return self._folder

    def status(self) -> dict[str, object]:
        """Return it as the page shows it, with what is still missing."""
        missing = ""
        try:
            self.task()
        except ProctorError as error:
            missing = printable(str(error))
        return {"id": self.id, **self.draft, "missing": missing}

    def _assets(self) -> dict[str, str]:
        used = {step.get("asset") for step in self.draft["setup"]}
        return {name: digest for name, digest in self.draft["assets"].items() if name in used}

    def _add_apps(self, seen: Looking) -> None:
        used = [str(window["app"]) for window in seen.left.windows] + [s.element.app for s in seen.steps if s.element]
        names = dict.fromkeys(name.lower().replace(" ", "-").removeprefix("org.xfce.") for name in used if name)
        known = [name for name in names if name in taxonomy.APPLICATIONS and name not in self.draft["apps"]]
        self.draft["apps"] = [*self.draft["apps"], *known]

    def _note(self, text: str) -> None:
        with self._lock:
            self.draft["notes"] = text.splitlines()
            self._keep()

    def _keep(self) -> None:
        self.draft["version"] += 1
        write_whole(self._folder, DRAFT, json.dumps(self.draft, indent=1).encode(), durable=True)


def _is_shaped(name: str, value: object) -> bool:
    """Tell whether a field has the form in which the page shows it; what it says is another matter."""
    if name not in SHAPES:
        return isinstance(value, int if name == "level" else str) and not isinstance(value, bool)
    if not isinstance(value, list) or not all(isinstance(each, SHAPES[name]) for each in value):
        return False
    return all(isinstance(each.get(part), kind) for each in value for part, kind in WANTED.get(name, {}).items())


def check_apps(apps: Sequence[object]) -> None:
    """Raise SpecError for an application that nobody knows."""
    unknown = [app for app in apps if app not in taxonomy.APPLICATIONS]
    if not apps or unknown:
        known = ", ".join(sorted(taxonomy.APPLICATIONS))
        raise SpecError(f"there is no application {unknown[0]!r}" if unknown else "a task needs an application",
                        remedy=f"choose among: {known}")  # fmt: skip


def services_of(setup: list[dict[str, Any]]) -> list[str]:
    """Return the services that setup steps start."""
    named = {"mail_service": "mail", "calendar_service": "calendar", "chat_service": "chat"}
    return sorted({named[step["setup"]] for step in setup if step.get("setup") in named})


def probes_of(setup: list[dict[str, Any]]) -> list[Call]:
    """Return what else to look at: the mailboxes and calendars that setup makes."""
    found: list[Call] = []
    for step in setup:
        if step.get("setup") == "mail_service":
            found.append(Call("probe", "posted_mail"))
            addresses = [each.get("address") for each in step.get("accounts", ()) if isinstance(each, dict)]
            found += [Call("probe", "mailbox", {"address": address}) for address in addresses if address]
        if str(step.get("setup", "")).startswith("calendar"):
            titles = [
                step.get("title"),
                *(each.get("title") for each in step.get("calendars", ()) if isinstance(each, dict)),
            ]
            found += [Call("probe", "calendar", {"title": title}) for title in titles if isinstance(title, str)]
    return list(dict.fromkeys(found))
