"""Checks proposed from what changed while a person did a task, each with before and after."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from proctor.studio.create.capture_setup import title_of
from proctor.studio.create.sight import ChangedFile, Sight, as_text
from proctor.tasks.call import Call
from proctor.tasks.shelves import expect, see

MOST_SHOWN = 2_000
NOTHING = "(nothing)"


@dataclass(frozen=True)
class Proposal:
    """One check that a person may accept, edit or leave out."""

    about: str
    """What it is about, such as a path."""
    kind: str
    """`file`, `setting`, `window`, `answer`, `mail` or `calendar`."""
    check: dict[str, object]
    why: str
    before: str
    after: str
    accepted: bool = False


def proposals(before: Sight, after: Sight, files: Sequence[ChangedFile], answer: str | None = None) -> list[Proposal]:
    """Return what may be judged, most telling first; what the task must be about is accepted."""
    found = [*_files(files), *_settings(before, after), *_services(before, after)]
    if answer is not None:
        check = expect.answer_is(see.answer(), answer).to_json()
        found.append(Proposal("the answer", "answer", check, "you answered this", NOTHING, _short(answer), not found))
    lasting = bool(found)
    found += _windows(before, after, accepted=not lasting)
    return found


def expected_of(files: Sequence[ChangedFile]) -> list[str]:
    """Return the paths that the task may change."""
    return sorted({file.path for file in files})


def _files(files: Sequence[ChangedFile]) -> Iterator[Proposal]:
    gone = {file.content_digest: file.path for file in files if file.kind == "deleted" and file.content_digest}
    for file in files:
        if file.file == "folder":
            yield from _folder(file, files)
            continue
        if file.file != "file":
            continue
        before, after = _content(file.before), _content(file.after)
        if file.kind == "deleted":
            check = expect.nothing_there(see.file(file.path))
            why = "it is not there any more"
            yield Proposal(file.path, "file", check.to_json(), why, before, NOTHING, True)
        elif file.content_digest in gone:
            check = expect.digest_is(see.digest(file.path), file.content_digest)
            why = f"it holds what {gone[file.content_digest]} held"
            yield Proposal(file.path, "file", check.to_json(), why, NOTHING, after, True)
        else:
            yield from _file_text(file, before, after)


def _file_text(file: ChangedFile, before: str, after: str) -> Iterator[Proposal]:
    path, text = file.path, as_text(file.after)
    if text is not None:
        whole = expect.text_is(see.text(path), text)
        yield Proposal(path, "file", whole.to_json(), "it says exactly this", before, after, True)
        if new := _new_lines(as_text(file.before) or "", text):
            part = expect.has_lines(see.text(path), new)
            yield Proposal(path, "file", part.to_json(), "these lines are new", before, "\n".join(new)[:MOST_SHOWN])
    elif file.after is not None:
        exists = expect.file_exists(see.file(path))
        yield Proposal(path, "file", exists.to_json(), f"it was {file.kind}", before, after, file.kind == "created")
        same = expect.digest_is(see.digest(path), file.content_digest)
        yield Proposal(path, "file", same.to_json(), "byte for byte", before, after, file.kind != "created")
    else:
        exists = expect.file_exists(see.file(path))
        yield Proposal(path, "file", exists.to_json(), "too large to look into", before, after, True)


def _folder(folder: ChangedFile, files: Sequence[ChangedFile]) -> Iterator[Proposal]:
    inside = any(file.path.startswith(f"{folder.path}/") for file in files)
    if folder.kind == "created":
        check = expect.folder_exists(see.file(folder.path))
        yield Proposal(folder.path, "file", check.to_json(), "the folder is new", NOTHING, "a folder", not inside)
    elif folder.kind == "deleted":
        check = expect.nothing_there(see.file(folder.path))
        yield Proposal(folder.path, "file", check.to_json(), "the folder is gone", "a folder", NOTHING, not inside)


def _settings(before: Sight, after: Sight) -> Iterator[Proposal]:
    for name in sorted({*before.settings, *after.settings}):
        old, new = before.settings.get(name), after.settings.get(name)
        if old == new or new is None:
            continue
        if name.startswith("dconf "):
            probe, value = see.dconf(name.removeprefix("dconf ")), _gvariant(new)
        else:
            _, channel, place = name.split(" ", 2)
            probe, value = see.xfconf(channel, place), new
        check = expect.setting_is(probe, value)
        yield Proposal(
            name, "setting", check.to_json(), "the setting changed", _short(old or NOTHING), _short(new), True
        )


def _windows(before: Sight, after: Sight, *, accepted: bool) -> Iterator[Proposal]:
    then = [str(window["title"]) for window in before.windows]
    now = [str(window["title"]) for window in after.windows]
    for window in after.windows:
        title = str(window["title"])
        if title and title not in then:
            check = expect.window_open(see.windows(), title_of(title))
            yield Proposal(title, "window", check.to_json(), "it was opened", NOTHING, _short(title), accepted)
    for title in then:
        if title and title not in now:
            check = expect.window_closed(see.windows(), title_of(title))
            yield Proposal(title, "window", check.to_json(), "it was closed", _short(title), NOTHING, accepted)


def _services(before: Sight, after: Sight) -> Iterator[Proposal]:
    for key, seen in after.services.items():
        probe, old = Call.from_json(json.loads(key)), before.services.get(key)
        if probe.name == "posted_mail":
            yield from _mail_sent(probe, old, seen)
        elif probe.name == "mailbox":
            yield from _mailbox(probe, old, seen)
        elif probe.name == "calendar":
            yield from _calendar(probe, old, seen)


def _mail_sent(probe: Call, old: object, seen: object) -> Iterator[Proposal]:
    for letter in _new(_entries(old, "letters"), _entries(seen, "letters")):
        recipients = letter.get("recipients")
        to = [str(address) for address in recipients] if isinstance(recipients, list | tuple) else []
        subject, text = str(letter.get("subject", "")), str(letter.get("own", ""))
        check = expect.mail_sent(
            probe, to=to, subject=subject, says=[line for line in text.splitlines() if line.strip()][:5]
        )
        yield Proposal(
            f"an email to {', '.join(to)}", "mail", check.to_json(), "it was sent", NOTHING, _short(text), True
        )


def _mailbox(probe: Call, old: object, seen: object) -> Iterator[Proposal]:
    then, now = _entries(old, "letters"), _entries(seen, "letters")
    about = f"{probe.arguments.get('folder', 'INBOX')} of {probe.arguments['address']}"
    for letter in _new(now, then):
        subject = str(letter.get("subject", ""))
        check = expect.no_message(probe, subject)
        yield Proposal(about, "mail", check.to_json(), "an email is gone", _short(subject), NOTHING, True)
    for letter in _new(then, now):
        subject = str(letter.get("subject", ""))
        check = expect.message_in(probe, subject)
        yield Proposal(about, "mail", check.to_json(), "a letter came", NOTHING, _short(subject), True)


def _calendar(probe: Call, old: object, seen: object) -> Iterator[Proposal]:
    then, now = _entries(old, "events"), _entries(seen, "events")
    about = f"calendar {probe.arguments['title']}"
    for event in _new(then, now):
        wanted = {name: event[name] for name in ("summary", "start", "end", "location") if event.get(name)}
        check = Call("check", "event_exists", {"of": probe, "event": wanted})
        shown = json.dumps(wanted, ensure_ascii=False)
        yield Proposal(about, "calendar", check.to_json(), "an event is new", NOTHING, shown, True)
    for event in _new(now, then):
        summary, start = str(event.get("summary", "")), str(event.get("start", ""))
        check = expect.no_event(probe, summary, start=start)
        yield Proposal(about, "calendar", check.to_json(), "an event is gone", f"{summary} {start}", NOTHING, True)


def _entries(seen: object, name: str) -> list[Mapping[str, object]]:
    found = seen.get(name) if isinstance(seen, Mapping) else None
    return [each for each in found if isinstance(each, Mapping)] if isinstance(found, list | tuple) else []


def _new(before: Sequence[Mapping[str, object]], after: Sequence[Mapping[str, object]]) -> list[Mapping[str, object]]:
    """Return what is only in the second of two lists, by what identifies a letter or an event."""

    def marks(each: Mapping[str, object]) -> str:
        names = ("subject", "from", "sender", "to", "text", "summary", "start", "end")
        return json.dumps([each.get(name) for name in names], default=str)

    known = {marks(each) for each in before}
    return [each for each in after if marks(each) not in known]


def _new_lines(before: str, after: str) -> list[str]:
    pairs = difflib.ndiff(before.splitlines(), after.splitlines())
    return [line[2:] for line in pairs if line.startswith("+ ") and line[2:].strip()]


def _gvariant(text: str) -> str | int | float | bool:
    if text in ("true", "false"):
        return text == "true"
    bare = text.rpartition(" ")[2] if text.startswith(("uint", "int", "byte")) else text
    try:
        return int(bare) if bare.lstrip("-").isdecimal() else float(bare)
    except ValueError:
        return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def _content(data: bytes | None) -> str:
    if data is None:
        return NOTHING
    text = as_text(data)
    return _short(text) if text is not None else f"{len(data)} bytes"


def _short(text: str) -> str:
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."
