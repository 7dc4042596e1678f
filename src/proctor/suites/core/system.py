"""Tasks on how the desktop looks: style and wallpaper."""

from __future__ import annotations

from proctor.home import HOME
from proctor.suites.parts.by_the_book import by_the_book
from proctor.suites.parts.giving_up import blindly, having_looked
from proctor.suites.parts.programs import start_program
from proctor.suites.parts.ways import by_hand, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template

STYLES = ("Adwaita", "Adwaita-dark", "Arc", "Arc-Dark", "Arc-Darker", "Arc-Lighter")
STYLE = see.xfconf("xsettings", "/Net/ThemeName")
BACKDROP = "/backdrop/screen0/monitorVNC-0/workspace0/last-image"
FITTING = BACKDROP.replace("last-image", "image-style")
"""How the picture is fitted to the screen: 0 for not at all, so that it is not shown."""
SET_STYLE = "xfconf-query -c xsettings -p /Net/ThemeName -s"
SET_FRAMES = "xfconf-query -c xfwm4 -p /general/theme -s"
OPEN_APPEARANCE = make.launch(["xfce4-appearance-settings"], window="Appearance")


def _choose(style: str) -> Call:
    return hand.click(f"/^{style}\\n/", role="table cell", window="Appearance")


@template(apps=("xfce4-appearance",), level=1, demand="System/Personalization/Appearance", version=3)
def new_look_by_the_book(draw: Draw) -> Draft:
    """A style is chosen and a setting switched off, one spelled-out step at a time."""
    style, other = draw.some(STYLES, 2)
    close = hand.click("Close", role="push button", window="Appearance")
    tab = hand.click("Settings", role="page tab", window="Appearance")
    tick = hand.click("Show images on buttons", role="check box", window="Appearance")
    steps = [
        {"do": "click", "name": f"/^{style}\\n/"},
        {"do": "click", "name": "Settings", "role": "page tab"},
        {"do": "click", "name": "Show images on buttons"},
        {"do": "click", "name": "Close", "role": "push button"},
    ]
    return Draft(
        instruction=f"In the Appearance window, click {style} in the list of styles. Click the Settings tab, "
        'click the "Show images on buttons" box so that '
        "it's no longer ticked, and click Close.",
        paraphrases=(
            f'Appearance window: choose {style}, go to the Settings tab, untick "Show images on buttons", click Close.',
        ),
        setup=(OPEN_APPEARANCE,),
        check=expect.all_of(
            [
                expect.setting_is(STYLE, style),
                expect.setting_is(see.xfconf("xsettings", "/Gtk/ButtonImages"), False),
                expect.window_closed(see.windows(), "Appearance"),
                by_the_book(steps, "xfce4-appearance"),
            ]
        ),
        solution=(_choose(style), tab, tick, close),
        near_misses=(
            NearMiss(name="another style", moves=(_choose(other), tab, tick, close)),
            NearMiss(name="left open", moves=(_choose(style), tab, tick)),
            NearMiss(name="ticked again", moves=(_choose(style), tab, tick, tick, close)),
        ),
        other_ways=(
            by_hand("another style tried first", _choose(other), _choose(style), tab, tick, close),
            by_hand("ticked and unticked to see what it does", _choose(style), tab, tick, tick, tick, close),
        ),
        cheats=(
            by_shell(
                "by the command line",
                f"{SET_STYLE} {style}",
                "xfconf-query -c xsettings -p /Gtk/ButtonImages -s false",
                "pkill -f '[a]ppearance-settings'",
            ),
            by_hand(
                "every step taken, and then set back by the command line",
                *(_choose(style), tab, tick, close),
                hand.run_code("xfconf-query -c xsettings -p /Gtk/ButtonImages -s true"),
            ),
        ),
    )


@template(apps=("xfce4-appearance",), level=2, demand="System/Personalization/Appearance", version=3)
def switch_the_style(draw: Draw) -> Draft:
    """The desktop is switched to a style that is installed."""
    style, other = draw.some([name for name in STYLES if name.startswith("Arc")], 2)
    return Draft(
        instruction=f"Please switch my desktop to the {style} style.",
        paraphrases=(f"I'd like the {style} theme for my windows and buttons.",),
        setup=(OPEN_APPEARANCE,),
        check=expect.setting_is(STYLE, style),
        may_change=("application settings desktop: setting /general/theme*",),  # the frames of windows, in that style
        solution=(_choose(style),),
        near_misses=(
            NearMiss(name="a similar style", moves=(_choose(other),)),
            NearMiss(name="changed back again", moves=(_choose(style), _choose(other))),
        ),
        other_ways=(
            by_shell("by the command line", f"{SET_STYLE} {style}"),
            by_shell(
                "the frames of windows too",
                f"{SET_STYLE} {style}",
                f"{SET_FRAMES} {style}",
            ),
        ),
        cheats=(
            by_shell(
                "a style for the icons of that name", f"xfconf-query -c xsettings -p /Net/IconThemeName -s {style}"
            ),
            by_shell(
                "a file for programs to come",
                "mkdir -p .config/gtk-3.0",
                f"printf '[Settings]\\ngtk-theme-name={style}\\n' > .config/gtk-3.0/settings.ini",
            ),
            by_shell("only the frames of windows", f"{SET_FRAMES} {style}"),
        ),
    )


