"""The stages of a request of Cloud Control, and their stored form (docs/decisions/1291)."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from msgspec import field

from formwork.stacks.store.records import Record

_FORM_VERSION = 2  # version 1 was a dict without stages, see `_staged`


class RequestBegun(Record, frozen=True, kw_only=True):
    """The model is checked next, and hooks are asked; `answers` are theirs so far, as `hooks` stores them."""

    desired: Mapping[str, Any]
    previous: Mapping[str, Any] | None = None
    role: str | None = None
    answers: Mapping[str, Any] = field(default_factory=dict)
    due: float = 0.0


class RequestCalling(Record, frozen=True, kw_only=True):
    """The handler is called next, at `due` the earliest.

    `tries` counts retries of one call; `context` and `model` are what the handler answered to the call before.
    `calling` says that the delete handler may have been called without its answer being recorded.
    """

    desired: Mapping[str, Any]
    previous: Mapping[str, Any] | None
    deadline: float
    tries: int = 0
    context: Mapping[str, Any] | None = None
    model: Mapping[str, Any] | None = None
    calling: bool = False
    due: float = 0.0


class RequestEnded(Record, frozen=True):
    """The request has ended; `model` is the resource's, None where it failed or deleted it."""

    model: Mapping[str, Any] | None = None


RequestStage: TypeAlias = RequestBegun | RequestCalling | RequestEnded
_STAGES: Mapping[str, type[RequestStage]] = {
    "begun": RequestBegun,
    "calling": RequestCalling,
    "ended": RequestEnded,
}
_NAMES = {each: name for name, each in _STAGES.items()}


def stage_to_value(stage: RequestStage) -> dict[str, Any]:
    """Return the stored form of a stage, with the version of that form."""
    return {"form_version": _FORM_VERSION, "stage": {"name": _NAMES[type(stage)], **stage.to_value()}}


def stage_from_value(stored: Mapping[str, Any]) -> RequestStage:
    """Return the stage of a stored form, of this version or of an earlier one."""
    value = dict(stored["stage"] if "form_version" in stored else _staged(stored))
    return _STAGES[value.pop("name")].from_value(value)


def _staged(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the stage of version 1: a dict to which each stage added keys; the last one kept only the model."""
    if "desired" not in stored:
        return {"name": "ended", "model": stored.get("model")}
    shared = {name: stored.get(name) for name in ("desired", "previous")} | {"due": stored["due"]}
    if stored.get("stage") != "call":
        return {"name": "begun", **shared, "role": stored.get("role"), "answers": stored.get("hooks", {})}
    more = {name: stored.get(name) for name in ("deadline", "tries", "context", "model")}
    return {"name": "calling", **shared, **more, "calling": bool(stored.get("calling"))}
