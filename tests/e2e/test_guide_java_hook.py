"""The user guide's walkthrough of a hook in Java: its schema and its code, with the real commands.

No published runtime takes the guide's handlers as they are written, and no generated code could make it: they contradict
the guide's own base class and the models that the guide shows. So the compiler's complaints are compared with the list
of these contradictions, and with each of them put right the handlers are built, unit-tested and proved.
"""

import json
import re

import pytest

from support.commands import copy_project
from support.guide_java import java_classes, run_unit_tests
from support.seeds import code_blocks, guide, needs_guide
from support.toolchains import needs_java

pytestmark = [needs_guide, needs_java, pytest.mark.acceptance, pytest.mark.xdist_group("java")]
TYPE = "MyCompany::Testing::MyTestHook"
PACKAGE = "com/mycompany/testing/mytesthook"
BUCKET, QUEUE = "AWS::S3::Bucket", "AWS::SQS::Queue"
PATIENCE = 500
# Where a page ends, the text that we have of the guide lost or doubled a bracket: these are all the places.
_UNFINISHED = (".targetModel(targetModel) .build());", ".targetModel(targetModel) .build()) .build();")
TORN = {
    "Translator": [("createListQueuesRequest(null); } }", "createListQueuesRequest(null); }")],
    "AbstractTestBase": [
        ("} }; } }; protected void assertResponse", "} }; } }; } protected void assertResponse"),
        (
            '"PreviousResourceProperties", previousResourceProperties ) ); } } }',
            '"PreviousResourceProperties", previousResourceProperties ) ); } }',
        ),
    ],
    "PreCreateHookHandler": [
        ("resultStatus = HookStatus.FAILED; } } } } resultMessage", "resultStatus = HookStatus.FAILED; resultMessage")
    ],
    "PreCreateHookHandlerTest": [
        ("isEqualTo(expectedErrorMsg); } } } private", "isEqualTo(expectedErrorMsg); } private"),
        _UNFINISHED,
    ],
    "PreUpdateHookHandler": [
        (
            ".build(); } return HookProgressEvent.<CallbackContext>builder() .status(HookStatus.SUCCESS)",
            ".build(); } } return HookProgressEvent.<CallbackContext>builder() .status(HookStatus.SUCCESS)",
        )
    ],
    "PreUpdateHookHandlerTest": [("isNull(); } assertThat", "isNull(); assertThat"), _UNFINISHED],
}
# What the guide writes → what it must be → why.
PUT_RIGHT = (
    (r"BaseHookHandler<TypeConfigurationModel, CallbackContext>", "BaseHookHandler<CallbackContext, TypeConfigurationModel>",
     "the guide's own base handler has them in this order"),
    (r"import software\.amazon\.cloudformation\.proxy\.hook\.HookProgressEvent;",
     "import software.amazon.cloudformation.proxy.*; import software.amazon.cloudformation.proxy.hook.targetmodel.*;",
     "handlers answer with a ProgressEvent, in the guide's base handler too"),
    (r"HookProgressEvent(\.?)<CallbackContext>", r"ProgressEvent\1<HookTargetModel, CallbackContext>", "as above"),
    (r"proxy\.hook\.HookStatus;", "proxy.OperationStatus;", "a ProgressEvent's status"),
    (r"assertThat\(response, HookStatus", "assertResponse(response, HookStatus", "the unit tests' own method"),
    (r"\bHookStatus\b", "OperationStatus", "as above"),
    (r"getKMSMasterKeyId\(\)", "getKMSMasterKeyID()", "the property's name, by which the guide's unit test sets it"),
    (r"\bStringUtil\.", "StringUtils.", "what the handler imports"),
    (r"(\.build\(\) \)\.build\(\) \))\.build\(\) (\)\.build\(\) \)\.build\(\); })", r"\1 \2", "a list has no build()"),
)  # fmt: skip
REFUSED = {
    "PreCreateHookHandler": {
        "PreCreateHookHandler is not abstract and does not override abstract method handleRequest",
        "method does not override or implement a method from a supertype",
        "method getKMSMasterKeyId()",
        "method status(HookStatus)",
        "variable StringUtil",
    },
    "PreUpdateHookHandler": {
        "PreUpdateHookHandler is not abstract and does not override abstract method handleRequest",
        "method does not override or implement a method from a supertype",
        "method status(HookStatus)",
    },
    # The generated wrapper takes handlers of the base class's order.
    "HookHandlerWrapper": {"incompatible types"},
    "HookHandlerWrapperExecutable": {"incompatible types"},
}
# The guide's text for this class is empty.
CLIENT_BUILDER = """
package com.mycompany.testing.mytesthook;

import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.sqs.SqsClient;

public class ClientBuilder {
    public static S3Client createS3Client() {
        return S3Client.create();
    }

    public static SqsClient createSqsClient() {
        return SqsClient.create();
    }
}
"""
DEPENDENCIES = ("s3", "sqs", "commons-lang3", "guava")


