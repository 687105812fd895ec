"""Pages as HTML, whole or in parts."""

from formwork.console.rendering import render, render_parts

_COMMON = {"form_token": "t", "api": "http://127.0.0.1:1", "account": None, "feed_version": "1"}


def test_the_parts_of_a_page_are_the_page():
    for length in (10, 100_000):
        values = {**_COMMON, "message": "<" * length}
        parts = list(render_parts("problem.html", values))
        assert "".join(parts) == render("problem.html", values)
        assert (len(parts) > 1) is (length > 10)


def test_a_small_page_is_one_part():
    assert len(list(render_parts("problem.html", {**_COMMON, "message": ""}))) == 1
