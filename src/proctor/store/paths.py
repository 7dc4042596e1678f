"""Where things lie in the record of a run.

```
RUN/
├── run.json                    format, plan, configuration, versions, host facts; written once when the run begins
├── tasks/<digest>.json         every task as it was used, answer key included, so that it can be judged again
├── index.jsonl                 one Result per line, each chained to the previous one by a hash, the first to run.json;
│                               once a line is durable, so is its episode
├── index.torn-<n>              what a power loss left of a last line
├── seal.json                   written when all is done: the number of lines, the hash of the last, the tasks
├── lock                        who is writing, while a process is
├── report/                     written by `proctor report`
├── reviews/<name>.jsonl        people's reviews of episodes in the studio; next to the record, not part of its chain
├── admission.jsonl             how many episodes ran side by side, since when and why; not part of its chain either
├── versions.jsonl              every version that people made of episodes in the studio; not part of its chain either
├── episodes/.../<retry>.broken-<n>/    an interrupted try, set aside when it was repeated
└── episodes/<agent>/<task>/<seed>-<sample>-<paraphrase>/<retry>/
    ├── episode.json            key, brief, agent's configuration, facts of the computer; written before the first step.
    │                           `acted`: when the first action began; `trouble`: failures of the computer after it,
    │                           whose fault each was and what shows it
    ├── steps.jsonl             one action per line, as it happens, and a last line for what was seen at the end
    ├── 0000.png 0001.png ...   screenshots; one that did not change is not written twice
    ├── 0000.tree.json.gz ...   accessibility trees, if the agent wanted them
    ├── 0000.marks.png ...      marked screenshots, if it wanted them, and 0000.marks.json.gz: the numbers and boxes
    ├── 0000.clip.webp ...      clips of the last seconds before, if it wanted them
    ├── model.jsonl             exactly what its models were sent and answered, each part once; see exchanges.py
    ├── tool-<hash>.png ...     pictures in answers of tools outside the computer
    ├── sent-<hash>.png ...     pictures that were sent in another size or format than they are stored in
    ├── video.mp4               with --video, and video.mp4.frames.jsonl: when each frame was shown
    ├── agent.txt               what the agent printed, and the traceback of its crash, if any
    ├── verdict.json            score, feedback, findings and the evidence of every probe
    ├── changes.json            every path that changed, and which of them are collateral
    ├── result.json             the Result
    └── sums.json               size and SHA-256 of each file above; written last, so an episode with it is complete
```

docs/reference/record.md says what each file holds; it is made from the types in `proctor.records`.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from proctor.errors import RecordError
from proctor.records import EpisodeKey
from proctor.store.inner_folders import below, made_below

FORMAT = 1
"""Version of the record; one that is not understood is refused."""
LIVE = "live.json"
"""How to watch an episode while it goes on; no part of its record."""

_RETRY = re.compile(r"\d{1,6}", re.ASCII)
_BROKEN = re.compile(r"\d{1,6}\.broken-\d{1,6}", re.ASCII)
_FOLDER = re.compile(r"episodes(/[A-Za-z0-9._=,-]{1,100}){4}", re.ASCII)
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)
_DEPTH = 5


class RunPaths:
    """The files of one run."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.run = root / "run.json"
        """What the run is."""
        self.index = root / "index.jsonl"
        """One result a line."""
        self.seal = root / "seal.json"
        """The end of the chain."""
        self.lock = root / "lock"
        """Who is writing."""
        self.episodes, self.tasks = root / "episodes", root / "tasks"

    def task(self, digest: str) -> Path:
        """Return the file of a task as it was set; raises RecordError for what is not a digest."""
        if not _DIGEST.fullmatch(digest):
            raise RecordError(f"{digest[:80]!r} is not the digest of a task", remedy="see `proctor runs verify`")
        return below(self.root, self.tasks.name) / f"{digest}.json"

    def make_tasks(self) -> Path:
        """Return the folder of all tasks, made where it was missing."""
        return made_below(self.root, self.tasks.name)

    def episode(self, key: EpisodeKey, retry: int = 0) -> Path:
        """Return the folder of one try at an episode."""
        case = f"{key.seed}-{key.sample}-{key.paraphrase}"
        return self.episodes / folder_name(key.agent) / folder_name(key.task) / case / str(retry)

    def at(self, folder: str) -> Path:
        """Return the folder of an episode that a record names; RecordError outside the run or by a link."""
        self.unchecked_path(folder)
        return below(self.root, *folder.split("/"))

    def unchecked_path(self, folder: str) -> Path:
        """Return the same without looking at the disk, where links might lead elsewhere."""
        if not _FOLDER.fullmatch(folder) or {".", ".."} & set(folder.split("/")):
            remedy = "the record was changed; see `proctor runs verify`"
            raise RecordError(f"{self.root}: {folder[:200]!r} is not a folder of an episode", remedy=remedy)
        return self.root / folder


def place_in_run(folder: Path) -> str:
    """Return the folder of an episode relative to its run."""
    return "/".join(folder.absolute().parts[-_DEPTH:])


def run_of(folder: Path) -> Path:
    """Return the run that the folder of an episode lies in."""
    return folder.absolute().parents[_DEPTH - 1]


def is_try(name: str) -> bool:
    """Tell whether a folder of this name is a try at an episode."""
    return _RETRY.fullmatch(name) is not None


def is_kept_aside(name: str) -> bool:
    """Tell whether a folder of this name is an interrupted try that was made again."""
    return _BROKEN.fullmatch(name) is not None


def folder_name(text: str) -> str:
    """Return a name that every file system takes, readable and different for different texts."""
    plain = re.sub(r"[^A-Za-z0-9._=,-]+", "_", text).strip("._")[:80]
    # An agent may have any label, half a character among them.
    told = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return plain if plain == text else f"{plain or 'x'}-{told}"
