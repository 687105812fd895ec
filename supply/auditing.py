"""Known vulnerabilities in what is locked: the advisories of the index against those that were reviewed."""

from collections.abc import Iterable, Mapping
from typing import Any

from supply.pins import Pin

# Advisory → why it does not concern Formwork. One that no locked release has any more is a finding as well.
REVIEWED: Mapping[str, str] = {}


Known = Mapping[Pin, Iterable[Mapping[str, Any]] | None]


def audit(known: Known, reviewed: Mapping[str, str]) -> tuple[str, ...]:
    """One line per advisory that was not reviewed, and per review that has lost its advisory."""
    lines = []
    seen = set()
    for pin, advisories in known.items():
        for advisory in advisories or ():
            names = {advisory["id"], *advisory.get("aliases", ())}
            seen |= names
            if not names & reviewed.keys():
                fixed = ", ".join(advisory.get("fixed_in") or ["no release"])
                text = advisory.get("summary") or advisory.get("details") or ""
                summary = text.strip().partition("\n")[0][:120]
                lines.append(f"{pin.name} {pin.version}: {advisory['id']}, fixed in {fixed}: {summary}")
    stale = [each for each in reviewed if each not in seen]
    lines += [f"{each} is reviewed in supply/auditing.py, and no locked release has it" for each in stale]
    return tuple(lines)
