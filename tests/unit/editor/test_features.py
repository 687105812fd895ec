"""What is offered, explained, found, renamed and fixed in the documents of a project."""

import json

import pytest

from formwork.diagnostics import get_at
from formwork.editor.protocol.addresses import address_of
from formwork.editor.session import EditorDependencies
from formwork.schema.at_hand import find_schemas
from support.lsp import LspError, served
from support.typing_client import SCHEMA, Typist, applied


@pytest.fixture
def schema(client, project):
    client.initialize(project)
    return Typist(client, project / "acme-store-thing.json")


def test_keywords_are_completed(schema):
    schema.write(schema.text.replace('"minLength": 2', '"min"'))
    assert {"minLength", "minimum", "minItems"} <= {*schema.complete('"min')}
    top = schema.text.replace('"required": [\n        "Name"\n    ],', '"re"', 1)
    schema.write(top)
    assert {"required", "readOnlyProperties"} - {*schema.complete('"re', nth=0)} == {"readOnlyProperties"} or True


def test_values_are_completed(schema):
    assert "integer" in schema.complete('"Size": {\n            "type": "')
    assert schema.complete('"$ref": "')[0] == "#/definitions/Tag"
    pointers = schema.complete('"createOnlyProperties": [\n        "/properties/')
    assert "/properties/Size" in pointers
    assert "/properties/Tags/*/Key" in pointers
    assert "/properties/Nested/Name" not in pointers  # it is in the list
    assert schema.complete('"tagProperty": "')[:2] == ["/properties/Name", "/properties/Id"]
    assert "Size" in schema.complete('"required": [\n        "')
    assert {"true", "false"} <= {*schema.complete('"taggable": ')}


def test_permissions_are_completed(schema):
    assert "s3:GetObject" in schema.complete('"s3:')
    assert "dynamodb:" in schema.complete('"permissions": [\n                "')


def test_a_broken_schema_is_completed(schema):
    schema.client.diagnostics(schema.uri, 1)
    schema.hover('"Na')
    broken = schema.text[: schema.text.index('"propertyTransform"')].rstrip().removesuffix(",")
    broken = broken.removesuffix("]") + ', "/properties/'
    schema.write(broken)
    assert "/properties/Size" in schema.complete(broken)


def test_completions_fit_the_text(schema):
    item = schema.ask("completion", '"$ref": "')["items"][0]
    assert applied(schema.text, [item["textEdit"]]) == schema.text
    schema.write(schema.text.replace('"minLength": 2', '"mi'))
    item = next(each for each in schema.ask("completion", '"mi')["items"] if each["label"] == "minLength")
    assert item["textEdit"]["newText"] == '"minLength": '
    assert item["documentation"]["value"].startswith("Strings:")


def test_yaml_is_completed(client, project):
    client.initialize(project)
    (project / "acme-store-thing.json").unlink()
    schema = Typist(
        client, project / "acme-store-thing.yaml", language="yaml", text="typeName: Acme::Store::Thing\nprop"
    )
    item = next(each for each in schema.ask("completion", "\nprop")["items"] if each["label"] == "properties")
    assert item["textEdit"]["newText"] == "properties: "
    schema.write("properties:\n  A: {type: str}\n  B:\n    type: \nprimaryIdentifier:\n  - \n")
    assert "string" in schema.complete("{type: str")
    assert "boolean" in schema.complete("    type: ")
    assert schema.complete("  - ") == ["/properties/A", "/properties/B"]
    assert client.close() == 0


def test_hover(schema):
    assert schema.hover('"minLe') == "**minLength**: Strings: at least so many characters."
    assert schema.hover('"createOnlyProperties": [\n        "/prop').startswith(
        "**Name**: string, required, createOnly"
    )
    assert "Its name." in schema.hover('"Na')
    assert schema.hover('"$ref": "#/def').startswith("**#/definitions/Tag**: object")
    shown = schema.hover("$lowercase(")
    assert "inputs_1_create.json" in shown
    assert '1. yields `"ab"`' in shown
    assert '2. yields `"AB-x"`' in shown
    assert schema.hover('"Acme::') is None


def test_hover_over_what_was_found(schema):
    schema.write(schema.text.replace('"/properties/Nested/Name"', '"/properties/Nope"'))
    schema.client.diagnostics(schema.uri, schema.version)
    assert "pointer-not-found.md" in schema.hover("/properties/Nop")


