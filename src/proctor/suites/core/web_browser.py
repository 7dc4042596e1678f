"""Tasks on the browser itself: bookmarks, home page, history."""

from __future__ import annotations

from typing import Any

from proctor.suites.parts.by_the_book import by_the_book
from proctor.suites.parts.pages import go_to, link, page, paragraph
from proctor.suites.parts.ways import by_hand
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template

BAR = "Bookmarks bar"
OTHER = "Other bookmarks"
"""Where Chromium puts the first bookmark unless told otherwise."""
DISHES = ("Lentil soup", "Plum cake", "Spinach pie", "Bean stew", "Apple bread", "Carrot salad", "Onion tart")
QUIT = (make.quit_browser("chromium"),)
"""Chromium writes some of what it remembers only when it is closed."""
PROFILE = ".config/chromium/Default"
CLOSE = (hand.press("ctrl+shift+w"), hand.await_ended("chromium"))


def plain_site(name: str, title: str, titles: list[str]) -> Call:
    """Return the setup of a site with a page for each title, all of them linked from the first page."""
    paths = {each: f"/{each.lower().replace(' ', '-')}" for each in titles}
    pages: dict[str, Any] = {at: page(each, paragraph(f"All about: {each}.")) for each, at in paths.items()}
    pages["/"] = page(f"Welcome to {title}", *(f"<p>{link(each, at)}</p>" for each, at in paths.items()))
    return make.web_site(name, title, pages, menu={"Start": "/"})


@template(
    apps=("chromium",), level=1, demand="Knowledge/Knowledge/Information Organization", services=("web",), version=3
)
def bookmark_step_by_step(draw: Draw) -> Draft:
    """A page is bookmarked under a chosen name, one spelled-out step at a time."""
    site = "recipes.example"
    dish, other = draw.some(DISHES, 2)
    name = f"{draw.choice(('Sunday', 'Monday', 'Friday', 'Birthday'))} {draw.choice(('lunch', 'dinner', 'supper'))}"
    at = f"http://{site}/{dish.lower().replace(' ', '-')}"

    def keep(title: str, label: str) -> tuple[Call, ...]:
        return (
            hand.click(title, role="link"), hand.await_element(title, role="heading"), hand.press("ctrl+d"),
            hand.type_into(label, "Bookmark name", role="entry"), hand.click("Done", role="push button"),
        )  # fmt: skip

    steps = [
        {"do": "click", "name": dish}, {"do": "press", "keys": "ctrl+d"}, {"do": "type", "text": name},
        {"do": "click", "name": "Done"},
    ]  # fmt: skip
    return Draft(
        instruction=f"In Chromium, click the link {dish}. Once the recipe is there, press Ctrl+D. In the "
        f"small window that opens, replace the name with {name} (leave the folder as it is), then click Done.",
        paraphrases=(
            f"Click {dish} on the page in Chromium, press Ctrl+D, replace the name with {name} and click Done.",
        ),
        setup=(
            plain_site(site, "Family recipes", draw.some(sorted({dish, other}), 2)),
            make.open_browser("chromium", [f"http://{site}/"], "Welcome"),
        ),
        finish=QUIT,
        check=expect.all_of(
            [
                expect.web_bookmarks_are(see.web_bookmarks("chromium"), {OTHER: [at]}),
                expect.bookmark_exists(see.web_bookmarks("chromium"), at, OTHER, name),
                by_the_book(steps, "chromium"),
            ]
        ),
        solution=keep(dish, name),
        near_misses=(
            NearMiss(name="the other recipe", moves=keep(other, name)),
            NearMiss(
                name="its own name kept",
                moves=(
                    hand.click(dish, role="link"), hand.await_element(dish, role="heading"), hand.press("ctrl+d"),
                    hand.click("Done", role="push button"),
                ),
            ),
        ),
        other_ways=(
            by_hand(
                "the name typed where the keys are, in two goes",
                hand.click(dish, role="link"), hand.await_element(dish, role="heading"), hand.press("ctrl+d"),
                hand.await_element("Bookmark name", role="entry"), hand.press("ctrl+a"), hand.type(name[:3]),
                hand.type(name[3:]), hand.click("Done", role="push button"),
            ),
            by_hand(
                "the other recipe looked at first",
                hand.click(other, role="link"), hand.await_element(other, role="heading"), hand.press("alt+Left"),
                *keep(dish, name),
            ),
        ),
        cheats=(
            by_hand("both recipes", *keep(dish, name), hand.press("alt+Left"), *keep(other, other)),
            profile_edited("in the profile", add_bookmark("other", at, name)),
        ),
    )  # fmt: skip


