"""The CloudFormation endpoint that a command talks to: its option, else the variables that AWS's own tools read."""

import os

_VARIABLES = ("AWS_ENDPOINT_URL_CLOUDFORMATION", "AWS_ENDPOINT_URL")


def chosen_endpoint(option: str | None) -> str | None:
    """`option`, else the URL in AWS_ENDPOINT_URL_CLOUDFORMATION or AWS_ENDPOINT_URL; None where none is set.

    As with AWS's SDKs, AWS_IGNORE_CONFIGURED_ENDPOINT_URLS=true leaves the variables out.
    """
    if option is not None:
        return option
    if os.environ.get("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "").lower() == "true":
        return None
    return next((os.environ[name] for name in _VARIABLES if os.environ.get(name)), None)
