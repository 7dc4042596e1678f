"""Setup steps for the clipboard, for settings of the desktop, and for whatever a command can do."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from proctor.errors import SetupFailed
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP


@SETUP.register
def command(
    context: SetupContext, argv: Annotated[list[str], Field(min_length=1)], root: bool = False, input: str = ""
) -> None:
    """Run a command that must succeed, as the user or as root of the machine."""
    context.command(argv, root=root, input=input.encode())


@SETUP.register
def clipboard(context: SetupContext, text: str) -> None:
    """Put a text into the clipboard."""
    context.command(["xclip", "-selection", "clipboard", "-in"], input=text.encode())
    held = context.command(["xclip", "-selection", "clipboard", "-out"]).stdout
    if held != text:
        raise SetupFailed(f"the clipboard holds {held[:80]!r}, not the text it was given")


@SETUP.register
def dconf(context: SetupContext, key: str, value: str) -> None:
    """Set a dconf key, such as `/org/xfce/mousepad/preferences/view/word-wrap`.

    The value is written as GVariant.
    """
    context.command(["dconf", "write", key, value])
    held = context.command(["dconf", "read", key]).stdout.strip()
    if not held:
        raise SetupFailed(f"the dconf key {key} did not take {value}")


@SETUP.register
def gsetting(context: SetupContext, schema: str, key: str, value: str) -> None:
    """Set a key of a GSettings schema; the value is written as GVariant, such as `true` or `'dark'`."""
    context.command(["gsettings", "set", schema, key, value])


_END_KEEPER = """
for pid in $(pgrep -u "$(id -u)" -x xfconfd); do
    kill "$pid"
    for n in $(seq 100); do kill -0 "$pid" 2>/dev/null || break; sleep 0.05; done
done
"""


@SETUP.register
def settings_written(context: SetupContext) -> None:
    """Have what was set with `xfconf` written to its file now, which otherwise takes some seconds."""
    # Who keeps them writes when it is told to end; the next who asks for a setting starts it again.
    context.command(["sh", "-c", _END_KEEPER])


@SETUP.register
def xfconf(
    context: SetupContext,
    channel: str,
    property: str,
    value: str,
    type: Literal["string", "int", "uint", "bool", "double"] = "string",
) -> None:
    """Set a property of an xfconf channel, such as `/Net/ThemeName` of `xsettings`.

    It is made where it is missing.
    """
    context.command(["xfconf-query", "-c", channel, "-p", property, "--create", "-t", type, "-s", value])
