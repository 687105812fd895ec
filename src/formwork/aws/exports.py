"""The exports of CloudFormation's stacks, by name."""

from typing import Any

from formwork.diagnostics import EnvironmentProblemError


def list_exports(client: Any) -> dict[str, str]:
    """Return all exports of the account and region of a client of CloudFormation.

    Raises:
        EnvironmentProblemError: CloudFormation is out of reach, or refuses.
    """
    import botocore.exceptions  # noqa: PLC0415 - comes with the client

    try:
        pages = client.get_paginator("list_exports").paginate()
        return {each["Name"]: each["Value"] for page in pages for each in page.get("Exports", ())}
    except (botocore.exceptions.BotoCoreError, botocore.exceptions.ClientError, ValueError) as error:
        raise EnvironmentProblemError(
            f"CloudFormation at {client.meta.endpoint_url} does not list its exports: {error}",
            hint="give the values of the inputs' {{ExportName}} in a file: --exports FILE",
        ) from error
