"""The programs of a stand-in phone: what Android's own answer to the commands that come through adb."""

from __future__ import annotations

import base64
import io
import os
import shutil
import stat
from collections.abc import Callable, Mapping

from tests.android.stand_in.phone import ADB_KEYBOARD, APPS, PLAIN_KEYBOARD
from tests.android.stand_in.shell import Call, Program

PANEL = "/dev/input/event1"
RAW = 32767
"""The largest number for a place on the touch panel of an emulator."""
_NO_KEY = "java.lang.NullPointerException: Attempt to get length of null array\n"


# -- hands ------------------------------------------------------------------------------------------------------------


def _input(call: Call) -> int:
    words = call.argv[1:]
    if words[:1] == ["touchscreen"]:
        words = words[1:]
    kind, rest = (words[0], words[1:]) if words else ("", [])
    phone = call.phone
    if kind == "tap" and len(rest) == 2:
        phone.events.append(("tap", *map(int, rest)))
        phone.tap(int(rest[0]), int(rest[1]))
    elif kind == "swipe" and len(rest) in (4, 5):
        phone.events.append(("swipe", *map(int, rest)))
    elif kind == "motionevent" and len(rest) == 3 and phone.sdk >= 29:
        phone.events.append(("motion", rest[0], int(rest[1]), int(rest[2])))
    elif kind == "keyevent" and rest:
        for code in rest:
            phone.events.append(("key", int(code)))
            phone.press((int(code),))
    elif kind == "keycombination" and len(rest) > 1 and phone.sdk >= 31:
        phone.events.append(("keys", *map(int, rest)))
        phone.press(tuple(map(int, rest)))
    elif kind == "text" and len(rest) == 1:
        return _text(call, rest[0])
    else:
        call.complain(f"Error: Unknown command: {kind}\nUsage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]\n")
        return 255
    return 0


def _text(call: Call, words: str) -> int:
    if not words.isascii():
        call.complain(_NO_KEY)
        return 1
    text = words.replace("%s", " ")
    call.phone.events.append(("text", text))
    call.phone.write(text)
    return 0


def _getevent(call: Call) -> int:
    call.say('add device 1: /dev/input/event0\n  name:     "gpio-keys"\n  events:\n    KEY (0001): 0072  0073  0074\n')
    if call.phone.multitouch:
        axis = "value 0, min 0, max {}, fuzz 0, flat 0, resolution 0"
        axes = [(0x2F, 9), (0x35, RAW), (0x36, RAW), (0x39, 65535), (0x3A, 1024)]
        rows = "\n                  ".join(f"{code:04x}  : {axis.format(most)}" for code, most in axes)
        call.say(
            f'add device 2: {PANEL}\n  name:     "virtio_input_multi_touch_1"\n  events:\n    ABS (0003): {rows}\n'
        )
    return 0


def _sendevent(call: Call) -> int:
    if call.argv[1] != PANEL or not call.phone.multitouch:
        call.complain(f"sendevent: {call.argv[1]}: Permission denied\n")
        return 1
    kind, code, value = (int(word) for word in call.argv[2:5])
    call.phone.raw.append((kind, code, value))
    return 0


# -- eyes -------------------------------------------------------------------------------------------------------------


def _screencap(call: Call) -> int:
    if call.phone.picture is not None:
        call.say(call.phone.picture)
        return 0
    held = io.BytesIO()
    call.phone.draw().save(held, "PNG", compress_level=1)
    call.say(held.getvalue())
    return 0


def _uiautomator(call: Call) -> int:
    phone = call.phone
    if call.argv[1:2] != ["dump"]:
        return 1
    if phone.dump_error:
        call.complain(phone.dump_error + "\n")
        return 0
    place = call.argv[-1]
    phone.path(place, call.cwd).write_bytes(phone.describe() if phone.dump is None else phone.dump)
    call.say(f"UI hierchary dumped to: {place}\n")
    return 0


