"""`make demo`: from a schema to a proven package and to a stack of it, on real input, told as a story.

Every step is the real thing: the commands are run as a user runs them, and the first that does not end as it should
ends the demo with its exit code. Needs nothing but Python; writes only to a temporary folder.
"""

import collections
import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from storyteller import CFN, Story, StoryError

from formwork.diagnostics import Severity
from formwork.documents import parse_document
from formwork.schema import load_resource_schema
from formwork.schema.at_hand import clean_schema

EXAMPLES = Path(__file__).resolve().parent
FIXTURES = Path(os.environ.get("FORMWORK_FIXTURES") or EXAMPLES.parent.parent / "shared" / "fixtures")
# Type → the example's folder, and the option that says where its data is.
TYPES = {
    "Acme::SQLite::Database": ("sqlite-database", "DataFolder"),
    "Acme::SQLite::Table": ("sqlite-table", "DataFolder"),
    "Initech::TPS::Report": ("initech-tps-report", "Folder"),
}
# An ordinary boto3 program: only the address in its environment leads it to Formwork.
BOTO3 = """
import boto3
for each in boto3.client("cloudformation").describe_stack_resources(StackName="library")["StackResources"]:
    print(each["LogicalResourceId"], each["PhysicalResourceId"], each["ResourceStatus"])
found = boto3.client("cloudcontrol").get_resource(TypeName="Acme::SQLite::Database", Identifier="library")
print(found["ResourceDescription"]["Properties"])
"""


def main() -> int:
    """Tell the story; its exit code."""
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="formwork-demo-") as folder:
        story = Story(Path(folder))
        try:
            thing = model_a_type(story)
            prove_it(story, thing)
            break_it(story, thing)
            provision(story)
            story.say(f"That was the whole loop, in {time.perf_counter() - start:.0f} s. What follows is breadth.")
            packages = [prove_an_example(story, type_name) for type_name in TYPES]
            validate_aws(story)
            validate_projects(story)
        except StoryError as error:
            print(f"\nThe demo stops here: {error}", file=sys.stderr)
            return 1
    story.chapter("What it cost")
    story.table(packages)
    story.say(f"All of it in {time.perf_counter() - start:.0f} s.")
    return 0


def model_a_type(story: Story) -> Path:
    """From an empty folder to a type with a property of one's own; the project's folder."""
    story.chapter("A resource type of one's own, modelled")
    here = story.folder / "thing"
    here.mkdir()
    story.run("init", "-a", "RESOURCE", "-t", "Acme::Store::Thing", "--sample", "python311", "--no-docker", cwd=here)
    story.say("Its schema, acme-store-thing.json, gets one more property:")
    schema = here / "acme-store-thing.json"
    before = schema.read_text(encoding="utf-8")
    right = '"Colour": {"type": "string", "enum": ["red", "green"], "description": "How it is painted."},'
    wrong = right.replace('"string"', '"strin"')
    _insert(story, schema, before, wrong)
    story.run("validate", cwd=here, expect={1})
    _insert(story, schema, before, right)
    story.run("validate", cwd=here)
    story.run("generate", cwd=here)
    models = (here / "src" / "acme_store_thing" / "models.py").read_text(encoding="utf-8")
    story.say("models.py has it now, as the documentation and the role have what follows from the schema:")
    for line in [each for each in models.splitlines() if "Colour" in each][:1]:
        story.show_code(line)
    return here


def _insert(story: Story, schema: Path, text: str, line: str) -> None:
    place = '"properties": {\n        "Name"'
    if text.count(place) != 1:
        raise StoryError("the place for the new property is not where it was")
    story.show_code(line)
    schema.write_text(text.replace(place, place.replace('"Name"', f'{line}\n        "Name"')), encoding="utf-8")


def prove_it(story: Story, here: Path) -> None:
    """Test the handlers of the sample against AWS's contract, and package them."""
    story.chapter("Its handlers, proved and packaged")
    inputs = here / "inputs" / "inputs_1_create.json"
    inputs.write_text(json.dumps({**json.loads(inputs.read_text(encoding="utf-8")), "Colour": "green"}))
    story.say("`cfn test` runs them as Lambda would, and checks them against every clause of the handler contract:")
    story.run("test", cwd=here, keep=verdict)
    story.run("package", cwd=here)


def break_it(story: Story, here: Path) -> None:
    """A violation on purpose, and the clause that the report names."""
    story.chapter("A handler broken on purpose")
    handlers = here / "src" / "acme_store_thing" / "handlers.py"
    text = handlers.read_text(encoding="utf-8")
    right = "    return ProgressEvent(status=OperationStatus.SUCCESS)\n"
    wrong = "    return ProgressEvent(status=OperationStatus.SUCCESS, resourceModel=_model(entry))\n"
    if text.count(right) != 1:
        raise StoryError("the line to break is not where it was")
    handlers.write_text(text.replace(right, wrong), encoding="utf-8")
    story.say("The delete handler now answers with the model of what it deleted:")
    story.show_code(wrong.strip())
    done = story.run("test", cwd=here, quiet=True, expect={1})
    story.show("cfn", "test")
    _, found, report = done.stdout.partition("violation 1: delete.empty")
    if not found:
        raise StoryError("the report does not name the clause delete.empty")
    for line in (found + report).partition("\n\n")[0].splitlines():
        story.detail(line)
    story.say(f"Exit code {done.code}: the clause, what was sent and answered, and the command that shows it again.")
    handlers.write_text(text, encoding="utf-8")


