"""One recorded episode, opened for looking at: its steps as they are written, and its files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from proctor.errors import RecordError
from proctor.models.transcript import plain_answer, plain_request
from proctor.models.vendors import part_reader
from proctor.records import ChangedPath, Header, RecordedVerdict, Step, read, read_each, without_defaults
from proctor.report.reasons import failure_reason, void_reason
from proctor.store.account import read_account
from proctor.store.exchanges import Exchanges
from proctor.store.lines import JsonLines, LogLine
from proctor.store.pack import LOG
from proctor.store.read import MAX_SAID, MAX_STEPS
from proctor.web.episodes import ListedEpisode
from proctor.web.files import is_plain, read_json, read_object, read_text
from proctor.web.replay.compact import compact
from proctor.web.replay.graph import graph_of

SEEN = re.compile(
    r"[0-9]{4,8}\.(?:png|marks\.png|tree\.json\.gz|clip\.webp)|video\.(?:mp4|webm)|sent-[0-9a-f]{20}\.(?:png|jpg|webp)"
)
"""The files that are handed out by name; nothing else of a folder is."""
VIDEOS = ("video.mp4", "video.webm")


class ReplayedEpisode:
    """What a browser may know of one episode."""

    def __init__(self, entry: ListedEpisode) -> None:
        self.entry = entry
        self._log = JsonLines(entry.folder / "steps.jsonl", MAX_STEPS)
        self._lines: list[LogLine] = []
        self._steps: list[dict[str, Any]] = []
        self._began = 0.0
        self._exchanges = Exchanges(entry.folder)

    @property
    def over(self) -> bool:
        """Whether its record is whole; until then it may grow."""
        return (self.entry.folder / "sums.json").exists()

    def index(self) -> dict[str, object]:
        """Return everything but the steps, in the size of a page."""
        problems = []
        account = read_account(self.entry.folder)
        found = read_object(self.entry.folder / "episode.json")
        header = read(Header, found)
        result = read_object(self.entry.folder / "result.json")
        if found is None:
            problems.append("episode.json cannot be read")
        if result is None and self.over:
            problems.append("result.json cannot be read")
        return {
            "key": {name: getattr(self.entry.key, name) for name in self.entry.key.__dataclass_fields__},
            "retry": self.entry.retry,
            "header": without_defaults(header) if found else {},
            "result": self._result(result),
            "outcome": self.entry.result.outcome if self.entry.result else None,
            "assisted": self._help_words,
            "people": {name: str(account[name]) for name in ("person", "goal", "description") if account.get(name)},
            "why": self._why(self._result(result)),
            "version": self._version(),
            "over": self.over,
            "graph": graph_of(self.entry.folder, header.task.digest if header.task else ""),
            "video": next(filter(self.file, VIDEOS), None),
            "model": is_plain(self.entry.folder / LOG),
            "said": is_plain(self.entry.folder / "agent.txt"),
            "problems": [*problems, *self._log.problems],
        }

    def steps(self, after: int = 0) -> list[dict[str, object]]:
        """Return the steps in short, from a number on."""
        with self._log.lock:
            for line in self._log.more():
                step = read(Step, line.data)
                if not self._began and step.at is not None:
                    self._began = step.at
                self._steps.append(compact(step, len(self._steps), self._began))
                # Long texts are read again when somebody looks at them.
                self._lines.append(LogLine(line.number, line.start, line.length, {}))
            return self._steps[after:]

    def step(self, number: int) -> dict[str, object] | None:
        """Return one step whole, if there is one of this number."""
        self.steps(number)
        if not 0 <= number < len(self._lines):
            return None
        return without_defaults(read(Step, self._log.again(self._lines[number])))

    def call(self, number: int, *, raw: bool = False) -> object:
        """Return what a model was sent and answered, if anything; `raw` is the body over the wire."""
        with self._log.lock:
            try:
                found = next((one for one in self._exchanges.more() if one.number == number), None)
                if found is None:
                    return None
                request = found.request(str)
                reader = part_reader(found.model)
                return request if raw else {
                    "number": found.number, "turn": found.turn, "model": found.model, "path": found.path,
                    "error": found.error, "messages": plain_request(request, reader),
                    "answer": plain_answer(found.answer(str), reader),
                }  # fmt: skip
            except RecordError:
                return None

    def verdict(self) -> dict[str, Any] | None:
        """Return what the judge found; None when that is absent or damaged."""
        found = read_object(self.entry.folder / "verdict.json")
        return found and without_defaults(read(RecordedVerdict, found))

    def changes(self) -> list[object] | None:
        """Return which paths changed; None when that is absent or damaged."""
        found = read_json(self.entry.folder / "changes.json")
        return [without_defaults(each) for each in read_each(ChangedPath, found)] if isinstance(found, list) else None

    def output(self) -> str | None:
        """Return what the agent printed, and the traceback of its crash; None where there is neither."""
        return read_text(self.entry.folder / "agent.txt", MAX_SAID)

    def file(self, name: str) -> Path | None:
        """Return a file that a step may name, if it is there and a plain file of this episode."""
        if not SEEN.fullmatch(name):
            return None
        path = self.entry.folder / name
        return path if is_plain(path) else None

    def _result(self, recorded: dict[str, object] | None) -> dict[str, object] | None:
        """Return what came of it by its record, else its run, which alone knows that nobody could look."""
        listed = self.entry.result.to_json() if self.entry.result else {}
        unknown = {name: listed[name] for name in ("collateral_unknown",) if name in listed}
        return {**recorded, **unknown} if recorded else listed or None

    def _why(self, result: dict[str, object] | None) -> str:
        """Return in one line why it failed or is void; nothing where it passed or goes on."""
        if result is None or (self.entry.result and self.entry.result.outcome == "unjudged"):
            return ""
        score, (stop, cause, error) = (
            result.get("score"),
            (str(result.get(x) or "") for x in ("stop", "cause", "error")),
        )
        if not isinstance(score, int | float):
            return void_reason(cause, error)
        if score >= 1.0:
            return ""
        return failure_reason(stop or "done", error, (self.verdict() or {}).get("feedback", ()))

    @property
    def _help_words(self) -> str:
        """Say that a person acted in the agent's place, and for how long; empty where nobody did."""
        result = self.entry.result
        return f"A person took {result.human_seconds:.0f} s" if result and result.assisted else ""

    def _version(self) -> str:
        """Return a word that changes when the folder is filled again, so browsers may keep pictures."""
        try:
            return f"{(self.entry.folder / 'episode.json').stat().st_mtime_ns:x}"
        except OSError:
            return "0"
