"""`cfn serve` as a process of its own, and clients for it."""

import contextlib
import functools
import os
import signal
import subprocess
import sys

import boto3
from botocore.config import Config

from support.forked import ForkedCommand
from support.registry import THING, resource_package


class Server:
    """A running `cfn serve`."""

    def __init__(self, process, url, folder=None):
        self.process = process
        self.url = url
        self.folder = folder

    def client(self, service, *, account="111111111111", region="us-east-1", connections=10, **more):
        credentials = {"aws_access_key_id": account, "aws_secret_access_key": "x", **more}
        settings = Config(retries={"max_attempts": 0}, read_timeout=70, max_pool_connections=connections)
        return boto3.client(service, endpoint_url=self.url, region_name=region, config=settings, **credentials)

    def stop(self, number=signal.SIGTERM):
        """Stop it; its exit code and what it said."""
        self.process.send_signal(number)
        code = self.process.wait(20)
        return code, self.process.stderr.read()


@contextlib.contextmanager
def serving(folder, *options, cwd=None, forked=False, umask=-1):
    """A running server; `folder` holds its state and cache.

    Where a server is what a test needs, and not what it is about, it is `forked`: its imports cost more than its work.
    """
    folders = {"FORMWORK_CACHE": str(folder / "cache"), "FORMWORK_STATE": str(folder / "state")}
    start = ForkedCommand if forked else functools.partial(_start, umask=umask)
    with start(["serve", "--port", "0", *options], cwd=cwd or folder, env={**os.environ, **folders}) as process:
        try:
            line = process.stdout.readline()
            assert line.startswith("ready http://127.0.0.1:"), process.stderr.read()
            yield Server(process, line.split()[1], folder)
        finally:
            if process.poll() is None:
                process.kill()


def _start(words, *, cwd, env, umask):
    command = [sys.executable, "-m", "formwork.cli.main", *words]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, cwd=cwd, env=env, umask=umask, **pipes)


def upload(server, content, *, key="thing.zip", **where):
    """Put a package into a bucket of the Region; its URL."""
    s3 = server.client("s3", **where)
    bucket = f"packages-{where.get('region', 'here')}"
    s3.create_bucket(Bucket=bucket)
    s3.put_object(Bucket=bucket, Key=key, Body=content)
    return f"s3://{bucket}/{key}"


def register(server, name=THING, *, key="thing.zip", content=None, **where):
    """Upload and register a package; the version's ARN."""
    cloudformation = server.client("cloudformation", **where)
    url = upload(server, content or resource_package(), key=key, **where)
    token = cloudformation.register_type(Type="RESOURCE", TypeName=name, SchemaHandlerPackage=url)["RegistrationToken"]
    cloudformation.get_waiter("type_registration_complete").wait(RegistrationToken=token)
    return cloudformation.describe_type_registration(RegistrationToken=token)["TypeVersionArn"]
