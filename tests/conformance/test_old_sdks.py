"""Handlers whose AWS SDK takes no endpoint from AWS_ENDPOINT_URL: with `--aws moto` their calls arrive all the same.

The SDKs come from the package indexes. CREATE makes a bucket, looks for it, and names it in its message.
"""

import json
from pathlib import Path

import pytest

from support import golang
from support.commands import Desk
from support.namespaces import needs_namespaces
from support.toolchains import needs_go, needs_java, needs_node
from support.typescript import CACHE

pytestmark = pytest.mark.slow

BUCKET = "made-by-an-old-client"
GO_V1 = """package resource

import (
	"github.com/aws/aws-sdk-go/aws"
	"github.com/aws/aws-sdk-go/aws/session"
	"github.com/aws/aws-sdk-go/service/s3"
)

func makeBucket(name *string) error {
	client := s3.New(session.Must(session.NewSession()), aws.NewConfig().WithMaxRetries(0))
	if _, err := client.CreateBucket(&s3.CreateBucketInput{Bucket: name}); err != nil {
		return err
	}
	_, err := client.HeadBucket(&s3.HeadBucketInput{Bucket: name})
	return err
}
"""
# A configuration by hand: no loader that would read AWS_ENDPOINT_URL, and a resolver of its own.
GO_V2 = """package resource

import (
	"context"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

func makeBucket(name *string) error {
	client := s3.New(s3.Options{
		Region:      "us-east-1",
		Credentials: credentials.NewStaticCredentialsProvider(os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY"), ""),
		Retryer:     aws.NopRetryer{},
	})
	if _, err := client.CreateBucket(context.Background(), &s3.CreateBucketInput{Bucket: name}); err != nil {
		return err
	}
	_, err := client.HeadBucket(context.Background(), &s3.HeadBucketInput{Bucket: name})
	return err
}
"""
GO_STUB = '	return nil, cfn.InternalFailure("the Create handler is not written yet")'
GO_CREATE = """	if err := makeBucket(request.DesiredState.Name); err != nil {
		return nil, cfn.InternalFailure(err.Error())
	}
	return cfn.Success(request.DesiredState), nil"""
PYTHON = """    import boto3
    from botocore.config import Config

    settings = Config(retries={"total_max_attempts": 1}, s3={"addressing_style": ADDRESSING})
    client = boto3.client("s3", endpoint_url="https://s3.us-east-1.amazonaws.com", config=settings)
    name = request.desiredResourceState.Name
    client.create_bucket(Bucket=name)
    client.put_object(Bucket=name, Key="a key", Body=b"x" * 3_000_000)
    assert client.head_object(Bucket=name, Key="a key")["ContentLength"] == 3_000_000
    return ProgressEvent(status=OperationStatus.SUCCESS, resourceModel=request.desiredResourceState)
"""
PYTHON_STUB = '    raise exceptions.InternalFailure("the create handler is not written yet")\n'
NODE_V2 = """  const { default: AWS } = await import('aws-sdk');
  const client = new AWS.S3({ maxRetries: 0 });
  const Bucket = request.desiredResourceState.Name ?? '';
  await client.createBucket({ Bucket }).promise();
  await client.headBucket({ Bucket }).promise();
  return ProgressEvent.success(request.desiredResourceState);
"""
NODE_STUB = "  throw new exceptions.InternalFailure('the create handler is not written yet');\n"


class Author:
    """A project in a folder of its own, whose CREATE makes the bucket."""

    def __init__(self, tmp_path, *language, environment):
        self._desk = Desk(tmp_path)
        self._environment = environment
        self.root = tmp_path / "thing"
        self.root.mkdir()
        ended = self.cfn("init", "-a", "RESOURCE", "-t", "Acme::Store::Thing", *language)
        assert ended.code == 0, str(ended)
        request = {"desiredResourceState": {"Name": BUCKET}}
        (self.root / "request.json").write_text(json.dumps(request))

    def cfn(self, *words):
        return self._desk.cfn(*words, cwd=self.root, env=self._environment, timeout=600)

    def replace(self, name, old, new):
        file = next(self.root.rglob(name))
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1
        file.write_text(text.replace(old, new), encoding="utf-8")


def arrives_with_moto_alone(author, host):
    words = ("invoke", "resource", "CREATE", "request.json")
    made = author.cfn(*words, "--aws", "moto")
    assert answer(made)["status"] == "SUCCESS", str(made)
    assert "refused a call" not in made.err, str(made)
    # With a rule for any host the processes have a network of their own, where no variable redirects a client.
    alone = author.cfn(*words, "--aws", "moto", "--allow", "other.example.com", "-v")
    assert answer(alone)["status"] == "SUCCESS", str(alone)
    assert "refused a call" not in alone.err, str(alone)
    assert "s3 CreateBucket: 200" in alone.err, str(alone)
    sealed = author.cfn(*words)
    assert answer(sealed)["status"] == "FAILED", str(sealed)
    assert f"refused a call of the handlers to {host}" in sealed.err, str(sealed)
    assert "which is AWS itself: handlers have no AWS in this run" in sealed.err, str(sealed)


