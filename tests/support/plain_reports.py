"""Reports of runs without what differs from run to run."""

import re

_IDS = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{24,64}\b")
_TIMES = re.compile(
    r'\(\d[\d.,]* (ms|s)\)|"(seconds|started|duration)": [\d.e-]+|time="[\d.]+"|(in|,) [\d.,]+ (s|ms)\b'
)


def plain(text):
    """A report with its ids in the order of their appearance and without times."""
    names = {}
    text = _IDS.sub(lambda found: names.setdefault(found[0], f"<{len(names) + 1}>"), text)
    return _TIMES.sub("<time>", text)
