"""Contract tests of a registered package: `cfn test`, as a process of its own, on a project made of the package."""

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from formwork.extensions import hyphenated_name
from formwork.private_files.temporary import TemporaryFolder
from formwork.project import CONFIG_FILE

if TYPE_CHECKING:
    from formwork.project.config import ProjectConfig
    from formwork.registry.proofs import Proof, ProofRequest
    from formwork.registry.settings import HandlerSettings

# A run takes seconds; one whose handlers wait for something real may take long, but not for ever.
_LONGEST_SECONDS = 3600
# What of a package the tests read, besides its schema and its config.
_PARTS = ("inputs", "target-schemas", "overrides.json", "target-info.json")
_SUMMARY_LINES = 12
_TOLD = ("✗", "little was proved: ")


def aws_options(arguments: argparse.Namespace, environment: Mapping[str, str] | None) -> list[str]:
    """Return the `cfn test` options by which handlers reach the same AWS as this server's, its moto included."""
    if environment is None:
        return ["--aws", "none"]
    if "AWS_ENDPOINT_URL" in environment:
        return ["--aws", environment["AWS_ENDPOINT_URL"]]
    named = {"--profile": arguments.profile, "--role-arn": arguments.role_arn}
    return ["--aws", "real", *(word for name, each in named.items() if each for word in (name, each))]


def package_prover(aws: list[str], settings: "Callable[[], HandlerSettings]") -> "Callable[[ProofRequest], Proof]":
    """Return a function that runs the contract tests of a package; `aws` are the options of `aws_options`.

    During the tests the handlers run as the registry runs them, in any language.
    """

    def prove(request: "ProofRequest") -> "Proof":
        from formwork.registry.handlers import PackagedHandlers
        from formwork.registry.proofs import Proof

        with TemporaryFolder("proof") as folder:
            project = folder / "project"
            config = _lay_out(request, project)
            handlers_log = folder / "handlers.log"
            options = ["--seed", str(request.seed), "--region", request.scope.region, *aws]
            options += ["--log-file", str(handlers_log), "--no-coverage"]  # the report is about the contract alone
            options += ["--report-folder", str(folder / "reports")]
            if request.configuration is not None:
                file = folder / "configuration.json"
                file.write_text(request.configuration, encoding="utf-8")
                options += ["--typeconfig", str(file)]
            with (
                contextlib.closing(PackagedHandlers(settings())) as handlers,
                handlers.serve(request.scope, request.package, config) as url,
            ):
                done = _run(project, [*options, "--endpoint", url])
            logs = {"report.txt": done.stdout, "test.log": done.stderr}
            if handlers_log.is_file():
                logs["handlers.log"] = handlers_log.read_bytes()
            logs |= {each.name: each.read_bytes() for each in sorted((folder / "reports").glob("*"))}
        return Proof(passed=done.returncode == 0, summary=_summary(done), logs=logs)

    return prove


def _lay_out(request: "ProofRequest", project: Path) -> "ProjectConfig":
    """Write a project's folder as `cfn test` reads it, without the handlers, which are served; return its config."""
    from formwork.documents import DocumentFormat, load_document
    from formwork.languages.catalogue import language_of_runtime
    from formwork.project.config import parse_config, render_config

    project.mkdir()
    package = request.package
    document = load_document(package.files / CONFIG_FILE, name=CONFIG_FILE, format=DocumentFormat.JSON)
    config, _ = parse_config(document, registered=request.name)
    if config.language is None and (language := language_of_runtime(config.runtime or "")) is not None:
        config = replace(config, language=language.offered[-1])
    (project / CONFIG_FILE).write_text(render_config(config), encoding="utf-8")
    shutil.copyfile(package.files / "schema.json", project / f"{hyphenated_name(request.name)}.json")
    for name in _PARTS:
        source = package.files / name
        if source.is_dir():
            shutil.copytree(source, project / name)
        elif source.is_file():
            shutil.copyfile(source, project / name)
    return config


def _run(project: Path, options: list[str]) -> "subprocess.CompletedProcess[bytes]":
    words = [sys.executable, "-P", "-m", "formwork.cli.main", "test", "--require-proof=most", *options]
    environment = {**os.environ, "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    try:
        return subprocess.run(  # noqa: S603 - our own interpreter
            words,
            cwd=project,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_LONGEST_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        told = f"the tests were stopped after {_LONGEST_SECONDS} s\n".encode()
        return subprocess.CompletedProcess(words, 1, late.stdout or b"", (late.stderr or b"") + told)


def _summary(done: "subprocess.CompletedProcess[bytes]") -> str:
    """Return the violations and the last line of a run; if the tests could not run, the end of its error output."""
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    violated = [line.strip() for line in lines if line.startswith(_TOLD)]
    last = [line for line in lines if line.startswith("clauses: ")]
    if not last:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return "\n".join(["the contract tests could not run", *said[-_SUMMARY_LINES:]])
    return "\n".join([*violated[: _SUMMARY_LINES - 1], *last])
