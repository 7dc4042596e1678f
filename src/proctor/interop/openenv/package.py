"""An OpenEnv package of a suite, as `openenv validate`, `build` and `push` take it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from proctor.errors import SpecError
from proctor.interop.catalogue import Catalogue
from proctor.suites.suite import Suite
from proctor.version import VERSION

PORT = 8000
EPISODE_SEC = 3600
"""The longest that OpenEnv's policy lets an episode take."""
MEGABYTES_A_COMPUTER = 1500
IMAGE_MEGABYTES = 6000


def write_package(folder: Path, suite: Suite, served: Mapping[str, object]) -> list[Path]:
    """Write a package into a new or empty folder, whose name it takes, and return its files.

    `served` has the fields of `proctor.cli.serve.Served`.
    """
    name = re.sub(r"[^a-z0-9]+", "_", folder.name.lower()).strip("_")
    if not name or name[0].isdigit():
        raise SpecError(f"{folder.name!r} cannot be the name of a package", remedy="begin it with a letter")
    if folder.exists() and any(folder.iterdir()):
        raise SpecError(f"{folder} is not empty", remedy="name a new folder")
    files = _files(name, suite, served)
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    if suite.assets:
        # Tasks of one's own go along, under the same name: it is part of their ids.
        shutil.copytree(suite.assets, folder / suite.assets.resolve().name)
    return [folder / path for path in files]


def _files(name: str, suite: Suite, served: Mapping[str, object]) -> dict[str, str]:
    title = f"Proctor's suite {suite.name}"
    return {
        "openenv.yaml": _manifest(name, suite, served),
        "README.md": _README.format(title=title, summary=suite.summary, name=name, port=PORT),
        "pyproject.toml": _PYPROJECT.format(name=name, title=title, version=VERSION),
        "__init__.py": f'"""{title} for OpenEnv."""\n',
        "models.py": _MODELS,
        "client.py": _CLIENT,
        "server/__init__.py": '"""The server."""\n',
        "server/app.py": _APP.format(title=title, served=_literal(suite, served), port=PORT),
        "server/Dockerfile": _DOCKERFILE.format(port=PORT),
    }


def _manifest(name: str, suite: Suite, served: Mapping[str, Any]) -> str:
    """Return `openenv.yaml`; JSON is YAML, and quotes every text the same way."""
    catalogue = Catalogue(suite, train_seeds=served["train_seeds"])
    sessions = served["sessions"]
    # What a composed task has given on the way is taken back from an agent that gives up.
    lowest = -1.0 if any(task.graph for task in suite.tasks()) else 0.0
    data = {
        "spec_version": 1,
        "name": name,
        "version": VERSION,
        "type": "space",
        "runtime": "fastapi",
        "app": "server.app:app",
        "port": PORT,
        "validation": {
            "reward": {"range": [lowest, 1.0], "oracle_tolerance": 0.0, "floor_margin": 0.5},
            "resources": {
                "cpu": max(1.0, sessions / 2),
                "memory_mb": MEGABYTES_A_COMPUTER * sessions,
                "disk_mb": IMAGE_MEGABYTES,
                "episode_timeout_s": EPISODE_SEC,
            },
            "capabilities": {
                "verifier": {"kind": "reward_channel"},
                "task_api": True,
                "declared_task_count": {split: catalogue.count(split) for split in catalogue.splits()},
            },
            "task_distribution": {"dataset_version": f"{suite.name}-{suite.version}"},
            "types": {"tags": ["computer-use", "desktop"]},
        },
    }
    return "".join(f"{key}: {json.dumps(value, indent=2)}\n" for key, value in data.items())


def _literal(suite: Suite, served: Mapping[str, object]) -> str:
    written = {key: repr(value) for key, value in served.items()}
    if suite.assets:
        written["suite"] = f"str(Path(__file__).resolve().parent.parent / {suite.assets.resolve().name!r})"
    return "".join(f"    {key}={value},\n" for key, value in written.items())


_APP = '''"""The server of {title}; what is served is said here."""

import os
from pathlib import Path

from proctor.cli.serve import Served, openenv_app, run

SERVED = Served(
{served})
HOST = os.environ.get("HOST", "0.0.0.0")
PORT = int(os.environ.get("PORT", "{port}"))
# Other names by which it is called, such as that of a proxy, or localhost:PORT where a container's port is mapped.
ALLOWED = os.environ.get("ALLOWED_HOSTS", os.environ.get("SPACE_HOST", "")).split()

app = openenv_app(SERVED, host=HOST, allowed=ALLOWED)


def main() -> None:
    """Serve, with pings that outlast a slow model and without compressing pictures twice."""
    run(SERVED, host=HOST, port=PORT, allowed=ALLOWED)


if __name__ == "__main__":
    main()
'''

_MODELS = '''"""What goes over the wire."""

from proctor.interop.openenv.models import DesktopAction, DesktopObservation, DesktopState

__all__ = ["DesktopAction", "DesktopObservation", "DesktopState"]
'''

_CLIENT = '''"""A typed client; `GenericEnvClient` of OpenEnv needs none."""

from proctor.interop.openenv.client import DesktopEnv

__all__ = ["DesktopEnv"]
'''

_PYPROJECT = """[build-system]
requires = ["setuptools>=61"]
build-backend = "setuptools.build_meta"

[project]
name = "openenv-{name}"
version = "{version}"
description = "{title} for OpenEnv"
requires-python = ">=3.11"
dependencies = ["openenv>=0.10", "proctor[openenv]"]

[project.scripts]
server = "{name}.server.app:main"

[tool.setuptools]
packages = ["{name}", "{name}.server"]
package-dir = {{ "{name}" = ".", "{name}.server" = "server" }}
"""

_DOCKERFILE = """\
# The desktops inside are sandboxes of their own, so the container must be allowed user and mount namespaces:
# --privileged, or --security-opt seccomp=unconfined --security-opt apparmor=unconfined.
FROM python:3.11-slim-bookworm
RUN apt-get update \\
    && apt-get install --yes --no-install-recommends mmdebstrap uidmap debian-archive-keyring curl \\
    && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY . /app
RUN pip install --no-cache-dir "openenv>=0.10" "proctor[openenv]"
ENV PYTHONPATH=/app HOST=0.0.0.0 PORT={port}
EXPOSE {port}
HEALTHCHECK --interval=30s --timeout=3s --start-period=60s CMD curl --fail http://localhost:{port}/health || exit 1
# The image of the desktops is built at the first start and kept in the data folder; mount a volume there.
CMD ["sh", "-c", "proctor images build starter --update && python -m server.app"]
"""

_README = """# {title}

{summary}

```sh
python -m server.app                          # serves on port {port}
openenv validate --url http://127.0.0.1:{port}
```

It answers to local names, to the address that it is reached at, and to the names in `ALLOWED_HOSTS`, separated by
spaces: what clients call it by behind a proxy, or `localhost:PORT` where a container's port is mapped to another.

```python
from {name}.client import DesktopEnv
from {name}.models import DesktopAction

with DesktopEnv(base_url="http://127.0.0.1:{port}").sync() as env:
    seen = env.reset(split="test", index=0)
    seen = env.step(DesktopAction(type="click", x=200, y=100))
    seen = env.step(DesktopAction(type="done"))
    print(seen.reward)
```
"""
