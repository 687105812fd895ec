"""Constructs in a real CDK app: compiled, synthesized, and deployed on this machine."""

import json

import pytest

from formwork.cdk import plan_constructs
from formwork.cli.main import main
from formwork.generate.write import write_plan
from formwork.stacks import open_stacks
from support.cdk import compile_program, node
from support.cdk_cases import PLAIN, SHELF, cases
from support.toolchains import needs_node

APP = """
import * as cdk from 'aws-cdk-lib';
import { CfnShelf } from './acme-store-shelf';
import { CfnBin } from './acme-store-bin';

const app = new cdk.App({ outdir: 'cdk.out' });
const stack = new cdk.Stack(app, 'Shop');
const bin = new CfnBin(stack, 'Bin', { id: 'b1' });
const shelf = new CfnShelf(stack, 'Shelf', {
  dbName: bin.ref,
  boards: [{ widthMBs: 1, kind: 'oak', inner: { widthMBs: 2 } }],
  place: { rack: 3 },
  subnetArns: ['arn:one'],
  labels: { a: 'b' },
  locked: true,
  stack: 's',
  tags: [{ key: 'z', value: '1' }],
});
shelf.weight = 1.5;
cdk.Tags.of(shelf).add('team', 'shop');
new cdk.CfnOutput(stack, 'Id', { value: shelf.attrShelfId });
let refused = '';
try {
  new CfnShelf(stack, 'Wrong', { dbName: 1, boards: [{}] } as never);
} catch (error) {
  refused = String(error);
  stack.node.tryRemoveChild('Wrong');
}
app.synth();
process.stdout.write(refused);
"""


@needs_node
@pytest.mark.acceptance
def test_an_app_with_constructs_is_compiled_synthesized_and_deployed(tmp_path):
    write_plan(plan_constructs(cases(), "typescript"), tmp_path)
    (tmp_path / "app.ts").write_text(APP, encoding="utf-8")
    assert compile_program(tmp_path) == ""
    code, said = node(tmp_path, "dist/app.js")
    assert code == 0, said
    assert "dbName: expected a string, not a number" in said
    assert "boards[0].widthMBs: missing, and required" in said
    template = json.loads((tmp_path / "cdk.out" / "Shop.template.json").read_text(encoding="utf-8"))
    assert template["Resources"]["Shelf"]["Properties"] == {
        "DBName": {"Ref": "Bin"},
        "Boards": [{"WidthMBs": 1, "Kind": "oak", "Inner": {"WidthMBs": 2}}],
        "Place": {"Rack": 3},
        "SubnetARNs": ["arn:one"],
        "Labels": {"a": "b"},
        "Locked": True,
        "Weight": 1.5,
        "Stack": "s",
        "Tags": [{"Key": "team", "Value": "shop"}, {"Key": "z", "Value": "1"}],
    }
    resources = {name: each for name, each in template["Resources"].items() if each["Type"].startswith("Acme::")}
    stacks = open_stacks()
    try:
        for document in (SHELF, PLAIN):
            stacks.registry.register(document)
        deployed = stacks.deploy(json.dumps({"Resources": resources, "Outputs": template["Outputs"]}), stack="shop")
        assert deployed.status == "CREATE_COMPLETE", deployed.failures
        assert deployed.resources["Shelf"].properties["DBName"] == "b1"
    finally:
        stacks.close()


def test_the_command_writes_constructs_of_a_project_and_of_files(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shelf.json").write_text(json.dumps(SHELF), encoding="utf-8")
    assert main(["init", "-a", "MODULE", "-t", "Acme::Store::Room::MODULE"]) == 0
    assert main(["generate", "--cdk", "typescript", ".", "shelf.json"]) == 0
    assert "Generated CfnRoomModule for Acme::Store::Room::MODULE in cdk" in capsys.readouterr().out
    written = {each.name: each.read_text(encoding="utf-8") for each in (tmp_path / "cdk").iterdir()}
    assert {*written} == {"acme-store-room-module.ts", "acme-store-shelf.ts", "formwork-cdk.ts"}
    assert main(["-v", "generate", "--cdk", "typescript", ".", "shelf.json"]) == 0
    assert capsys.readouterr().err.count("unchanged: ") == 3
    assert written == {each.name: each.read_text(encoding="utf-8") for each in (tmp_path / "cdk").iterdir()}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["shelf.json", "./shelf.json"], '"Acme::Store::Shelf" is named twice'),
        (["nothing.json"], "nothing.json"),
        (["hook.json"], "is a hook: it is not a part of templates"),
        (["shelf.json", "--local-only"], "--local-only does not go with --cdk"),
        (["registry:a b"], "is not a registered type"),
    ],
)
def test_what_has_no_construct_is_refused(tmp_path, monkeypatch, capsys, words, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shelf.json").write_text(json.dumps(SHELF), encoding="utf-8")
    hook = {
        "typeName": "Acme::Store::Guard",
        "description": "A hook.",
        "handlers": {"preCreate": {"targetNames": ["Acme::Store::Shelf"], "permissions": []}},
        "typeConfiguration": {"properties": {}, "additionalProperties": False},
        "additionalProperties": False,
    }
    (tmp_path / "hook.json").write_text(json.dumps(hook), encoding="utf-8")
    assert main(["generate", "--cdk", "python", *words]) in {1, 2}
    assert said in capsys.readouterr().err
    assert not (tmp_path / "cdk").exists()