def walkthrough(first, last):
    """The Java walkthrough's part from the line `first` to the line `last`: the Python one has the same headings."""
    text = guide()
    start = text.index(f"\n{first}\n", text.index("Installing CloudFormation CLI and Java plugin"))
    return text[start : text.index(f"\n{last}\n", start)]


def guide_schema():
    text = "".join(code_blocks(walkthrough("Modeling hook schema", "Setting up project dependencies"))[:2])
    schema = json.loads(text)
    del schema["handlers"]["preDelete"]  # the guide has no code for it, and says to remove what is not implemented
    return schema


def add_dependencies(pom):
    """The guide's dependencies that its code needs; the SDK's at the version that the runtime is built with."""
    text = "".join(
        code_blocks(walkthrough("Setting up project dependencies", "Implementing hook handlers for your hook project"))
    )
    found = re.findall(r"<dependency>.*?</dependency>", text, re.DOTALL)
    named = {re.search(r"<artifactId>([\w.-]+)</artifactId>", each)[1]: each for each in found}
    bom = named["bom"].replace("<version>2.16.1</version>", "<version>2.19.0</version>")
    assert bom != named["bom"]
    managed, plain = "<dependencyManagement>\n        <dependencies>\n", "\n    <dependencies>\n"
    assert pom.count(managed) == pom.count(plain) == 1
    return pom.replace(managed, f"{managed}{bom}\n").replace(
        plain, plain + "".join(named[each] for each in DEPENDENCIES)
    )


def put_right(code):
    for wrong, right, _ in PUT_RIGHT:
        code = re.sub(wrong, right, code)
    return code


def in_short(message):
    """A compiler's complaint: the symbol that is not there, or else what it says before it names places and types."""
    said, _, symbol = message.partition("symbol:")
    words = symbol or re.split(r"[:(]", said)[0]
    return " ".join(re.sub(r"\b(?:[a-z]\w*\.)+(?=[A-Z])", "", words).split())


def bucket(algorithm="AES256", *, key=True):
    default = {"SSEAlgorithm": algorithm, "KMSMasterKeyID": "key"}
    rules = [{"BucketKeyEnabled": key, "ServerSideEncryptionByDefault": default}]
    return {"BucketName": "walk", "BucketEncryption": {"ServerSideEncryptionConfiguration": rules}}


INPUTS = {
    "pre_create": {BUCKET: {"resourceProperties": bucket()}, QUEUE: {"resourceProperties": {"KmsMasterKeyId": "key"}}},
    "invalid_pre_create": {
        BUCKET: {"resourceProperties": bucket(key=False)},
        QUEUE: {"resourceProperties": {"QueueName": "open"}},
    },
    "pre_update": {
        BUCKET: {"resourceProperties": bucket(), "previousResourceProperties": bucket()},
        QUEUE: {"resourceProperties": {"QueueName": "q"}, "previousResourceProperties": {"QueueName": "p"}},
    },
    "invalid_pre_update": {
        BUCKET: {"resourceProperties": bucket(), "previousResourceProperties": bucket("aws:kms")},
        QUEUE: {"resourceProperties": {"QueueName": "q"}, "previousResourceProperties": {"QueueName": "p"}},
    },
}


