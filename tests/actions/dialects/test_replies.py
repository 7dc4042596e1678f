"""Replies as models really write them: fences, labels, reasoning, and special words that are and are not meant."""

import pytest

from proctor.actions import action as act
from proctor.actions.dialects import open_dialect
from proctor.actions.dialects.reply import DEFAULT_QUESTION, take_apart
from tests.actions.dialects.samples import SAME, kinds, refused, understood

CLICK = "pyautogui.click(10, 20)"
PYAUTOGUI = open_dialect("pyautogui")
COMPUTER13 = open_dialect("computer13")


@pytest.mark.parametrize(
    "reply",
    [
        CLICK,
        f"```python\n{CLICK}\n```",
        f"```\n{CLICK}\n```",
        f"```Python\n{CLICK}\n```",
        f"```python {CLICK}```",
        f"```{CLICK}```",
        f"```python\n{CLICK}",
        f"``` python\n{CLICK}\n```  ",
        f"````python\n{CLICK}\n````",
        f"Sure!\n\n  ```python\n  {CLICK}\n  ```\nThat should open it.",
        f"Action: {CLICK}",
        f"**Action:** `{CLICK}`",
        f"- Action： {CLICK}",
        f"The menu is open.\n`{CLICK}`",
        f"I need to press the button.\n{CLICK}\nThen we shall see.",
        f"Action: ```python\n{CLICK}\n```",
        f"<think>Should I say DONE?\nDONE\n</think>\n```python\n{CLICK}\n```",
        f"The start of this reasoning was cut.\nDONE\n</think>\n\n{CLICK}",
        f"The file says:\n```text\nDo not click here!\n```\nSo:\n```python\n{CLICK}\n```",
        f"I ran this before:\n```bash\nls -la\n```\n```python\n{CLICK}\n```",
        f"```python\n{CLICK}\n``` and that is it.",
        "pyautogui.click(\n    10,\n    20,\n)",
        "I click:\nx = 10\npyautogui.click(\n    x=x,\n    y=20\n)\nand wait for the window.",
        f"```python\n# DONE\n{CLICK}  # FAIL\n```",
        f"```python\n'''\nDONE\n'''\n{CLICK}\n```",
    ],
)
def test_one_click_however_it_is_wrapped(reply: str) -> None:
    assert understood(PYAUTOGUI.read(reply, SAME)) == [act.Click(x=10, y=20)]


def test_all_blocks_count_in_order() -> None:
    reply = f"First:\n```python\n{CLICK}\n```\nthen\n```python\npyautogui.write('a')\n```\nand\n```DONE```"
    reading = PYAUTOGUI.read(reply, SAME)
    assert kinds(reading) == ["click", "type", "done"]
    assert reading.thought == "First:\nthen\nand"


@pytest.mark.parametrize("between", ["\n```\n", "\n", "\n``` and then\n", "\n```\nSo far, so good.\n"])
def test_blocks_that_are_badly_closed_count_one_by_one(between: str) -> None:
    reply = f"```python\n{CLICK}{between}```python\npyautogui.write('```')\n```\n```DONE```"
    assert understood(PYAUTOGUI.read(reply, SAME)) == [act.Click(x=10, y=20), act.Type(text="```"), act.Done()]


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("DONE", "done"),
        ("done", "done"),
        ("Done.", "done"),
        ("**DONE**", "done"),
        ("`FAIL`", "fail"),
        ("```DONE```", "done"),
        ("```\nDONE\n```", "done"),
        ("```python\nDONE\n```", "done"),
        ("```python\nfail\n```", "fail"),
        ("```WAIT\n```", "wait"),
        ("The page is still loading.\n\nWAIT", "wait"),
        ("All is saved, so I stop here.\n\n```\nDone\n```", "done"),
        ("Action: wait", "wait"),
        ("Everything is in place.\ndone", "done"),
        ("DONE\n\n(The file was saved.)", "done"),
        ("“DONE”", "done"),
    ],
)
@pytest.mark.parametrize("dialect", [PYAUTOGUI, COMPUTER13], ids=["pyautogui", "computer13"])
def test_special_words_that_stand_alone_count(dialect: object, reply: str, kind: str) -> None:
    assert kinds(dialect.read(reply, SAME)) == [kind]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "reply",
    [
        "I am not DONE yet.",
        "When that is finished I will answer DONE",
        "Wait.\nLet me look at the picture again.",
        "wait\nlet me look at the picture again",
        "If it is impossible I say FAIL, otherwise DONE, but first I have to think.",
        "<think>\nDONE\n</think>",
        "<think>I wonder whether it is\nDONE",
        "DONE: everything",
        "It is UNDONE",
        "",
        "   \n",
    ],
)
@pytest.mark.parametrize("dialect", [PYAUTOGUI, COMPUTER13], ids=["pyautogui", "computer13"])
def test_special_words_in_passing_do_not_count(dialect: object, reply: str) -> None:
    assert "no action was found" in refused(dialect.read(reply, SAME))  # type: ignore[attr-defined]