def validate_aws(story: Story) -> None:
    """Every resource schema of AWS, in this process."""
    story.chapter("Every AWS resource type, validated")
    schemas = Path((find_spec("cfnlint").submodule_search_locations or [""])[0]) / "data" / "schemas"
    names = json.loads((schemas / "providers" / "us-east-1.json").read_text(encoding="utf-8"))
    start = time.perf_counter()
    wrong = {name: errors for name in names if (errors := _errors(schemas, name, names[name]))}
    seconds = time.perf_counter() - start
    story.say(f"The {len(names)} schemas in cfn-lint, less the keywords that it adds for itself, through the library:")
    story.say(f"{len(names) - len(wrong)} are valid, {len(wrong)} are not; {seconds:.1f} s, all problems of each.")
    for name, errors in list(wrong.items())[:3]:
        story.detail(f"{name} {errors[0].location.pointer}: {errors[0].message}")
    if len(wrong) > len(names) // 20:
        raise StoryError("that is more than these schemas have")


def _errors(schemas: Path, name: str, stored: str) -> list:
    path = schemas / "resources" / f"{stored}.json"
    value = clean_schema(json.loads(path.read_text(encoding="utf-8")))
    loaded = load_resource_schema(parse_document(json.dumps(value), name=f"{name}.json"))
    return [each for each in loaded.diagnostics if each.severity is Severity.ERROR]


def validate_projects(story: Story) -> None:
    """Other people's projects, where they are at hand."""
    manifest = FIXTURES / "projects" / "MANIFEST.json"
    if not manifest.is_file():
        return
    story.chapter("Real projects, validated")
    roots = [manifest.parent / row["repo"] / row["project"] for row in json.loads(manifest.read_text(encoding="utf-8"))]
    story.say(f"{len(roots)} extension projects from public repositories, in one call of `cfn validate --format json`:")
    done = story.run("validate", "--format", "json", *roots, quiet=True, expect={0, 1})
    report = json.loads(done.stdout)
    verdicts = collections.Counter(each["valid"] for each in report["checked"])
    story.say(f"{verdicts[True]} are valid, {verdicts[False]} are not; {done.seconds:.1f} s.")
    for each in [one for one in report["diagnostics"] if one["severity"] == "error"][:3]:
        story.detail(f"{Path(each['file']).name}:{each['line'] or 1}: {each['message']}")


def prove_an_example(story: Story, type_name: str) -> tuple[str, ...]:
    """Validate, generate, run, prove and package one of the examples; its row of the table."""
    name, option = TYPES[type_name]
    story.chapter(type_name)
    here = _copy(story, name, f"{name}-proved")
    story.say(_first_paragraph(here / "README.md"))
    configuration = here / "configuration.json"
    configuration.write_text(json.dumps({option: str(story.folder / f"{name}-data")}), encoding="utf-8")
    story.run("validate", cwd=here)
    before = _contents(here)
    story.run("generate", cwd=here)
    if _contents(here) != before:
        raise StoryError("generating again changed a file")
    story.say("Nothing changed: models, documentation and role were up to date.")
    invoked = _invoke(story, here)
    tested = story.run("test", "--typeconfig", configuration.name, cwd=here, keep=verdict)
    packaged = story.run("package", cwd=here)
    archive = next(here.glob("*.zip"))
    return (
        type_name,
        f"{invoked:.1f} s",
        f"{tested.seconds:.1f} s",
        f"{packaged.seconds:.1f} s",
        f"{archive.stat().st_size / 1000:.0f} KB",
    )


def _invoke(story: Story, here: Path) -> float:
    """Create a resource and delete it, as CloudFormation does; the seconds that took."""
    properties = json.loads((here / "inputs" / "inputs_1_create.json").read_text(encoding="utf-8"))
    configuration = here / "configuration.json"
    request = here / "request.json"
    request.write_text(
        json.dumps({"desiredResourceState": properties, "previousResourceState": None}), encoding="utf-8"
    )
    seconds = 0.0
    for action in ("CREATE", "DELETE"):
        words = ("invoke", "resource", action, request.name, "--typeconfig", configuration.name)
        done = story.run(*words, cwd=here, quiet=True)
        answers = [json.loads(text) for text in _answers(done.stdout)]
        seconds += done.seconds
        story.show("cfn", *words)
        story.detail(" → ".join(each["status"] for each in answers) + f"   {done.seconds:.1f} s")
        if action == "CREATE":
            model = answers[-1]["resourceModel"]
            story.detail(json.dumps({key: model[key] for key in list(model)[:4]}) + " …")
            request.write_text(json.dumps({"desiredResourceState": model, "previousResourceState": None}))
    return seconds


