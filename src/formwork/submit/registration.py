"""Registration of a package, in the steps of the incumbent's `submit`.

With AWS: the execution role's stack, the stack of the upload bucket, the upload, RegisterType, waiting. With a registry
on this machine: the upload, RegisterType, waiting.
"""

import contextlib
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from formwork.aws.errors import aws_errors
from formwork.diagnostics import BadInputError, EnvironmentProblemError, Location
from formwork.extensions import ExtensionKind
from formwork.submit.stacks import Clock, settle_stack
from formwork.submit.target import RegistrationTarget

UPLOAD_STACK = "CloudFormationManagedUploadInfrastructure"
_BUCKET_OUTPUT = "CloudFormationManagedUploadBucketName"
_LOG_ROLE_OUTPUT = "LogAndMetricsDeliveryRoleArn"
_ROLE_OUTPUT = "ExecutionRoleArn"
# The registry on this machine answers in tenths of a second, AWS in minutes.
_FIRST_POLL_SECONDS = 0.1
_LONGEST_POLL_SECONDS = 10.0
_LONGEST_SECONDS = 3600.0


def _quiet(_line: str) -> None:
    pass


class Submission(Struct, frozen=True, kw_only=True):
    """The package to register, with its role and options.

    `role_template` is the file with the execution role's template, None where the type calls AWS with no role of its
    own or `role_arn` names one. `say` receives a line per step; `waiting` receives, after each poll, the
    description of the registration and the seconds waited.
    """

    kind: ExtensionKind
    type_name: str
    hyphenated_name: str
    package: Path
    role_arn: str | None = None
    role_template: Path | None = None
    set_default: bool = False
    say: Callable[[str], None] = _quiet
    waiting: Callable[[str, float], None] = lambda _description, _seconds: None
    clock: Clock = field(default_factory=Clock)


class Registration(Struct, frozen=True):
    """A completed registration; `default_version` is None where the registry does not show it."""

    token: str
    type_arn: str
    version_arn: str
    default_version: str | None = None

    @property
    def version(self) -> str:
        """Return the version's id, such as `00000003`."""
        return self.version_arn.rpartition("/")[2]


def register_package(
    target: RegistrationTarget, submission: Submission, *, started: Callable[[str], None] = _quiet
) -> Registration:
    """Register a package and wait for the end; `started` receives the registration token before that.

    Raises:
        BadInputError: the registration failed, with every reason.
        EnvironmentProblemError: the target can't be reached or refuses the caller, or it takes over an hour.
    """
    role = submission.role_arn or _execution_role(target, submission)
    bucket, log_role = _upload_bucket(target, submission)
    url = _upload(target, submission, bucket)
    request: dict[str, Any] = {
        "Type": str(submission.kind),
        "TypeName": submission.type_name,
        "SchemaHandlerPackage": url,
        "ClientRequestToken": str(uuid.uuid4()),
    }
    if log_role is not None:
        request["LoggingConfig"] = {"LogRoleArn": log_role, "LogGroupName": f"{submission.hyphenated_name}-logs"}
    if role is not None:
        request["ExecutionRoleArn"] = role
    with aws_errors(f"registering {submission.type_name}"):
        token = str(target.cloudformation.register_type(**request)["RegistrationToken"])
        started(token)
        done = _await(target, submission, token)
        type_arn, version_arn = str(done["TypeArn"]), str(done["TypeVersionArn"])
        if submission.set_default:
            target.cloudformation.set_type_default_version(Arn=version_arn)
    return Registration(token, type_arn, version_arn, _default_version(target, type_arn))


def _default_version(target: RegistrationTarget, type_arn: str) -> str | None:
    """The id of the default version; None where the caller may not read it: the registration is done all the same."""
    import botocore.exceptions  # noqa: PLC0415 - comes with boto3

    with contextlib.suppress(botocore.exceptions.ClientError, botocore.exceptions.BotoCoreError):
        described: dict[str, Any] = target.cloudformation.describe_type(Arn=type_arn)
        return described.get("DefaultVersionId")
    return None