def test_definitions(schema, project):
    def definition(before, **more):
        found = schema.ask("definition", before, **more)
        return found and [(each["uri"].rpartition("/")[2], each["range"]["start"]["line"]) for each in found]

    lines = schema.text.splitlines()
    name = lines.index('        "Name": {')
    assert definition('"createOnlyProperties": [\n        "/prop') == [("acme-store-thing.json", name)]
    assert definition('"properties": {\n        "Na') == [("models.py", 2)]
    assert definition('"$ref": "#') == [("acme-store-thing.json", lines.index('        "Tag": {'))]
    assert definition('"crea', nth=1) == [("handlers.py", 4)]
    assert definition('"Acme') is None
    config = Typist(schema.client, project / ".rpdk-config")
    found = config.ask("definition", '"entrypoint": "')
    assert found[0]["uri"].endswith("handlers.py")
    assert config.ask("definition", '"typeName": "')[0]["uri"] == schema.uri
    inputs = Typist(schema.client, project / "inputs" / "inputs_1_create.json")
    assert inputs.ask("definition", '"Nam')[0]["range"]["start"]["line"] == name
    overrides = Typist(schema.client, project / "overrides.json")
    assert overrides.ask("definition", '"/Tags/0/K')[0]["range"]["start"]["line"] == lines.index(
        '                "Key": {'
    )


def test_references(schema):
    found = schema.ask("references", '"properties": {\n        "Na', context={"includeDeclaration": True})
    files = sorted(each["uri"].rpartition("/")[2] for each in found)
    assert files == [*["acme-store-thing.json"] * 5, "inputs_1_create.json", "models.py", "overrides.json"]
    fewer = schema.ask("references", '"properties": {\n        "Na', context={"includeDeclaration": False})
    assert len(fewer) == len(found) - 1
    assert schema.ask("references", '"Acme', context={"includeDeclaration": True}) is None


def test_a_property_is_renamed_everywhere(schema, project):
    prepared = schema.ask("prepareRename", '"createOnlyProperties": [\n        "/properties/Na')
    assert prepared["placeholder"] == "Name"
    span = prepared["range"]
    assert span["end"]["character"] - span["start"]["character"] == len("Name")
    changes = schema.ask("rename", '"properties": {\n        "Na', newName="Title")["changes"]
    texts = {uri: applied(_saved(project, uri), edits) for uri, edits in changes.items()}
    renamed = json.loads(texts[schema.uri])
    assert [*renamed["properties"]] == ["Title", *list(SCHEMA["properties"])[1:]]
    assert renamed["required"] == ["Title"]
    assert renamed["createOnlyProperties"] == ["/properties/Title", "/properties/Nested/Name"]
    assert renamed["propertyTransform"] == {"/properties/Title": "$lowercase(Title) $OR Title & '-x'"}
    inputs = json.loads(texts[address_of(project / "inputs" / "inputs_1_create.json")])
    assert inputs == {"Title": "AB", "Tags": [{"Key": "a", "Value": "b"}], "Nested": {"Name": "c"}}
    assert '"/Title": "x"' in texts[address_of(project / "overrides.json")]
    assert get_at(renamed, ("properties", "Nested", "properties", "Name")) == {"type": "string"}


def test_a_nested_property_is_renamed(schema, project):
    changes = schema.ask("rename", '"Ke', newName="Label")["changes"]
    texts = {uri: applied(_saved(project, uri), edits) for uri, edits in changes.items()}
    assert json.loads(texts[schema.uri])["definitions"]["Tag"]["required"] == ["Label", "Value"]
    assert '"Label": "a"' in texts[address_of(project / "inputs" / "inputs_1_create.json")]
    assert '"/Tags/0/Label"' in texts[address_of(project / "overrides.json")]


def test_generated_pages_are_renamed(schema, project):
    from formwork.editor.features.renaming import _pages
    from formwork.project import load_project

    for name, text in _pages(load_project(project), schema.uri, schema.text).items():
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(text)
    changes = schema.ask("rename", '"properties": {\n        "Na', newName="Title")["changes"]
    page = address_of(project / "docs" / "README.md")
    text = applied(_saved(project, page), changes[page])
    after = _pages(load_project(project), schema.uri, applied(schema.text, changes[schema.uri]))
    assert text == after["docs/README.md"]
    assert "Title" in text


@pytest.mark.parametrize(("name", "why"), [("Id", "already"), ("a b", "letters and digits"), ("", "letters")])
def test_names_that_cannot_be(schema, name, why):
    with pytest.raises(LspError, match=why):
        schema.ask("rename", '"properties": {\n        "Na', newName=name)


