"""Setup steps that make git repositories."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from proctor.tasks.model import PlainModel
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP


class Commit(PlainModel):
    """One commit: what it says, and the files it writes; None deletes one."""

    message: str
    files: dict[str, str | None] = {}
    branch: str = ""
    """The branch it goes to, begun at the commit before; empty for the branch of that one."""


@SETUP.register
def repository(
    context: SetupContext,
    path: str,
    commits: Annotated[list[Commit], Field(min_length=1)],
    branch: str = "main",
    author: str = "Robin Keller",
    stay_on: str = "",
) -> None:
    """Create a git repository with a history; it is clean, on its last branch or on `stay_on`.

    The author is set as the user's own name, so that the agent can commit without being asked for one.
    """
    mail = f"{author.split()[0].lower()}@example.org"
    for name, value in (("user.name", author), ("user.email", mail), ("init.defaultBranch", branch)):
        context.command(["git", "config", "--global", name, value])
    context.command(["git", "init", "--quiet", "--initial-branch", branch, "--", path])
    for number, commit in enumerate(commits):
        if commit.branch:
            _switch(context, path, commit.branch)
        for name, text in commit.files.items():
            if text is None:
                context.computer.remove_file(f"{path}/{name}")
            else:
                context.computer.write_file(f"{path}/{name}", text.encode())
        context.command(["git", "-C", path, "add", "--all"])
        # Fixed times make fixed names of commits.
        when = f"2026-03-{2 + number // 8:02d}T{9 + number % 8:02d}:00:00+0000"
        stamp = ["env", f"GIT_AUTHOR_DATE={when}", f"GIT_COMMITTER_DATE={when}"]
        context.command([*stamp, "git", "-C", path, "commit", "--quiet", "--allow-empty", "--message", commit.message])
    if stay_on:
        context.command(["git", "-C", path, "switch", "--quiet", stay_on])


def _switch(context: SetupContext, path: str, branch: str) -> None:
    known = context.computer.run(["git", "-C", path, "rev-parse", "--verify", "--quiet", f"refs/heads/{branch}"])
    new = [] if known.code == 0 else ["--create"]
    context.command(["git", "-C", path, "switch", "--quiet", *new, branch])
