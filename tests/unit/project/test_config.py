"""`.rpdk-config`: what is read, what is refused, what is said about old ones."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwork.diagnostics import BadInputError, Severity
from formwork.documents import parse_document
from formwork.extensions import ExtensionKind
from formwork.project import ProjectConfig, load_project, parse_config, render_config

GOOD = {
    "artifact_type": "RESOURCE",
    "typeName": "Acme::Store::Thing",
    "language": "python311",
    "runtime": "python3.11",
    "entrypoint": "acme_store_thing.handlers.resource",
    "testEntrypoint": "acme_store_thing.handlers.test_entrypoint",
    "settings": {"protocolVersion": "2.0.0"},
}


def parse(**changes):
    value = {key: member for key, member in (GOOD | changes).items() if member is not ...}
    return parse_config(parse_document(json.dumps(value), name=".rpdk-config"))


def refused(**changes):
    with pytest.raises(BadInputError) as caught:
        parse(**changes)
    return [(each.code, each.location.pointer) for each in caught.value.diagnostics if each.severity is Severity.ERROR]


def warned(**changes):
    _, warnings = parse(**changes)
    assert all(each.severity is Severity.WARNING and each.hint for each in warnings)
    return [each.code for each in warnings]


def test_a_good_config():
    config, warnings = parse(extraKey={"a": 1}, canarySettings={"contract_test_file_names": ["inputs_1.json"]})
    assert warnings == ()
    assert config == ProjectConfig(
        ExtensionKind.RESOURCE,
        "Acme::Store::Thing",
        "python311",
        "python3.11",
        "acme_store_thing.handlers.resource",
        "acme_store_thing.handlers.test_entrypoint",
        settings={"protocolVersion": "2.0.0"},
        canary_settings={"contract_test_file_names": ["inputs_1.json"]},
        extra={"extraKey": {"a": 1}},
    )


def test_no_artifact_type_is_a_resource():
    config, _ = parse(artifact_type=...)
    assert config.kind is ExtensionKind.RESOURCE
    assert warned(artifact_type=...) == ["project.config-no-artifact-type"]


def test_a_module_needs_no_language():
    config, warnings = parse_config(
        parse_document('{"artifact_type": "MODULE", "typeName": "A1::B2::C3::MODULE", "settings": {}}', name="c")
    )
    assert (config.kind, config.language, warnings) == (ExtensionKind.MODULE, None, ())
    assert json.loads(render_config(config)) == {
        "artifact_type": "MODULE",
        "typeName": "A1::B2::C3::MODULE",
        "settings": {},
    }


@pytest.mark.parametrize("language", ["python36", "python37", "python38"])
def test_old_pythons_load_and_say_what_to_use(language):
    runtime = f"python3.{language[-1]}"
    config, warnings = parse(language=language, runtime=runtime)
    assert config.language == language
    assert [each.code for each in warnings] == ["project.config-outdated-language", "project.config-outdated-runtime"]
    assert '"python312"' in warnings[0].hint
    assert '"python3.12"' in warnings[1].hint


def test_no_protocol_version_means_the_first():
    config, warnings = parse(settings={})
    assert config.protocol_version == "1.0.0"
    assert [each.code for each in warnings] == ["project.config-no-protocol-version"]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"artifact_type": "WIDGET"}, ("project.config-artifact-type", "/artifact_type")),
        ({"artifact_type": 3}, ("project.config-artifact-type", "/artifact_type")),
        ({"typeName": ...}, ("project.config-missing-key", "")),
        ({"typeName": "Acme::Thing"}, ("project.config-type-name", "/typeName")),
        ({"typeName": "Acme::Store::Thing::MODULE"}, ("project.config-type-name", "/typeName")),
        ({"typeName": 5}, ("project.config-type-name", "/typeName")),
        ({"language": ...}, ("project.config-missing-key", "")),
        ({"language": None}, ("project.config-not-a-text", "/language")),
        ({"runtime": 3.1}, ("project.config-not-a-text", "/runtime")),
        ({"entrypoint": []}, ("project.config-not-a-text", "/entrypoint")),
        ({"settings": []}, ("project.config-settings", "/settings")),
        ({"settings": {"protocolVersion": "3.0.0"}}, ("project.config-protocol-version", "/settings/protocolVersion")),
        ({"settings": {"protocolVersion": 2}}, ("project.config-protocol-version", "/settings/protocolVersion")),
        ({"padding": "x" * 10240}, ("project.config-too-large", "")),
    ],
)
def test_what_is_refused(changes, expected):
    assert refused(**changes) == [expected]


def test_all_problems_at_once():
    assert len(refused(typeName="x", language=4, settings=7)) == 3


def test_a_config_that_is_no_object():
    with pytest.raises(BadInputError, match="not a JSON object"):
        parse_config(parse_document("[]", name=".rpdk-config"))


def test_problems_have_a_place(tmp_path):
    (tmp_path / ".rpdk-config").write_text('{\n  "typeName": "bad",\n  "language": "java", "runtime": "java17"\n}')
    with pytest.raises(BadInputError) as caught:
        load_project(tmp_path)
    place = next(each.location for each in caught.value.diagnostics if each.code == "project.config-type-name")
    assert (place.file, place.start.line, place.start.column) == (str(tmp_path / ".rpdk-config"), 2, 15)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@given(settings=st.dictionaries(TEXTS, TEXTS | st.booleans() | st.none(), max_size=4), entry=st.none() | TEXTS)
def test_written_and_read_again(settings, entry):
    settings.pop("protocolVersion", None)
    config = ProjectConfig(ExtensionKind.HOOK, "Aa::Bb::Cc", "go", "provided.al2", entry, settings=settings)
    assert parse_config(parse_document(render_config(config), name="c"))[0] == config


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text):
    with contextlib.suppress(BadInputError):
        parse_config(parse_document(text, name=".rpdk-config"))
