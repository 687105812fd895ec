"""Smithy models from the command line: converted, validated, formatted, queried; and projects made from them."""

import json
import shutil

import pytest

from formwork.cli.main import main
from support.corpus import REPOSITORY

MODEL = """$version: "2.0"

namespace ex.weather

use aws.cloudformation#cfnResource

service Weather {
    version: "1"
    resources: [City]
}

/// A city.
@cfnResource
resource City {
    identifiers: { cityId: String }
    properties: { name: String }
    create: CreateCity
    read: GetCity
    delete: DeleteCity
}

operation CreateCity {
    input := {
        /// What it is called.
        @required
        name: String
    }
    output := { @required cityId: String }
}

@readonly
operation GetCity {
    input := { @required cityId: String }
    output := {
        @required
        cityId: String
        name: String
    }
}

@idempotent
operation DeleteCity {
    input := { @required cityId: String }
}
"""


@pytest.fixture
def model(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model").mkdir()
    path = tmp_path / "model" / "city.smithy"
    path.write_text(MODEL, encoding="utf-8")
    return path


def test_convert_prints_one_object(model, capsys):
    assert main(["convert", "model", "--organization", "Acme", "--stdout"]) == 0
    schemas = json.loads(capsys.readouterr().out)
    assert list(schemas) == ["Acme::Weather::City"]
    assert schemas["Acme::Weather::City"]["required"] == ["Name"]


def test_convert_writes_a_file_a_type(model, tmp_path, capsys):
    assert main(["convert", str(model), "--organization", "Acme", "--output", "schemas"]) == 0
    assert (
        json.loads((tmp_path / "schemas" / "acme-weather-city.json").read_text())["typeName"] == "Acme::Weather::City"
    )


def test_settings_come_from_smithy_build(model, tmp_path, capsys):
    settings = {"service": "ex.weather#Weather", "organizationName": "Org", "serviceName": "Svc"}
    build = {"version": "1.0", "sources": ["model"], "plugins": {"cloudformation": settings}}
    (tmp_path / "smithy-build.json").write_text(json.dumps(build))
    assert main(["convert", "--config", "smithy-build.json", "--stdout"]) == 0
    assert list(json.loads(capsys.readouterr().out)) == ["Org::Svc::City"]


def test_an_error_points_at_its_line(model, capsys):
    model.write_text(MODEL.replace("name: String }", "name: Strin }"), encoding="utf-8")
    assert main(["convert", "model", "--organization", "Acme", "--stdout"]) == 1
    told = capsys.readouterr().err
    assert "city.smithy:14:1" in told
    assert "unresolved shape `ex.weather#Strin`" in told


def test_a_missing_organization_is_told(model, capsys):
    assert main(["convert", "model", "--stdout"]) == 1
    assert "organizationName" in capsys.readouterr().err


def test_plain_json_schema(model, capsys):
    assert main(["convert", "model", "--json-schema", "--root", "ex.weather#GetCityOutput"]) == 0
    assert json.loads(capsys.readouterr().out)["required"] == ["cityId"]


def test_validate_select_and_ast(model, capsys):
    assert main(["smithy", "validate", "model"]) == 0
    capsys.readouterr()
    assert main(["smithy", "select", "resource > operation", "model"]) == 0
    assert capsys.readouterr().out.split() == ["ex.weather#CreateCity", "ex.weather#DeleteCity", "ex.weather#GetCity"]
    assert main(["smithy", "ast", "model"]) == 0
    shapes = json.loads(capsys.readouterr().out)["shapes"]
    assert "ex.weather#City" in shapes
    assert "aws.cloudformation#cfnResource" not in shapes
    assert main(["smithy", "select", ":nope", "model"]) == 2


def test_format_checks_and_writes(model, capsys):
    assert main(["smithy", "format", "--check", "model"]) == 1
    assert model.read_text(encoding="utf-8") == MODEL
    assert main(["smithy", "format", "model"]) == 0
    formatted = model.read_text(encoding="utf-8")
    assert "    resources: [\n        City\n    ]\n" in formatted
    assert "    properties: {\n        name: String\n    }\n" in formatted
    assert main(["smithy", "format", "--check", "model"]) == 0


def test_a_project_follows_its_model(model, tmp_path, capsys):
    named = ["-a", "RESOURCE", "-t", "Acme::Weather::City", "python311", "--no-docker"]
    assert main(["init", "--from-smithy", "model", *named]) == 0
    declared = MODEL.replace("name: String }", "name: String, size: Integer }")
    model.write_text(declared, encoding="utf-8")
    assert main(["validate"]) == 1
    assert "Resource property `size` is not used" in capsys.readouterr().out
    used = declared.replace("        name: String\n    }\n}", "        name: String\n        size: Integer\n    }\n}")
    model.write_text(used, encoding="utf-8")
    assert main(["generate"]) == 0
    assert "Size" in json.loads((tmp_path / "acme-weather-city.json").read_text())["properties"]


def test_the_tutorial_model_keeps_the_contract_on_the_simulator(tmp_path, desk):
    shutil.copytree(REPOSITORY / "docs" / "tutorial" / "smithy-model", tmp_path / "model")
    named = ["-a", "RESOURCE", "-t", "Acme::Example::Foo", "python311", "--no-docker"]
    started = desk.cfn("init", "--from-smithy", "model", *named, cwd=tmp_path)
    assert started.code == 0, str(started)
    tested = desk.cfn("test", "--simulated", "--report", "json", cwd=tmp_path)
    assert tested.code == 0, str(tested)
    states = {each["id"]: each["state"] for each in json.loads(tested.out)["clauses"]}
    assert states["create.applied"] == states["update.applied"] == states["list.identifiers"] == "proved"


def test_the_tutorial_shows_what_is_printed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(REPOSITORY / "docs" / "tutorial" / "smithy-model", tmp_path / "model")
    assert main(["smithy", "validate", "model"]) == 0
    capsys.readouterr()
    assert main(["smithy", "select", "resource > operation", "model"]) == 0
    shown = (REPOSITORY / "docs" / "tutorial" / "smithy.md").read_text(encoding="utf-8")
    assert f"cfn smithy select 'resource > operation' model\n{capsys.readouterr().out}```" in shown
    assert main(["convert", "model", "--organization", "Acme", "--service-name", "Example", "--stdout"]) == 0
    schema = json.loads(capsys.readouterr().out)["Acme::Example::Foo"]
    assert "/properties/CreateProperty" in schema["createOnlyProperties"]
    assert "/properties/Secret" in schema["writeOnlyProperties"]
    assert "ResponseCode" not in schema["properties"]
