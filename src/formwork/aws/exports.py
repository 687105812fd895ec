"""The exports of CloudFormation's stacks, by name."""

from typing import Any

from formwork.diagnostics import EnvironmentProblemError


def list_exports(session: Any, endpoint_url: str | None = None) -> dict[str, str]:
    """All exports of the session's account and region; `endpoint_url` is CloudFormation's, AWS's own where None.

    Raises:
        EnvironmentProblemError: CloudFormation is out of reach, or refuses.
    """
    import botocore.exceptions  # noqa: PLC0415 - comes with the session

    try:
        client = session.client("cloudformation", endpoint_url=endpoint_url)
        pages = client.get_paginator("list_exports").paginate()
        return {each["Name"]: each["Value"] for page in pages for each in page["Exports"]}
    except (botocore.exceptions.BotoCoreError, botocore.exceptions.ClientError, ValueError) as error:
        where = f" at {endpoint_url}" if endpoint_url else ""
        raise EnvironmentProblemError(
            f"CloudFormation{where} does not list its exports: {error}",
            hint="give the values of the inputs' {{ExportName}} in a file: --exports FILE",
        ) from error
