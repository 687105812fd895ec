"""The commands of the how-to pages are played as they stand; and every `cfn` line of every page is one that cfn takes.

Console sessions are played by test_sessions.py. Here are the ```sh blocks: a scene says where a page begins, what stands
beside it (blocks of the page itself, where it shows a file), and which lines are played elsewhere.
"""

import json
import os
import re
import subprocess
from dataclasses import dataclass, field

import pytest

from formwork.cli.main import _expect_module, _parser
from formwork.command_context.output import CommandOutput
from support.commands import CFN, copy_project
from support.corpus import REPOSITORY
from support.pages import blocks, cfn_lines, commands
from support.serving import serving

HOW_TO = REPOSITORY / "docs" / "how-to"
PAGES = [
    each
    for folder in ("docs", "examples", "runtime")
    for each in sorted((REPOSITORY / folder).rglob("*.md"))
    if "node_modules" not in each.parts
]
INIT = ["init", "-a", "RESOURCE", "-t", "Acme::Store::Thing", "--sample", "python311", "--no-docker"]
TOPIC = "Resources: {Topic: {Type: 'AWS::SNS::Topic', Properties: {DisplayName: books}}}\n"
NAMED = "Parameters: {Name: {Type: String}}\n" + TOPIC


@dataclass(frozen=True)
class Scene:
    """How a page's commands are played.

    `project`: begin in a sample project. `served`: a `cfn serve` runs, and what the page calls http://127.0.0.1:3001 is
    its address. `shown`: file → (language, number) of the page's block that it holds. `files`: file → text. `without`:
    beginnings of lines that are left out, with where they are played or why they can't be. `ends`: the beginning of a
    line → its exit code, where it is not 0. `instead`: what stands for a word that a reader fills in.
    """

    project: bool = False
    served: bool = False
    shown: dict = field(default_factory=dict)
    files: dict = field(default_factory=dict)
    without: dict = field(default_factory=dict)
    ends: dict = field(default_factory=dict)
    instead: dict = field(default_factory=dict)


