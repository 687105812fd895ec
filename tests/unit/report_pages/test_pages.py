"""The parts of report pages: escaping, the policy, JSON with marks, and the design that they share with the console."""

import base64
import hashlib
import re
from pathlib import Path

import pytest

from formwork import console, report_pages
from formwork.report_pages.json_view import ValueMark, render_json_value
from formwork.report_pages.markup import Markup, element, escape, joined
from formwork.report_pages.page import frame_policy, page_policy, render_page
from formwork.report_pages.parts import counted, differing, meter, strip


def test_what_is_not_markup_is_escaped():
    attack = "\"'><script>x()</script>\x1b"
    made = element("p", attack, element("b", attack), None, [attack, Markup("<i></i>")], 3, class_="a", title=attack)
    assert "<script" not in made
    assert made.count("&lt;script&gt;x()&lt;/script&gt;\\x1b") == 4
    assert 'title="&quot;&#x27;&gt;&lt;script' in made
    assert made.endswith("<i></i>3</p>")
    assert joined("<", Markup("<")) == "&lt;<"
    assert escape("a & b") == "a &amp; b"


def test_attributes_that_are_false_are_left_out():
    assert (
        element("details", open=True, id=None, hidden=False, data_state="x")
        == '<details open data-state="x"></details>'
    )
    assert element("meta", charset="utf-8") == '<meta charset="utf-8">'


def test_the_policy_names_the_script_and_the_style_of_the_page():
    page = render_page("<title>", "text", sections=[("a", "A", 1)])
    for name in ("script", "style"):
        (content,) = re.findall(f"<{name}>(.*?)</{name}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in page_policy()
    assert page_policy().startswith("default-src 'none'; ")
    assert "unsafe" not in frame_policy()
    assert frame_policy().endswith("frame-ancestors 'self'; sandbox allow-scripts")
    assert "<title>&lt;title&gt;</title>" in page


def test_reports_have_the_colours_of_the_console():
    def colours(style):
        return re.findall(r"^ +(--[a-z-]+: .*;)$", style, re.MULTILINE)

    ours = (Path(report_pages.__file__).parent / "report.css").read_text(encoding="utf-8").partition("@media print")[0]
    theirs = (Path(console.__file__).parent / "static" / "console.css").read_text(encoding="utf-8")
    assert colours(ours)
    assert colours(ours) == colours(theirs)[: len(colours(ours))]


def text_of(page):
    return re.sub("<[^>]*>", "", re.sub(r'<span class="marked[^>]*>', "> ", page))


def test_json_is_a_line_per_member_with_what_differs():
    value = {"A": 1, "B": {"C": ["x", None]}, "<": {}, "E": []}
    marks = {
        ("A",): ValueMark("is", "expected 2"),
        ("B", "C", "0"): ValueMark("was", "expected"),
        ("B", "D"): ValueMark("missing", "expected true", "(absent)"),
        ("<", "F"): ValueMark("missing", "expected 1", "(absent)"),
        ("Z", "nowhere"): ValueMark("is", "never shown"),
    }
    assert text_of(render_json_value(value, marks)).replace("  ◂", " ◂") == (
        '{\n>   "A": 1, ◂ expected 2  "B": {\n    "C": [\n>       "x", ◂ expected      null\n    ]\n'
        '>     "D": (absent) ◂ expected true  },\n  "&lt;": {\n>     "F": (absent) ◂ expected 1  },\n  "E": []\n}\n'
    )


def test_a_value_that_is_one_text_is_one_line():
    assert text_of(render_json_value("a<b")) == '"a&lt;b"\n'
    assert text_of(render_json_value({"": {"": 1}})) == '{\n  "": {\n    "": 1\n  }\n}\n'


def test_of_a_large_value_the_beginning_is_shown():
    page = render_json_value({"long": "x" * 10_000, "many": list(range(10_000))})
    assert "(10002 characters)" in page
    assert page.endswith("… more lines\n</pre>")
    assert len(page) < 40_000


@pytest.mark.parametrize(
    ("text", "other", "marked"),
    [
        ("same", "same", "same"),
        ('"abcd"', '"abxd"', '"ab<mark>c</mark>d"'),
        ("a", "b", "a"),
        ("aa", "aaa", "aa"),
        ("aaa", "aa", "aa<mark>a</mark>"),
        ("<1>", "<2>", "&lt;<mark>1</mark>&gt;"),
    ],
)
def test_what_differs_of_two_texts(text, other, marked):
    assert differing(text, other) == marked


def test_bars_are_as_wide_as_their_numbers():
    bar = meter([("good", 3), ("bad", 0), ("gone", 1)], "3 of 4")
    assert re.findall(r'class="bar (\w+)" x="([\d.]+)" width="([\d.]+)"', bar) == [
        ("good", "0.00", "75.00"),
        ("gone", "75.00", "25.00"),
    ]
    assert 'aria-label="3 of 4"' in bar
    assert "rect" not in meter([], "nothing")
    lines = strip([(1, True), (2, True), (4, False), (5, True)], 5, "3 of 4")
    assert re.findall(r'class="bar (\w+)" x="(\d+)" width="(\d+)"', lines) == [
        ("good", "0", "2"),
        ("bad", "3", "1"),
        ("good", "4", "1"),
    ]


def test_counts_have_their_noun():
    assert [counted(1, "test"), counted(1000, "test"), counted(2, "class", "classes")] == [
        "1 test",
        "1,000 tests",
        "2 classes",
    ]
