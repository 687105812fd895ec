"""The wordings that messages, docstrings, comments and pages avoid, and what to write instead."""

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Match:
    """A wording found in a text, with its offset in the text and the wording to use instead."""

    offset: int
    words: str
    write: str


# Between two words of a phrase: white space, and the signs with which the next line of a comment or table begins.
_GAP = r"(?:\s+(?:(?:\#|//|\*|>)\s+)?)"
# `is no longer` and the like are plain English.
_PLAIN_NO = "longer|more|less|fewer|later|earlier|different|better|worse|larger|smaller|slower|faster|greater"

# Pattern → what to write. A space of a pattern matches a line break too; a lookbehind has a fixed width, so `\s` there.
_TABLE = {
    "mend(?:s|ed|ing|able)?": "fix",
    "(?:put|puts|putting) (?:(?:it|them|this|that|everything) )?right": "fix",
    rf"(?<!there\s)(?:is|was|be|are|were) no (?!(?:{_PLAIN_NO})\b)[\w`\"'{{-]+": 'is not a "…", "… not found"',
    r"no \w[\w\s-]{0,40}? (?:of|by|with) (?:that|this) name": '"… not found"',
    "nobody(?:'s)?": "name the actor: no handler, no process, no user",
    "somebody(?:'s)?": "name the actor: another process, the user",
    "anybody(?:'s)?": "name the actor: any process, any user",
    "everybody(?:'s)?": "name the actors: all users, all processes",
    "who(?:so|m)?ever": "name the actor: the caller, the user, the process that",
    "(?:made|make|makes|making|created|built|written) anew": "recreated, replaced",
    "(?:what|which|that) (?:stands|stand|stood) in(?! for)": "contains",
    "where (?:it|they|this|that|each) (?:stands|stand|stood)": "is located, its position",
    "(?:hear|hears|heard) of": "receives, is notified of",
    "(?:is|are|was|were|be|been) told(?! apart)": "receives, is notified of, is reported to",
    "(?:know|knows|knew) of": "has, supports, can access",
    "(?:go|goes|went|going|gone) on": "continues, resumes",
    "how far (?:it|they|that|this|each) (?:is|are|was|were|has|have|got|came)": "progress",
    r"(?<!encrypted\s)(?<!encryption\s)(?<!secrets\s)at rest": "idle, in a terminal state",
    "the (?:service|handler|server|library|user guide)(?:'s)? (?:own )?words": "the service's message",
    "(?:hold|holds|held|holding) (?:(?:it|them|that|all|this) )?against": "checked against",
    "an? (?:line|file|folder|page|test|process|thread|stream|column) a "
    "(?:line|file|rule|page|type|clause|kind|test|command|schema|language|resource|stack|shape|mutant)": "one … per …",
    "(?:a|one) (?:line|file|folder|page|test|process|thread) each": "one … per …",
    "(?:can(?:not|'t)|could(?:n't| not)|can no longer) be had": "is unavailable",
    "(?:told|tell|tells|telling) (?:of|by)": "reported by, reports",
    "(?:let|lets|letting) go(?: of)?": "releases",
    "(?:take|takes|took|taking|taken) along": "also deletes",
}

# A phrase of options, paths and dotted names (`--mend`, `mend.py`) is a name, not English.
_SUBSTITUTIONS = [
    (
        re.compile(
            r"(?<![\w\-/`])(?<![\w}]\.)" + pattern.replace(" ", _GAP) + r"(?![\w\-/=(]|\.\w)",
            re.IGNORECASE,
        ),
        write,
    )
    for pattern, write in _TABLE.items()
]


def matches(text: str) -> Iterator[Match]:
    """Yield the wordings of `text` to replace, in the order of the text."""
    found = [
        Match(match.start(), " ".join(match[0].split()), write)
        for pattern, write in _SUBSTITUTIONS
        for match in pattern.finditer(text)
    ]
    yield from sorted(found, key=lambda match: match.offset)