@pytest.fixture(scope="module")
def classes():
    return java_classes(walkthrough("Coding the API request maker", "Registering hooks"), TORN)


@pytest.fixture(scope="module")
def project(desk, classes, tmp_path_factory):
    """The walkthrough's project with the guide's handlers as they are written."""
    root = tmp_path_factory.mktemp("walk") / "mycompany-testing-mytesthook"
    root.mkdir()
    ended = desk.cfn("init", "-a", "HOOK", "-t", TYPE, "java", "--namespace", PACKAGE.replace("/", "."), cwd=root)
    assert ended.code == 0, str(ended)
    (root / "mycompany-testing-mytesthook.json").write_text(json.dumps(guide_schema()))
    main, tests = (root / "src" / each / "java" / PACKAGE for each in ("main", "test"))
    (main / "PreDeleteHookHandler.java").unlink()
    (tests / "PreDeleteHookHandlerTest.java").unlink()
    ended = desk.cfn("generate", "--offline", cwd=root)
    assert (ended.code, ended.out) == (0, f"Generated files for {TYPE}\n"), str(ended)
    pom = root / "pom.xml"
    pom.write_text(add_dependencies(pom.read_text()))
    assert set(classes) == {*TORN, "BaseHookHandlerStd"}
    (main / "ClientBuilder.java").write_text(CLIENT_BUILDER)
    for name, code in classes.items():
        ((tests if "Test" in name else main) / f"{name}.java").write_text(code)
    for each in (root / "inputs").iterdir():
        each.unlink()
    for kind, value in INPUTS.items():
        (root / "inputs" / f"inputs_1_{kind}.json").write_text(json.dumps(value))
    return root


@pytest.fixture(scope="module")
def mended(project, classes, tmp_path_factory):
    root = copy_project(project, tmp_path_factory.mktemp("right") / project.name)
    for name, code in classes.items():
        place = "test" if "Test" in name else "main"
        (root / "src" / place / "java" / PACKAGE / f"{name}.java").write_text(put_right(code))
    return root


@pytest.mark.slow
def test_the_compiler_refuses_the_guides_contradictions_and_nothing_else(desk, project):
    ended = desk.cfn("test", cwd=project, timeout=PATIENCE)
    assert ended.code == 1, str(ended)
    complaints = {}
    for name, message in re.findall(r"\] \S*?(\w+)\.java:\[\d+,\d+\] (.*(?:\n.*symbol: .*)?)", ended.err):
        complaints.setdefault(name, set()).add(in_short(message))
    assert complaints == REFUSED


def test_put_right_it_fails_where_the_guides_logic_does_and_nowhere_else(desk, mended):
    ended = desk.cfn("test", "--report", "json", cwd=mended, timeout=PATIENCE)
    assert ended.out, str(ended)
    violations = [each for each in json.loads(ended.out)["findings"] if each["severity"] == "violation"]
    assert {each["clause"] for each in violations} == {"hook.success"}
    inverted, other_target = sorted(each["message"] for each in violations)
    # The create handler asks whether there are no rules where it means whether there are some.
    assert "No SSE Encryption configurations for bucket with name: walk" in inverted
    # The update handler knows buckets only, and the schema has it called for queues as well.
    assert f"Unsupported target: [{QUEUE}]" in other_target


@pytest.mark.slow
def test_the_guides_unit_tests_run(mended):
    ended = run_unit_tests(mended, PATIENCE)
    failed = set(re.findall(r"ERROR\]   PreCreateHookHandlerTest\.handleRequest_(\w+):", ended.stdout))
    assert "Tests run: 11, Failures: 4, Errors: 0" in ended.stdout, ended.stdout
    assert failed == {
        "awsS3BucketFail_bucketKeyNotEnabled",
        "awsS3BucketFail_incorrectSSEEncryptionAlgorithm",
        "awsS3BucketFail_kmsKeyIdNotSet",
        "awsS3BucketSuccess",
    }  # the inverted question again
