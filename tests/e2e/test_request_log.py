"""`cfn -v serve`: a line for each request, with nothing in it that a client sent but the operation's name."""

import http.client
import re
from urllib.parse import urlsplit

import pytest

from support.serving import serving

LINE = re.compile(r"^(\w+ [\w ]+)  (\d{3})  \d+\.\d{3} s$", re.MULTILINE)
SECRET = "hunter2-hunter2"


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("log"), "-v") as server:
        client = server.client("cloudformation")
        template = '{"Parameters": {"P": {"Type": "String"}}, "Resources": {"T": {"Type": "AWS::SNS::Topic"}}}'
        client.create_stack(
            StackName="one", TemplateBody=template, Parameters=[{"ParameterKey": "P", "ParameterValue": SECRET}]
        )
        with pytest.raises(client.exceptions.ClientError):
            client.describe_stacks(StackName=SECRET)
        s3 = server.client("s3")
        s3.create_bucket(Bucket="bucket-one")
        s3.put_object(Bucket="bucket-one", Key=SECRET, Body=SECRET.encode())
        connection = http.client.HTTPConnection(urlsplit(server.url).netloc)
        form = f"Action=Nothing%0A{SECRET}&Version=2010-05-15"
        connection.request("POST", "/", form, {"Content-Type": "application/x-www-form-urlencoded"})
        connection.getresponse().read()
        connection.close()
        return server.stop()[1]


def test_each_request_has_a_line(log):
    found = LINE.findall(log)
    assert ("cloudformation CreateStack", "200") in found
    assert ("cloudformation DescribeStacks", "400") in found
    assert ("s3 PUT", "200") in found
    assert ("cloudformation unknown operation", "403") in found  # it was not signed


def test_no_value_is_in_it(log):
    assert SECRET not in log


def test_without_v_there_is_none(tmp_path):
    with serving(tmp_path, forked=True) as server:
        server.client("cloudformation").list_types()
        assert not LINE.findall(server.stop()[1])
