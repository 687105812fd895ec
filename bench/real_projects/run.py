"""One project through every step, in copies of its checkout; what came of it as JSON."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.real_projects.made_up import exports, setup_template, target_schemas, template, type_configuration
from bench.real_projects.maven import maven_options
from bench.real_projects.projects import RealProject
from bench.real_projects.running import Ran, run
from bench.real_projects.unit_tests import REGION, has_unit_tests, incumbent_commands, run_unit_tests

STEPS = ("validate", "unit-before", "generate", "unit-after", "test", "test-after", "package", "submit", "stack")
_IGNORED = shutil.ignore_patterns("node_modules", ".git", ".done", "build", "target")
_CFN = Path(sys.executable).with_name("cfn")
_CAPABILITIES = ("CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND")
_LIMIT = 360.0  # seconds of the longest commands
_MOTO = re.compile(r"(?<=moto stands in for AWS at )http://\S+")


@dataclass(frozen=True, slots=True)
class Workplace:
    """Where a run keeps its copies, environments and results."""

    copies: Path
    environments: Path
    results: Path


@dataclass(frozen=True, slots=True)
class _Served:
    """The addresses of a `cfn serve` and of its moto."""

    address: str
    moto: str


def run_project(project: RealProject, place: Workplace, steps: tuple[str, ...]) -> dict[str, Any]:
    """Run the steps; the record, which is also written to the results."""
    return _Run(project, place).all(steps)


def _commit() -> str:
    """Which commit of this tree is measured."""
    argv = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short=9", "HEAD"]
    return subprocess.run(argv, capture_output=True, text=True, check=False).stdout.strip()


def _registry_at(served: _Served | None) -> dict[str, str]:
    """The variables that lead AWS's commands to a `cfn serve`, whose registry knows AWS's own types."""
    if served is None:
        return {}
    keys = {"AWS_ACCESS_KEY_ID": "made-up", "AWS_SECRET_ACCESS_KEY": "made-up"}
    return {"AWS_ENDPOINT_URL_CLOUDFORMATION": served.address, **keys}


class _Run:
    def __init__(self, project: RealProject, place: Workplace) -> None:
        self.project = project
        self.place = place
        self.log = place.results / f"{project.key}.log"
        self.home = place.copies / project.key
        self.submitted: dict[str, Any] | None = None
        self.env = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "FORMWORK_"))},
            "FORMWORK_STATE": str(self.home / "state"),
            "PATH": f"{self.home / 'bin'}:{os.environ['PATH']}",
            "npm_config_fetch_retries": "0",  # hosts that aren't reached the first time aren't here
            "MAVEN_OPTS": maven_options(place.environments),
        }

    def all(self, steps: tuple[str, ...]) -> dict[str, Any]:
        record_path = self.place.results / f"{self.project.key}.json"
        record = json.loads(record_path.read_text()) if record_path.is_file() else {}
        record |= {"project": self.project.id, "kind": self.project.kind, "language": self.project.language}
        record["measured"] = _commit()
        record.setdefault("steps", {})
        shutil.rmtree(self.home, ignore_errors=True)
        (self.home / "bin").mkdir(parents=True)
        (self.home / "bin" / "cfn").symlink_to(_CFN)
        self._write_inputs()
        for step in (each for each in STEPS if each in steps):
            ran = self._hopeless(step, record["steps"]) or self._step(step)
            if self.submitted is not None:
                record["steps"]["submit"] = self.submitted
            if ran is not None:
                record["steps"][step] = ran
                record_path.write_text(json.dumps(record, indent=1), encoding="utf-8")
        shutil.rmtree(self.home, ignore_errors=True)
        return record

    @staticmethod
    def _hopeless(step: str, done: dict[str, Any]) -> dict[str, Any] | None:
        """The record of a step that another's failure leaves nothing of; None where it is worth running."""
        needs = {"test-after": "test", "stack": "package", "unit-after": "unit-before"}.get(step)
        before = done.get(needs or "", {"passed": True})
        if before["passed"] or "violated" in before:
            return None
        return {"passed": None, "code": None, "seconds": 0, "text": f"not run, since {needs} failed"}

    def _write_inputs(self) -> None:
        configuration = type_configuration(self.project)
        self.configuration = self.home / "configuration.json" if configuration is not None else None
        self.exports = self.home / "exports.json"
        self.exports.write_text(json.dumps(exports(self.project)), encoding="utf-8")
        if self.configuration is not None:
            self.configuration.write_text(json.dumps(configuration), encoding="utf-8")

    def _step(self, step: str) -> dict[str, Any] | None:
        does: dict[str, Callable[[], Ran | dict[str, Any] | None]] = {
            "validate": lambda: self._cfn("validate", copy="before", seconds=60),
            "unit-before": lambda: self._units("before"),
            "generate": self._generate,
            "unit-after": lambda: self._units("after"),
            "test": lambda: self._test("before"),
            "test-after": lambda: self._test("after"),
            "package": lambda: self._cfn("package", copy=self.packaged, seconds=_LIMIT),
            "submit": lambda: None,  # with the stack: both need the registry's server
            "stack": self._registered,
        }
        ran = does[step]()
        if isinstance(ran, Ran):
            return {**asdict(ran), "passed": ran.code == 0}
        return ran

    def _folder(self, copy: str) -> Path:
        whole = self.home / copy
        if not whole.is_dir():
            shutil.copytree(self.project.checkout, whole, symlinks=True, ignore=_IGNORED)
        return whole / self.project.path

    def _cfn(self, *argv: str | Path, copy: str, seconds: float) -> Ran:
        return run([_CFN, *argv], cwd=self._folder(copy), env=self.env, seconds=seconds, log=self.log)

    @property
    def packaged(self) -> str:
        """Which copy is packaged: a hook's holds the schemas of its targets, which `cfn generate` brings."""
        return "after" if self.project.kind == "HOOK" else "before"

    def _generate(self) -> Ran:
        folder = self.home / "targets"
        folder.mkdir(exist_ok=True)
        schemas = []
        for name, text in target_schemas(self.project).items():
            schemas.append(folder / f"{name.replace('::', '-').lower()}.json")
            schemas[-1].write_text(text, encoding="utf-8")
        options = ["--target-schemas", *schemas] if schemas else []
        return self._cfn("generate", *options, copy="after", seconds=120)

    def _units(self, copy: str) -> Ran | dict[str, Any] | None:
        if not has_unit_tests(self.project):
            return None
        env = dict(self.env)
        with contextlib.ExitStack() as until_tested:
            if copy == "before" and self.project.language == "java":  # its models are made by the incumbent then
                commands = incumbent_commands(self.place.environments, env, self.log)
                env["PATH"] = f"{commands}:{env['PATH']}"
                if self.project.kind == "HOOK":
                    env |= _registry_at(until_tested.enter_context(self._serving()))
            return run_unit_tests(
                self.project, self._folder(copy), env=env, environments=self.place.environments, log=self.log
            )

    def _test(self, copy: str) -> dict[str, Any] | None:
        if self.project.kind == "MODULE":
            return None
        if copy == "after":
            self._generate()
        report = self.home / "report.json"
        report.unlink(missing_ok=True)
        options: list[str | Path] = ["--seed", "1", "--report", "json", "--report-file", report]
        if self.configuration is not None:
            options += ["--typeconfig", self.configuration]
        with self._aws() as aws:
            ran = self._cfn("test", *aws, *options, copy=copy, seconds=_LIMIT)
        made = {**asdict(ran), "passed": ran.code == 0}
        if report.is_file():
            value = json.loads(report.read_text(encoding="utf-8"))
            made["violated"] = sorted(each["id"] for each in value["clauses"] if each["state"] == "violated")
            made["findings"] = [
                {name: each.get(name) for name in ("clause", "level", "message", "found", "cause", "request", "answer")}
                for each in value.get("violations", value.get("findings", []))
            ][:20]
            with self.log.open("a", encoding="utf-8") as sink:
                sink.write(json.dumps(value.get("violations", value.get("findings", [])), indent=1)[:60_000] + "\n")
        return made

    @contextlib.contextmanager
    def _aws(self) -> Iterator[list[str | Path]]:
        """The options of `cfn test` that say where AWS is: an empty moto, or one with the project's own set-up."""
        if setup_template(self.project) is not None:
            with self._serving() as served:
                if served is not None and self._set_up(served):
                    yield ["--aws", served.moto, "--endpoint-url", served.address]
                    return
        yield ["--aws", "moto", "--exports", self.exports]

    def _set_up(self, served: "_Served") -> bool:
        """Make the stack that the project's own tests begin with; whether there is one now."""
        path = setup_template(self.project)
        if path is None:
            return False
        options = ["--endpoint-url", served.address, "--region", REGION, "--capabilities", *_CAPABILITIES]
        return self._cfn("stack", "deploy", *options, "--", "setup", path, copy="before", seconds=120).code == 0

    def _registered(self) -> dict[str, Any]:
        with self._serving() as served:
            if served is None:
                return {"passed": False, "code": 1, "seconds": 0, "text": "cfn serve did not start"}
            self._set_up(served)
            there: tuple[str, ...] = ("--endpoint-url", served.address, "--region", REGION)
            submitted = self._cfn("submit", "--set-default", *there, copy=self.packaged, seconds=_LIMIT)
            self.submitted = {**asdict(submitted), "passed": submitted.code == 0}
            if submitted.code != 0:
                return {"passed": None, "code": None, "seconds": 0, "text": "not submitted"}
            if self.configuration is not None:
                configured = self._cfn(
                    "registry", "configure", "--file", self.configuration, *there, copy="before", seconds=60
                )
                if configured.code != 0:
                    return {**asdict(configured), "passed": False}
            text, parameters = template(self.project)
            path = self.home / "template.yml"
            path.write_text(text, encoding="utf-8")
            given = [part for name, value in parameters.items() for part in ("--parameter", f"{name}={value}")]
            deploy = ["stack", "deploy", *there, *given, "--capabilities", *_CAPABILITIES]
            made = self._cfn(*deploy, "--", "real", str(path), copy="before", seconds=300)
            gone = self._cfn("stack", "delete", "--yes", *there, "real", copy="before", seconds=180)
            logs = self._cfn("registry", "logs", *there, copy="before", seconds=30)
            return {
                "code": made.code if made.code != 0 else gone.code,
                "seconds": round(made.seconds + gone.seconds, 1),
                "passed": made.code == 0 and gone.code == 0,
                "text": f"{made.text}\n--- delete\n{gone.text}\n--- logs\n{logs.text[-6000:]}",
            }

    @contextlib.contextmanager
    def _serving(self) -> Iterator["_Served | None"]:
        """A `cfn serve` of an empty registry, with moto for the handlers' AWS; None where it fails."""
        shutil.rmtree(self.home / "state", ignore_errors=True)
        folder = self.home / "served"
        folder.mkdir(exist_ok=True)
        argv = [_CFN, "serve", "--port", "0", "--aws", "moto", "--state", self.home / "state"]
        told = self.place.results / f"{self.project.key}.serve.log"
        with told.open("wb") as sink:
            process = subprocess.Popen(
                [*map(str, argv)], cwd=folder, env=self.env, stdout=subprocess.PIPE, stderr=sink, text=True
            )
            try:
                assert process.stdout is not None
                words = process.stdout.readline().split()
                moto = _MOTO.search(told.read_text(encoding="utf-8"))
                yield _Served(words[1], moto.group()) if len(words) == 2 and moto else None
            finally:
                process.terminate()
                try:
                    process.wait(20)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