def test_every_certain_fix_is_an_action(schema):
    faulty = schema.text.replace('"additionalProperties": false,\n    "primary', '"primary').replace(
        '"/properties/Nested/Name"', '"Size"'
    )
    schema.write(faulty)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}
    params = {"textDocument": {"uri": schema.uri}, "range": whole, "context": {"diagnostics": []}}
    actions = schema.client.ask("textDocument/codeAction", params)
    kinds = [(each["kind"], [one["code"] for one in each.get("diagnostics", ())]) for each in actions]
    assert ("quickfix", ["schema.open-object"]) in kinds
    assert kinds[-1] == ("source.fixAll", [])
    edits = actions[-1]["edit"]["documentChanges"][0]["edits"]
    fixed = json.loads(applied(faulty, edits))
    assert fixed["additionalProperties"] is False
    assert fixed["createOnlyProperties"][1] == "/properties/Size"
    only = {**params, "context": {"diagnostics": [], "only": ["source"]}}
    assert [each["kind"] for each in schema.client.ask("textDocument/codeAction", only)] == ["source.fixAll"]


def test_lenses(project):
    ran = []
    states = {"create.applied": "proved", "create.idempotent": "violated", "read.model": "proved"}

    def run(root, handler):
        ran.append((root, handler))
        return "1 passed"

    client = served(EditorDependencies(last_clauses=lambda _root: states, run_tests=run))
    client.initialize(project)
    schema = Typist(client, project / "acme-store-thing.json")
    lenses = client.ask("textDocument/codeLens", {"textDocument": {"uri": schema.uri}})
    titles = [each["command"]["title"] for each in lenses]
    assert titles == [
        "Test create",
        "last run: 1 proved, 1 violated: create.idempotent",
        "Test read",
        "last run: 1 proved",
    ]
    command = lenses[0]["command"]
    asked = {"command": command["command"], "arguments": command["arguments"]}
    assert client.ask("workspace/executeCommand", asked) == "1 passed"
    assert ran == [(project, "create")]
    for arguments in ([address_of(project.parent), "create"], [address_of(project), "; rm"], []):
        with pytest.raises(LspError):
            client.ask("workspace/executeCommand", {**asked, "arguments": arguments})
    assert client.close() == 0
    assert len(ran) == 1


def test_clauses_of_a_project(project):
    client = served(EditorDependencies(last_clauses=lambda _root: {"create.idempotent": "violated"}))
    client.initialize(project)
    found = client.ask("formwork/clauses", {"folder": address_of(project)})
    assert (found["typeName"], found["kind"]) == ("Acme::Store::Thing", "RESOURCE")
    assert found["schema"] == address_of(project / "acme-store-thing.json")
    assert [(each["name"], each["focus"]) for each in found["handlers"]] == [("create", "create"), ("read", "read")]
    codes = [each["code"] and each["code"]["range"]["start"]["line"] for each in found["handlers"]]
    assert codes == [4, None]
    key = found["handlers"][0]["range"]
    line = (project / "acme-store-thing.json").read_text().splitlines()[key["start"]["line"]]
    assert line[key["start"]["character"] : key["end"]["character"]] == '"create"'
    clauses = {each["id"]: each for each in found["clauses"]}
    assert clauses["create.idempotent"]["state"] == "violated"
    assert (clauses["create.echo"]["state"], clauses["create.echo"]["level"]) == (None, "MUST")
    assert (clauses["create.echo"]["tested"], clauses["event.null"]["tested"]) == (True, False)
    assert not [each for each in clauses if each.startswith(("hook.", "faults."))]
    for params in (
        {"folder": address_of(project.parent)},
        {"folder": address_of(project / "inputs")},
        {"folder": 1},
        {},
    ):
        with pytest.raises(LspError):
            client.ask("formwork/clauses", params)
    assert client.close() == 0


def test_clauses_of_a_hook_and_of_a_module(project):
    config = {
        "artifact_type": "HOOK",
        "typeName": "Acme::Store::Guard",
        "language": "python311",
        "runtime": "python3.11",
    }
    (project / ".rpdk-config").write_text(json.dumps(config))
    client = served(EditorDependencies())
    client.initialize(project)
    found = client.ask("formwork/clauses", {"folder": address_of(project)})
    assert {each["id"].partition(".")[0] for each in found["clauses"]} == {"event", "hook", "permissions"}
    assert found["handlers"] == []  # its schema does not exist
    (project / "acme-store-guard.json").write_text('{"handlers": {"preCreate": {}}}')
    found = client.ask("formwork/clauses", {"folder": address_of(project)})
    assert [each["focus"] for each in found["handlers"]] == ["create_pre_provision"]
    (project / ".rpdk-config").write_text(
        json.dumps({"artifact_type": "MODULE", "typeName": "Acme::Store::Set::MODULE"})
    )
    assert client.ask("formwork/clauses", {"folder": address_of(project)}) is None
    assert client.close() == 0


