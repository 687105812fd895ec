"""Publishers, tests, public versions and their activation."""

import io
import json
import re
import zipfile

import pytest

from formwork.aws.scope import Scope
from formwork.extensions import ExtensionKind
from formwork.registry.errors import RegistryError
from formwork.registry.proofs import Proof
from formwork.registry.requests import (
    ActivateTypeRequest,
    DescribeTypeRequest,
    ListTypesRequest,
    ListTypeVersionsRequest,
    LoggingConfig,
    PublishTypeRequest,
    RegisterPublisherRequest,
    SetTypeConfigurationRequest,
    TestTypeRequest,
    TypeReference,
)
from support.registry import (
    ELSEWHERE,
    FRAGMENT,
    GUARD,
    HERE,
    ROLE,
    SHELF,
    STRANGER,
    THING,
    by_name,
    module_package,
    resource_package,
)

ALIAS = "Theirs::Store::Thing"


class Prover:
    """Contract tests that end as they are told to."""

    def __init__(self):
        self.passed = True
        self.asked = []

    def __call__(self, request):
        self.asked.append(request)
        word = "passed" if self.passed else "failed"
        return Proof(passed=self.passed, summary=f"all tests {word}", logs={"test.log": word.encode()})


@pytest.fixture
def prover():
    return Prover()


@pytest.fixture
def desk(open_a_desk, prover):
    return open_a_desk(prove=prover)


def become_publisher(desk, scope=HERE):
    return desk.registry.register_publisher(scope, RegisterPublisherRequest(accepts_terms=True))


def prove(desk, name=THING, scope=HERE, version=None, bucket=None):
    reference = by_name(name, version)
    return desk.registry.test_type(scope, TestTypeRequest(type=reference, log_bucket=bucket))


def publish(desk, name=THING, version=None, scope=HERE):
    return desk.registry.publish_type(scope, PublishTypeRequest(type=by_name(name), version=version))


def release(desk, name=THING, version=None, scope=HERE, content=None):
    """Register, make the default one, test and publish another version."""
    arn = desk.register(name, scope=scope, content=content)
    desk.registry.set_type_default_version(scope, TypeReference(arn=arn))
    prove(desk, name, scope)
    return publish(desk, name, version, scope)


def describe(desk, name=THING, scope=HERE, version=None, **more):
    request = DescribeTypeRequest(type=by_name(name, version), **more)
    return desk.registry.describe_type(scope, request)


def activate(desk, arn, scope=STRANGER, **more):
    return desk.registry.activate_type(scope, ActivateTypeRequest(type=TypeReference(arn=arn), **more))


def public_versions(desk, publisher, name=THING):
    request = ListTypeVersionsRequest(type=by_name(name), publisher_id=publisher)
    return [each.version_id for each in desk.registry.list_type_versions(STRANGER, request).items]


def test_a_publisher_accepts_the_terms_and_is_one_everywhere(desk):
    with pytest.raises(RegistryError, match="terms and conditions"):
        desk.registry.register_publisher(HERE, RegisterPublisherRequest())
    with pytest.raises(RegistryError, match="not registered as a publisher"):
        desk.registry.describe_publisher(HERE)
    publisher = become_publisher(desk)
    assert become_publisher(desk, ELSEWHERE) == publisher
    assert become_publisher(desk, STRANGER) != publisher
    found = desk.registry.describe_publisher(ELSEWHERE)
    assert (found.id, found.status, found.identity) == (publisher, "VERIFIED", "AWS_Marketplace")
    assert desk.registry.describe_publisher(STRANGER, publisher) == found
    with pytest.raises(RegistryError, match="cannot be found"):
        desk.registry.describe_publisher(HERE, "0" * 40)


@pytest.mark.parametrize(("word", "identity"), [("bitbucket", "Bitbucket"), ("x", "GitHub")])
def test_a_connection_says_who_the_publisher_is(desk, word, identity):
    arn = f"arn:aws:codestar-connections:us-east-1:111111111111:connection/{word}"
    desk.registry.register_publisher(HERE, RegisterPublisherRequest(accepts_terms=True, connection_arn=arn))
    assert desk.registry.describe_publisher(HERE).identity == identity


