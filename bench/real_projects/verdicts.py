"""Whose a failure is: judged once by a person, in `verdicts.yaml`, and told again while it looks the same."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import yaml

FILE = Path(__file__).with_name("verdicts.yaml")
OPEN = "not judged"


@dataclass(frozen=True, slots=True)
class Verdict:
    """`whose` is ours, theirs, moto, machine, or `OPEN`; `why` a sentence."""

    whose: str
    why: str


def judge(project: str, step: str, record: Mapping[str, Any]) -> Verdict:
    """The first verdict of the file whose project, step and words fit the failed step."""
    said = "\n".join([record["text"], *(f"{each['clause']}: {each['message']}" for each in record.get("findings", []))])
    if record["code"] is None and record["seconds"]:
        return Verdict("machine", f"did not end within {record['seconds']:.0f} s on this machine")
    for each in _verdicts():
        if not any(fnmatchcase(project, pattern) for pattern in _several(each.get("projects", "*"))):
            continue
        if step in _several(each.get("steps", step)) and re.search(each["match"], said):
            return Verdict(each["whose"], each["why"])
    return Verdict(OPEN, (said.strip().splitlines() or ["it said nothing"])[-1][:160])


def _several(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


@cache
def _verdicts() -> list[dict[str, Any]]:
    return yaml.safe_load(FILE.read_text(encoding="utf-8")) if FILE.is_file() else []