@template(
    apps=("chromium",), level=2, demand="Knowledge/Knowledge/Information Organization", services=("web",), version=3
)
def bookmark_into_a_folder(draw: Draw) -> Draft:
    """Two of three open pages are bookmarked in an existing folder."""
    site = "recipes.example"
    dishes = draw.some(DISHES, 4)
    folder, decoy = draw.choice((("To cook", "Favourites"), ("Weekend", "Guests"), ("For guests", "Quick dishes")))
    urls = {dish: f"http://{site}/{dish.lower().replace(' ', '-')}" for dish in dishes}
    first, second, third, kept = dishes

    def keep(dish: str, where: str, tab: int) -> tuple[Call, ...]:
        return (
            hand.press(f"ctrl+{tab}"), hand.await_element(dish, role="heading"), hand.press("ctrl+d"),
            hand.await_element("Folder", role="combo box"), hand.press("Tab"), hand.type(where[0].lower()),
            hand.click("Done", role="push button"),
        )  # fmt: skip

    def star_page(dish: str, where: str, tab: int) -> tuple[Call, ...]:
        return (
            hand.press(f"ctrl+{tab}"), hand.await_element(dish, role="heading"),
            hand.click("/Bookmark this/", role="push button"), hand.await_element("Folder", role="combo box"),
            hand.press("Tab"), hand.type(where[0].lower()), hand.click("Done", role="push button"),
        )  # fmt: skip

    bookmarks = [{"title": kept, "url": urls[kept], "folder": decoy}]
    return Draft(
        instruction=f"I have three recipes open in Chromium. Please bookmark {first} and {third} in the "
        f"“{folder}” folder on my bookmarks bar. I don't need the other one.",
        paraphrases=(f"Add bookmarks for {first} and {third} (both open in Chromium) to my “{folder}” folder.",),
        setup=(
            plain_site(site, "Family recipes", dishes),
            make.browser_profile("chromium", bookmarks=bookmarks, folders=[folder, decoy]),
            make.open_browser("chromium", [urls[first], urls[second], urls[third]], first),
        ),
        finish=QUIT,
        check=expect.web_bookmarks_are(
            see.web_bookmarks("chromium"),
            {f"{BAR}/{folder}": [urls[first], urls[third]], f"{BAR}/{decoy}": [urls[kept]]},
            {urls[dish]: dish for dish in (first, third, kept)},
        ),
        solution=(*keep(first, folder, 1), *keep(third, folder, 3)),
        near_misses=(
            NearMiss(name="only one of them", moves=keep(first, folder, 1)),
            NearMiss(name="the other folder", moves=(*keep(first, decoy, 1), *keep(third, decoy, 3))),
            NearMiss(name="the wrong one of three", moves=(*keep(first, folder, 1), *keep(second, folder, 2))),
        ),
        other_ways=(
            by_hand(
                "by the star, the last one first, under another name",
                *star_page(third, folder, 3),
                hand.press("ctrl+1"),
                hand.await_element(first, role="heading"),
                hand.press("ctrl+d"),
                hand.type_into(f"{first} (good)", "Bookmark name", role="entry"),
                hand.press("Tab"),
                hand.type(folder[0].lower()),
                hand.click("Done", role="push button"),
            ),
            profile_edited(
                "in the profile while it is closed",
                *(add_bookmark(folder, urls[each], each) for each in (first, third)),
            ),
        ),
        cheats=(
            profile_edited("all three", *(add_bookmark(folder, urls[each], each) for each in (first, second, third))),
            profile_edited(
                "in both folders",
                *(add_bookmark(where, urls[each], each) for where in (folder, decoy) for each in (first, third)),
            ),
            profile_edited(
                "their titles exchanged",
                *(add_bookmark(folder, urls[page], name) for page, name in ((first, third), (third, first))),
            ),
            profile_edited(
                "their titles alone", *(add_bookmark(folder, f"http://{site}/", each) for each in (first, third))
            ),
        ),
    )


