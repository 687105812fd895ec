"""What DescribeTypeRegistration says: AWS's stages, and every reason of a failure."""

from collections.abc import Sequence

from formwork.diagnostics import Diagnostic, FormworkError, Severity
from formwork.diagnostics.secret_edges import CUT

# AWS's field takes 1,024 characters; clients read more, and a failure has many reasons.
MOST_CHARACTERS = 16_000


def stage_text(stage: str) -> str:
    """AWS's words for a registration that is in `stage`: VALIDATION or COMPLETED."""
    if stage == "COMPLETED":
        return "Deployment is currently in DEPLOY_STAGE of status COMPLETED"
    return f"Deployment is currently in {stage}_STAGE of status IN_PROGRESS; Next is DEPLOY_STAGE with status PENDING"


def failed_text(token: str, problems: Sequence[str]) -> str:
    """Return AWS's message for a registration that failed in its validation, and one line per reason."""
    head = (
        "Deployment is currently in VALIDATION_STAGE of status FAILED; Next is DEPLOY_STAGE with status CANCELLED\n"
        f"Deployment failed with {len(problems)} error{'' if len(problems) == 1 else 's'}: [{token}]"
    )
    text = "\n".join([head, *problems])
    return text if len(text) <= MOST_CHARACTERS else f"{text[: MOST_CHARACTERS - 2]}\n{CUT}"


def describe_error(error: FormworkError) -> list[str]:
    """Return one line per error of `error`: code, place, message, expected value, hint."""
    return [_line(each) for each in error.diagnostics if each.severity is Severity.ERROR]


def _line(found: Diagnostic) -> str:
    place = found.location.file or ""
    if place and found.location.start is not None:
        place += f":{found.location.start.line}:{found.location.start.column}"
    if found.location.pointer:
        place += f" {found.location.pointer}"
    line = f"{found.code}: {place}: {found.message}" if place else f"{found.code}: {found.message}"
    if found.expected:
        line += f" (expected: {found.expected})"
    return f"{line} ({found.hint})" if found.hint else line
