"""Where things lie in the record of a run.

```
RUN/
├── run.json                    format, plan, configuration, versions, host facts; written once when the run begins
├── tasks/<digest>.json        every task as it was set, answer key included, so that it can be judged again
├── index.jsonl                 one Result a line, each chained to the one before by a hash; a line is durable
├── seal.json                   written when all is done: how many lines, and the hash of the last
├── report/                     what `proctor report` made
└── episodes/<agent>/<task>/<seed>-<sample>-<paraphrase>/<retry>/
    ├── episode.json            key, brief, agent's configuration, facts of the computer; written before the first step
    ├── steps.jsonl             one action a line, as it happens, and a last line for what was seen at the end
    ├── 0000.png 0001.png ...   what was on the screen; a picture that did not change is not written twice
    ├── 0000.tree.json.gz ...   accessibility trees, where the agent wanted them
    ├── 0000.marks.png ...      marked screenshots, where it wanted them
    ├── video.webm              where the run was asked for video
    ├── verdict.json            score, feedback, findings and the evidence of every probe
    ├── changes.json            every path that changed, and which of them are collateral
    ├── result.json             the Result
    └── sums.json               the SHA-256 of each file above; written last, so an episode that has it is whole
```

One line of `steps.jsonl`:

```
{"step": 3, "turn": 2, "at": 1760000000.1,           number of the action, of the turn, seconds since the epoch
 "saw": {"screenshot": "0003.png", "tree": ..., "marks": ..., "terminal": ..., "degraded": [...],
         "told": [{"kind": "reply", "text": "..."}]},   what the agent was shown; only on the first line of a turn
 "reply": "...", "thought": "...", "problem": "...",    what it answered; only on the first line of a turn
 "calls": [ModelCall...],
 "action": {"type": "click", "x": 10, "y": 20, "given": {...}},    null for a turn without any
 "element": {"role": ..., "name": ..., "text": ..., "box": [x, y, w, h], "app": ..., "window": ...},  what it hit
 "settled": true, "verified": null, "output": "...", "refused": "...",
 "seconds": {"agent": 1.2, "act": 0.1, "see": 0.02}}
{"step": 9, "end": true, "at": ..., "saw": {"screenshot": "0009.png"}}
```
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from proctor.records import EpisodeKey


@dataclass(frozen=True)
class RunPaths:
    """The files of one run."""

    root: Path

    @property
    def run(self) -> Path:
        """What the run is."""
        return self.root / "run.json"

    @property
    def index(self) -> Path:
        """One result a line."""
        return self.root / "index.jsonl"

    @property
    def seal(self) -> Path:
        """The end of the chain."""
        return self.root / "seal.json"

    @property
    def episodes(self) -> Path:
        """The folder of all episodes."""
        return self.root / "episodes"

    def task(self, digest: str) -> Path:
        """Return the file of a task as it was set."""
        return self.root / "tasks" / f"{digest}.json"

    def episode(self, key: EpisodeKey, retry: int = 0) -> Path:
        """Return the folder of one try at an episode."""
        case = f"{key.seed}-{key.sample}-{key.paraphrase}"
        return self.episodes / folder_name(key.agent) / folder_name(key.task) / case / str(retry)


def folder_name(text: str) -> str:
    """Return a name that every file system takes, readable and different for different texts."""
    plain = re.sub(r"[^A-Za-z0-9._=,-]+", "_", text).strip("._")[:80]
    return plain if plain == text else f"{plain or 'x'}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"
