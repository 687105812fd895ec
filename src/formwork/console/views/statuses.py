"""What a status means for its colour and its sign."""

_GOOD = ("_COMPLETE", "SUCCEEDED", "SUCCESS", "IN_SYNC", "AVAILABLE", "PASSED", "COMPLETE")
_BAD = ("FAILED", "DRIFTED", "MODIFIED", "DELETED", "OBSOLETE")


def status_kind(status: object) -> str:
    """Return `busy`, `good`, `undone`, `gone`, `bad` or `idle` for a status of any kind."""
    text = str(status)
    if text.endswith(("_IN_PROGRESS", "_PENDING")) or text in {"PENDING", "IN_PROGRESS"}:
        return "idle" if text == "REVIEW_IN_PROGRESS" else "busy"
    if text.endswith(_BAD) or text == "ROLLBACK_COMPLETE":
        return "bad"
    if "ROLLBACK" in text:
        return "undone"
    if text in {"DELETE_COMPLETE", "DELETE_SKIPPED"}:
        return "gone"
    return "good" if text.endswith(_GOOD) else "idle"