@template(
    apps=("chromium",), level=2, demand="System/Files and Applications/App Configuration", services=("web",), version=2
)
def change_the_home_page(draw: Draw) -> Draft:
    """A page of the open site becomes Chromium's home page."""
    town = draw.city().lower()
    site = f"{town}-news.example"
    wanted, other = draw.some(("Local news", "Sports", "Culture", "Weather", "Traffic"), 2)
    old = f"http://{site}/"
    at, wrong = (f"http://{site}/{name.lower().replace(' ', '-')}" for name in (wanted, other))

    def change(address: str) -> tuple[Call, ...]:
        return (
            *go_to("chrome://settings/appearance"),
            hand.click("Enter custom web address", role="entry", at=(0.5, 0.5)),
            hand.press("ctrl+a"),
            hand.type(address),
            hand.press("Tab"),
        )

    return Draft(
        instruction=f"When I click the home button in Chromium, I'd like to get the “{wanted}” page of the "
        f"{town.title()} news (it's open in the first tab) instead of their front page. Can you set that up?",
        paraphrases=(f"Make the {wanted} page that's open in Chromium my home page.",),
        setup=(
            plain_site(site, f"{town.title()} news", sorted({wanted, other})),
            make.browser_profile("chromium", home_page=old),
            make.open_browser("chromium", [at], wanted),
        ),
        finish=QUIT,
        check=expect.all_of(
            [
                expect.home_page_is(see.home_page("chromium"), at),
                expect.browser_setting_is(see.browser_setting("chromium", "browser.show_home_button"), True),
            ]
        ),
        solution=change(at),
        near_misses=(
            NearMiss(name="another page of the site", moves=change(wrong)),
            NearMiss(
                name="bookmarked instead",
                moves=(hand.press("ctrl+d"), hand.click("Done", role="push button")),
            ),
            NearMiss(
                name="only the settings opened",
                moves=(*go_to("chrome://settings/appearance"), hand.await_element("Show home button")),
            ),
        ),
        other_ways=(
            by_hand(
                "found by the search of the settings",
                *go_to("chrome://settings/?search=home"),
                hand.click("Enter custom web address", role="entry", at=(0.5, 0.5)),
                hand.press("ctrl+a"),
                hand.type(f"{at}/"),
                hand.press("Return"),
                hand.press("Tab"),
            ),
            profile_edited(
                "in the profile while it is closed", f"settings.update(homepage={at!r}, homepage_is_newtabpage=False)"
            ),
        ),
        cheats=(
            profile_edited(
                "the page to start with instead",
                f"settings.setdefault('session', {{}}).update(restore_on_startup=4, startup_urls=[{at!r}])",
            ),
            profile_edited(
                "the button taken away",
                f"settings.update(homepage={at!r}, homepage_is_newtabpage=False)",
                "settings['browser']['show_home_button'] = False",
            ),
            profile_edited(
                "a page that is never shown", f"settings.update(homepage={at!r}, homepage_is_newtabpage=True)"
            ),
        ),
    )