@pytest.mark.parametrize("region", ["cn-north-1", "us-gov-west-1"])
def test_some_regions_have_no_public_registry(desk, region):
    scope = Scope("111111111111", region)
    desk.register(scope=scope)
    with pytest.raises(RegistryError, match="public registry is not available"):
        become_publisher(desk, scope)
    with pytest.raises(RegistryError, match="public registry is not available"):
        publish(desk, scope=scope)


def test_a_test_says_how_it_went_and_keeps_its_logs(desk, prover):
    desk.register()
    arn = desk.register()
    assert prove(desk, version="00000002", bucket="results") == arn
    tested = describe(desk, version="00000002")
    assert tested.tests_status == "PASSED"
    assert tested.tests_description.startswith("all tests passed\nLogs: s3://results/")
    assert describe(desk, version="00000001").tests_status == "NOT_TESTED"
    ((bucket, key), content) = next(iter(desk.storage.delivered.items()))
    assert bucket == "results"
    assert key.startswith("CloudFormation/ContractTestResults/Acme-Store-Thing/")
    assert zipfile.ZipFile(io.BytesIO(content)).read("test.log") == b"passed"
    assert (desk.state.results / HERE.account / HERE.region / key).read_bytes() == content
    (asked,) = prover.asked
    assert (asked.name, asked.kind) == (THING, ExtensionKind.RESOURCE)
    assert (asked.package.files / "schema.json").is_file()


def test_a_test_that_runs_is_not_started_again(desk, prover):
    desk.register()
    desk.work.hold()
    assert prove(desk) == prove(desk)
    assert describe(desk, version="00000001").tests_status == "IN_PROGRESS"
    desk.work.release()
    assert len(prover.asked) == 1
    prover.passed = False
    prove(desk)
    assert describe(desk, version="00000001").tests_status == "FAILED"


def test_a_test_that_breaks_has_failed(open_a_desk):
    def broken(_request):
        raise RuntimeError("out of paper")

    desk = open_a_desk(prove=broken)
    desk.register()
    prove(desk)
    found = describe(desk, version="00000001")
    assert found.tests_status == "FAILED"
    assert re.fullmatch(r"internal error: RuntimeError \(.*test_publishing.py:\d+\)", found.tests_description)


def test_the_configuration_is_there_for_the_test(desk, prover):
    desk.register(GUARD)
    text = json.dumps({"CloudFormationConfiguration": {"HookConfiguration": {"HookInvocationStatus": "ENABLED"}}})
    desk.registry.set_type_configuration(HERE, SetTypeConfigurationRequest(type=by_name(GUARD), configuration=text))
    prove(desk, GUARD)
    assert json.loads(prover.asked[0].configuration) == json.loads(text)


def test_a_modules_fragment_is_judged_by_the_rules_of_publishing(desk, prover):
    custom = {**FRAGMENT, "Resources": {"Mine": {"Type": "Custom::Mine", "Properties": {"ServiceToken": "x"}}}}
    desk.register(SHELF)
    desk.register(SHELF, content=module_package(fragment=custom))
    prove(desk, SHELF)
    prove(desk, SHELF, version="00000002")
    assert describe(desk, SHELF, version="00000001").tests_status == "PASSED"
    failed = describe(desk, SHELF, version="00000002")
    assert failed.tests_status == "FAILED"
    assert "module.public-custom-resource" in failed.tests_description
    assert prover.asked == []


def test_publishing_needs_a_publisher_and_passed_tests(desk, prover):
    desk.register()
    with pytest.raises(RegistryError, match="not registered as a publisher"):
        publish(desk)
    publisher = become_publisher(desk)
    with pytest.raises(RegistryError, match="NOT_TESTED"):
        publish(desk)
    prover.passed = False
    prove(desk)
    with pytest.raises(RegistryError, match="FAILED"):
        publish(desk)
    prover.passed = True
    prove(desk)
    arn = publish(desk)
    assert arn == f"arn:aws:cloudformation:us-east-1::type/resource/{publisher}/Acme-Store-Thing"
    with pytest.raises(RegistryError, match="cannot be found"):
        publish(desk, "Acme::Store::Nobody")


