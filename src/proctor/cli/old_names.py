"""Names that commands and options had before, still understood; a hint names the new ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

COMMANDS: Mapping[str, str] = {
    "compose": "tasks compose",
    "convert": "tasks import",
    "demo": "computers demo",
    "desktop": "computers open",
    "diff": "runs diff",
    "examine": "serve exam",
    "export": "data export",
    "fork": "runs fork",
    "image": "images",
    "import": "data import",
    "mcp": "serve mcp",
    "prove": "tasks prove",
    "regrade": "runs regrade",
    "resume": "runs resume",
    "synth": "tasks synth",
    "verify": "runs verify",
}
OPTIONS: Mapping[str, Mapping[str, str]] = {
    "run": {"--tokens": "--episode-tokens"},
    "runs diff": {"--agent": "--only"},
    "serve exam": {"--client": "--label", "--fit": "--picture-size"},
    "serve mcp": {"--fit": "--picture-size"},
    "serve openenv": {"--client": "--label"},
    "data export": {"--to": "--format"},
    "data import": {"--from": "--format", "--agent": "--label", "--images": "--pictures"},
    "offline audit": {"--samples": "--sample", "-n": "--sample"},
    "offline data": {"--images": "--pictures"},
    "offline harvest": {"--samples": "--limit"},
    "offline make": {"--from": "--run"},
    "offline recaption": {"--images": "--pictures"},
    "offline report": {"--samples": "--shown"},
    "offline run": {
        "--images": "--pictures", "--limit": "--sample", "--samples": "--shown", "--tokens": "--total-tokens",
    },
    "studio": {"--images": "--pictures", "--kind": "--task", "--no-browser": "--no-open", "--runs": "--run"},
    "studio key": {"--version": "--revision"},
    "tasks compose": {"--profile": "--capabilities"},
    "studio write": {"--version": "--revision"},
}  # fmt: skip
"""By the command, or the group of commands, what each of its options was called and is called now."""


def renew(args: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return what was typed under the names of today, and a hint for each old name in it."""
    words, hints = list(args), list[str]()
    if words and words[0] in COMMANDS:
        new = COMMANDS[words[0]]
        hints.append(f"note: `proctor {words[0]}` is now `proctor {new}`")
        words[:1] = new.split()
    for command, names in OPTIONS.items():
        named = command.split()
        if words[: len(named)] != named:
            continue
        end = words.index("--") if "--" in words else len(words)
        for place in range(len(named), end):
            old, equals, value = words[place].partition("=")
            if old in names:
                hints.append(f"note: `{old}` of `proctor {command}` is now `{names[old]}`")
                words[place] = f"{names[old]}{equals}{value}"
    return words, list(dict.fromkeys(hints))


def old_options(command: str) -> Mapping[str, str]:
    """Return what the options of a command were called, and are called now."""
    return OPTIONS.get(command, {})
