"""Texts of a schema as parts of a Markdown page: nothing in them becomes HTML or a part of the page's structure."""

import re

_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
# At the start of a line these begin a heading, a fence, a rule or a heading's underline.
_STRUCTURE = re.compile(r"^(\s*)(#|```|~~~|---|===)")
# A link to anything but the web, a page or a mailbox is shown as text: javascript: and data: run in the reader.
_LINK = re.compile(r"\]\((?!\s*(?:https?:|mailto:|#|\.?\.?/))")

# Characters with a meaning to Markdown inside a line.
_MARKDOWN = re.compile(r"[\\`*_{}\[\]|~!]")


def html_text(text: str) -> str:
    """`text` inside an HTML element or attribute."""
    return text if text.isalnum() else _visible(text).translate(_HTML)


def code(text: str) -> str:
    """`text` as inline code; HTML rather than backticks, which would end at a backtick inside."""
    # Markdown is also parsed inside <code>: its characters become character references.
    return f"<code>{_MARKDOWN.sub(lambda found: f'&#{ord(found.group())};', html_text(text))}</code>"


def prose(text: str) -> str:
    """Return a description with its Markdown kept; HTML and page structure in it become plain text."""
    lines = []
    for line in text.strip().splitlines():
        shown = _visible(line).replace("&", "&amp;").replace("<", "&lt;")
        shown = _STRUCTURE.sub(r"\1\\\2", shown)
        lines.append(_LINK.sub(r"\\](", shown).rstrip())
    return "\n".join(lines)


def anchor(heading: str) -> str:
    """Return the link fragment that renderers give to a heading of letters and digits."""
    lowered = heading.lower()
    return lowered if lowered.isalnum() else "".join(each for each in lowered if each.isalnum() or each in "-_")


def _visible(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or each == "\n" else " " for each in text)
