"""The agent that goes by rules, on trees as pages have them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.actions.action import Action, Click, Done, Fail, Press, Scroll, Type, Wait
from proctor.agents import open_agent
from proctor.agents.rules.agent import RulesAgent
from proctor.agents.rules.carry_out import MOST_TRIES, WishWork
from proctor.agents.rules.goals import Wish, read
from proctor.agents.rules.page import RulesPage
from proctor.observations.box import Box
from proctor.observations.observation import Observation
from proctor.observations.tree import Node, Tree
from proctor.records import Brief

SHOWN = frozenset({"showing", "visible", "enabled"})
Spec = tuple[str, str, dict[str, Any]]


def tree(*specs: Spec) -> Tree:
    """Return a page with elements below one another, 40 pixels each."""
    nodes = [
        Node(index=0, parent=None, depth=0, role="application", name="chromium"),
        Node(index=1, parent=0, depth=1, role="frame", box=Box(0, 0, 500, 500), states=SHOWN),
        Node(index=2, parent=1, depth=2, role="document web", box=Box(0, 0, 500, 500), states=SHOWN),
    ]
    for place, (role, name, more) in enumerate(specs):
        above = more.get("parent")
        parent = 2 if above is None else 3 + above
        editable = {"editable"} if role in ("entry", "password text", "spin button") else set()
        nodes.append(
            Node(
                index=len(nodes), parent=parent, depth=nodes[parent].depth + 1, role=role, name=name,
                text=more.get("text", name if role in ("static", "paragraph", "table cell", "label") else ""),
                states=SHOWN | editable | more.get("states", set()), box=more.get("box", Box(10, 40 * place, 100, 30)),
                actions=("click",) if role in ("push button", "link", "page tab", "menu item") else (),
                attributes=more.get("attributes", {}),
            )
        )  # fmt: skip
    return Tree(tuple(nodes))


def played(instruction: str, *pages: Tree, turns: int = 10) -> list[Action]:
    """Return what the agent does, shown one page after the other and the last one from then on."""
    agent = RulesAgent()
    agent.start(Brief(instruction=instruction, actions=("click",), size=(500, 500), max_steps=30))
    done: list[Action] = []
    for turn in range(turns):
        shown = pages[min(turn, len(pages) - 1)]
        actions = agent.act(Observation(at=0.0, desktop=(500, 500), tree=shown)).actions
        done += actions
        if any(isinstance(action, Done | Fail) for action in actions):
            return done
    return done


def at(place: int) -> Click:
    return Click(x=60, y=40 * place + 15)


@pytest.mark.parametrize(
    ("instruction", "wishes"),
    [
        ('Click on the "okay" button.', ["click okay"]),
        ("Click button ONE, then click button TWO.", ["click ONE", "click TWO"]),
        ("Click button ONE, wait 1 seconds, then click button TWO.", ["click ONE", "wait 1", "click TWO"]),
        ('Enter "Ann" into the text field and press Submit.', ["enter Ann", "click Submit"]),
        ('Type "ann" in all upper case letters in the text input and press Submit.', ["enter ANN", "click Submit"]),
        (
            'Enter the username "u" and the password "p" into the text fields and press login.',
            ["enter u", "enter p", "click login"],
        ),
        ("Select a, b, c and click Submit.", ["choose a", "choose b", "choose c", "click Submit"]),
        ("Select nothing and click Submit.", ["click Submit"]),
        ("Select Ann from the list and click Submit.", ["choose Ann", "click Submit"]),
        ("Select File>Open", ["choose File", "choose Open"]),
        ("Select 01/14/2016 as the date and hit submit.", ["date 01/14/2016", "click submit"]),
        (
            'Use the textbox to enter "Ann" and press "Search", then find and click the 7th search result.',
            ["enter Ann", "click Search", "result"],
        ),
        ("Draw me a sheep.", []),
    ],
)
def test_instructions_are_read(instruction: str, wishes: list[str]) -> None:
    assert [f"{wish.do} {wish.text or wish.name}".strip() for wish in read(instruction)] == wishes


def test_a_button_is_clicked_not_the_words_that_ask_for_it() -> None:
    asked = 'Click on the "okay" button.'
    page = tree(("static", asked, {}), ("push button", "no", {}), ("push button", "okay", {}))
    assert played(asked, page) == [at(2), Done()]


def test_texts_go_into_the_fields_of_their_labels() -> None:
    asked = 'Enter the username "u" and the password "p" into the text fields and press login.'
    page = tree(
        ("label", "Username", {}), ("entry", "", {}), ("label", "Password", {}), ("password text", "", {}),
        ("push button", "Login", {}),
    )  # fmt: skip
    select = Press(keys="ctrl+a")
    assert played(asked, page) == [at(1), select, Type(text="u"), at(3), select, Type(text="p"), at(4), Done()]


def test_only_what_is_named_is_ticked() -> None:
    page = tree(
        ("check box", "a", {}), ("check box", "b", {"states": {"checked"}}), ("check box", "c", {}),
        ("push button", "Submit", {}),
    )  # fmt: skip
    assert played("Select a, b and click Submit.", page) == [at(0), at(3), Done()]


def test_tabs_are_opened_until_the_link_is_there() -> None:
    tabs: list[Spec] = [("page tab", f"Tab #{number}", {}) for number in (1, 2, 3)]
    asked = 'Switch between the tabs to find and click on the link "here".'
    assert played(asked, tree(*tabs), tree(*tabs), tree(*tabs, ("static", "here", {}))) == [at(0), at(1), at(3), Done()]


def test_what_is_nowhere_is_given_up() -> None:
    done = played('Click on the link "nowhere".', tree(("static", "words", {})), turns=60)
    assert isinstance(done[-1], Done) and len(done) <= MOST_TRIES + 1


def test_dates_are_entered_part_by_part() -> None:
    page = tree(("entry", "", {"attributes": {"type": "date"}}), ("push button", "Submit", {}))
    done = played("Enter 05/20/2010 as the date and hit submit.", page)
    assert done == [Click(x=34, y=15), Type(text="05202010"), at(1), Done()]


def test_a_month_is_turned_to() -> None:
    def month(name: str) -> Tree:
        return tree(("static", name, {}), ("link", "Prev", {}), ("link", "Next", {}), ("link", "14", {}))

    closed = tree(("entry", "", {}))
    done = played("Select 01/14/2016 as the date.", closed, month("March 2016"), month("January 2016"))
    assert done[:3] == [at(0), at(1), at(3)]


@pytest.mark.parametrize(
    ("problem", "answer"),
    [
        ("3 + 4 =", "7"),
        ("3 - 4 =", "-1"),
        ("3 x 4 =", "12"),
        ("0 + x = 8", "8"),
        ("x - 3 = 4", "7"),
        ("9 - x = 4", "5"),
    ],
)
def test_sums_are_worked_out(problem: str, answer: str) -> None:
    page = tree(("static", problem, {}), ("entry", "", {}))
    assert Type(text=answer) in played("Solve the math problem and type your answer into the textbox.", page)


def test_values_are_copied_from_a_table() -> None:
    page = tree(
        ("table row", "", {}), ("table cell", "Name", {"parent": 0}), ("table cell", "Ann", {"parent": 0}),
        ("table row", "", {}), ("table cell", "Year", {"parent": 3}), ("table cell", "1968", {"parent": 3}),
        ("label", "Year:", {}), ("entry", "Year:", {}),
    )  # fmt: skip
    assert Type(text="1968") in played("Enter the value that corresponds with each label into the form.", page)
    assert Type(text="Ann") in played("Enter the value of Name into the text field.", page)


def test_a_slider_is_moved_by_keys_until_it_says_so() -> None:
    def page(value: str) -> Tree:
        handle = {"attributes": {"class": "ui-slider-handle"}}
        return tree(("section", "", handle), ("static", value, {}), ("push button", "Submit", {}))

    done = played("Select 3 with the slider and hit Submit.", page("0"), page("3"))
    assert done == [at(0), Press(keys="Right Right Right"), at(2), Done()]


def test_a_number_is_turned_by_its_keys() -> None:
    def page(value: str) -> Tree:
        return tree(("spin button", "", {"text": value}), ("push button", "Submit", {}))

    done = played("Select -2 with the spinner and hit Submit.", page("0"), page("-2"))
    assert done == [at(0), Press(keys="Down Down"), at(1), Done()]


def test_a_page_that_is_not_there_yet_is_waited_for_a_while() -> None:
    assert played('Click on the "go" button.', tree(), tree(("push button", "go", {}))) == [
        Wait(seconds=1.0), at(0), Done()]  # fmt: skip
    assert played('Click on the "go" button.', tree())[-1] == Done()


def test_the_case_of_a_name_decides_between_two() -> None:
    page = tree(("link", "eget", {}), ("link", "Eget", {}))
    assert played('Click on the link "Eget".', page) == [at(1), Done()]


def test_a_long_list_is_scrolled_and_what_was_chosen_stays() -> None:
    def page(*names: str) -> Tree:
        items: list[Spec] = [("list item", name, {"parent": 0}) for name in names]
        return tree(("list box", "", {}), *items)

    work = WishWork(Wish(do="choose", name="Zoe"))
    assert isinstance((work.next(RulesPage(page("Ann"), "")) or ())[0], Scroll)
    (click,) = work.next(RulesPage(page("Ann", "Zoe"), "")) or ()
    assert isinstance(click, Click) and click.modifiers == ("ctrl",)


def test_a_dialog_in_the_way_is_closed_first() -> None:
    dialog = tree(("dialog", "This page says", {}), ("push button", "OK", {"parent": 0}))
    page = tree(("push button", "go", {}))
    assert played('Click on the "go" button.', dialog, page) == [at(1), at(0), Done()]


def test_what_is_not_understood_is_said() -> None:
    assert isinstance(played("Draw me a sheep.", tree())[0], Fail)


def test_it_is_opened_by_name() -> None:
    assert isinstance(open_agent("rules"), RulesAgent)


@given(
    st.text(max_size=60),
    st.lists(st.tuples(st.sampled_from(["link", "entry", "static", "list box"]), st.text(max_size=8))),
)
def test_any_words_on_any_page_end(words: str, shown: list[tuple[str, str]]) -> None:
    page = tree(*((role, name, {}) for role, name in shown))
    for instruction in (words, f'Select {words} from the list, click on the link "{words}" and press Submit.'):
        done = played(instruction, page, turns=120)
        assert isinstance(done[-1], Done | Fail)
        assert all(isinstance(action, Click | Type | Press | Scroll | Wait | Done | Fail) for action in done)
