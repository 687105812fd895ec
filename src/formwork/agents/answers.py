"""What tools answer: a JSON object with a text, both within bounds."""

import json
from typing import Any

from msgspec import Struct

from formwork.agents.command_runs import CommandRun

_MOST_CHARACTERS = 60_000  # of one answer: some 15,000 tokens, which an agent's context still holds
_FIRST_LIMITS = (200, 8_000)  # elements of a list, characters of a text
_DEEPEST = 40


class ToolAnswer(Struct, frozen=True):
    """The structured answer of a tool; `failed` says that the tool could not do its work."""

    content: dict[str, Any]
    failed: bool = False

    @classmethod
    def of_run(cls, run: CommandRun, result: Any) -> "ToolAnswer":
        """Return the answer after a command whose result is shown as `result`."""
        content = {
            "command": " ".join(["cfn", *map(_without_value, run.words)]),
            "ok": run.exit_code == 0,
            "exitCode": run.exit_code,
            "result": result,
            "messages": run.messages.strip(),
        }
        return cls(content, run.failed)

    def bounded(self) -> dict[str, Any]:
        """Return the content with long lists and texts shortened, until all of it fits; each says what is left out."""
        elements, characters = _FIRST_LIMITS
        while True:
            shown: dict[str, Any] = _shortened(self.content, elements, characters, _DEEPEST)
            if len(json.dumps(shown, ensure_ascii=False)) <= _MOST_CHARACTERS or elements == 1:
                return shown
            elements, characters = max(elements // 2, 1), max(characters // 2, 200)


def _without_value(word: str) -> str:
    """Return a word without the value of a parameter or an answer, which can be a secret."""
    option, _, rest = word.partition("=")
    return f"{option}={rest.partition('=')[0]}=…" if option in {"--parameter", "--tag", "--answer"} else word


def _shortened(value: Any, elements: int, characters: int, depth: int) -> Any:
    if isinstance(value, str):
        left = len(value) - characters
        return value if left <= 0 else f"{value[:characters]}… ({left} characters left out)"
    if depth == 0 and isinstance(value, dict | list):
        return "… (deeper values left out)"
    if isinstance(value, dict):
        pairs = list(value.items())
        shown = {key: _shortened(each, elements, characters, depth - 1) for key, each in pairs[:elements]}
        return shown if len(pairs) <= elements else {**shown, "…": f"{len(pairs) - elements} members left out"}
    if isinstance(value, list):
        items = [_shortened(each, elements, characters, depth - 1) for each in value[:elements]]
        return items if len(value) <= elements else [*items, f"… ({len(value) - elements} elements left out)"]
    return value
