"""OSWorld's and OS-MAP's tasks, read and put into our words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from proctor.errors import SpecError
from proctor.suites.foreign.assets import Assets
from proctor.suites.foreign.code_editor import APPS, mentions_code
from proctor.suites.foreign.collection import MISFITS, ForeignTask, misfit, slug, told_by
from proctor.suites.foreign.counterparts import counterparts_of
from proctor.suites.foreign.faults import Faults, Reason
from proctor.suites.foreign.json_file import ForeignFile
from proctor.suites.foreign.names import words
from proctor.suites.foreign.osworld_form import ForeignStep, OSWorldForm, read_osworld, results_of
from proctor.suites.foreign.osworld_looks import FILMS
from proctor.suites.foreign.osworld_metrics import checks_of
from proctor.suites.foreign.osworld_needs import needs_of
from proctor.suites.foreign.osworld_setup import setup_calls
from proctor.suites.foreign.programs import applications, machine_for
from proctor.suites.foreign.sites import PAGE_GETTERS, copies, prints_of
from proctor.suites.foreign.translation import NotJudgedYet, Translation, step
from proctor.tasks.call import Call
from proctor.tasks.task import Limits, Source, Tags, Task

STEPS = {1: 15, 2: 15, 3: 20, 4: 40}
"""How many steps OS-MAP gives an agent, by level."""
WRITTEN = words(
    "bookmarks history cookie_data find_unpacked_extension_path find_installed_extension_name enabled_experiments "
    "default_search_engine enable_do_not_track enable_enhanced_safety_browsing enable_safe_browsing profile_name "
    "chrome_font_size new_startup_page data_delete_automacally"
)
"""Getters that read what the browser has written down, seconds after it was set."""
SHOWN = PAGE_GETTERS | {"vm_command_line", "accessibility_tree", "vm_window_size", "chrome_appearance_mode_ui"}
"""Getters for which it must still be running."""
USUAL_STEPS = 50
SECONDS = 1800
_LEVEL = re.compile(r"l([1-5])(?:_|$)")


def read_task(file: ForeignFile, domain: str, assets: Assets, *, format: str = "osworld") -> ForeignTask:
    """Return what a file holds: a task that can be run, or all that stands in its way."""
    known = ForeignTask(format, file, domain=domain, remarks=file.remarks)
    if file.fault:
        return replace(known, reasons=(Reason("malformed", file.fault, str(file.path)),))
    faults = Faults(file)
    form = read_osworld(file.data, faults)
    if form is None:
        return replace(known, reasons=tuple(faults.found))
    known = ForeignTask(format, file, form.id, domain, form.instruction, remarks=(*file.remarks, *faults.remarks))
    if faults.found:
        return replace(known, reasons=tuple(faults.found))
    into = Translation(assets, owner=form.id)
    reasons = [
        *_told_needs(form, file, assets),
        *told_by(lambda: [*copies(form, into)], ("config",), "setup", file),
        *(reason for each in form.steps for reason in _told_step(each, into, file, finish=False)),
        *(reason for each in form.after for reason in _told_step(each, into, file, finish=True)),
        *told_by(lambda: checks_of(form, into), ("evaluator", "func"), "check", file),
    ]
    reasons = [*dict.fromkeys((*reasons, *into.missing))]
    missing = {url: name for url, name in into.wanted.items() if url in into.absent}
    make = None if reasons else partial(make_task, form, file, domain, assets, format)
    return replace(known, reasons=tuple(reasons), missing=missing, tags=tags_of(form, domain, format), make=make)


def _told_needs(form: OSWorldForm, file: ForeignFile, assets: Assets) -> Iterator[Reason]:
    try:
        yield from dict.fromkeys(needs_of(form, assets))
    except MISFITS as error:
        yield misfit(error, ("evaluator",), file)


def _told_step(each: ForeignStep, into: Translation, file: ForeignFile, *, finish: bool) -> Iterator[Reason]:
    return told_by(lambda: setup_calls((each,), into, finish=finish), each.path, "setup", file)


def make_task(form: OSWorldForm, file: ForeignFile, domain: str, assets: Assets, format: str) -> Task:
    """Return a task in our words; raises SpecError where an expected file cannot be read."""
    into = Translation(assets, owner=form.id, fill=True)
    try:
        assumed = (step("other_names"), *assumed_calls(form), *copies(form, into))
        setup = (*assumed, *setup_calls(form.steps, into))
        finish = (*setup_calls(form.after, into, finish=True), *last_calls(form))
        check, theirs = checks_of(form, into), checks_of(form, replace(into, faithful=True))
        counterparts = counterparts_of(form.comparisons, into)
    except NotJudgedYet as error:
        raise SpecError(f"{file.path}: {error} has no counterpart here yet") from error
    level = level_of(form)
    apps = applications(form.apps)
    return Task(
        id=f"{format}/{slug(f'{domain}-{form.id}')}-v1",
        instruction=form.instruction,
        setup=setup,
        finish=finish,
        check=check,
        expected=(*results_of(form), "**"),
        tags=tags_of(form, domain, format),
        limits=Limits(steps=STEPS.get(level, USUAL_STEPS), seconds=SECONDS),
        # The browser is asked over a port of the computer itself.
        machine=machine_for(apps, network="loopback"),
        assets=into.used,
        counterparts=counterparts,
        original=None if theirs == check else theirs,
        source=Source(format=format, file=f"{domain}/{file.path.name}", digest=file.digest),
    )


def assumed_calls(form: OSWorldForm) -> list[Call]:
    """Return steps for what is assumed: `code`, settings, another film player."""
    commands = [each.parameters.get("command") for each in (*form.steps, *form.after)]
    commands += [side.get("command") for each in form.comparisons for side in (each.result, each.expected)]
    about = any(app.strip().lower() in APPS for app in form.apps) or any(map(mentions_code, commands))
    gnome = any(re.search(r"org\.gnome\.(shell|settings-daemon)", str(command)) for command in commands)
    # On Ubuntu, films are opened with a player that is not VLC.
    player = any(each.result.get("type") == "default_video_player" for each in form.comparisons)
    other_player = step("command", argv=["/bin/sh", "-c", f"xdg-mime default chromium.desktop {FILMS}"])
    # A course that is prescribed has no answer to a question.
    course = any(each.metric == "check_step_actions" for each in form.comparisons)
    office = any(app.startswith("libreoffice") for app in applications(form.apps))
    assumed = {"code_command": about, "gnome_settings": gnome, "keep_every_format": course and office}
    return [*(step(name) for name, needed in assumed.items() if needed), *([other_player] if player else [])]


def last_calls(form: OSWorldForm) -> list[Call]:
    """Return steps that print pages, and close the browser where only its files are asked for."""
    printed = [step("print_page", url=url) for url in prints_of(form)]
    asked = {side.get("type") for each in form.comparisons for side in (each.result, each.expected)}
    return [*printed, *([step("quit_browser", browser="chromium")] if asked & WRITTEN and not asked & SHOWN else [])]


def tags_of(form: OSWorldForm, domain: str, format: str) -> Tags:
    """Return how a task is classified, in the words of its own system."""
    return Tags(
        apps=applications(form.apps),
        level=level_of(form) or 2,
        domain=domain,
        scenario="",
        demand="",
        feasible=not form.infeasible,
        demand_tree=format,
    )


def level_of(form: OSWorldForm) -> int:
    """Return OS-MAP's level of a task, 0 where it has none."""
    found = _LEVEL.match(form.id) or _LEVEL.match(str(form.rest.get("level", "")))
    return int(found[1]) if found else 0