def _dumpsys(call: Call) -> int:
    phone = call.phone
    if call.argv[1:2] == ["input"]:
        call.say(f"INPUT MANAGER (dumpsys input)\n  Viewport INTERNAL\n    SurfaceOrientation: {phone.rotation}\n")
    elif call.argv[1:2] == ["window"]:
        activity = APPS.get(phone.front, f"{phone.front}/.Launcher")
        package, _, name = activity.partition("/")
        call.say(f"WINDOW MANAGER\n  mCurrentFocus=Window{{1f2e3d u0 {package}/{package}{name}}}\n")
    return 0


# -- applications and settings ----------------------------------------------------------------------------------------


def _am(call: Call) -> int:
    words = call.argv[1:]
    if words[:1] == ["start"]:
        component = words[words.index("-n") + 1]
        call.say(f"Starting: Intent {{ cmp={component} }}\n")
        package = component.partition("/")[0]
        if APPS.get(package) != component:
            call.complain(f"Error type 3\nError: Activity class {{{component}}} does not exist.\n")
            return 1
        call.phone.open(package)
        call.say(f"Status: ok\nLaunchState: COLD\nActivity: {component}\nTotalTime: 300\nComplete\n")
        return 0
    if words[:1] == ["broadcast"]:
        call.say(f"Broadcasting: Intent {{ act={words[words.index('-a') + 1]} flg=0x400000 (has extras) }}\n")
        if "ADB_INPUT_B64" in words and call.phone.settings["default_input_method"] == ADB_KEYBOARD:
            text = base64.b64decode(words[words.index("msg") + 1]).decode()
            call.phone.events.append(("text", text))
            call.phone.write(text)
        call.say("Broadcast completed: result=0\n")
        return 0
    return 1


def _monkey(call: Call) -> int:
    package = call.argv[call.argv.index("-p") + 1]
    if package not in APPS:
        call.say("** No activities found to run, monkey aborted.\n")
        return 252
    call.phone.open(package)
    call.say("Events injected: 1\n## Network stats: elapsed time=12ms\n")
    return 0


def _cmd(call: Call) -> int:
    if call.argv[1:3] != ["package", "query-activities"]:
        call.complain("cmd: Can't find service\n")
        return 20
    call.say(f"{len(APPS)} activities found:\n")
    for number, component in enumerate(APPS.values()):
        call.say(f"  Activity #{number}:\n    priority=0 preferredOrder=0 match=0x108000\n    {component}\n")
    return 0


def _settings(call: Call) -> int:
    match call.argv[1:]:
        case ["get", _, name]:
            call.say(f"{call.phone.settings.get(name, 'null')}\n")
        case ["put", _, name, value]:
            call.phone.settings[name] = value
    return 0


def _ime(call: Call) -> int:
    there = [PLAIN_KEYBOARD, *([ADB_KEYBOARD] if call.phone.adb_keyboard else [])]
    if call.argv[1:2] == ["list"]:
        call.say("".join(f"{name}\n" for name in there))
        return 0
    if call.argv[-1] not in there:
        call.complain(f"Unknown input method {call.argv[-1]} cannot be selected for user #0\n")
        return 255
    if call.argv[1] == "set":
        call.phone.settings["default_input_method"] = call.argv[-1]
    call.say(f"Input method {call.argv[-1]} {'selected' if call.argv[1] == 'set' else 'now enabled'} for user #0\n")
    return 0


def _getprop(call: Call) -> int:
    known = {
        "ro.product.model": "Stand-in", "ro.build.version.release": str(max(call.phone.sdk - 20, 5)),
        "ro.build.version.sdk": str(call.phone.sdk),
    }  # fmt: skip
    call.say(f"{known.get(call.argv[-1], '')}\n")
    return 0


def _wm(call: Call) -> int:
    call.say("Physical size: {}x{}\n".format(*call.phone.size))
    return 0


