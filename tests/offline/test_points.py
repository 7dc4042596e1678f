"""Points are found in the many shapes in which models give them, and nowhere else."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.offline.answers.points import find_point
from proctor.offline.answers.spaces import SPACES, from_pixel, to_pixel

SHAPES = [
    "(500, 300)",
    "(500,300)",
    "( 500 , 300 )",
    "[500, 300]",
    "{500, 300}",
    "[[500, 300]]",
    "500, 300",
    "500 300",
    "500;300",
    "**(500, 300)**",
    "`(500, 300)`",
    "Answer: (500, 300)",
    "answer: 500, 300",
    "Answer:\n(500, 300)",
    "The answer is (500, 300).",
    "First I saw (1, 2) and (30, 40), but it is (500, 300)",
    "x=500, y=300",
    "x: 500, y: 300",
    "X = 500; Y = 300",
    "x 500 y 300",
    "The element is at x = 500 px and y = 300 px.",
    "Click at 500, 300",
    "Tap at position 500, 300 please",
    "$(500, 300)$",
    r"\boxed{(500, 300)}",
    "\N{FULLWIDTH LEFT PARENTHESIS}500\N{FULLWIDTH COMMA}300\N{FULLWIDTH RIGHT PARENTHESIS}",
    '{"x": 500, "y": 300}',
    '{"x": "500", "y": "300"}',
    '{"X": 500, "Y": 300}',
    '{"point": [500, 300]}',
    '{"point_2d": [500, 300], "label": "Save"}',
    '[{"point_2d": [500, 300], "label": "Save"}]',
    '```json\n[{"point_2d": [500, 300], "label": "button 2"}]\n```',
    '```json\n{"bbox_2d": [450, 280, 550, 320], "label": "ok"}\n```',
    '{"coordinate": [500, 300]}',
    '{"action": "left_click", "coordinate": [500, 300]}',
    '{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [500, 300]}}',
    '<tool_call>\n{"name": "computer_use", "arguments": {"action": "click", "coordinate": [500, 300]}}\n</tool_call>',
    '{"action": "click", "position": {"x": 500, "y": 300}}',
    '{"box": [450, 280, 550, 320]}',
    '{"box": [[450, 280], [550, 320]]}',
    '{"left": 450, "top": 280, "width": 100, "height": 40}',
    '{"x1": 450, "y1": 280, "x2": 550, "y2": 320}',
    '{"thought": "there are 3 buttons", "click": "500, 300"}',
    "<point>500 300</point>",
    "<point>500,300</point>",
    "<point>(500, 300)</point>",
    "<point>[[500, 300]]</point>",
    "<points>500 300</points>",
    "<box>450 280 550 320</box>",
    "<box>(450,280),(550,320)</box>",
    "<bbox>[450, 280, 550, 320]</bbox>",
    "<click>500, 300</click>",
    "<answer>(500, 300)</answer>",
    "<coordinate>500,300</coordinate>",
    "<|box_start|>(500,300)<|box_end|>",
    "<|box_start|>(450,280),(550,320)<|box_end|>",
    "<|point_start|>500 300<|point_end|>",
    "Action: CLICK <point>[[500, 300]]</point>",
    "Thought: it is there.\nAction: click(start_box='(500,300)')",
    "click(start_box='<|box_start|>(500,300)<|box_end|>')",
    "click(point='<point>500 300</point>')",
    "pyautogui.click(500, 300)",
    "pyautogui.click(x=500, y=300)",
    "pyautogui.click(x=500, y=300, button='left', clicks=2)",
    "```python\npyautogui.moveTo(500, 300)\n```",
    "import pyautogui\npyautogui.doubleClick(500, 300, interval=0.25)",
    "computer.left_click(500, 300)",
    "tap(500, 300)",
    "(450, 280, 550, 320)",
    "[450, 280, 550, 320]",
    "(450, 280), (550, 320)",
    "<think>maybe (1, 1), or (2, 2)</think>(500, 300)",
    "<think>it is { [ ( \n</think>\nAnswer: (500, 300)",
    "The image is 1920 by 1080. Step 1. I look. The button is the 2nd. Answer: (500, 300)",
    "(500.0, 300.00)",
    "(+500, +300)",
    "{'action': 'CLICK', 'value': None, 'position': [500, 300]}",
    "CLICK(box=[[450,280,550,320]], element_info='[button] 3 Save')",
    "CLICK(box=[[450,280,550,320]], element_type='button', element_info='Save 7 8')",
    '<parameter name="coordinate">[500, 300]</parameter>',
    '<parameter name="action">click</parameter><parameter name="coordinate">[500, 300]</parameter>',
    "<|ref|>the button<|/ref|><|det|>[[450, 280, 550, 320]]<|/det|>",
    "<ref>Save</ref><box>[[450, 280, 550, 320]]</box>",
    "Click(500, 300)",
    '{"click_x": 500, "click_y": 300}',
    '{"x_min": 450, "y_min": 280, "x_max": 550, "y_max": 320}',
    '{"xmin": 450, "ymin": 280, "xmax": 550, "ymax": 320}',
    '{"bbox": {"x": 450, "y": 280, "width": 100, "height": 40}}',
    '{"bounding_box": [450, 280, 550, 320]}',
    '{"coordinates": {"x": 500, "y": 300}}',
    '{"action_type": "click", "x": 500, "y": 300, "reason": "the 2nd of 3"}',
    '{"type": "click", "button": "left", "x": 500, "y": 300}',
    '{"answer": "(500, 300)"}',
    '{"name": "click", "parameters": {"point": [500, 300]}}',
    "X: 500\nY: 300",
    "- x: 500\n- y: 300",
    "**x** = 500, **y** = 300",
    "The center is approximately (500, 300) pixels in a 1920x1080 image.",
    "Point(x=500, y=300)",
    "left_click [500, 300]",
    "click [500, 300]",
    'do(action="Tap", element=[500,300])',
    "Action: tap(500, 300)\nObservation:",
    "final_answer: [500, 300]",
    "\\boxed{[500, 300]}",
    "\\( (500, 300) \\)",
    "(x: 500, y: 300)",
    "(x=500,y=300)",
    "500,300\n",
    '<answer>{"x": 500, "y": 300}</answer>',
    "<answer>[500,300]</answer><|im_end|>",
    "```\n500, 300\n```",
    "I would click on the button at coordinate `[500, 300]`.",
    "\N{CJK UNIFIED IDEOGRAPH-5750}\N{CJK UNIFIED IDEOGRAPH-6807} (500, 300)",
    "Tool call: computer(action='left_click', coordinate=[500, 300])",
    "computer.click(x=500, y=300)",
    'agent.click("Save", 500, 300)',
    "mouse_move(500, 300)\nmouse_click()",
    "\\(500, 300\\)",
    "(500px, 300px)",
    "500 px, 300 px",
    "Answer: 500, 300 (pixels)",
    "(500, 300,)",
    "The point is 500, 300",
    "Tap on 500, 300",
    "xdotool mousemove 500 300 click 1",
    "adb shell input tap 500 300",
    "x-coordinate: 500, y-coordinate: 300",
    "center_x: 500, center_y: 300",
    "cx=500, cy=300",
    "x1=450, y1=280, x2=550, y2=320",
    "top-left (450, 280), bottom-right (550, 320)",
    '{"left": 450, "top": 280, "right": 550, "bottom": 320}',
    '{"bbox": {"left": 450, "top": 280, "right": 550, "bottom": 320}}',
    "Answer: (500, 300)\n\nNote: coordinates are within [0, 1920] x [0, 1080].",
    "Answer: (1, 2)\nThat was wrong.\nAnswer: (500, 300)",
    "The answer is not (1, 2), it is (500, 300)",
]


@pytest.mark.parametrize("reply", SHAPES)
def test_a_point_is_found(reply: str) -> None:
    found = find_point(reply)
    assert (found.x, found.y) == (500, 300), found
    assert not found.refused
    assert found.space == ""


@pytest.mark.parametrize(
    ("reply", "point", "space"),
    [
        ("(0.25, 0.5)", (0.25, 0.5), ""),
        ("(.25, .5)", (0.25, 0.5), ""),
        (".25, .5", (0.25, 0.5), ""),
        ("Answer: .25, .5", (0.25, 0.5), ""),
        ("x = .25, y = .5", (0.25, 0.5), ""),
        ("0.25, 0.5.", (0.25, 0.5), ""),
        ("pyautogui.click(x=0.25, y=0.5)", (0.25, 0.5), ""),
        ('<point x="25.5" y="50.1" alt="Save">Save</point>', (25.5, 50.1), "percent"),
        ('<points x1="25.5" y1="50.1" x2="7" y2="8" alt="Save">Save</points>', (25.5, 50.1), "percent"),
        ("It is 25% from the left and 50% from the top", (25, 50), "percent"),
        ("25%, 50%", (25, 50), "percent"),
        ("<loc_250><loc_500>", (250, 500), "0-999"),
        ("<loc_200><loc_400><loc_300><loc_600>", (250, 500), "0-999"),
        ('{"box_2d": [400, 200, 600, 300], "label": "save"}', (250, 500), "0-1000"),
        ('```json\n[{"box_2d": [400, 200, 600, 300]}]\n```', (250, 500), "0-1000"),
    ],
)
def test_a_shape_may_say_its_space(reply: str, point: tuple[float, float], space: str) -> None:
    found = find_point(reply)
    assert (found.x, found.y, found.space) == (*point, space)


@pytest.mark.parametrize(
    "reply",
    [
        "(-1, -1)",
        "Answer: (-1,-1)",
        '{"point": [-1, -1]}',
        "The element cannot be found.",
        "There is no such button",
        "None",
        "Answer: -1, -1",
        "x: -1, y: -1",
        "It isn't visible.",
        "No matching element.",
        "No element matches the instruction",
        "Nothing on the picture fits the instruction.",
    ],
)
def test_a_refusal_is_no_point(reply: str) -> None:
    assert find_point(reply).refused


@pytest.mark.parametrize(
    "reply", ["", "   \n", "I will click the button.", "version 2 of 3", "<think>(1, 2)", "{", "(500)", "(a, b)", "1"]
)
def test_where_there_is_no_point_none_is_made_up(reply: str) -> None:
    found = find_point(reply)
    assert found.problem and not found.refused


def test_long_replies_take_no_time() -> None:
    began = time.perf_counter()
    for piece in ("(1, ", "<think>", "{", "[", "<point>", "x=1 ", "click(", "5% ", "1 2 3 ", "<loc_1>", "(1, 2)", " "):
        find_point(piece * (300_000 // len(piece)))
    assert find_point("no " * 500_000 + "(500, 300)").x == 500
    assert time.perf_counter() - began < 20


@given(st.text(max_size=300))
def test_no_text_breaks_it(reply: str) -> None:
    find_point(reply)


@given(st.text("()[]{}<>|,.:;=-+%\"' \nxy0123456789pointbxclk_/", max_size=200))
def test_nothing_like_an_answer_breaks_it(reply: str) -> None:
    find_point(reply)


@given(
    st.sampled_from([space for space in SPACES if space != "auto"]),
    st.floats(0, 1),
    st.floats(0, 1),
    st.tuples(st.integers(50, 4000), st.integers(50, 4000)),
    st.tuples(st.integers(50, 4000), st.integers(50, 4000)),
)
def test_every_space_leads_back(
    space: str, across: float, down: float, sent: tuple[int, int], size: tuple[int, int]
) -> None:
    x, y = across * size[0], down * size[1]
    pixel = to_pixel(*from_pixel(x, y, space, sent=sent, size=size), space, sent=sent, size=size)
    assert (pixel.x, pixel.y) == pytest.approx((x, y), abs=1e-6)


def test_a_guess_says_that_it_is_one() -> None:
    assert to_pixel(0.5, 0.5, "auto", sent=(100, 100), size=(200, 200)) == (100, 100, "unit (guessed)")
    assert to_pixel(50, 50, "auto", sent=(100, 100), size=(200, 200)) == (100, 100, "pixel (guessed)")
