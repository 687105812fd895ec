"""CreationPolicy: how many signals a new resource waits for.

Source: CloudFormation template reference, "CreationPolicy attribute".
"""

import math
import re
from collections.abc import Mapping
from typing import Any, Self

from msgspec import Struct

from formwork.stacks.errors import StackError
from formwork.stacks.store.signals import SignalRecord

_DURATION = re.compile(r"PT(?=\d)(?:(\d{1,5})H)?(?:(\d{1,5})M)?(?:(\d{1,6})S)?", re.ASCII)
_MOST_SECONDS = 12 * 3600


class CreationPolicy(Struct, frozen=True):
    """`count` signals are expected within `seconds`, `percent` of them must report success."""

    count: int
    seconds: int
    percent: int = 100

    @classmethod
    def read(cls, value: Any) -> Self | None:
        """Return the policy of an evaluated attribute; None if it needs no signals.

        Raises:
            StackError: a number or a duration is not valid.
        """
        signal = value.get("ResourceSignal") if isinstance(value, Mapping) else None
        if not isinstance(signal, Mapping):
            return None
        scaling = value.get("AutoScalingCreationPolicy", {})
        return cls(
            count=_number(signal.get("Count", 1), "Count"),
            seconds=min(_MOST_SECONDS, _seconds(signal.get("Timeout", "PT5M"))),
            percent=_number(scaling.get("MinSuccessfulInstancesPercent", 100), "MinSuccessfulInstancesPercent"),
        )

    @property
    def needed(self) -> int:
        """How many must report success."""
        return math.ceil(self.count * self.percent / 100)

    def judge(self, signals: list[SignalRecord], *, late: bool) -> str | bool:
        """Return True if the resource is complete, the reason of a failure, or False while signals are missing."""
        successes = sum(each.succeeded for each in signals)
        failures = len(signals) - successes
        if successes >= self.needed:
            return True
        if failures > self.count - self.needed:
            told = f"Received {failures} FAILURE signal(s) out of {self.count}. "
            return f"{told}Unable to satisfy {self.percent}% MinSuccessfulInstancesPercent requirement"
        if late:
            missing = self.needed - successes
            return f"Failed to receive {missing} resource signal(s) within the specified duration"
        return False


def _number(value: Any, name: str) -> int:
    try:
        return max(0, int(value))
    except (TypeError, ValueError) as error:
        raise StackError(f"Template error: {name} of a CreationPolicy must be a number, and is {value!r}") from error


def _seconds(value: Any) -> int:
    found = _DURATION.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise StackError(
            f"Template error: Timeout of a CreationPolicy must be a duration such as PT15M, and is {value!r}"
        )
    hours, minutes, seconds = (int(each or 0) for each in found.groups())
    return hours * 3600 + minutes * 60 + seconds
