"""A hook's project as its author meets it: started, tested, broken, its targets found or not; and a module's schema."""

import json
import subprocess
import sys

import pytest

from support.commands import copy_project, refuses

TYPE = "Acme::Store::Guard"


@pytest.fixture(scope="module")
def started(desk, tmp_path_factory):
    root = tmp_path_factory.mktemp("hook") / "guard"
    root.mkdir()
    ended = desk.cfn("init", "-a", "HOOK", "-t", TYPE, "--sample", "python311", "--no-docker", cwd=root)
    assert ended.code == 0, str(ended)
    return root


@pytest.fixture
def guard(started, tmp_path):
    return copy_project(started, tmp_path / "guard")


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def handlers(root):
    return root / "src" / "acme_store_guard" / "handlers.py"


def test_the_sample_passes(desk, guard):
    ended = desk.cfn("test", "--report", "json", cwd=guard)
    assert ended.code == 0, str(ended)
    report = json.loads(ended.out)
    assert report["findings"] == []
    assert sum(each["outcome"] == "passed" for each in report["tests"]) == 10
    assert {each["id"] for each in report["clauses"] if each["state"] == "proved"} >= {"hook.failed", "hook.unknown"}


def test_one_test_is_chosen_and_markers_are_the_incumbents(desk, guard):
    ended = desk.cfn("test", "--report", "json", "--", "-m", "delete_pre_provision", cwd=guard)
    assert ended.code == 0, str(ended)
    names = [each["name"] for each in json.loads(ended.out)["tests"]]
    assert names == [
        "contract_pre_delete_success",
        "contract_pre_delete_failed",
        "contract_pre_delete_failed_unsupported_target",
    ]


def test_a_broken_handler_fails_the_run(desk, guard):
    edit(handlers(guard), "    if demanded in found:", "    if True:")
    ended = desk.cfn("test", cwd=guard)
    assert ended.code == 1, str(ended)
    assert "✗ hook.failed" in ended.out
    assert "target" in ended.out
    assert "replay:   cfn test --seed" in ended.out


def test_handlers_that_do_not_load_stop_the_run(desk, guard):
    edit(handlers(guard), "import logging", "import no_such_module_at_all")
    ended = desk.cfn("test", cwd=guard)
    assert (ended.code, "no_such_module_at_all" in ended.said) == (1, True), str(ended)
    assert ended.said.count("stopped here") == 1, str(ended)


def test_without_schemas_and_inputs_it_says_what_to_add(desk, guard):
    for folder in ("inputs", "target-schemas"):
        for each in (guard / folder).iterdir():
            each.unlink()
    schema = guard / "acme-store-guard.json"  # AWS's types are known on this machine
    schema.write_text(schema.read_text(encoding="utf-8").replace("AWS::S3::Bucket", "Acme::Store::Box"))
    ended = desk.cfn("test", cwd=guard)
    assert ended.code == 0, str(ended)
    assert "nothing is known of the target Acme::Store::Box" in ended.err
    assert "? hook.success" in ended.out
    refuses(desk.cfn("package", cwd=guard), 1, "target-schemas/acme-store-box.json")


def test_an_input_of_another_form_is_told_at_its_place(desk, guard):
    path = guard / "inputs" / "inputs_1_pre_create.json"
    path.write_text('{\n  "AWS::S3::Bucket": {"BucketName": "b"}\n}\n', encoding="utf-8")
    refuses(desk.cfn("test", cwd=guard), 1, "inputs_1_pre_create.json:2:", "resourceProperties")


