"""Bundles in S3 and in Systems Manager's Parameter Store; knows nothing of CloudFormation.

The parameter is what makes a bundle exist: Parameter Store refuses a name that is taken, in one step. It keeps the
secret and the tags; the document is an object in a bucket of the account, which the first bundle makes.
"""

import contextlib
import hashlib
import re
from typing import Any

from botocore.exceptions import ClientError

PREFIX = "/acme/config-bundle"
NAME = re.compile(r"[a-z][a-z0-9-]{0,62}")
SHORTEST_SECRET = 8
CONTENT_TYPES = ("application/json", "application/yaml", "text/plain")
DEFAULTS: dict[str, Any] = {"ContentType": "text/plain", "StorageClass": "STANDARD", "Tags": []}
# A tag of our own, by which a create that is sent twice knows its bundle again.
TOKEN_TAG = "acme:token"  # a tag's name
_OF_PARAMETERS = {"ResourceType": "Parameter"}

Properties = dict[str, Any]


class NoSuchBundleError(Exception):
    """There is no such bundle; the text is its name."""


class BundleExistsError(Exception):
    """A bundle of that name already exists; the text is the name."""


class BundleStore:
    """The bundles of an account in a region. boto3's errors pass, where they mean nothing to bundles."""

    def __init__(self, s3: Any, ssm: Any, *, account: str, region: str, partition: str = "aws") -> None:
        self._s3, self._ssm, self._region = s3, ssm, region
        self.bucket = f"acme-config-bundle-{account}-{region}"
        self._arn = f"arn:{partition}:ssm:{region}:{account}:parameter{PREFIX}/"

    def name_of(self, arn: str) -> str:
        """The name in an ARN; that bundle need not exist."""
        name = arn.removeprefix(self._arn)
        if name == arn or not name:
            raise NoSuchBundleError(arn)
        return name

    def create(self, name: str, wanted: Properties, *, token: str) -> None:
        """Make it. The same token again is the same bundle; a document that could not be written leaves nothing."""
        stamp = hashlib.sha256(token.encode()).hexdigest()
        tags = [*wanted.get("Tags", []), {"Key": TOKEN_TAG, "Value": stamp}]
        try:
            self._ssm.put_parameter(Name=_path(name), Value=wanted["Secret"], Type="SecureString", Tags=tags)
        except self._ssm.exceptions.ParameterAlreadyExists:
            if self._all_tags(name).get(TOKEN_TAG) != stamp:
                raise BundleExistsError(name) from None
            if self._document(name) is not None:
                return
        try:
            self._write(name, wanted, wanted.get("StorageClass", DEFAULTS["StorageClass"]))
        except Exception:
            self._ssm.delete_parameter(Name=_path(name))
            raise

    def get(self, name: str) -> Properties:
        """Everything but the secret."""
        self._expect(name)
        tags = self._all_tags(name)
        document = self._document(name)
        if document is None:
            raise NoSuchBundleError(name)
        return {
            "BundleName": name,
            "Arn": self._arn + name,
            "Location": f"s3://{self.bucket}/{name}",
            "Content": document["Body"].read().decode(),
            "ContentType": document["ContentType"],
            "StorageClass": document.get("StorageClass", "STANDARD"),  # S3 says nothing of the standard class
            "Tags": [{"Key": key, "Value": value} for key, value in sorted(tags.items()) if key != TOKEN_TAG],
        }

    def update(self, name: str, wanted: Properties) -> None:
        """Replace document, secret and tags; what is left out goes back to its default."""
        current = self.get(name)
        if "Secret" in wanted:
            self._ssm.put_parameter(Name=_path(name), Value=wanted["Secret"], Type="SecureString", Overwrite=True)
        self._write(name, {"Content": current["Content"], **wanted}, current["StorageClass"])
        tags = wanted.get("Tags", [])
        gone = {each["Key"] for each in current["Tags"]} - {each["Key"] for each in tags}
        if gone:
            self._ssm.remove_tags_from_resource(**_OF_PARAMETERS, ResourceId=_path(name), TagKeys=sorted(gone))
        if tags:
            self._ssm.add_tags_to_resource(**_OF_PARAMETERS, ResourceId=_path(name), Tags=tags)

    def delete(self, name: str) -> None:
        """The parameter goes last: a delete that failed half-way can be tried again."""
        self._expect(name)
        self._s3.delete_object(Bucket=self.bucket, Key=name)
        self._ssm.delete_parameter(Name=_path(name))

    def names(self, *, page: int, token: str | None) -> tuple[list[str], str | None]:
        """A page of names, and the token of the next one."""
        more = {"NextToken": token} if token else {}
        answer = self._ssm.get_parameters_by_path(Path=PREFIX, MaxResults=page, **more)
        names = [each["Name"].rpartition("/")[2] for each in answer["Parameters"]]
        return names, answer.get("NextToken")

    def _expect(self, name: str) -> None:
        try:
            self._ssm.get_parameter(Name=_path(name))  # without decryption: the secret is not needed
        except self._ssm.exceptions.ParameterNotFound:
            raise NoSuchBundleError(name) from None

    def _all_tags(self, name: str) -> dict[str, str]:
        try:
            answer = self._ssm.list_tags_for_resource(**_OF_PARAMETERS, ResourceId=_path(name))
        except self._ssm.exceptions.InvalidResourceId:
            raise NoSuchBundleError(name) from None
        return {each["Key"]: each["Value"] for each in answer["TagList"]}

    def _document(self, name: str) -> Any:
        try:
            return self._s3.get_object(Bucket=self.bucket, Key=name)
        except ClientError as error:
            if error.response["Error"]["Code"] in {"NoSuchKey", "NoSuchBucket"}:
                return None
            raise

    def _write(self, name: str, wanted: Properties, storage_class: str) -> None:
        document = {
            "Bucket": self.bucket,
            "Key": name,
            "Body": wanted["Content"].encode(),
            "ContentType": wanted.get("ContentType", DEFAULTS["ContentType"]),
            "StorageClass": storage_class,
        }
        try:
            self._s3.put_object(**document)
        except self._s3.exceptions.NoSuchBucket:
            self._make_bucket()
            self._s3.put_object(**document)

    def _make_bucket(self) -> None:
        # us-east-1 is the one region that may not be named.
        elsewhere = {"CreateBucketConfiguration": {"LocationConstraint": self._region}}
        with contextlib.suppress(self._s3.exceptions.BucketAlreadyOwnedByYou):  # another bundle was as quick
            self._s3.create_bucket(Bucket=self.bucket, **({} if self._region == "us-east-1" else elsewhere))


def _path(name: str) -> str:
    return f"{PREFIX}/{name}"
