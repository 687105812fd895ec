"""Constructs compiled and used in tests: aws-cdk-lib from npm is installed once, into a cache that all runs share."""

import hashlib
import json
import os
import subprocess
import sys

from formwork.cdk import plan_constructs
from formwork.documents import parse_document
from formwork.generate.write import write_plan
from formwork.instances import InstanceGenerator
from formwork.instances.errors import UnsatisfiableError
from formwork.model import ListType, MapType, ModelType, SetType, UnionType
from formwork.schema.resource import build_resource_schema
from formwork.toolchain import BuildSettings
from formwork.toolchain.cache import build_once
from formwork.toolchain.node import find_node
from formwork.toolchain.npm import installed_packages
from support.typescript import CACHE

# The newest on the package index; it lags a release behind npm's.
PYTHON_PACKAGES = ("aws-cdk-lib==2.275.0", "constructs==10.8.1", "mypy==2.4.1")
PACKAGES = {"@types/node": "20.19.25", "aws-cdk-lib": "2.276.0", "constructs": "10.8.1", "typescript": "5.9.3"}
# As strict as tsc can be about code that somebody else's project includes.
OPTIONS = {
    "target": "es2022",
    "module": "commonjs",
    "lib": ["es2022"],
    "types": ["node"],
    "strict": True,
    "exactOptionalPropertyTypes": True,
    "forceConsistentCasingInFileNames": True,
    "isolatedModules": True,
    "noFallthroughCasesInSwitch": True,
    "noImplicitOverride": True,
    "noImplicitReturns": True,
    "noPropertyAccessFromIndexSignature": True,
    "noUncheckedIndexedAccess": True,
    "noUnusedLocals": True,
    "noUnusedParameters": True,
    "skipLibCheck": True,
    "outDir": "dist",
}
_SYNTHESIS = """
const { App, Stack } = require('aws-cdk-lib');
const { readFileSync } = require('node:fs');
const answers = readFileSync(0, 'utf8').trim().split('\\n').map((line) => {
  const { module, name, props } = JSON.parse(line);
  try {
    const stack = new Stack(new App({ analyticsReporting: false }), 'S');
    const made = new (require(`./dist/${module}.js`)[name])(stack, 'R', props);
    return { properties: stack.resolve(made._toCloudFormation()).Resources.R.Properties ?? {} };
  } catch (error) {
    return { error: String(error) };
  }
});
process.stdout.write(JSON.stringify(answers));
"""


def resource(text, name="schema.json"):
    """The schema of a resource type in a text."""
    return build_resource_schema(parse_document(text, name=name))


def compile_constructs(constructs, folder):
    """Write the constructs and compile them; what tsc says, "" where it says nothing."""
    write_plan(plan_constructs(constructs, "typescript"), folder)
    return compile_program(folder)