SERVE = {"cfn serve": "runs for the whole scene, by support.serving"}
SCENES = {
    "bring-a-project": Scene(
        project=True,
        without={"cd my-project": "the scene is in it", "python -m pytest": "unit/languages/python/test_aws_shapes.py"},
    ),
    "debug-a-handler": Scene(
        project=True,
        served=True,
        files={"request.json": '{"desiredResourceState": {"Name": "a"}, "previousResourceState": null}'},
        without={**SERVE, "cfn invoke -d": "test_debugging.py"},
    ),
    "deploy-a-stack": Scene(
        project=True,
        served=True,
        shown={"shop.yml": ("yaml", 0)},
        without={
            **SERVE,
            "aws cloudformation continue-update-rollback": "needs a failure: test_stack_operations.py",
            "aws cloudformation create-change-set": "needs a resource of nobody's: test_stack_operations.py",
            "aws cloudformation execute-change-set": "the same",
            "aws cloudformation describe-change-set": "needs drift: unit/engine/test_drift_aware_change_sets.py",
        },
        ends={"cfn stack diff": 1},
    ),
    "fix-and-compare-schemas": Scene(project=True, without={"cfn diff": "needs a git revision: test_diff.py"}),
    "nest-stacks": Scene(
        served=True, shown={"parent.yml": ("yaml", 0)}, files={"network.yml": NAMED + "Outputs: {Topic: {Value: a}}\n"}
    ),
    "refactor-stacks": Scene(
        served=True,
        shown={"shop.yml": ("yaml", 0), "shop-after.yml": ("yaml", 1), "shelf-after.yml": ("yaml", 2)},
    ),
    "register-extensions-by-stack": Scene(project=True, served=True, shown={"thing.yml": ("yaml", 0)}),
    "register-locally": Scene(
        project=True,
        served=True,
        without={**SERVE, "cfn submit --region": "to AWS: test_submit.py"},
        instead={"registration-token TOKEN": "registration-token $(cat token)"},
    ),
    "use-the-console": Scene(project=True, served=True, without=SERVE),
    "use-macros": Scene(
        served=True,
        files={"template.yml": TOPIC, "outputs.yaml": "Outputs: {}\n"},
        without={"pip install": "installed already"},
    ),
    "use-stack-sets": Scene(
        served=True,
        files={"template.yml": NAMED, "publish.yml": "Parameters: {SchemaPackageURL: {Type: String}}\n" + TOPIC},
        without={
            **SERVE,
            "aws cloudformation create-stack-set --stack-set-name publish": "tests/unit/stack_sets: the guide's",
            "aws cloudformation create-stack-instances --stack-set-name publish": "the same",
            "aws cloudformation update-stack-instances": "the same",
        },
    ),
    "validate-in-ci": Scene(project=True, instead={"path/to/project another/schema.json": ". acme-store-thing.json"}),
    "write-a-hook": Scene(
        shown={"configuration.json": ("json", 1)},
        files={
            "request.json": json.dumps(
                {"targetName": "AWS::S3::Bucket", "targetModel": {"resourceProperties": {"BucketName": "a"}}}
            )
        },
        without={"cfn generate --target-schemas": "a file of the reader's: test_hook_targets.py"},
        ends={"cfn invoke hook": 1},  # a bucket without encryption is what the sample refuses
    ),
    "write-a-module": Scene(
        shown={"template.yaml": ("yaml", 0)},
        instead={"--modules ../shelf": "--modules ."},
    ),
    "write-policies": Scene(
        served=True,
        shown={
            "topics.guard": ("guard", 0),
            "tests/topics/pass/owned.yaml": ("yaml", 0),
            "tests/topics/fail/TOPICS_ENCRYPTED/plain.yaml": ("yaml", 1),
            "hook.json": ("json", 0),
        },
        files={"shop.yaml": TOPIC},
        without={**SERVE, "pip install": "installed already", "export AWS_ENDPOINT_URL": "by support.serving"},
        ends={"aws cloudformation wait": 255},
    ),
    "write-handlers-in-go": Scene(),
    "write-handlers-in-java": Scene(),
    "write-handlers-in-typescript": Scene(),
}
# Pages whose commands other tests play.
ELSEWHERE = {
    "docs/how-to/add-a-language.md": "tests/unit/languages/test_added_language.py",
    "docs/how-to/control-what-handlers-call.md": "tests/e2e/test_permissions.py",
    "docs/how-to/generate-templates.md": "tests/e2e/test_iac_generator.py",
    "docs/how-to/prove-handlers-that-call-aws.md": "tests/e2e/test_aws_moto.py",
    "docs/how-to/publish-pages-about-types.md": "tests/e2e/test_docs_registered.py",
    "docs/how-to/run-beside-awss-language-server.md": "tests/unit/editor/test_features.py",
    "docs/how-to/share-the-work.md": "tests/e2e/test_workers.py",
    "docs/how-to/test-with-failing-calls.md": "tests/e2e/test_faults.py",
    "docs/how-to/test-a-cdk-app-in-python.md": "tests/e2e/test_application_pages.py",
    "docs/how-to/test-a-cdk-app-in-typescript.md": "tests/e2e/test_application_pages.py",
    "docs/how-to/test-a-sam-application.md": "tests/e2e/test_application_pages.py",
    "docs/how-to/test-templates.md": "tests/e2e/test_application_pages.py",
    "docs/how-to/use-vs-code.md": "tests/e2e/test_vscode_extension.py",
    "docs/how-to/use-types-in-the-cdk.md": "tests/e2e/test_cdk_constructs.py",
    "docs/how-to/use-managed-hooks.md": "tests/e2e/test_guard_hooks.py",
    "docs/how-to/try-hooks.md": "tests/e2e/test_hook_try.py",
    "docs/how-to/wait-for-programs.md": "tests/e2e/test_custom_resources.py",
    "docs/how-to/work-in-a-session.md": "tests/e2e/test_dev.py",
}


