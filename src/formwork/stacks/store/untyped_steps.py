"""Stored stages of steps as they were before they had types, in the form that `steps` reads.

Version 1 had the same members in all stages, and a dict `note` whose keys depended on the stage. State folders of every
stage are in tests/data/state_folders.
"""

from collections.abc import Mapping
from typing import Any


def typed_form(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the version 2 form, without its version number, of a stage in version 1."""
    note = stored["note"]
    due = stored["due"]
    match stored["stage"]:
        case "hooks":
            return {"stage": "asking-hooks", "doing": _doing(stored), "answers": stored["hooks"], "due": due}
        case "call":
            calling = {name: stored[name] for name in ("tries", "context", "model", "due")}
            read = bool(note.get("model_was_read"))
            return {"stage": "calling", "doing": _doing(stored), **calling, "model_was_read": read}
        case "read":
            reading = {name: stored[name] for name in ("tries", "model", "due")}
            return {"stage": "reading", "doing": _doing(stored), **reading}
        case "signals":
            waiting = {name: stored[name] for name in ("model", "deadline", "due")}
            told, looks = stored["context"]["told"], stored["context"]["asked"]
            return {"stage": "awaiting-signals", "doing": _doing(stored), **waiting, "told": told, "looks": looks}
        case "begin":  # stored only for the hooks of a stack
            return {"stage": "stack-hooks", "token": stored["token"], "answers": stored["hooks"]}
        case _:
            ended = {name: _plan(note)[name] for name in ("decision", "before", "old_deleted")}
            return {"stage": "ended", **ended, "left_behind": bool(note.get("made"))}


def _doing(stored: Mapping[str, Any]) -> dict[str, Any]:
    note = stored["note"]
    return {
        "action": note["action"],
        "resource": note["doing"],
        "plan": _plan(note),
        "token": stored["token"],
        "deadline": stored["deadline"],
        "renamed_from": note.get("renamed"),
    }


def _plan(note: Mapping[str, Any]) -> dict[str, Any]:
    signals = note.get("signals")
    return {
        "decision": note.get("decision"),
        "shown": note.get("shown"),
        "before": note.get("before"),
        "replacement": note.get("new"),
        "old_deleted": bool(note.get("deleted")),
        "signals": None if signals is None else {**signals, "since": note["since"]},
    }
