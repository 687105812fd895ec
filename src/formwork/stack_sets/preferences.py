"""The preferences of an operation: order, concurrency and failure tolerance.

Source: the service's model, StackSetOperationPreferences; user guide, "Stack set operation options".
"""

from collections.abc import Mapping
from typing import Any

from msgspec import field

from formwork.stacks.errors import StackError
from formwork.stacks.store.records import Record

SOFT = "SOFT_FAILURE_TOLERANCE"
PARALLEL = "PARALLEL"


class Preferences(Record, frozen=True):
    """One Region after the other unless `parallel`; the counts are for each Region, percentages of its accounts."""

    region_concurrency: str | None = None
    region_order: list[str] = field(default_factory=list)
    tolerance_count: int | None = None
    tolerance_percentage: int | None = None
    concurrent_count: int | None = None
    concurrent_percentage: int | None = None
    mode: str | None = None

    @property
    def parallel(self) -> bool:
        """Whether the operation works on all Regions at the same time."""
        return self.region_concurrency == PARALLEL

    def tolerance(self, accounts: int) -> int:
        """Return how many of so many accounts of a Region may fail."""
        return _share(self.tolerance_count, self.tolerance_percentage, accounts)

    def at_once(self, accounts: int, failed: int) -> int:
        """Return how many of so many accounts of a Region are worked on at once, where so many have failed already."""
        most = max(1, _share(self.concurrent_count, self.concurrent_percentage, accounts))
        # With the strict mode no more can fail than is tolerated, and one.
        return most if self.mode == SOFT else min(most, self.tolerance(accounts) - failed + 1)


def read_preferences(given: Mapping[str, Any] | None) -> Preferences:
    """Read preferences in the form that the API and the resource type share."""
    asked = given or {}
    return Preferences(
        region_concurrency=asked.get("RegionConcurrencyType"),
        region_order=list(asked.get("RegionOrder", ())),
        tolerance_count=asked.get("FailureToleranceCount"),
        tolerance_percentage=asked.get("FailureTolerancePercentage"),
        concurrent_count=asked.get("MaxConcurrentCount"),
        concurrent_percentage=asked.get("MaxConcurrentPercentage"),
        mode=asked.get("ConcurrencyMode"),
    )


def _share(count: int | None, percentage: int | None, of: int) -> int:
    if count is not None:
        return count
    return 0 if percentage is None else percentage * of // 100


def check_preferences(preferences: Preferences, regions: list[str]) -> None:
    """Refuse preferences that contradict each other.

    Raises:
        StackError: they do.
    """
    pairs: tuple[tuple[str, Any, str, Any], ...] = (
        (
            "FailureToleranceCount",
            preferences.tolerance_count,
            "FailureTolerancePercentage",
            preferences.tolerance_percentage,
        ),
        (
            "MaxConcurrentCount",
            preferences.concurrent_count,
            "MaxConcurrentPercentage",
            preferences.concurrent_percentage,
        ),
    )
    for first, one, second, other in pairs:
        if one is not None and other is not None:
            raise StackError(f"{first} and {second} can't both be specified")
    strangers = sorted(set(preferences.region_order) - set(regions))
    if strangers:
        raise StackError(f"RegionOrder has Regions that the operation does not target: {', '.join(strangers)}")
    counts = preferences.tolerance_count, preferences.concurrent_count
    if preferences.mode != SOFT and None not in counts and (counts[1] or 0) > (counts[0] or 0) + 1:
        raise StackError("MaxConcurrentCount can be at most one more than FailureToleranceCount")


def order_regions(preferences: Preferences, regions: list[str]) -> list[str]:
    """Return the Regions in the order of the operation."""
    return list(dict.fromkeys((*preferences.region_order, *regions)))