def _answers(text: str) -> list[str]:
    return [part.split("=== Handler input ===")[0] for part in text.split("=== Handler response ===")[1:]]


def provision(story: Story) -> None:
    """Two of the proven types, a hook and a module in a registry, and a stack of them from its creation to its end."""
    story.chapter("Registered, and provisioned in a stack")
    story.say(
        "A CloudFormation of one's own on this machine, for every client of AWS's. What goes there: two types that "
        "keep their resources in SQLite, a module of one of them, and a hook that looks at its resources."
    )
    with serving(story):
        data = story.folder / "library-data"
        _register(story, "sqlite-database", {"DataFolder": str(data)})
        _register(story, "sqlite-table", {"DataFolder": str(data)})
        _register(story, "log-table")
        looks = {"TargetStacks": "ALL", "FailureMode": "FAIL", "Properties": {}}
        _register(story, "keyed-tables", {"CloudFormationConfiguration": {"HookConfiguration": looks}})
        shutil.copy(EXAMPLES / "library.yml", story.folder)
        story.say("A stack of them, and of a topic that the simulator makes:")
        _deploy(story)
        story.say("The same stack for boto3, unmodified:")
        story.program(BOTO3)
        story.say("An update in place, seen beforehand:")
        story.run("stack", "diff", "library", "library.yml", "--parameter", "Journal=DELETE", expect={1})
        _deploy(story, "Journal=DELETE")
        story.say("A table that the hook refuses is not made, and the update is undone:")
        _deploy(story, "Journal=DELETE", "Scratch=yes", expect={1})
        story.say("Another program adds a column behind the stack's back:")
        with contextlib.closing(sqlite3.connect(next(data.rglob("library*")))) as database:
            database.execute("ALTER TABLE books ADD COLUMN shelf TEXT")
        story.run("stack", "drift", "library", expect={1})
        story.say("A new name requires replacement: all that depends on it is recreated before the old one is deleted.")
        _deploy(story, "Journal=DELETE", "Name=archive")
        story.run("stack", "delete", "library", keep=_is_event)


def _register(story: Story, name: str, configuration: dict | None = None) -> None:
    project = story.folder / name
    if not project.exists():
        _copy(story, name, name)
    story.run("submit", cwd=project, keep=lambda line: line.startswith("Version ARN:"))
    if configuration is not None:
        (project / "configuration.json").write_text(json.dumps(configuration), encoding="utf-8")
        story.run("registry", "configure", "--file", "configuration.json", cwd=project, keep=_nothing)


def _deploy(story: Story, *parameters: str, expect: set[int] | None = None) -> None:
    words = [word for each in parameters for word in ("--parameter", each)]
    more = ("--capabilities", "CAPABILITY_AUTO_EXPAND")  # the template has a module
    story.run("stack", "deploy", "library", "library.yml", *words, *more, keep=_is_event, expect=expect or {0})


@contextlib.contextmanager
def serving(story: Story) -> Iterator[None]:
    """A `cfn serve` that lives as long as the block, and that every client finds from now on."""
    words = ("serve", "--ephemeral", "--port", "0")
    before = dict(os.environ)
    story.show("cfn", *words)
    with subprocess.Popen(
        [CFN, *words], cwd=story.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            line = process.stdout.readline() if process.stdout else ""
            if not line.startswith("ready "):
                raise StoryError(f"`cfn serve` did not start: {process.communicate()[1]}")
            story.detail(line.strip())
            where = {"AWS_ENDPOINT_URL": line.split()[1], "AWS_DEFAULT_REGION": "us-east-1"}
            where |= {"AWS_ACCESS_KEY_ID": "111122223333", "AWS_SECRET_ACCESS_KEY": "any"}  # the key is the account
            os.environ |= where
            story.show("export", *(f"{name}={value}" for name, value in where.items()))
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)
            process.terminate()


def _nothing(line: str) -> bool:
    return not line


def _is_event(line: str) -> bool:
    return "_COMPLETE  " in line or "_FAILED  " in line or " = " in line or "primary key" in line


def verdict(line: str) -> bool:
    """Whether the line says more than that one clause is proved or has nothing to do with the type."""
    return line.startswith(("?", "clauses:")) or " passed" in line or line.endswith(("violated", "warned"))


def _copy(story: Story, name: str, to: str) -> Path:
    there = story.folder / to
    shutil.copytree(EXAMPLES / name, there, ignore=shutil.ignore_patterns("build", "*.zip", "__pycache__", ".*_cache"))
    return there


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _first_paragraph(readme: Path) -> str:
    return " ".join(readme.read_text(encoding="utf-8").split("\n\n")[1].split())


if __name__ == "__main__":
    sys.exit(main())
