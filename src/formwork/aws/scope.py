"""The account and Region that a call works in."""

from dataclasses import dataclass

from formwork.aws.partitions import partition_of


@dataclass(frozen=True, slots=True)
class Scope:
    """An account, twelve digits, and a Region."""

    account: str
    region: str

    @property
    def partition(self) -> str:
        """The second part of its ARNs (`aws`)."""
        return partition_of(self.region)
