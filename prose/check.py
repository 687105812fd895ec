"""What the check finds: wordings and class names to replace, and reviewed exceptions that are no longer needed."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from prose.class_names import PICTURES, picture, public_classes
from prose.substitutions import Match, matches
from prose.texts import texts


@dataclass(frozen=True, slots=True)
class Finding:
    """A line of a file, what is wrong with it, and what to write."""

    path: str
    line: int
    problem: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.problem}"


@dataclass(frozen=True, slots=True)
class Review:
    """The exceptions of the check; `prose.reviewed` holds those of this repository.

    `unconverted` are folders and files that are still to be rewritten, `unconverted_names` class names; `accepted`
    says why a piece of text stays, `shared_names` why a class name is defined more than once.
    """

    unconverted: Sequence[str] = ()
    unconverted_names: Sequence[str] = ()
    accepted: Mapping[str, str] = field(default_factory=dict)
    shared_names: Mapping[str, str] = field(default_factory=dict)


def check(root: Path, names: Iterable[str], review: Review) -> list[Finding]:
    """Return the findings in the files `names`, which are relative to `root`, in the order of paths and lines."""
    names = list(names)
    modules = [root / name for name in names if name.startswith("src/") and name.endswith(".py")]
    findings = [*_wordings(root, names, review), *_class_names(root, modules, review)]
    return sorted(findings, key=lambda finding: (finding.path, finding.line))


def _wordings(root: Path, names: Sequence[str], review: Review) -> Iterator[Finding]:
    converted = dict.fromkeys(review.unconverted, True)
    unused = dict(review.accepted)
    for name in names:
        area = next((area for area in review.unconverted if name == area or name.startswith(f"{area}/")), None)
        for text in texts(root / name):
            for accepted in [accepted for accepted in unused if accepted in text.text]:
                del unused[accepted]
            for match in matches(text.text):
                if _is_accepted(text.text, match, review.accepted):
                    continue
                if area is None:
                    line = text.line + text.text.count("\n", 0, match.offset)
                    yield Finding(name, line, f'"{match.words}"; write: {match.write}')
                else:
                    converted[area] = False
    for area in (area for area, done in converted.items() if done):
        yield Finding("prose/reviewed.py", 1, f'"{area}" has no wording to replace; remove it from UNCONVERTED')
    for accepted in unused:
        yield Finding("prose/reviewed.py", 1, f'no file contains "{accepted}"; remove it from ACCEPTED')


def _is_accepted(text: str, match: Match, accepted: Iterable[str]) -> bool:
    """Whether the match is inside one of the accepted pieces of text."""
    end = match.offset + len(match.words)
    return any(
        place.start() <= match.offset and end <= place.end()
        for piece in accepted
        for place in re.finditer(re.escape(piece), text)
    )


def _class_names(root: Path, modules: Iterable[Path], review: Review) -> Iterator[Finding]:
    wrong = set[str]()
    repeated = set[str]()
    for name, places in public_classes(modules).items():
        paths = [str(path.relative_to(root)) for path, _ in places]
        if len(places) > 1:
            repeated.add(name)
        if len(places) > 1 and name not in review.shared_names:
            problem = f'class name "{name}" is defined in {", ".join(sorted(paths))}; give each its own name'
        elif word := picture(name):
            problem = f'class name "{name}" contains "{word}"; write: {PICTURES[word]}'
        else:
            continue
        wrong.add(name)
        if name not in review.unconverted_names:
            yield from (Finding(path, line, problem) for path, (_, line) in zip(paths, places, strict=True))
    for name in set(review.unconverted_names) - wrong:
        yield Finding("prose/reviewed.py", 1, f'class name "{name}" is in order; remove it from UNCONVERTED_NAMES')
    for name in review.shared_names.keys() - repeated:
        yield Finding("prose/reviewed.py", 1, f'class name "{name}" is unique; remove it from SHARED_NAMES')
