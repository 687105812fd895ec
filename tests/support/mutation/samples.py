"""The sample projects as the campaign tests them, and the mutants of their sources.

A TypeScript project is compiled once, to JavaScript that `cfn test` runs as it is: a mutant then costs no compiler run.
"""

import contextlib
import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from support.mutation import python, typescript

_HOOK_INPUTS = Path(__file__).with_name("hook_inputs.json")


@dataclass(frozen=True)
class Source:
    """A file of a sample's own: where it is below the project's folder, and its mutants."""

    name: str
    path: str
    text: str
    mutants: tuple


@dataclass(frozen=True)
class Sample:
    """What `cfn init --sample` writes for a kind of extension in a language.

    `files` are those with mutants; their mutants are judged in `parts`, each of some minutes. `variable` names the
    folder that the handlers keep things in.
    """

    name: str
    kind: str
    language: str
    type_name: str
    variable: str | None
    folder: str
    files: tuple[str, ...]
    parts: int


SAMPLES = {
    each.name: each
    for each in (
        Sample(
            "python-resource", "RESOURCE", "python311", "Acme::Store::Thing", "ACME_STORE_THING_FOLDER",
            "src/acme_store_thing", ("handlers.py", "store.py"), 8,
        ),
        Sample(
            "typescript-resource", "RESOURCE", "typescript", "Acme::Store::Thing", "ACME_STORE_THING_FOLDER",
            "src", ("handlers.ts", "store.ts"), 8,
        ),
        Sample("python-hook", "HOOK", "python311", "Acme::Store::Check", None, "src/acme_store_check", ("handlers.py",), 1),
        Sample("typescript-hook", "HOOK", "typescript", "Acme::Store::Check", None, "src", ("handlers.ts",), 1),
    )
}  # fmt: skip


class SampleProject:
    """A sample written to a folder, with its mutants by file; `store` is what its handlers keep things in."""

    def __init__(self, sample, folder, cfn):
        """`cfn(*words, cwd=…)` runs the command."""
        self.sample = sample
        self.root = folder / "project"
        self.store = folder / "store"
        self.root.mkdir(parents=True)
        words = ("-a", sample.kind, "-t", sample.type_name, sample.language, "--sample", "--no-docker")
        cfn("init", *words, cwd=self.root)
        if sample.variable:
            self._set_variable(sample.variable, str(self.store))
        if sample.language == "typescript":
            self.sources = self._compile(folder / "compiler")
        else:
            self.sources = {name: self._read(name) for name in sample.files}

    def mutants(self, part):
        """[(source, mutant)] of a part, the first being 1."""
        pairs = [(source, mutant) for source in self.sources.values() for mutant in source.mutants]
        return pairs[part - 1 :: self.sample.parts]

    def other_inputs(self):
        """Context managers, in each of which the project has other inputs; they yield the options that `cfn test` needs.

        The inputs are generated from the schema, those of a hook are in the file beside this one.
        """
        if self.sample.kind != "HOOK":
            return [self._inputs_aside()]
        cases = json.loads(_HOOK_INPUTS.read_text(encoding="utf-8"))
        return [self._hook_inputs(each) for each in cases]

    @contextlib.contextmanager
    def _inputs_aside(self):
        given, aside = self.root / "inputs", self.root.with_name("inputs")
        given.rename(aside)
        try:
            yield ()
        finally:
            aside.rename(given)

    @contextlib.contextmanager
    def _hook_inputs(self, case):
        folder = self.root / "inputs"
        with self._inputs_aside():
            folder.mkdir()
            for name, model in case["inputs"].items():
                (folder / name).write_text(json.dumps(model), encoding="utf-8")
            configuration = self.root.with_name("configuration.json")
            configuration.write_text(json.dumps(case["configuration"]), encoding="utf-8")
            try:
                yield "--typeconfig", str(configuration)
            finally:
                shutil.rmtree(folder)

    def apply(self, source, mutant):
        """Put the mutant in the place of its source."""
        self._write(source.path, mutant.text)

    def restore(self, source):
        """Undo `apply`, and forget what handlers have kept."""
        self._write(source.path, source.text)
        self.forget()

    def forget(self):
        """Forget what handlers have kept."""
        shutil.rmtree(self.store, ignore_errors=True)

    def _write(self, path, text):
        (self.root / path).write_text(text, encoding="utf-8")

    def _read(self, name):
        path = f"{self.sample.folder}/{name}"
        text = (self.root / path).read_text(encoding="utf-8")
        return Source(name, path, text, tuple(python.mutants_of(text)))

    def _set_variable(self, name, value):
        path = self.root / "template.yml"
        text = path.read_text(encoding="utf-8")
        head = "  Function:\n"
        assert text.count(head) == 1
        path.write_text(
            text.replace(head, f"{head}    Environment: {{Variables: {{{name}: {value}}}}}\n"), encoding="utf-8"
        )

    def _compile(self, work):
        """Compile every source beside itself, and make of the project one that needs no compiler."""
        work.mkdir()
        folder = self.root / self.sample.folder
        mutated = [folder / name for name in self.sample.files]
        others = sorted({*folder.rglob("*.ts")} - {*mutated})
        compiled = typescript.compile_with_mutants(typescript.package(work), mutated, others)
        sources = {}
        for file, (text, mutants) in zip((*mutated, *others), compiled, strict=True):
            script = file.with_suffix(".js")
            script.write_text(text, encoding="utf-8")
            file.unlink()
            if mutants:
                sources[file.name] = Source(file.name, str(script.relative_to(self.root)), text, tuple(mutants))
        (self.root / "tsconfig.json").unlink()
        manifest = self.root / "package.json"
        plain = json.loads(manifest.read_text(encoding="utf-8"))
        del plain["scripts"], plain["devDependencies"]
        manifest.write_text(json.dumps(plain), encoding="utf-8")
        (self.root / "package-lock.json").unlink()
        template = self.root / "template.yml"
        template.write_text(re.sub(r"\bdist/", "src/", template.read_text(encoding="utf-8")), encoding="utf-8")
        return sources