@pytest.mark.parametrize("name", ["AWS::Store::Thing", "AwsQuickStart::Store::Thing", "Alexa::Store::Thing"])
def test_reserved_names_are_tested_when_registered_and_never_published(desk, prover, name):
    desk.register(name)
    assert len(prover.asked) == 1
    prover.passed = False
    text = desk.refuse(resource_package(name), name)
    assert "contract tests failed: all tests failed" in text
    assert f"{name.replace('::', '-').lower()}-ContractTests-" in text
    groups = {each.name for each in (desk.state.logs / HERE.account / HERE.region).iterdir()}
    assert any(each.startswith(f"{name.replace('::', '-').lower()}-ContractTests-") for each in groups)
    become_publisher(desk)
    with pytest.raises(RegistryError, match="cannot be published"):
        publish(desk, name)


def test_logs_of_tests_at_registration_are_put_beside_the_package(desk, prover):
    role = "arn:aws:iam::111111111111:role/Handlers"
    desk.register("AWS::Store::Thing", execution_role_arn=role)
    (((bucket, key), content),) = desk.storage.delivered.items()
    assert re.fullmatch(r"CloudFormation/ContractTestResults/AWS-Store-Thing/[0-9a-f-]+\.zip", key)
    assert bucket
    assert zipfile.ZipFile(io.BytesIO(content)).namelist()
    desk.storage.delivered.clear()
    desk.register("AWS::Store::Shelf")
    assert desk.storage.delivered == {}, "without a role nothing may be written there"


def test_version_numbers(desk):
    publisher = become_publisher(desk)
    desk.register()
    prove(desk)
    with pytest.raises(RegistryError, match="cannot be specified the first time"):
        publish(desk, version="2.0.0")
    publish(desk)
    release(desk)
    release(desk, version="1.1.1")
    release(desk, version="3.0.0-rc.1")
    release(desk, version="3.0.0")
    for taken in ("3.0.0", "1.1.0", "3.0.0-rc.2"):
        with pytest.raises(RegistryError, match="is not higher than"):
            publish(desk, version=taken)
    for nonsense in ("1.2", "1.2.x", "01.2.3", "1.2.3-", "x"):
        with pytest.raises(RegistryError, match=r"not MAJOR\.MINOR\.PATCH"):
            publish(desk, version=nonsense)
    release(desk)
    assert public_versions(desk, publisher) == ["1.0.0", "1.1.0", "1.1.1", "3.0.0-rc.1", "3.0.0", "3.1.0"]


def test_what_is_published_is_seen_by_everybody_in_the_region(desk):
    publisher = become_publisher(desk)
    arn = release(desk)
    found = describe(desk, scope=STRANGER, publisher_id=publisher)
    assert (found.arn, found.visibility, found.is_activated) == (arn, "PUBLIC", False)
    assert (found.public_version, found.latest_public_version, found.status) == ("1.0.0", "1.0.0", None)
    by_arn = desk.registry.describe_type(STRANGER, DescribeTypeRequest(type=TypeReference(arn=arn)))
    assert by_arn == found
    listed = desk.registry.list_types(STRANGER, ListTypesRequest(visibility="PUBLIC", category="THIRD_PARTY"))
    assert [(each.name, each.publisher_id, each.is_activated) for each in listed.items] == [(THING, publisher, False)]
    away = Scope(STRANGER.account, ELSEWHERE.region)
    assert not desk.registry.list_types(away, ListTypesRequest(visibility="PUBLIC", category="THIRD_PARTY")).items
    with pytest.raises(RegistryError, match="cannot be found"):
        describe(desk, scope=away, publisher_id=publisher)
    with pytest.raises(RegistryError, match="cannot be found"):
        describe(desk, scope=STRANGER, publisher_id=publisher, public_version="9.9.9")


