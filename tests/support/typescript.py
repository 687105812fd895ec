"""Compiling and running TypeScript in tests: npm's packages are installed once, into a cache that all runs share.

Every program is a project folder that the toolkit's own build compiles, so that one that did not change since the last
run costs nothing.
"""

import functools
import json
import os
import subprocess
from pathlib import Path

from formwork.extensions import ExtensionKind
from formwork.generate.write import write_plan
from formwork.languages.typescript.generate.generator import TypeScriptGenerator
from formwork.languages.typescript.generate.models import render_models
from formwork.languages.typescript.generate.runtime import LIBRARY_SETTING, OWN_LIBRARY
from formwork.languages.typescript.generate.templates import TEMPLATES
from formwork.model import build_type_model
from formwork.toolchain import BuildSettings
from formwork.toolchain.node import find_node
from formwork.toolchain.typescript import build_project

CACHE = Path(os.environ.get("FORMWORK_TEST_CACHE") or Path.home() / ".cache" / "formwork-tests")
# The user's own settings of npm, for commands that get another home.
NPM = {"npm_config_cache": str(CACHE / "npm-downloads"), "npm_config_userconfig": str(Path.home() / ".npmrc")}
RUNTIME = Path(__file__).parents[2] / "runtime" / "typescript"
SETTINGS = {LIBRARY_SETTING: OWN_LIBRARY}


def build(root, *, strict=True):
    """The built form of the project folder `root`, which needs only sources: the rest is put in."""
    texts = {
        name: (TEMPLATES / f"{name}.txt").read_text(encoding="utf-8") for name in ("package.json", "package-lock.json")
    }
    for name, text in texts.items():
        if not (root / name).exists():
            (root / name).write_text(
                text.replace("$hyphenated", "test").replace("$type_name", "Test"), encoding="utf-8"
            )
    if not (root / "tsconfig.json").exists():
        (root / "tsconfig.json").write_text(json.dumps(_options(strict=strict)), encoding="utf-8")
    return build_project(root, BuildSettings(dict(os.environ), CACHE))


@functools.cache
def _strict_options():
    return json.loads((RUNTIME / "tsconfig.json").read_text(encoding="utf-8"))["compilerOptions"]


def _options(*, strict):
    if not strict:
        return {**json.loads((TEMPLATES / "tsconfig.json.txt").read_text(encoding="utf-8"))}
    return {
        "compilerOptions": {**_strict_options(), "rootDir": ".", "outDir": "dist"},
        "include": ["."],
        "exclude": ["dist", "node_modules"],
    }


def node(*words, cwd, lines=None, timeout=120):
    """Run Node to its end; what it wrote."""
    done = subprocess.run(
        [str(find_node(os.environ).executable), *map(str, words)],
        cwd=cwd,
        input=lines,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def models_of(document):
    """`models.ts` for a resource schema's document."""
    types = build_type_model(document, kind=ExtensionKind.RESOURCE, reserved=TypeScriptGenerator().reserved_model_names)
    return render_models(types)


def write_models(root, named):
    """A program of many models, `{name: models.ts}`, over one handler library."""
    library = {name.removeprefix("src/"): file for name, file in _library().items()}
    write_plan(library, root)
    for name, text in named.items():
        (root / name).mkdir(parents=True)
        (root / name / "models.ts").write_text(text.replace("'./formwork/", "'../formwork/"), encoding="utf-8")
    (root / "round-trip.ts").write_text(_ROUND_TRIP, encoding="utf-8")


def _library():
    types = build_type_model({"typeName": "Aa::Bb::Cc", "properties": {"Id": {"type": "string"}}})
    plan = TypeScriptGenerator().plan_models(types, {}, SETTINGS)
    return {name: file for name, file in plan.items() if name != "src/models.ts"}


_ROUND_TRIP = """
import { createInterface } from 'node:readline';

type Line = { module: string; value: unknown };
type Models = { ResourceModel: { read(value: unknown): unknown } };

async function main(): Promise<void> {
  for await (const text of createInterface({ input: process.stdin })) {
    const { module, value } = JSON.parse(text) as Line;
    const models = (await import(`./${module}/models.js`)) as Models;
    let answer: object;
    try {
      answer = { read: models.ResourceModel.read(value) };
    } catch (error) {
      answer = { error: String(error) };
    }
    process.stdout.write(`${JSON.stringify(answer)}\\n`);
  }
}

void main();
"""


def round_trip(built, values):
    """What the models read of `[(module, value), …]`, in that order: {"read": …} or {"error": …}."""
    lines = "".join(f"{json.dumps({'module': module, 'value': value})}\n" for module, value in values)
    return [json.loads(line) for line in node("dist/round-trip.js", cwd=built, lines=lines).split("\n")[:-1]]
