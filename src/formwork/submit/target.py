"""The registry in which a package is registered."""

from typing import Any

from msgspec import Struct


class RegistrationTarget(Struct, frozen=True):
    """boto3's clients of CloudFormation, S3 and STS.

    `local` says that a registry on this machine is meant, which needs neither an upload stack nor a role stack.
    """

    cloudformation: Any
    s3: Any
    sts: Any
    local: bool

    @property
    def region(self) -> str:
        """The region to register in."""
        return str(self.cloudformation.meta.region_name)
