"""Whose data a call sees."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scope:
    """An account, twelve digits, and a Region."""

    account: str
    region: str

    @property
    def partition(self) -> str:
        """The first part of its ARNs after `arn:`."""
        if self.region.startswith("cn-"):
            return "aws-cn"
        return "aws-us-gov" if self.region.startswith("us-gov-") else "aws"
