"""The small parts of the service: URLs of packages, key files, the late table, what a waiter looks like."""

import threading

import pytest

from formwork.api.caller import account_of_key
from formwork.api.dispatch import LateTable
from formwork.api.holding import MOVING, patience_of
from formwork.api.key_file import load_keys, make_keys
from formwork.api.packages import deliver_object, fetch_object, parse_object_url
from formwork.api.s3.store import ObjectStore, is_bucket_name
from formwork.diagnostics import BadInputError, EnvironmentProblemError


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("s3://bucket/a/key.zip", ("bucket", "a/key.zip")),
        ("s3://bucket/a%20key", ("bucket", "a key")),
        ("https://bucket.s3.eu-west-1.amazonaws.com/key", ("bucket", "key")),
        ("https://bucket.s3.amazonaws.com/key?versionId=1", ("bucket", "key")),
        ("https://s3.amazonaws.com/bucket/key", ("bucket", "key")),
        ("http://127.0.0.1:3001/bucket/key", ("bucket", "key")),
        ("http://bucket.s3.localhost:3001/key", ("bucket", "key")),
        ("s3://bucket", None),
        ("s3://../key", None),
        ("s3://Bucket_/key", None),
        ("file:///etc/passwd", None),
        ("/etc/passwd", None),
        ("http://[", None),
        ("", None),
    ],
)
def test_urls_of_packages(url, place):
    assert parse_object_url(url) == place


def test_a_package_is_its_account_s(tmp_path):
    store = ObjectStore(tmp_path)
    store.create_bucket("packages", account="111111111111", region="us-east-1")
    deliver_object(store, account="111111111111", bucket="packages", key="k", content=b"data")
    assert fetch_object(store, account="111111111111", url="s3://packages/k") == b"data"
    with pytest.raises(BadInputError, match="AccessDenied"):
        fetch_object(store, account="222222222222", url="s3://packages/k")
    with pytest.raises(BadInputError, match="NoSuchKey"):
        fetch_object(store, account="111111111111", url="s3://packages/other")
    with pytest.raises(BadInputError, match="is no URL of an S3 object"):
        fetch_object(store, account="111111111111", url="file:///etc/passwd")
    with pytest.raises(BadInputError, match="NoSuchBucket"):
        deliver_object(store, account="111111111111", bucket="absent", key="k", content=b"")


@pytest.mark.parametrize("name", ["..", "a/b", "A-b-c", "-abc", "abc-", "a..b", "1.2.3.4", "ab", "a" * 64, "", "a.b.-"])
def test_names_that_are_no_bucket_s(name):
    assert not is_bucket_name(name)


def test_key_files(tmp_path):
    path = tmp_path / "state" / "credentials"
    make_keys(path)
    before = path.read_text(encoding="utf-8")
    make_keys(path)
    assert path.read_text(encoding="utf-8") == before, "a key that is there stays"
    [(name, secret)] = load_keys(path).items()
    assert name.startswith("AKIA")
    assert len(name) == 20
    assert secret.reveal() in before
    for broken in ("", "[default]\naws_access_key_id = x\n", "no section = 1", "\x00\xff"):
        path.write_text(broken, encoding="utf-8")
        with pytest.raises(BadInputError, match=r"credentials file"):
            load_keys(path)
    with pytest.raises(EnvironmentProblemError, match="can't be read"):
        load_keys(tmp_path / "absent")


def test_accounts_of_keys():
    assert account_of_key("999999999999") == "999999999999"
    assert account_of_key("ASIA999999999999ABCD") == "999999999999"
    for other in ("AKIAIOSFODNN7EXAMPLE", "99999999999", "9" * 13, "ASIA999999999999ABC", "٩" * 12, ""):
        assert account_of_key(other) == "123456789012"


def test_waiters_by_their_user_agent():
    assert patience_of("Boto3/1.44.5 md/Botocore#1.44.5 ua/2.1 os/linux lang/python#3.11 cfg/retry-mode#legacy m/Z,B,b")
    assert patience_of("aws-cli/1.46 m/B", 7.0) == 7.0
    assert 0 < patience_of("aws-sdk-js/3.1 os/linux aws-cdk/2.1148.1 m/E,n") < 5
    for other in ("Boto3/1.44.5 m/Z,b", "m/BB", "Mozilla/5.0 B", "", "xm/B"):
        assert not patience_of(other)


@pytest.mark.parametrize(
    ("operation", "output", "moving"),
    [
        (("cloudformation", "DescribeStacks"), {"Stacks": [{"StackStatus": "CREATE_IN_PROGRESS"}]}, True),
        (("cloudformation", "DescribeStacks"), {"Stacks": [{"StackStatus": "REVIEW_IN_PROGRESS"}]}, False),
        (("cloudformation", "DescribeStacks"), {"Stacks": [{"StackStatus": "CREATE_COMPLETE"}]}, False),
        (("cloudformation", "DescribeStacks"), {"Stacks": [{"StackStatus": "CREATE_IN_PROGRESS"}] * 2}, False),
        (("cloudformation", "DescribeChangeSet"), {"Status": "CREATE_PENDING"}, True),
        (("cloudformation", "DescribeChangeSet"), {"Status": "FAILED"}, False),
        (("cloudcontrol", "GetResourceRequestStatus"), {"ProgressEvent": {"OperationStatus": "PENDING"}}, True),
        (("cloudcontrol", "GetResourceRequestStatus"), {"ProgressEvent": {"OperationStatus": "SUCCESS"}}, False),
    ],
)
def test_what_is_held(operation, output, moving):
    assert MOVING[operation](output) is moving


def test_a_table_is_made_once():
    made = []
    gate = threading.Event()

    def make():
        gate.wait()
        made.append(1)
        return {}

    late = LateTable(make)
    threads = [threading.Thread(target=late.expect) for _ in range(5)]
    for each in threads:
        each.start()
    late.begin()
    gate.set()
    for each in threads:
        each.join(10)
    late.close()
    assert made == [1]


def test_a_table_that_nobody_wanted_is_never_made():
    late = LateTable(lambda: pytest.fail("nobody wants it"))
    late.close()
    with pytest.raises(RuntimeError, match="the server ends"):
        late.expect()
