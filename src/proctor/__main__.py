"""Lets `python -m proctor` do what the `proctor` command does."""

import os
import sys

# `-m` puts the current folder before everything else, where a file named like a module of Python would be run.
if not sys.flags.safe_path and sys.path[0] in ("", os.getcwd()):  # noqa: PTH109 (pathlib would be looked for there)
    del sys.path[0]

from proctor.cli.main import main

if __name__ == "__main__":
    main()