def test_overrides_are_used_without_inputs(desk, guard):
    for each in (guard / "inputs").iterdir():
        each.unlink()
    rule = {"ServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}}
    sound = {"/BucketEncryption": {"ServerSideEncryptionConfiguration": [rule]}}
    bad = {"/BucketEncryption": {"ServerSideEncryptionConfiguration": []}}
    overrides = {
        "CREATE_PRE_PROVISION": {"AWS::S3::Bucket": {"resourceProperties": sound}},
        "INVALID_CREATE_PRE_PROVISION": {"AWS::S3::Bucket": {"resourceProperties": bad}},
        "INVALID_UPDATE_PRE_PROVISION": {"AWS::S3::Bucket": {"resourceProperties": bad}},
    }
    (guard / "overrides.json").write_text(json.dumps(overrides), encoding="utf-8")
    ended = desk.cfn("test", "--report", "json", cwd=guard)
    assert ended.code == 0, str(ended)
    report = json.loads(ended.out)
    states = {each["id"]: each for each in report["clauses"]}
    assert states["hook.success"]["state"] == "proved"
    assert states["hook.failed"]["state"] == "not provable"  # proved of two handlers, and of the third nothing is said
    assert "nothing says what preDelete refuses of AWS::S3::Bucket" in states["hook.failed"]["reason"]


def test_a_required_configuration_that_is_not_there(desk, guard):
    schema = guard / "acme-store-guard.json"
    value = json.loads(schema.read_text(encoding="utf-8"))
    value["typeConfiguration"]["properties"]["Owner"] = {"type": "string", "description": "Whom to ask."}
    value["typeConfiguration"]["required"] = ["Owner"]
    schema.write_text(json.dumps(value), encoding="utf-8")
    ended = desk.cfn("test", cwd=guard)
    assert "the hook requires Owner" in ended.err, str(ended)
    assert "--typeconfig" in ended.err


def test_generate_takes_schemas_from_anywhere(desk, guard, tmp_path):
    schema = guard / "acme-store-guard.json"
    edit(schema, '"AWS::S3::Bucket"', '"AWS::S3::Bucket",\n        "Acme::Store::Box"')
    box = {"typeName": "Acme::Store::Box", "properties": {"Name": {"type": "string"}}, "description": "A box."}
    (tmp_path / "box.json").write_text(json.dumps(box), encoding="utf-8")
    ended = desk.cfn("generate", "--local-only", "--target-schemas", tmp_path / "box.json", cwd=guard)
    assert (ended.code, ended.out) == (0, f"Generated files for {TYPE}\n"), str(ended)
    assert (guard / "src" / "acme_store_guard" / "target_models" / "acme_store_box.py").is_file()


def test_validate_writes_a_modules_schema_and_only_a_valid_ones(desk, tmp_path):
    root = tmp_path / "module"
    root.mkdir()
    assert desk.cfn("init", "-a", "MODULE", "-t", "Acme::Store::Shelf::MODULE", cwd=root).code == 0
    schema = root / "schema.json"
    assert desk.cfn("validate", root, cwd=tmp_path).code == 0
    first = schema.stat()
    written = schema.read_text(encoding="utf-8")
    assert json.loads(written)["typeName"] == "Acme::Store::Shelf::MODULE"
    assert desk.cfn("validate", root, cwd=tmp_path).code == 0
    assert (schema.stat().st_ino, schema.stat().st_mtime_ns) == (first.st_ino, first.st_mtime_ns)
    fragment = root / "fragments" / "sample.json"
    value = json.loads(fragment.read_text(encoding="utf-8"))
    value["Resources"]["More"] = {"Type": "AWS::SNS::Topic"}
    fragment.write_text(json.dumps(value), encoding="utf-8")
    assert desk.cfn("generate", cwd=root).code == 0
    assert "More" in json.loads(schema.read_text(encoding="utf-8"))["properties"]["Resources"]["properties"]
    value["Resources"]["Inner"] = {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": "x"}}
    fragment.write_text(json.dumps(value), encoding="utf-8")
    before = schema.read_text(encoding="utf-8")
    refuses(desk.cfn("validate", cwd=root), 1, "/Resources/Inner")
    assert schema.read_text(encoding="utf-8") == before


def test_nothing_simulates_a_hook(desk, guard):
    refuses(desk.cfn("test", "--simulated", cwd=guard), 2, "--simulated")


def test_stale_models_are_told(desk, guard):
    edit(guard / "src" / "acme_store_guard" / "target_models" / "aws_s3_bucket.py", "BucketName", "BucketsName")
    ended = desk.cfn("test", "--", "-k", "contract_pre_delete_success", cwd=guard)
    assert "target_models/aws_s3_bucket.py is not what the schema makes of it" in ended.err, str(ended)


def test_the_authors_own_pytest_run(guard):
    words = ["-p", "formwork.contract.plugin", "--contract-project", ".", "-c", "/dev/null", "--rootdir", str(guard)]
    words += ["--contract-handler", "acme_store_guard.handlers:hook", "-o", "python_files=hook_*.py"]
    words += [
        "-o",
        "python_functions=contract_*",
        "--pyargs",
        "formwork.contract.requirements",
        "-p",
        "no:cacheprovider",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words], cwd=guard, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "9 passed" in done.stdout
    assert "✓ hook.failed" in done.stdout


def test_messages_compare_public_settings_and_hide_what_the_schema_marks(desk, guard, tmp_path):
    """The marks of the configuration decide (`"format": "password"`), in the handlers' messages and logs alike."""
    schema = guard / "acme-store-guard.json"
    value = json.loads(schema.read_text(encoding="utf-8"))
    settings = value["typeConfiguration"]["properties"]
    settings["ApprovedKey"] = {"type": "string", "description": "The name of the key that buckets are encrypted with."}
    settings["Phrase"] = {"type": "string", "description": "Proves who asks.", "format": "password"}
    schema.write_text(json.dumps(value), encoding="utf-8")
    assert desk.cfn("generate", cwd=guard).code == 0
    demanded = '    demanded = (configuration and configuration.Algorithm) or "AES256"\n'
    said = 'f"{configuration.ApprovedKey} is demanded, {configuration.Phrase} proves it"'
    edit(handlers(guard), demanded, f"    LOG.warning({said})\n    return _refuse({said})\n{demanded}")
    given = tmp_path / "configuration.json"
    properties = {"ApprovedKey": "alias/company-key-1", "Phrase": "open sesame now"}
    configuration = {"CloudFormationConfiguration": {"HookConfiguration": {"Properties": properties}}}
    given.write_text(json.dumps(configuration), encoding="utf-8")
    ended = desk.cfn("test", "--typeconfig", given, "--report", "json", cwd=guard)
    assert ended.code == 1, str(ended)
    assert "alias/company-key-1 is demanded" in ended.said
    assert "proves it" in ended.said
    assert "open sesame now" not in ended.said