@pytest.mark.parametrize("name", [THING, GUARD, SHELF])
def test_an_activated_type_is_one_of_the_accounts_own(desk, name):
    publisher = become_publisher(desk)
    public = release(desk, name)
    arn = activate(desk, public, execution_role_arn=ROLE, logging=LoggingConfig(ROLE, "logs"))
    kind = public.split("/")[1]
    assert arn == f"arn:aws:cloudformation:us-east-1:222222222222:type/{kind}/{name.replace('::', '-')}"
    found = describe(desk, name, scope=STRANGER)
    assert (found.visibility, found.is_activated, found.auto_update) == ("PUBLIC", True, True)
    assert (found.publisher_id, found.original_name, found.original_arn) == (publisher, name, public)
    assert (found.public_version, found.latest_public_version) == ("1.0.0", "1.0.0")
    assert (found.default_version, found.is_default) == (None, None)
    assert (found.execution_role_arn, found.logging) == (ROLE, LoggingConfig(ROLE, "logs"))
    registered = desk.registry.expect_type(STRANGER, name, found.kind)
    assert (registered.package.files / "schema.json").is_file()
    listed = desk.registry.list_types(STRANGER, ListTypesRequest(category="ACTIVATED")).items
    assert [(each.name, each.is_activated, each.public_version) for each in listed] == [(name, True, "1.0.0")]
    assert not desk.registry.list_types(STRANGER, ListTypesRequest(category="REGISTERED")).items


def test_an_alias_is_the_types_name(desk):
    become_publisher(desk)
    public = release(desk)
    arn = activate(desk, public, alias=ALIAS)
    assert arn.endswith("type/resource/Theirs-Store-Thing")
    assert describe(desk, ALIAS, scope=STRANGER).original_name == THING
    with pytest.raises(RegistryError, match="cannot be found"):
        describe(desk, scope=STRANGER)
    activate(desk, public)
    names = [each.name for each in desk.registry.list_types(STRANGER, ListTypesRequest()).items]
    assert names == [THING, ALIAS]


def test_names_that_are_taken(desk):
    become_publisher(desk)
    become_publisher(desk, ELSEWHERE)
    public = release(desk)
    with pytest.raises(RegistryError, match="already in use"):
        activate(desk, public, scope=HERE)
    activate(desk, public)
    with pytest.raises(RegistryError, match="is activated from publisher"):
        desk.register(scope=STRANGER)
    other = release(desk, "Acme::Store::Other")
    with pytest.raises(RegistryError, match="already in use"):
        activate(desk, other, alias=THING)
    for alias in ("Custom::Store::Thing", "Acme::Thing", SHELF):
        with pytest.raises(RegistryError):
            activate(desk, other, alias=alias)


def test_minor_versions_come_by_themselves_and_major_ones_when_asked_for(desk):
    become_publisher(desk)
    public = release(desk)
    activate(desk, public)
    activate(desk, public, alias=ALIAS, auto_update=False)

    def used():
        return [describe(desk, name, scope=STRANGER).public_version for name in (THING, ALIAS)]

    release(desk)
    release(desk, version="1.1.7")
    assert used() == ["1.1.7", "1.0.0"]
    release(desk, version="2.0.0")
    assert used() == ["1.1.7", "1.0.0"]
    activate(desk, public, alias=ALIAS, bump="MINOR")
    assert used() == ["1.1.7", "1.1.7"]
    activate(desk, public, bump="MAJOR")
    assert used() == ["2.0.0", "1.1.7"]
    activate(desk, public, major=1)
    assert used() == ["1.1.7", "1.1.7"]
    assert describe(desk, ALIAS, scope=STRANGER).auto_update is False
    activate(desk, public, alias=ALIAS, auto_update=True)
    assert used()[1] == "1.1.7"
    release(desk, version="1.2.0")
    assert used() == ["1.2.0", "1.2.0"]
    assert describe(desk, scope=STRANGER).latest_public_version == "2.0.0"
    with pytest.raises(RegistryError, match="no major version 9"):
        activate(desk, public, major=9)
    with pytest.raises(RegistryError, match="not both"):
        activate(desk, public, major=1, bump="MAJOR")


def test_the_newest_major_version_is_activated_first(desk):
    publisher = become_publisher(desk)
    release(desk)
    release(desk, version="2.0.0")
    release(desk, version="1.0.1")
    request = ActivateTypeRequest(type=by_name(), publisher_id=publisher)
    desk.registry.activate_type(STRANGER, request)
    assert describe(desk, scope=STRANGER).public_version == "2.0.0"
    with pytest.raises(RegistryError, match="PublisherId must be specified"):
        desk.registry.activate_type(STRANGER, ActivateTypeRequest(type=by_name()))
    with pytest.raises(RegistryError, match="cannot be found"):
        desk.registry.activate_type(STRANGER, ActivateTypeRequest(type=by_name(SHELF), publisher_id=publisher))