def compile_program(folder):
    """Compile all TypeScript of a folder to its `dist`; what tsc says."""
    manifest = {"name": "constructs", "version": "1.0.0", "private": True, "dependencies": PACKAGES}
    (folder / "package.json").write_text(json.dumps(manifest), encoding="utf-8")
    packages = installed_packages(folder, BuildSettings(dict(os.environ), CACHE))
    if not (folder / "node_modules").exists():
        (folder / "node_modules").symlink_to(packages)
    settings = {"compilerOptions": {**OPTIONS, "rootDir": "."}, "include": ["*.ts"]}
    (folder / "tsconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    return node(folder, "--max-old-space-size=6000", "node_modules/typescript/bin/tsc", "-p", ".")[1]


def python_with_cdk():
    """A Python with aws-cdk-lib and mypy, installed once into the tests' cache."""
    key = hashlib.sha256(" ".join((sys.version, *PYTHON_PACKAGES)).encode()).hexdigest()[:20]
    return str(build_once(CACHE / "cdk-python" / key, _install_python) / "bin" / "python")


def _install_python(folder):
    subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
    pip = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--only-binary", ":all:", *PYTHON_PACKAGES], check=True)


def synthesized(folder, cases):
    """The properties in templates of `[(construct, props), …]`: {"properties": …} or {"error": …}."""
    (folder / "synthesize.cjs").write_text(_SYNTHESIS, encoding="utf-8")
    lines = [
        json.dumps({"module": each.type_name.replace("::", "-").lower(), "name": each.class_name, "props": props})
        for each, props in cases
    ]
    code, said = node(folder, "synthesize.cjs", lines="\n".join(lines))
    assert code == 0, said
    return json.loads(said)


def node(folder, *words, lines=None):
    ended = subprocess.run(
        [find_node(os.environ).executable, *words],
        cwd=folder,
        input=lines,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=3000,
        check=False,
        env={**os.environ, "NODE_NO_WARNINGS": "1", "JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION": "1"},
    )
    return ended.returncode, ended.stdout + (ended.stderr if ended.returncode else "")


def models(schema, seed=0):
    """Valid models of a type: everything, what is required, and something between; fewer where none is found."""
    generator = InstanceGenerator(schema, seed=seed)
    found = []
    for make in (generator.maximal, generator.minimal, generator.random):
        try:
            found.append(make())
        except UnsatisfiableError:
            continue
    return found


class Props:
    """A model as the properties of its construct, with each name changed as `rename` says."""

    def __init__(self, construct, rename=lambda name: name):
        self.objects = {each.name: each.properties for each in construct.interfaces}
        self.construct = construct
        self.rename = rename

    def of(self, model):
        return self._object(self.construct.properties, model, self.rename)

    def expected(self, model):
        """The model without the empty objects that `of` leaves out: what the template has."""
        return self._object(self.construct.properties, model, None)

    def _object(self, properties, value, rename):
        by_wire = {each.wire: each for each in properties}
        found = {}
        for name, each in value.items():
            if name in by_wire:
                written = name if rename is None else rename(by_wire[name].name)
                found[written] = self._value(by_wire[name].type, each, rename)
            elif not _is_empty(each):  # an object of which only the service sets members is no property
                found[name] = each
        return found

    def _value(self, of, value, rename):
        match of:
            case ModelType(name) if isinstance(value, dict):
                if name == "CfnTag":
                    return {key if rename is None else rename(key.lower()): each for key, each in value.items()}
                return self._object(self.objects[name], value, rename)
            case ListType(item) | SetType(item) if isinstance(value, list):
                return [self._value(item, each, rename) for each in value]
            case MapType(inner) if isinstance(value, dict):
                return {key: self._value(inner, each, rename) for key, each in value.items()}
            case UnionType(alternatives):
                return self._value(max(alternatives, key=lambda each: self._fit(each, value)), value, rename)
        return value

    def _fit(self, of, value):
        """How well a value fits a type of a union: by the kind of JSON, then by how many of its members it knows."""
        match of:
            case ModelType(name) if isinstance(value, dict):
                properties = self.objects[name] if name != "CfnTag" else ()
                known = {each.wire for each in properties}
                missing = sum(each.required and each.wire not in value for each in properties)
                return 2 + len(known & set(value)) - 10 * (len(set(value) - known) + missing)
            case MapType(_):
                return 1 if isinstance(value, dict) else -1000
            case ListType(item) | SetType(item):
                inner = [self._fit(item, each) for each in value] if isinstance(value, list) else [-1000]
                return min([2, *inner])
            case ModelType(_):
                return -1000
        scalar = of.scalar.value if hasattr(of, "scalar") else "any"
        kinds = {"string": str, "boolean": bool, "integer": int, "number": (int, float)}
        fits = isinstance(value, kinds.get(scalar, object)) and not (isinstance(value, bool) and scalar != "boolean")
        return 2 if fits else -1000


def _is_empty(value):
    return isinstance(value, dict) and all(map(_is_empty, value.values()))