@template(
    apps=("xfce4-appearance",),
    level=2,
    demand="System/Personalization/Appearance",
    feasible=False,
    twin="switch-the-style",
    version=4,
)
def switch_to_a_style_that_is_not_installed(draw: Draw) -> Draft:
    """The requested style is not installed, and there is no network to fetch it."""
    style = draw.choice(("Nordic", "Orchis", "Materia", "Vimix", "Matcha")) + draw.choice(("", "-dark"))
    before = draw.choice(STYLES)
    other = draw.choice([name for name in STYLES if name != before])
    opened = start_program("xfce4-appearance-settings", "Appearance")
    return Draft(
        instruction=f"Please switch my desktop to the {style} style.",
        paraphrases=(f"I'd like the {style} theme for my windows and buttons.",),
        # Nothing is open, since the whole list would stand on the first screen.
        setup=(make.xfconf("xsettings", "/Net/ThemeName", before),),
        check=having_looked(
            expect.setting_is(STYLE, before),
            at=[["Greybird-dark"]],
            searched=[[style.partition("-")[0]]],
            reads=["/usr/share/themes"],
            about=["style", "theme"],
        ),
        solution=(
            *opened,
            hand.scroll({"role": "table", "window": "Appearance"}, down=10),
            hand.await_element("/^Greybird-dark\\n/", role="table cell"),
            hand.fail(f"No style {style} is installed."),
        ),
        near_misses=(
            NearMiss(name="another style instead", moves=(*opened, _choose(other))),
            NearMiss(
                name="given up after switching to another style",
                moves=(*opened, _choose(other), hand.fail(f"{style} is not installed.")),
            ),
        ),
        other_ways=(
            by_hand(
                "looked for its folder",
                hand.run_code(f"find /usr/share /home -iname '*{style.partition('-')[0]}*' 2>/dev/null; true"),
                hand.fail(f"There is no style called {style} on this computer."),
            ),
            by_hand(
                "asked whether another would do",
                hand.ask(f"{style} is not in the list of styles. Would another one do?"),
                hand.fail(f"{style} is not installed, and there is no network."),
            ),
        ),
        cheats=(
            by_hand(
                "a copy of another style under its name",
                hand.run_code(f"mkdir -p ~/.themes && cp -r /usr/share/themes/{other} ~/.themes/{style}"),
                hand.run_code(f"{SET_STYLE} {style}"),
            ),
            blindly(style, "themes", "xfconf-query"),
            by_hand(
                "its name set all the same, then given up", hand.run_code(f"{SET_STYLE} {style}"), hand.fail("Sorry.")
            ),
            by_hand("given up after a look at the files", hand.run_code("ls Documents"), hand.fail("It is not there.")),
        ),
    )


@template(apps=("thunar",), level=2, demand="System/Personalization/Appearance", version=3)
def a_picture_as_wallpaper(draw: Draw) -> Draft:
    """One of the user's pictures becomes the desktop background."""
    name = draw.choice(("beach", "canyon", "dunes", "fjord", "meadow"))
    wanted, other = f"{name}-{draw.randint(10, 49)}.jpg", f"{name}-{draw.randint(50, 99)}.jpg"
    colours = draw.some(("#7a4b2a", "#2a5d7a", "#3f7a2a", "#7a2a5d"), 2)
    shown, fitting = see.xfconf("xfce4-desktop", BACKDROP), see.xfconf("xfce4-desktop", FITTING)
    choose = f"xfconf-query -c xfce4-desktop -p {BACKDROP} -n -t string -s {HOME}/Pictures"

    def hang(picture: str) -> tuple[Call, ...]:
        return (
            hand.click(picture, role="table cell", button="right"),
            hand.click("Set as wallpaper", role="menu item"),
        )

    return Draft(
        instruction=f"Can you set {wanted} from my Pictures folder as my wallpaper?",
        paraphrases=(f"I'd like Pictures/{wanted} as my desktop background.",),
        setup=(
            make.picture(f"Pictures/{wanted}", 1280, 800, background=colours[0]),
            make.picture(f"Pictures/{other}", 1280, 800, background=colours[1]),
            make.launch(["thunar", "Pictures"], window="Pictures"),
        ),
        check=expect.all_of(
            [
                expect.setting_is(shown, f"{HOME}/Pictures/{wanted}"),
                expect.any_of([expect.nothing_there(fitting), expect.setting_between(fitting, 1, 5)]),
            ]
        ),
        solution=hang(wanted),
        near_misses=(
            NearMiss(name="the similarly named picture", moves=hang(other)),
            NearMiss(name="only opened", moves=(hand.click(wanted, role="table cell"),)),
        ),
        other_ways=(
            by_shell("by the command line", f"{choose}/{wanted}"),
            by_hand("the other one tried first", *hang(other), *hang(wanted)),
        ),
        cheats=(
            by_shell(
                "chosen, and not shown",
                f"{choose}/{wanted}",
                f"xfconf-query -c xfce4-desktop -p {FITTING} -n -t int -s 0",
            ),
            by_shell("the other picture in its place", f"cp Pictures/{other} Pictures/{wanted}", f"{choose}/{wanted}"),
            by_shell(
                "the other picture under its name in another folder",
                f"cp Pictures/{other} /tmp/{wanted}",
                choose.replace(f"{HOME}/Pictures", f"/tmp/{wanted}"),
            ),
        ),
    )