def test_a_special_word_before_a_block_is_reasoning_and_after_it_is_an_action() -> None:
    block = f"```python\n{CLICK}\n```"
    assert kinds(PYAUTOGUI.read(f"Am I\nDONE\nNo.\n{block}", SAME)) == ["click"]
    assert kinds(PYAUTOGUI.read(f"{block}\nDONE", SAME)) == ["click", "done"]
    assert kinds(PYAUTOGUI.read(f"{block}\nAfter that we should be DONE", SAME)) == ["click"]
    assert kinds(PYAUTOGUI.read(f"```python\n{CLICK}\nDONE\n```", SAME)) == ["click", "done"]


def test_typing_a_special_word_is_typing() -> None:
    for dialect in (PYAUTOGUI, COMPUTER13, open_dialect("plain_json"), open_dialect("ui_tars")):
        action = act.Type(text="DONE\nFAIL\nDONE")
        assert understood(dialect.read(dialect.write([action], SAME), SAME)) == [action]


@pytest.mark.parametrize(
    ("reply", "question"),
    [
        ("CALL_USER", DEFAULT_QUESTION),
        ("```\ncall_user\n```", DEFAULT_QUESTION),
        ("I cannot know it.\nCALL_USER: Which of the two files?", "Which of the two files?"),
        ('```python\nCALL_USER("Which one?")\n```', "Which one?"),
        ("```python\nask_user('Which one?')\n```", "Which one?"),
    ],
)
def test_calling_the_user(reply: str, question: str) -> None:
    assert understood(PYAUTOGUI.read(reply, SAME)) == [act.AskUser(question=question)]


def test_the_whole_of_a_reply_is_refused_for_one_mistake() -> None:
    problem = refused(PYAUTOGUI.read(f"```python\n{CLICK}\n```\n```python\nopen('x')\n```", SAME))
    assert "'open'" in problem


def test_thinking_is_kept_apart() -> None:
    parts = take_apart("<thinking>One.</thinking>\nTwo.\n<THINK>Three.</THINK>\n```\nx\n```\nFour.")
    assert parts.thinking == "One.\nThree."
    assert parts.prose.split() == ["Two.", "Four."]
    assert parts.fences[0].body == "x"
    reading = PYAUTOGUI.read(f"<think>It is there.</think>I click.\n```python\n{CLICK}\n```", SAME)
    assert reading.thought == "It is there.\nI click."


def test_each_action_keeps_what_the_model_wrote() -> None:
    (click,) = PYAUTOGUI.read("```python\nx = 10\npyautogui.click(x * 2, 30)\n```", SAME).actions
    assert click.given == act.Given(text="pyautogui.click(x * 2, 30)", points=((20, 30),), space="image 1920x1080")
    (done,) = PYAUTOGUI.read("**DONE**", SAME).actions
    assert done.given == act.Given(text="DONE")