def test_every_page_with_commands_is_played():
    open_pages = [str(page.relative_to(REPOSITORY)) for page in PAGES if commands(page.read_text(encoding="utf-8"))]
    played = {*(f"docs/how-to/{name}.md" for name in SCENES), *ELSEWHERE}
    assert {name for name in open_pages if not name.startswith("examples/")} == played
    assert all((REPOSITORY / test).is_file() for test in ELSEWHERE.values())


@pytest.mark.parametrize("page", [*PAGES, REPOSITORY / "README.md"], ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_every_line_of_every_page_is_one_that_cfn_takes(page):
    output = CommandOutput.of_process()
    for words in cfn_lines(page.read_text(encoding="utf-8")):
        if "--help" in words or (words and words[0] in ELSEWHERE.get(str(page.relative_to(REPOSITORY)), ())):
            continue
        name = next(each for each in words if not each.startswith("-"))
        if "barepython" not in words:  # the page's own language
            _parser(name, _expect_module(name), output).parse_args(words)


def test_no_line_is_left_out_for_nothing():
    for name, scene in SCENES.items():
        lines = commands((HOW_TO / f"{name}.md").read_text(encoding="utf-8"))
        for beginning in (*scene.without, *scene.ends):
            assert any(line.startswith(beginning) for line in lines), f"{name}: {beginning}"
        for word in scene.instead:
            assert any(word in line for line in lines), f"{name}: {word}"


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_a_page_is_played(name, desk, sample_project, tmp_path):
    scene, text = SCENES[name], (HOW_TO / f"{name}.md").read_text(encoding="utf-8")
    here = tmp_path / "here"
    if scene.project:
        copy_project(sample_project, here)
    here.mkdir(exist_ok=True)
    for file, (language, number) in scene.shown.items():
        (here / file).parent.mkdir(parents=True, exist_ok=True)
        (here / file).write_text(blocks(text, language)[number], encoding="utf-8")
    for file, content in scene.files.items():
        (here / file).write_text(content, encoding="utf-8")
    environment = {**desk.environment, "PATH": f"{CFN.parent}{os.pathsep}{os.environ['PATH']}", "AWS_PAGER": ""}
    if not scene.served:
        run(scene, text, here, environment)
        return
    (tmp_path / "server").mkdir()
    with serving(tmp_path / "server") as server:
        more = {"AWS_ENDPOINT_URL": server.url, "FORMWORK_STATE": str(tmp_path / "server" / "state")}
        keys = {"AWS_ACCESS_KEY_ID": "123456789012", "AWS_SECRET_ACCESS_KEY": "any", "AWS_DEFAULT_REGION": "us-east-1"}
        run(scene, text.replace("http://127.0.0.1:3001", server.url), here, {**environment, **more, **keys})


def run(scene, text, here, environment):
    """Play the lines of a page in one shell, and name the first that ends otherwise than it should."""
    script = ["set -u"]
    for line in commands(text):
        if any(line.startswith(beginning) for beginning in scene.without):
            continue
        played = line
        for word, other in scene.instead.items():
            played = played.replace(word, other)
        if "register-type " in played:
            played += " --query RegistrationToken --output text > token"
        code = next((code for beginning, code in scene.ends.items() if line.startswith(beginning)), 0)
        script += [f"echo {quoted('$ ' + line)}", played, f"[ $? = {code} ] || exit 99"]
    done = subprocess.run(
        ["bash", "-c", "\n".join(script)],
        cwd=here,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("$ ") >= len(script) // 3


def quoted(text):
    return "'" + re.sub("'", "'\\''", text) + "'"


def test_the_output_that_the_page_on_policies_shows(desk, tmp_path):
    pytest.importorskip("cloudformation_validate")
    text = (HOW_TO / "write-policies.md").read_text(encoding="utf-8")
    for file, (language, number) in SCENES["write-policies"].shown.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(blocks(text, language)[number], encoding="utf-8")
    assert desk.cfn("test", cwd=tmp_path).out.rstrip() == blocks(text, "text")[0].rstrip()
