"""What the last run of a project's contract tests saw of its handlers' permissions, for `cfn permissions`."""

import contextlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from formwork.contract_runs.last_run import LastRun

if TYPE_CHECKING:
    from formwork.contract.subject import AnySubject
    from formwork.invoke import Exchange

_FILE = "permissions.json"


class SeenHandler(Struct, frozen=True):
    """What the calls of one handler used: IAM's actions, and calls whose actions are not known."""

    used: tuple[str, ...]
    unknown: tuple[str, ...]
    answered: bool


class SeenRun(Struct, frozen=True):
    """What a run saw: `sealed` says that no call can have passed unseen, `complete` that all tests ran."""

    handlers: Mapping[str, SeenHandler]
    sealed: bool
    complete: bool


def keep_seen(subject: "AnySubject", exchanges: "Iterable[Exchange]", *, complete: bool) -> None:
    """Store which permissions a run used; skipped if it recorded no calls or the cache is not writable."""
    from formwork.contract.permissions import permissions_used

    seen = [each for each in exchanges if each.answer.calls is not None]
    if not seen:
        return
    handlers = {
        name: {"used": sorted(use.used), "unknown": sorted(use.unknown), "answered": use.answered}
        for name, use in permissions_used(subject, seen).items()
    }
    sealed = all(each.answer.sealed for each in seen)
    text = json.dumps({"handlers": handlers, "sealed": sealed, "complete": complete})
    folder = LastRun(Path()).folder
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / _FILE).write_text(text, encoding="utf-8")


def read_seen() -> SeenRun | None:
    """Return the permissions that the last run of the project in this folder used; None if there is no record."""
    try:
        kept: dict[str, Any] = json.loads((LastRun(Path()).folder / _FILE).read_text(encoding="utf-8"))
        handlers = {
            name: SeenHandler(tuple(each["used"]), tuple(each["unknown"]), bool(each["answered"]))
            for name, each in kept["handlers"].items()
        }
        return SeenRun(handlers, bool(kept["sealed"]), bool(kept["complete"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
