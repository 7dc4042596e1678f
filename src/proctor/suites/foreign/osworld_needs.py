"""What an OSWorld task needs that is not in a file: the internet, an account, an application."""

from __future__ import annotations

import re
from collections.abc import Iterator

from proctor.suites.foreign.assets import Assets, host_of
from proctor.suites.foreign.code_editor import needs_marketplace, needs_of_code
from proctor.suites.foreign.faults import Data, Reason
from proctor.suites.foreign.gestures import program_of
from proctor.suites.foreign.names import ACCOUNTS, LIVE_GETTERS, SERVERS
from proctor.suites.foreign.osworld_course import needs_of_course
from proctor.suites.foreign.osworld_form import ForeignStep, OSWorldForm
from proctor.suites.foreign.osworld_looks import asks_clipboard
from proctor.suites.foreign.osworld_setup import plain_line
from proctor.suites.foreign.programs import (
    absent_programs,
    fetches,
    missing_application,
    missing_program,
    wanted_packages,
)
from proctor.suites.foreign.sites import PAGE_GETTERS, has_copy, is_local, is_plain, pages_of, stands_alone
from proctor.suites.foreign.translation import fill_in

_ROOTS = re.compile(r"\bdpkg\s+-[ls]\b|\[ -[def] ['\"]?/(?!home/|tmp/)[\w.-]+['\"]? \]")
"""What only the administrator can have changed: which packages there are, what lies at the top of all folders."""
_LOGIN = re.compile(r"\b(?:chsh|loginctl)\b")
"""What changes somebody's login, or ends it: here, nobody logs in."""
_SNAP = re.compile(r"(?:~|\$HOME|/home/user)/snap/([\w-]+)")
"""Where programs that snap has installed keep their files."""
_PORT = re.compile(r"^https?://(?:localhost|127\.0\.0\.1):(\d+)")


def needs_of(form: OSWorldForm, assets: Assets) -> Iterator[Reason]:
    """Yield what a task needs besides its files."""
    pages = pages_of(form)
    near = [url for url in pages if is_local(url) or is_plain(url) or has_copy(url, assets)]
    live = [url for url in pages if not (url in near or stands_alone(url, form))]
    if form.proxy and (live or not pages):
        yield Reason("needs internet", "it goes to live sites through a proxy")
    for step in (*form.steps, *form.after):
        yield from _needs_of_step(step)
    for url in live:
        yield Reason("needs internet", f"it opens pages of {_host(url)}")
    commands = [str(step.parameters.get("command", "")) for step in form.steps]
    for port in dict.fromkeys(port for url in pages if (port := _port(url))):
        if not any(port in command for command in commands):
            yield Reason("needs application", f"what answers on the port {port} of the computer")
    for comparison in form.comparisons:
        rules = comparison.expected.get("rules")
        stream = rules.get("url") if comparison.metric == "is_vlc_playing" and isinstance(rules, dict) else None
        if isinstance(stream, str) and not is_local(stream):
            yield Reason("needs internet", f"a player is to play what {_host(stream)} sends")
        for getter in (comparison.result, comparison.expected):
            yield from _needs_of_getter(getter, bool(near), str(comparison.expected))
    yield from _needs_of_editor(form)
    yield from needs_of_course(form)
    for app in form.apps:
        if missing := missing_application(app):
            yield Reason("needs application", missing)


def _needs_of_editor(form: OSWorldForm) -> Iterator[Reason]:
    commands = [step.parameters.get("command") for step in form.steps]
    yield from needs_of_code(commands, [comparison.result for comparison in form.comparisons])
    for comparison in form.comparisons:
        rules = comparison.expected.get("rules")
        lists = "--list-extensions" in str(comparison.result.get("command", ""))
        wanted = rules.get("expected") if isinstance(rules, dict) and rules.get("type") == "contain" else None
        if comparison.metric == "is_extension_installed" and lists and wanted:
            yield from needs_marketplace(str(wanted), [step.parameters.get("files") for step in form.steps])


def _needs_of_step(step: ForeignStep) -> Iterator[Reason]:
    if step.kind in ACCOUNTS:
        yield Reason("needs account", f"{ACCOUNTS[step.kind]}, for the step {step.kind!r}")
    if step.kind in SERVERS:
        yield Reason("needs application", f"{SERVERS[step.kind]}, for the step {step.kind!r}")
    command = step.parameters.get("command")
    if missing := missing_program(command):
        yield Reason("needs application", missing)
    line = fill_in(command if isinstance(command, str) else " ".join(map(str, command or ())))
    if packages := wanted_packages(line):
        yield Reason("needs internet", f"it installs {', '.join(packages)}")
    if fetches(line):
        yield Reason("needs internet", "a step asks a server somewhere else")
    if _LOGIN.search(line):
        yield Reason("needs application", "a login of Ubuntu's desktop, which its setup changes")
    yield from _absent(command)


def _needs_of_getter(getter: Data, local: bool, expected: str) -> Iterator[Reason]:
    kind = getter.get("type", "")
    if kind in ACCOUNTS:
        yield Reason("needs account", f"{ACCOUNTS[kind]}, for what {kind!r} tells")
    if kind in SERVERS:
        yield Reason("needs application", f"{SERVERS[kind]}, for what {kind!r} tells")
    if kind in LIVE_GETTERS and not is_local(str(getter.get("url") or getter.get("path") or "https://")):
        yield Reason("needs internet", f"{kind!r} asks {_host(str(getter.get('url') or getter.get('path') or ''))}")
    if kind in PAGE_GETTERS and not local and "file:" not in expected and "chrome://" not in expected:
        yield Reason("needs internet", f"{kind!r} tells what a live page shows")
    if missing := missing_program(getter.get("command")):
        yield Reason("needs application", missing)
    command = getter.get("command")
    for name in dict.fromkeys(_SNAP.findall(f"{command or ''} {getter.get('path') or ''}")):
        yield Reason("needs application", f"the snap {name}")
    if command and not asks_clipboard(command):
        yield from _absent(command)
    if command and _ROOTS.search(command if isinstance(command, str) else " ".join(map(str, command))):
        yield Reason("needs application", "the administrator's rights (sudo), which agents do not have here")


def _absent(command: object) -> Iterator[Reason]:
    """Yield the programs that a command cannot do without and that are not there."""
    if isinstance(command, str | list) and program_of(command) is None:
        for name in absent_programs(plain_line(command)):
            yield Reason("needs application", f"the program {name}")


def _port(url: str) -> str:
    found = _PORT.match(url.strip())
    return found[1] if found else ""


def _host(url: str) -> str:
    return host_of(url) or "a live site"
