"""Parts that reports have in common: counts as tiles and as a bar, commands to copy, facts, texts that differ."""

from collections.abc import Iterable, Sequence
from itertools import takewhile

from formwork.report_pages.markup import Child, Markup, element, joined


def tiles(counts: Iterable[tuple[str, int, str]]) -> Markup:
    """Return numbers with their names; each has (kind, number, name), a number of 0 is left out."""
    shown = [
        element("li", element("b", number), " ", name, class_=f"tile {kind}") for kind, number, name in counts if number
    ]
    return element("ul", *shown, class_="tiles")


def meter(counts: Sequence[tuple[str, int]], label: str) -> Markup:
    """Return a bar with a part per kind, as wide as its number; `label` says it in words."""
    whole = sum(number for _, number in counts) or 1
    parts, left = [], 0.0
    for kind, number in counts:
        width = 100 * number / whole
        if number:
            parts.append(element("rect", class_=f"bar {kind}", x=f"{left:.2f}", width=f"{width:.2f}", height=8))
        left += width
    return element(
        "svg", *parts, class_="meter", viewBox="0 0 100 8", preserveAspectRatio="none", role="img", aria_label=label
    )


def strip(lines: Iterable[tuple[int, bool]], last: int, label: str) -> Markup:
    """Return a file as a bar: a part per line that has code, (its number, whether it ran)."""
    parts: list[list[int]] = []
    kinds: list[bool] = []
    for number, ran in lines:
        if kinds and kinds[-1] is ran:
            parts[-1][1] = number
        else:
            parts.append([number, number])
            kinds.append(ran)
    shown = [
        element("rect", class_=f"bar {'good' if ran else 'bad'}", x=first - 1, width=end - first + 1, height=8)
        for (first, end), ran in zip(parts, kinds, strict=True)
    ]
    size = f"0 0 {max(last, 1)} 8"
    return element(
        "svg", *shown, class_="meter", viewBox=size, preserveAspectRatio="none", role="img", aria_label=label
    )


def command(line: str, label: str = "Run it again") -> Markup:
    """Return a command with a button that copies it."""
    copy = element("button", "Copy", type="button", class_="copy quiet", aria_label=f"Copy: {label}")
    return element("div", element("code", line, aria_label=label), copy, class_="command")


def facts(rows: Iterable[tuple[str, Child]]) -> Markup:
    """Return names with their values; a value that is None is left out."""
    shown = (element("div", element("dt", name), element("dd", value)) for name, value in rows if value is not None)
    return element("dl", *shown, class_="facts")


def status(kind: str, said: str) -> Markup:
    """Return a state with the colour and the symbol of its kind."""
    return element("span", said, class_=f"status {kind}")


def counted(number: int, one: str, many: str = "") -> str:
    """Return `1 test` or `2 tests`."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def differing(text: str, other: str) -> Markup:
    """Return a text, marked where it differs from another: what is left without the same beginning and end."""
    start = _alike(text, other)
    end = _alike(text[start:][::-1], other[start:][::-1])
    middle = text[start : len(text) - end]
    if len(middle) == len(text) or not middle:
        return joined(text)
    return joined(text[:start], element("mark", middle), text[len(text) - end :])


def _alike(one: str, other: str) -> int:
    """Return how many characters at the beginning are the same."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