def answer(ended):
    return json.loads(ended.out.partition("=== Handler response ===")[2])


@needs_go
@pytest.mark.parametrize(
    ("source", "modules"),
    [
        (GO_V1, ["github.com/aws/aws-sdk-go@v1.55.8"]),
        (
            GO_V2,
            [
                "github.com/aws/aws-sdk-go-v2@v1.30.3",
                "github.com/aws/aws-sdk-go-v2/credentials@v1.17.27",
                "github.com/aws/aws-sdk-go-v2/service/s3@v1.58.2",
            ],
        ),
    ],
    ids=["v1", "v2 by hand"],
)
def test_go(tmp_path, source, modules):
    environment = {**golang.caches(), "GOPROXY": golang.proxy(), "FORMWORK_CACHE": str(tmp_path / "cache")}
    author = Author(tmp_path, "go", "--import-path", "example.com/thing", environment=environment)
    author.replace("resource.go", GO_STUB, GO_CREATE)
    author.replace(
        "resource.go", "Create(_ context.Context, _ *Request)", "Create(_ context.Context, request *Request)"
    )
    (author.root / "cmd" / "resource" / "bucket.go").write_text(source)
    golang.go("get", *modules, folder=author.root, GOPROXY=golang.proxy())
    golang.go("mod", "tidy", folder=author.root, GOPROXY=golang.proxy())
    arrives_with_moto_alone(author, f"{BUCKET}.s3.")


@pytest.mark.parametrize("addressing", ["path", "virtual"])
def test_python_with_an_endpoint_in_its_source(tmp_path, addressing):
    author = Author(tmp_path, "python311", "--no-docker", environment={"FORMWORK_CACHE": str(CACHE)})
    author.replace("handlers.py", PYTHON_STUB, PYTHON.replace("ADDRESSING", f'"{addressing}"'))
    arrives_with_moto_alone(author, "s3." if addressing == "path" else f"{BUCKET}.s3.")


@needs_node
def test_version_2_of_the_sdk_for_javascript(tmp_path):
    environment = {"FORMWORK_CACHE": str(CACHE), "npm_config_userconfig": str(Path.home() / ".npmrc")}
    author = Author(tmp_path, "typescript", "--no-docker", environment=environment)
    manifest = author.root / "package.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "dependencies": {"aws-sdk": "^2.1690.0"}}))
    author.replace("handlers.ts", NODE_STUB, NODE_V2)
    author.replace("handlers.ts", "import { Action,", "import { Action, ProgressEvent,")
    arrives_with_moto_alone(author, f"{BUCKET}.s3.")


JAVA_STUB = """        return ProgressEvent.failed(
            null, null, HandlerErrorCode.InternalFailure, "the create handler is not written yet");
"""
# Both versions of the SDK, in a Region that is not the handlers' own.
JAVA = """        final String name = request.getDesiredResourceState().getName();
        final com.amazonaws.services.s3.AmazonS3 one = com.amazonaws.services.s3.AmazonS3ClientBuilder.standard()
            .withRegion("us-west-2").build();
        one.createBucket(name + "-1");
        final software.amazon.awssdk.services.s3.S3Client two = software.amazon.awssdk.services.s3.S3Client.builder()
            .httpClient(software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient.create())
            .region(software.amazon.awssdk.regions.Region.US_WEST_2).build();
        two.headBucket(bucket -> bucket.bucket(name + "-1"));
        return ProgressEvent.<ResourceModel, CallbackContext>builder()
            .resourceModel(request.getDesiredResourceState())
            .status(software.amazon.cloudformation.proxy.OperationStatus.SUCCESS)
            .message(one.getBucketLocation(name + "-1"))
            .build();
"""
JAVA_DEPENDENCIES = """
    <dependencies>
        <dependency>
            <groupId>com.amazonaws</groupId><artifactId>aws-java-sdk-s3</artifactId><version>1.12.770</version>
        </dependency>
        <dependency>
            <groupId>software.amazon.awssdk</groupId><artifactId>s3</artifactId><version>2.27.17</version>
        </dependency>
        <dependency>
            <groupId>software.amazon.awssdk</groupId><artifactId>url-connection-client</artifactId>
            <version>2.27.17</version>
        </dependency>"""


@needs_java
@needs_namespaces
def test_both_sdks_for_java_keep_their_region(tmp_path):
    """Redirected by their endpoint, version 1 signs for another Region than that of its client."""
    author = Author(tmp_path, "java", "--namespace", "com.acme.thing", environment={"FORMWORK_CACHE": str(CACHE)})
    author.replace("CreateHandler.java", JAVA_STUB, JAVA)
    author.replace("pom.xml", "\n    <dependencies>", JAVA_DEPENDENCIES)
    words = ("invoke", "resource", "CREATE", "request.json", "--aws", "moto", "--allow", "other.example.com", "-v")
    made = author.cfn(*words)
    assert (answer(made)["status"], answer(made)["message"]) == ("SUCCESS", "us-west-2"), str(made)
    for call in ("CreateBucket", "HeadBucket", "GetBucketLocation"):
        assert f"s3 {call}: 200" in made.err, str(made)
