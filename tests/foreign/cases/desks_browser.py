"""Cases of the browser: what is set in its own pages, what it remembers, what is loaded into it."""

from __future__ import annotations

import json

from proctor.tasks.call import Call
from proctor.tasks.move_context import MoveContext
from tests.foreign.acts import give_up, nothing, prepared
from tests.foreign.case import Act, Case, case, shell, then, write
from tests.foreign.workshop import Workshop

SETTINGS = "chrome://settings/"
PREFERENCES = ".config/chromium/Default/Preferences"
HISTORY = ".config/chromium/Default/History"


def page(url: str, script: str = "") -> Act:
    """Return an act that opens a page, and does something in it."""
    steps = [Call("setup", "open_tabs", {"urls": [url]})]
    if script:
        steps.append(Call("setup", "page_script", {"url": url, "script": script}))
    return prepared(*steps)


def setting(name: str, value: object) -> Act:
    """Return an act that sets a setting as the browser's own page of settings does."""
    told = f"chrome.settingsPrivate.setPref({name!r}, {json.dumps(value)})"
    return page(SETTINGS, told)


def search_with(name: str) -> Act:
    """Return an act that closes the browser and leaves a search engine as it keeps the usual one."""

    def act(hand: MoveContext) -> None:
        kept = json.loads(hand.computer.read_file(PREFERENCES))
        kept["default_search_provider_data"] = {"template_url_data": {"short_name": name}}
        hand.computer.write_file(PREFERENCES, json.dumps(kept).encode())

    return then(prepared(Call("setup", "quit_browser", {"browser": "chromium"})), act)


CHOOSE = """
new Promise(done => {
  const find = root => {
    for (const node of root.querySelectorAll('*')) {
      if (node.id == 'colorSchemeModeSelect') return node
      const inside = node.shadowRoot && find(node.shadowRoot)
      if (inside) return inside
    }
  }
  const wait = () => {
    const list = find(document)
    if (!list) return requestAnimationFrame(wait)
    list.value = '1'
    list.dispatchEvent(new Event('change', {bubbles: true, composed: true}))
    done(1)
  }
  wait()
})
"""
"""Chooses the light look in the list of looks."""


@case("osworld", "030eeff7")
def ask_not_to_be_tracked(shop: Workshop) -> Case:
    return Case(satisfied=setting("enable_do_not_track", True), near_miss=setting("profile.cookie_controls_mode", 1))


@case("osworld", "2ae9ba84")
def change_ones_name(shop: Workshop) -> Case:
    def named(name: str) -> Act:
        return page("chrome://settings/manageProfile", f"chrome.send('setProfileName', ['{name}'])")

    return Case(satisfied=named("Thomas"), near_miss=named("Tomas"))


@case("osworld", "480bcfea")
def keep_the_old_look(shop: Workshop) -> Case:
    return Case(satisfied=give_up, near_miss=page("chrome://flags/"))


@case("osworld", "93eabf48")
def leave_the_dark(shop: Workshop) -> Case:
    chosen = page("chrome://settings/appearance", CHOOSE)
    # Light as well, and then somewhere else: the task wants the page itself to be left open.
    return Case(satisfied=chosen, near_miss=then(chosen, page("chrome://settings/accessibility")))


@case("osworld", "9656a811")
def be_warned(shop: Workshop) -> Case:
    return Case(
        satisfied=setting("generated.safe_browsing", 1),
        near_miss=setting("profile.password_manager_leak_detection", False),
    )


@case("osworld", "99146c54")
def forget_at_the_end(shop: Workshop) -> Case:
    def kept(how: str) -> Act:
        return page("chrome://settings/content", f"chrome.send('setDefaultValueForContentType', ['cookies', '{how}'])")

    return Case(satisfied=kept("session_only"), near_miss=kept("block"))


@case("osworld", "ae78f875")
def show_more_results(shop: Workshop) -> Case:
    return Case(satisfied=give_up, near_miss=nothing)


@case("osworld", "af630914")
def enlarge_letters(shop: Workshop) -> Case:
    # Somebody who opens the list and takes what is recommended has changed nothing.
    name = "webkit.webprefs.default_font_size"
    return Case(satisfied=setting(name, 24), near_miss=setting(name, 16))


@case("osworld", "bb5e4c0d")
def search_with_bing(shop: Workshop) -> Case:
    return Case(satisfied=search_with("Microsoft Bing"), near_miss=search_with("Yahoo!"))


def saved_page(title: str) -> bytes:
    return f"<!doctype html><title>{title}</title><h1>{title}</h1>".encode()


@case("osmap", "35253b65")
def keep_a_way_back(shop: Workshop) -> Case:
    def shortcut(name: str) -> Act:
        lines = f"[Desktop Entry]\nType=Application\nName={name}\nExec=chromium https://www.mathsisfun.com/\n"
        return write("/home/user/Desktop/way-back.desktop", lines.encode())

    return Case(
        satisfied=shortcut("Play Puzzle Game 2048"),
        near_miss=shortcut("Play Puzzle Game 1024"),
        files={"www.mathsisfun.com/games/2048.html": saved_page("Play Puzzle Game 2048")},
    )


@case("osmap", "e1e75309")
def print_the_page(shop: Workshop) -> Case:
    site, path = "lilianweng.github.io", "posts/2023-06-23-agent"
    text = "".join(f"<h2>Part {at}</h2><p>{'An agent plans, remembers and uses tools. ' * 20}</p>" for at in range(9))

    def printed(url: str) -> Act:
        # Not by the command that listens on a port, which another one has taken.
        browser = "/usr/lib/chromium/chromium --headless --no-sandbox --no-pdf-header-footer --user-data-dir=/tmp/p"
        return shell(f"""{browser} --print-to-pdf=/tmp/p.pdf '{url}'
            mv /tmp/p.pdf "/home/user/Desktop/LLM Powered Autonomous Agents _ Lil'Log.pdf" """)

    pages = {f"{site}/{path}/index.html": saved_page("Agents") + text.encode(), f"{site}/index.html": saved_page("Lil")}
    return Case(
        satisfied=printed(f"https://{site}/{path}/"),
        # The site's first page.
        near_miss=printed(f"https://{site}/"),
        files=pages,
        most=0.1,
    )


@case("osmap", "7a5a7856")
def bookmark_the_page(shop: Workshop) -> Case:
    def marked(url: str) -> Act:
        add = f"chrome.bookmarks.create({{parentId: '1', title: 'Kept', url: '{url}'}})"
        return page("chrome://bookmarks/", add)

    pages = ["blog.eleuther.ai/rotary-embeddings", "jalammar.github.io/illustrated-transformer"]
    return Case(
        satisfied=marked(f"https://{pages[1]}/"),
        near_miss=marked(f"https://{pages[0]}/"),
        files={f"{each}/index.html": saved_page(each) for each in pages},
    )


@case("osmap", "44ee5668")
def forget_films(shop: Workshop) -> Case:
    def forgotten(which: str) -> Act:
        delete = f"DELETE FROM visits WHERE url IN (SELECT id FROM urls WHERE {which}); DELETE FROM urls WHERE {which};"
        return lambda hand: hand.computer.run(["sqlite3", HISTORY, delete])

    closed = prepared(Call("setup", "quit_browser", {"browser": "chromium"}))
    return Case(
        satisfied=then(closed, forgotten("url LIKE '%youtube%'")),
        near_miss=then(closed, forgotten("title LIKE '%Official%'")),
    )
