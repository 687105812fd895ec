"""The handler protocol's vectors against the Go handler library."""

import os

import pytest

from support import golang
from support.toolchains import needs_go
from support.vectors import PROTOCOL, differences, run


@needs_go
def test_the_go_library_answers_as_the_vectors_say():
    runner = golang.build(PROTOCOL / "go", ".")
    assert differences(run([runner])) == {}


@needs_go
@pytest.mark.slow
def test_the_aws_sdk_takes_its_credentials_and_its_errors_are_understood():
    folder = PROTOCOL / "go-sdk"
    found = golang.go("mod", "download", folder=folder, check=False, GOPROXY=golang.proxy())
    if found and not os.environ.get("CI"):
        pytest.skip(f"the AWS SDK can't be downloaded: {found.strip()[-300:]}")
    golang.go("test", "./...", folder=folder)