def test_what_is_done_with_ones_own_types_is_not_done_with_activated_ones(desk):
    become_publisher(desk)
    become_publisher(desk, STRANGER)
    public = release(desk)
    arn = activate(desk, public)
    for attempt in (
        lambda: desk.registry.deregister_type(STRANGER, TypeReference(arn=arn)),
        lambda: desk.registry.set_type_default_version(STRANGER, by_name(version="00000001")),
        lambda: prove(desk, scope=STRANGER),
        lambda: publish(desk, scope=STRANGER),
    ):
        with pytest.raises(RegistryError, match="is activated from"):
            attempt()


def test_deactivating_forgets_the_configuration(desk):
    become_publisher(desk)
    public = release(desk, GUARD)
    arn = activate(desk, public)
    text = json.dumps({"CloudFormationConfiguration": {"HookConfiguration": {"HookInvocationStatus": "ENABLED"}}})
    desk.registry.set_type_configuration(
        STRANGER, SetTypeConfigurationRequest(type=TypeReference(arn=arn), configuration=text)
    )
    desk.registry.deactivate_type(STRANGER, TypeReference(arn=arn))
    with pytest.raises(RegistryError, match="cannot be found"):
        desk.registry.expect_type(STRANGER, GUARD, ExtensionKind.HOOK)
    with pytest.raises(RegistryError, match="cannot be found"):
        desk.registry.deactivate_type(STRANGER, by_name(GUARD))
    with pytest.raises(RegistryError, match="cannot be found"):
        desk.registry.deactivate_type(HERE, by_name(GUARD))
    activate(desk, public)
    assert desk.registry.expect_type(STRANGER, GUARD, ExtensionKind.HOOK).configuration == {}


def test_a_module_is_activated_after_the_public_types_that_it_needs(desk):
    publisher = become_publisher(desk)
    public = release(desk)
    metadata = {
        "PublisherId": "0" * 40,
        "RegionalPublisherId": {HERE.region: publisher},
        "OriginalTypeName": THING,
        "SupportMajorVersions": [1],
    }
    resource = {"Type": ALIAS, "Properties": {"Name": "x"}, "Metadata": metadata}
    module = release(desk, SHELF, content=module_package(fragment={"Resources": {"Its": resource}}))
    (needed,) = describe(desk, SHELF, scope=STRANGER, publisher_id=publisher).required_types
    assert (needed.alias, needed.original_name, needed.publisher_id, needed.majors) == (ALIAS, THING, publisher, (1,))
    with pytest.raises(RegistryError, match=f"'{ALIAS}'"):
        activate(desk, module)
    activate(desk, public, alias=ALIAS)
    activate(desk, module)
    assert describe(desk, SHELF, scope=STRANGER).required_types == (needed,)


def test_a_published_package_outlives_the_type_it_was_published_from(desk):
    become_publisher(desk)
    public = release(desk)
    desk.registry.deregister_type(HERE, by_name())
    desk.registry.resume()
    activate(desk, public)
    assert desk.registry.expect_type(STRANGER, THING, ExtensionKind.RESOURCE).package.files.is_dir()
    with pytest.raises(RegistryError):
        desk.registry.expect_type(HERE, THING, ExtensionKind.RESOURCE)


def test_every_run_of_the_tests_is_kept_with_its_files(desk, prover):
    desk.register()
    prove(desk)
    prover.passed = False
    prove(desk)
    runs = desk.registry.list_test_runs(HERE, by_name(THING))
    assert sorted(each.status for each in runs) == ["FAILED", "PASSED"]
    assert {each.version_id for each in runs} == {"00000001"}
    assert runs[0].began >= runs[1].began
    names = {}
    for each in runs:
        assert desk.registry.read_test_file(HERE, by_name(THING), each.id, "nothing.txt") is None
        names[each.id] = desk.registry.read_test_file(HERE, by_name(THING), each.id, "test.log")
    assert all(names.values())
    assert desk.registry.read_test_file(HERE, by_name(THING), "../../x", "test.log") is None
    for scope in (STRANGER, ELSEWHERE):
        with pytest.raises(RegistryError, match="cannot be found"):
            desk.registry.list_test_runs(scope, by_name(THING))