def _pidof(call: Call) -> int:
    pid = call.phone.running.get(call.argv[-1])
    call.say(f"{pid}\n" if pid else "")
    return 0 if pid else 1


# -- files ------------------------------------------------------------------------------------------------------------


def _each(call: Call, work: Callable[[str], None]) -> int:
    names = [word for word in call.argv[1:] if word == "-" or not word.startswith("-")]
    status = 0
    for name in names:
        try:
            work(name)
        except OSError as error:
            call.complain(f"{call.argv[0]}: {name}: {error.strerror}\n")
            status = 1
    return status


def _cat(call: Call) -> int:
    if len(call.argv) == 1:
        call.say(call.input())
        return 0
    return _each(call, lambda name: call.say(call.phone.path(name, call.cwd).read_bytes()))


def _ls(call: Call) -> int:
    def work(name: str) -> None:
        place = call.phone.path(name, call.cwd)
        names = sorted(each.name for each in place.iterdir()) if place.is_dir() else [name]
        call.say("".join(f"{each}\n" for each in names))

    if len(call.argv) == 1:
        call.argv.append(".")
    return _each(call, work)


def _rm(call: Call) -> int:
    words = call.argv[1:]
    flags = words[0] if words and words[0].startswith("-") else ""
    names = [word for word in words[1 if flags else 0 :] if word != "--"]
    for name in names:
        place = call.phone.path(name, call.cwd)
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        elif place.exists() or place.is_symlink():
            place.unlink()
        elif "f" not in flags:
            call.complain(f"rm: {name}: No such file or directory\n")
            return 1
    return 0


def _chmod(call: Call) -> int:
    call.phone.path(call.argv[2], call.cwd).chmod(int(call.argv[1], 8))
    return 0


def _ln(call: Call) -> int:
    call.phone.path(call.argv[-1], call.cwd).symlink_to(call.argv[-2])
    return 0


def _mkdir(call: Call) -> int:
    return _each(call, lambda name: call.phone.path(name, call.cwd).mkdir(parents=True, exist_ok=True))


def _mkfifo(call: Call) -> int:
    os.mknod(call.phone.path(call.argv[-1], call.cwd), stat.S_IFIFO | 0o600)
    return 0


def _echo(call: Call) -> int:
    call.say(" ".join(call.argv[1:]) + "\n")
    return 0


def _printenv(call: Call) -> int:
    found = [call.env[name] for name in call.argv[1:] if name in call.env]
    call.say("".join(f"{value}\n" for value in found))
    return 0 if found else 1


def _sleep(call: Call) -> int:
    call.session.wait(float(call.argv[1]))
    return 0


def _kill(call: Call) -> int:
    call.phone.events.append(("kill", int(call.argv[-1])))
    return 0


def _pwd(call: Call) -> int:
    call.say(f"{call.cwd}\n")
    return 0


def _id(call: Call) -> int:
    call.say("2000\n" if "-u" in call.argv else "uid=2000(shell) gid=2000(shell)\n")
    return 0


PROGRAMS: Mapping[str, Program] = {
    "am": _am, "cat": _cat, "chmod": _chmod, "cmd": _cmd, "dumpsys": _dumpsys, "echo": _echo, "env": lambda call: 0,
    "false": lambda call: 1, "getevent": _getevent, "getprop": _getprop, "id": _id, "ime": _ime, "input": _input,
    "ln": _ln, "ls": _ls, "mkdir": _mkdir, "mkfifo": _mkfifo, "monkey": _monkey, "pidof": _pidof,
    "kill": _kill, "pkill": lambda call: 0, "printenv": _printenv, "pwd": _pwd, "rm": _rm, "screencap": _screencap,
    "sendevent": _sendevent, "settings": _settings, "sleep": _sleep, "true": lambda call: 0,
    "uiautomator": _uiautomator, "wait": lambda call: 0, "wm": _wm,
}  # fmt: skip
