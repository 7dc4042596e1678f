"""Dialects, the forms in which models write actions: translators to and from the closed set."""

from __future__ import annotations

from collections.abc import Callable

from proctor.actions.dialects.dialect import Dialect
from proctor.errors import SpecError
from proctor.registry import Registration, Registry

DIALECTS: Registry[Callable[..., Dialect]] = Registry(
    "dialect",
    {
        "android_world": Registration("proctor.actions.dialects.android_world:AndroidWorld"),
        "browsergym": Registration("proctor.actions.dialects.browsergym:BrowserGym"),
        "computer13": Registration("proctor.actions.dialects.computer13:Computer13"),
        "omnibench": Registration("proctor.actions.dialects.omnibench:OmniBench"),
        "plain_json": Registration("proctor.actions.dialects.plain_json:PlainJson"),
        "pyautogui": Registration("proctor.actions.dialects.pyautogui:PyAutoGui"),
        "ui_tars": Registration("proctor.actions.dialects.ui_tars:UiTars"),
        "ui_tars_1.0": Registration("proctor.actions.dialects.ui_tars:UiTars10"),
    },
    group="proctor.dialects",
)


def open_dialect(name: str, **options: object) -> Dialect:
    """Return a dialect that models write as text.

    Args:
        name: A registered name, or `module:Class` for a dialect of your own.
        options: What it takes, such as `space="unit"` for `pyautogui`.

    Raises:
        UnknownName: No dialect has this name.
        SpecError: It takes no such option.
    """
    factory = DIALECTS.get(name)
    try:
        return factory(**options)
    except TypeError as error:
        raise SpecError(f"dialect {name!r} does not take {', '.join(options)}", remedy=str(error)) from error