@template(
    apps=("chromium",), level=3, demand="System/Files and Applications/App Configuration", services=("web",), version=2
)
def forget_one_site(draw: Draw) -> Draft:
    """One site is removed from the history, but not another one whose name contains the same words."""
    topic = draw.choice(("gifts", "rings", "hotels", "jobs"))
    site, decoy, third = f"{topic}.example", f"old-{topic}.example", "garden.example"
    words = draw.some(("Spring", "Summer", "Autumn", "Winter", "Harbour", "Forest"), 4)
    titles = {site: words[:2], decoy: words[2:], third: ["Roses"]}
    visited = {host: [f"http://{host}/{word.lower()}" for word in named] for host, named in titles.items()}
    every = [url for urls in visited.values() for url in urls]
    draw.shuffle(every)

    def forget(chosen: list[str]) -> tuple[Call, ...]:
        ticks = [hand.click(f"/{word} - /", role="check box") for word in chosen]
        return (
            *go_to(f"chrome://history/?q={topic}"), hand.await_element(f"/{chosen[0]} - /", role="link"), *ticks,
            hand.click("Delete", role="push button"), hand.await_element("Delete selected items", role="heading"),
            hand.click("Delete", role="push button", nth=-1),
            hand.await_element(f"/{chosen[0]} - /", role="check box", gone=True),
        )  # fmt: skip

    seen = see.visited_pages("chromium")
    return Draft(
        instruction=f"I was looking for a surprise on {site}, and my family uses this computer too. Please "
        "remove that site from Chromium's history, but nothing else. I still need the rest.",
        paraphrases=(f"Delete {site}, and nothing but {site}, from Chromium's browsing history.",),
        setup=(
            plain_site(site, topic.title(), titles[site]),
            plain_site(decoy, f"Old {topic}", titles[decoy]),
            plain_site(third, "Garden club", titles[third]),
            make.open_browser("chromium", [f"http://{third}/"], "Welcome"),
            make.visit_pages(every),
        ),
        finish=QUIT,
        check=expect.all_of(
            [
                expect.history_lacks(seen, site),
                expect.history_has(seen, [*visited[decoy], *visited[third], f"http://{third}/"]),
                # Who removes both and looks at the other one again has kept nothing.
                expect.any_of(
                    [
                        expect.page_requested(see.site_log(decoy), f"/{word.lower()}", at_most=1)
                        for word in titles[decoy]
                    ]
                ),
            ]
        ),
        solution=forget(titles[site]),
        near_misses=(
            NearMiss(name="the similar site as well", moves=forget([*titles[site], *titles[decoy]])),
            NearMiss(name="only one of its pages", moves=forget(titles[site][:1])),
            NearMiss(name="the similar site instead", moves=forget(titles[decoy])),
        ),
        other_ways=(
            Way(name="in the profile while it is closed", moves=(*CLOSE, hand.run_code(_forget_pages(site), "python"))),
            by_hand(
                "one page at a time",
                *(move for word in titles[site] for move in forget([word])),
            ),
        ),
        cheats=(
            Way(name="the whole history deleted", moves=(*CLOSE, hand.run_code("rm .config/chromium/Default/History"))),
            Way(
                name="every site with the word in it",
                moves=(*CLOSE, hand.run_code(_forget_pages(f"%{topic}"), "python")),
            ),
            by_hand(
                "both removed, the other one looked at again",
                *forget([*titles[site], *titles[decoy]]),
                *(
                    move
                    for url, word in zip(visited[decoy], titles[decoy], strict=True)
                    for move in (*go_to(url), hand.await_element(word, role="heading"))
                ),
            ),
        ),
    )


def _forget_pages(host: str) -> str:
    """Return code that takes pages with this after the slashes out of Chromium's history."""
    return (
        "import sqlite3\n"
        f"held = sqlite3.connect('{PROFILE}/History')\n"
        f"pages = \"(SELECT id FROM urls WHERE url LIKE 'http://{host}%')\"\n"
        "held.execute('DELETE FROM visits WHERE url IN ' + pages)\n"
        "held.execute('DELETE FROM urls WHERE id IN ' + pages)\n"
        "held.commit()\n"
    )


def profile_edited(name: str, *lines: str) -> Way:
    """Return a way that closes Chromium and changes its `settings` and `bookmarks` by lines of code."""
    code = [
        "import json, pathlib",
        f"files = [pathlib.Path('{PROFILE}') / each for each in ('Preferences', 'Bookmarks')]",
        "settings, bookmarks = (json.loads(each.read_text()) if each.exists() else EMPTY for each in files)",
        *lines,
        "for file, held in zip(files, (settings, bookmarks)):",
        "    file.write_text(json.dumps(held))",
    ]
    empty = {"children": [], "type": "folder", "name": ""}
    first = f"EMPTY = {dict(roots=dict(bookmark_bar=empty, other=empty, synced=empty), version=1)!r}"
    return Way(name=name, moves=(*CLOSE, hand.run_code("\n".join([first, *code]) + "\n", "python")))


def add_bookmark(folder: str, url: str, title: str) -> str:
    """Return the line that bookmarks a page in a folder on the bar, or among the other bookmarks."""
    where = "bookmarks['roots']['other']"
    if folder != "other":
        where = f"next(each for each in bookmarks['roots']['bookmark_bar']['children'] if each['name'] == {folder!r})"
    entry = {"type": "url", "name": title, "url": url, "id": "77", "guid": "", "date_added": "13300000000000000"}
    return f"{where}['children'].append({entry!r})"
