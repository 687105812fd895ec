"""The traits that a conversion reads, beside the prelude's."""

from formwork.smithy.load import library
from formwork.smithy.model import Model

# The trait models that are always there when models are loaded for a conversion.
LIBRARIES = ("prelude", "aws.api", "aws.iam", "aws.cloudformation")


def cfn_library() -> Model:
    """Return the prelude and the trait models for AWS services, IAM and CloudFormation."""
    return library(*LIBRARIES)