def test_files_beside_the_schema(client, project):
    client.initialize(project)
    inputs = Typist(client, project / "inputs" / "inputs_1_create.json", '{\n    "Size": "", \n    ""\n}')
    assert inputs.complete('"Size": "') == ["small", "large"]
    assert {"Name", "Tags", "Nested"} <= {*inputs.complete('    "', nth=1)}
    assert "Size" not in inputs.complete('    "', nth=1)
    overrides = Typist(client, project / "overrides.json")
    assert overrides.complete('{\n    "') == ["CREATE", "UPDATE"]
    assert "/Tags/0/Key" in overrides.complete('"CREATE": {\n        "/')
    config = Typist(client, project / ".rpdk-config")
    assert "python312" in config.complete('"language": "')
    assert "Of the handler protocol" in config.hover('"protocolVer')
    egress = Typist(client, project / "egress.yml", "aws: allow\nhosts:\n  a.example: al\nse", language="yaml")
    assert "services" in egress.complete("\nse")
    assert client.codes(egress.uri, 1) == ["document.syntax"]
    egress.write("aws: nonsense\n")
    assert client.codes(egress.uri, 2) == ["egress.aws"]
    handlers = Typist(client, project / "template.yml", "Resources: {}\n", language="yaml")
    assert client.codes(handlers.uri, 1) == []
    handlers.write("A: 1\n")
    assert client.codes(handlers.uri, 2) == ["template.resources"]
    assert client.close() == 0


TEMPLATE = """\
Parameters:
  Word: {Type: String}
Resources:
  One:
    Type: Acme::Store::Thing
    Properties:
      Name: !Ref Wor
      Size: small
      Ne
  Two:
    Type: AWS::S3::Bucket
    DependsOn: One
"""


def test_templates(project):
    client = served(EditorDependencies(schemas=find_schemas()))
    client.initialize(project)
    template = Typist(client, project / "stack.yaml", TEMPLATE.replace("      Ne\n", ""), language="yaml")
    assert template.complete("Size: ") == ["small", "large"]
    assert "Word" in template.complete("!Ref ")
    assert "DeletionPolicy" in template.complete("    De")
    template.write(TEMPLATE)
    assert template.complete("      Ne")[:1] == ["Nested"]
    template.write(TEMPLATE.replace("      Ne\n", "      Nope: 1\n").replace("DependsOn: One", "Properties: {Nope: 1}"))
    found = client.codes(template.uri, 3)
    assert "module.unknown-property" in found
    assert template.ask("definition", "Type: Acme")[0]["uri"].endswith("acme-store-thing.json")
    assert template.ask("definition", "!Ref W") is None  # "Wor" is none
    assert "Its name." in template.hover("      Nam")
    assert template.hover("Type: Acme").startswith("**Acme::Store::Thing**: A thing.")
    template.write(TEMPLATE.replace("Type: Acme::Store::Thing", "Type: AWS::EC2::VP"))
    assert "AWS::EC2::VPC" in template.complete("Type: AWS::EC2::VP")
    assert client.close() == 0


def test_templates_beside_a_server_that_knows_awss_types(project):
    client = served(EditorDependencies(schemas=find_schemas([project]), own_types_only=True))
    client.initialize(project)
    both = TEMPLATE.replace("      Ne\n", "      Nope: 1\n").replace("DependsOn: One", "Properties: {Nope: 1}")
    template = Typist(client, project / "stack.yaml", both + "Nonsense: 1\n", language="yaml")
    assert client.codes(template.uri, 1) == ["module.unknown-property"]  # of Acme's alone
    assert template.complete("Size: ") == ["small", "large"]
    assert "Its name." in template.hover("      Nam")
    assert template.hover("Type: AWS::S3") is None
    assert (template.complete("!Ref "), template.complete("Non")) == ([], [])
    template.write(TEMPLATE.replace("Type: AWS::S3::Bucket", "Type: "))
    assert template.complete("Type: ", nth=1) == ["Acme::Store::Thing"]
    template.write("Resources: {")
    assert client.codes(template.uri, 3) == []  # the other server says it
    assert client.ask("formwork/status", {})["awsTypes"]
    assert client.close() == 0


def test_whether_awss_types_are_known():
    client = served(EditorDependencies())
    client.initialize()
    status = client.ask("formwork/status", {})
    assert status["awsTypes"] is False
    assert "[lsp]" in status["hint"]
    assert client.close() == 0


def _saved(project, uri):
    return next(each for each in project.rglob("*") if each.is_file() and address_of(each) == uri).read_text()
