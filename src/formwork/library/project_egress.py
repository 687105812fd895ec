"""How the calls of a project's handlers are treated: its `egress.yml`, and nothing else is reached."""

from collections.abc import Mapping
from pathlib import Path

from formwork.diagnostics import UsageError
from formwork.documents import load_document
from formwork.egress.rules import EgressRules
from formwork.egress.rules_file import EGRESS_FILES, read_egress
from formwork.egress.run_rules import RunRules
from formwork.egress.settings import EgressSettings, local_aws_environment


def project_egress(root: Path, aws_endpoint_url: str | None) -> tuple[EgressSettings, Mapping[str, str] | None]:
    """Return the settings for the handlers of the project in a folder, which are sealed, and the variables for its AWS.

    `aws_endpoint_url` is the address of the AWS that the call gives; None where it gives none. The variables are None
    where every call of AWS is refused.

    Raises:
        BadInputError: the file is not valid, or what it names can't be used.
        UsageError: the file names an AWS that only a command starts.
    """
    file = next((root / name for name in EGRESS_FILES if (root / name).is_file()), None)
    rules = EgressRules() if file is None else read_egress(load_document(file))
    url = aws_endpoint_url or (rules.aws if (rules.aws or "").startswith("http") else None)
    named = {rules.aws, *(each.aws for each in rules.services)} & {"moto", "real"}
    if named and url is None:
        raise UsageError(
            f"egress.yml answers calls of AWS with {' and '.join(sorted(map(str, named)))}, as only `cfn test` can",
            hint="give the address of a stand-in as aws_endpoint_url",
        )
    run_rules = RunRules(rules)
    settings = EgressSettings(
        seal=True,
        of_host=run_rules.of_host,
        of_service=rules.aws_for,
        domains=run_rules.domains,
        ports=run_rules.ports,
    )
    return settings, None if url is None else local_aws_environment(url)
