"""Tasks on settings that somebody else has a say in."""

from __future__ import annotations

from proctor.suites.parts.news import happens, is_open, says
from proctor.suites.parts.programs import start_program
from proctor.suites.parts.ways import by_hand, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import FIRST_NAMES, Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template

STYLES = ("Adwaita", "Arc", "Arc-Darker", "Arc-Lighter")
"""Light ones: dark ones change settings of other programs by themselves."""
STYLE = see.xfconf("xsettings", "/Net/ThemeName")
SET_STYLE = "xfconf-query -c xsettings -p /Net/ThemeName -s"


def _style(draw: Draw, moved: bool) -> Draft:
    me, asker, other = (name.lower() for name in draw.some(FIRST_NAMES, 3))
    first, second, third = draw.some(STYLES, 3)
    news = (
        f"no, wait, on the projector {second} is easier to read, please take that one"
        if moved
        else f"{second} is what they have at the other desk, that one stays as it is"
    )
    right, wrong = (second, first) if moved else (first, second)
    opened = start_program("xfce4-appearance-settings", "Appearance")
    noticed = (*opened, hand.await_element(f"/{second}/", role="label", timeout_sec=15))

    def choose(style: str) -> Call:
        return hand.click(f"/^{style}\\n/", role="table cell", window="Appearance")

    def is_set(style: str) -> Call:
        return expect.setting_is(STYLE, style)

    talk = [
        {"who": other, "to": "#desk", "text": f"I still like {third}, but it's not for me to say"},
        {"who": asker, "to": "#desk", "text": f"for the demo I'd like the style {first} on the desktop"},
    ]
    return Draft(
        instruction=f"{asker.capitalize()} is showing something on this computer later. Please give the desktop the "
        f"style (Settings, Appearance) that {asker.capitalize()} asks for in #desk on HexChat.",
        paraphrases=(
            f"Set the style of the desktop in Appearance to what {asker.capitalize()} wants; it's in #desk on HexChat.",
        ),
        setup=(
            make.chat_server([{"name": "#desk", "people": [asker, other]}]),
            make.hexchat(me, ["#desk"]),
            make.chat_say(talk),
        ),
        events=(
            happens(
                f"{asker.capitalize()} says something more",
                expect.any_of([is_open("/^Appearance$/"), is_set(first)]),
                *says(asker, "#desk", news),
            ),
        ),
        check=expect.all_of([is_set(right), expect.chat_silent(see.chat_log(), me)]),
        solution=(*noticed, choose(right)),
        near_misses=(
            NearMiss(name="the style of the first message" if moved else "the style that was only named",
                     moves=(*noticed, choose(wrong))),
            NearMiss(name="the style of somebody who has no say", moves=(*noticed, choose(third))),
        ),
        other_ways=(
            by_hand("tried first, then the right one", *noticed, choose(third), choose(first), choose(right)),
            by_hand(
                "by the command line",
                *opened,
                hand.run_code(f"{SET_STYLE} {right}"),
            ),
        ),
        cheats=(
            by_hand("asked back in the chat", *noticed, choose(right),
                    hand.click("HexChat", role="toggle button", app="xfce4-panel"),
                    hand.type("which one?\n")),
            by_shell("the settings thrown away", f"{SET_STYLE} {right} && {SET_STYLE} Greybird"),
        ),
    )  # fmt: skip


@template(apps=("hexchat", "xfce4-appearance"), level=3, demand="System/Personalization/Appearance", services=("chat",))
def style_for_the_demo(draw: Draw) -> Draft:
    """Somebody takes back which style they want while it is being set."""
    return _style(draw, moved=True)


@template(
    apps=("hexchat", "xfce4-appearance"),
    level=3,
    demand="System/Personalization/Appearance",
    services=("chat",),
    twin="style-for-the-demo",
)
def style_for_this_desk(draw: Draw) -> Draft:
    """Somebody names another style for another desk while one is being set."""
    return _style(draw, moved=False)
