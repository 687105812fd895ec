"""The account and Region that a call works in."""

from msgspec import Struct

from formwork.aws.partitions import partition_of


class Scope(Struct, frozen=True):
    """An account, twelve digits, and a Region."""

    account: str
    region: str

    @property
    def partition(self) -> str:
        """The second part of its ARNs (`aws`)."""
        return partition_of(self.region)