def _execution_role(target: RegistrationTarget, submission: Submission) -> str | None:
    if target.local or submission.role_template is None:
        return None
    path = submission.role_template
    try:
        template = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadInputError.of(
            "submit.no-role-template",
            f'missing template of the execution role: "{path.name}" not found',
            location=Location(str(path)),
            hint="run `cfn generate` to write it, or use --role-arn ARN or --no-role",
        ) from None
    name = f"{submission.hyphenated_name}-role-stack"
    outputs = settle_stack(target.cloudformation, name, template, say=submission.say, clock=submission.clock)
    return _expect_output(outputs, _ROLE_OUTPUT, name)


def _upload_bucket(target: RegistrationTarget, submission: Submission) -> tuple[str, str | None]:
    """Return the bucket to upload to, and with AWS the role that delivers logs."""
    if target.local:
        with aws_errors("preparing the bucket for packages"):
            account = target.sts.get_caller_identity()["Account"]
            bucket = f"formwork-packages-{account}-{target.region}"
            try:
                target.s3.head_bucket(Bucket=bucket)
            except target.s3.exceptions.ClientError:
                target.s3.create_bucket(Bucket=bucket)
        return bucket, None
    template = Path(__file__).with_name("upload_infrastructure.yaml").read_text(encoding="utf-8")
    client, say, clock = target.cloudformation, submission.say, submission.clock
    outputs = settle_stack(client, UPLOAD_STACK, template, say=say, clock=clock)
    return (
        _expect_output(outputs, _BUCKET_OUTPUT, UPLOAD_STACK),
        _expect_output(outputs, _LOG_ROLE_OUTPUT, UPLOAD_STACK),
    )


def _expect_output(outputs: Any, name: str, stack: str) -> str:
    value = outputs.get(name)
    if value is None:
        raise EnvironmentProblemError(
            f'the stack {stack} has no output "{name}"',
            hint="its template was changed by hand; run `cfn generate` to write it again",
        )
    return str(value)


def _upload(target: RegistrationTarget, submission: Submission, bucket: str) -> str:
    import boto3.exceptions  # noqa: PLC0415 - optional

    key = f"{submission.hyphenated_name}-{datetime.now(UTC):%Y-%m-%dT%H-%M-%S}.zip"
    with aws_errors(f"uploading the package to {bucket}"):
        try:
            target.s3.upload_file(str(submission.package), bucket, key)
        except boto3.exceptions.S3UploadFailedError as error:
            raise EnvironmentProblemError(f"uploading the package to {bucket}: {error}") from error
    url = f"s3://{bucket}/{key}"
    submission.say(f"uploaded: {url}")
    return url


def _await(target: RegistrationTarget, submission: Submission, token: str) -> dict[str, Any]:
    """Wait until the registration is complete; return the last answer of DescribeTypeRegistration."""
    clock = submission.clock
    began, delay = clock.now(), _FIRST_POLL_SECONDS
    while True:
        answer: dict[str, Any] = target.cloudformation.describe_type_registration(RegistrationToken=token)
        status, description = str(answer["ProgressStatus"]), str(answer.get("Description") or "")
        if status == "COMPLETE":
            return answer
        if status == "FAILED":
            reasons = [line for line in description.splitlines() if line.strip()] or ["the registry gave no reason"]
            raise BadInputError.of(
                "submit.failed",
                f"the registration of {submission.type_name} failed",
                notes=tuple(reasons),
            )
        spent = clock.now() - began
        submission.waiting(description, spent)
        if spent >= _LONGEST_SECONDS:
            raise EnvironmentProblemError(
                f"the registration of {submission.type_name} is not complete after an hour (token {token})",
                hint=f"`aws cloudformation describe-type-registration --registration-token {token}` shows its status",
            )
        clock.sleep(delay)
        delay = min(delay * 1.5, _LONGEST_POLL_SECONDS)
