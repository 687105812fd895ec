"""A project's own unit tests, as its author runs them."""

import hashlib
import os
import re
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from bench.real_projects.projects import RealProject
from bench.real_projects.running import Ran, run
from formwork.toolchain.python import find_interpreter

_IGNORED = {"node_modules", ".venv", "site-packages", "cdk.out", "target", "build"}
_LIMIT = 240.0
REGION = "us-east-1"
# What projects' tests use without saying so, and AWS's handler library.
_WANTED = ("pytest", "pytest-cov", "pytest-mock", "setuptools<81", "boto3", "cloudformation-cli-python-lib")


def has_unit_tests(project: RealProject) -> bool:
    """Whether it has any of its language."""
    patterns = {
        "python": ["test_*.py", "*_test.py"],
        "go": ["*_test.go"],
        "java": ["*Test.java", "*Tests.java", "Test*.java"],
        "typescript": ["*.test.ts", "*.spec.ts"],
    }.get(project.language, [])
    return any(
        not _IGNORED.intersection(each.relative_to(project.root).parts)
        for pattern in patterns
        for each in project.root.rglob(pattern)
    )


def run_unit_tests(project: RealProject, folder: Path, *, env: Mapping[str, str], environments: Path, log: Path) -> Ran:
    """Run those of the copy in `folder`; what they need is installed into `environments` and kept there.

    They have a Region, as their authors' machines do.
    """
    env = {**env, "AWS_REGION": REGION, "AWS_DEFAULT_REGION": REGION}
    runner: Callable[..., Ran] = {"python": _python, "go": _go, "java": _java, "typescript": _typescript}[
        project.language
    ]
    return runner(project, folder, env, environments, log)


def _python(project: RealProject, folder: Path, env: Mapping[str, str], environments: Path, log: Path) -> Ran:
    venv = _python_environment(project, folder, env, environments, log)
    if isinstance(venv, Ran):
        return venv
    paths = [*(p for p in (folder / "src", folder) if p.is_dir())]
    env = {**env, "PYTHONPATH": ":".join(map(str, paths))}
    argv = [venv / "bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--override-ini", "addopts="]
    return run([*argv, *_test_folders(folder)], cwd=folder, env=env, seconds=_LIMIT, log=log)


def _test_folders(folder: Path) -> list[Path]:
    found = {each.parent for each in folder.rglob("*test*.py") if re.match(r"test_|.*_test\.py", each.name)}
    return sorted(each for each in found if not _IGNORED.intersection(each.relative_to(folder).parts))


def _python_environment(
    project: RealProject, folder: Path, env: Mapping[str, str], environments: Path, log: Path
) -> Path | Ran:
    """A virtual environment with the project's requirements, AWS's handler library among them, and pytest."""
    named = [each for each in ("requirements.txt", "requirements-dev.txt") if (folder / each).is_file()]
    texts = [(folder / each).read_text(encoding="utf-8") for each in named]
    digest = hashlib.sha256("\n".join([*texts, project.config["language"]]).encode()).hexdigest()
    venv = environments / f"python-{digest[:12]}"
    if (venv / "ready").is_file():
        return venv
    shutil.rmtree(venv, ignore_errors=True)
    python = _interpreter(project.config["language"])
    made = run([python, "-m", "venv", venv], cwd=folder, env=env, seconds=120, log=log)
    pip = [venv / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    wanted = [*_WANTED, *(["-r", "requirements.txt"] if "requirements.txt" in named else [])]
    if made.code == 0:
        made = run([*pip, *wanted], cwd=folder, env=env, seconds=_LIMIT, log=log)
    if made.code != 0:
        return made
    for line in texts[-1].splitlines() if "requirements-dev.txt" in named else []:  # what is unavailable is left out
        if re.match(r"[A-Za-z]", line):
            run([*pip, line.partition(" #")[0]], cwd=folder, env=env, seconds=_LIMIT, log=log)
    (venv / "ready").touch()
    return venv


def _interpreter(language: str) -> Path:
    """The Python that `python39` names, or the nearest one."""
    runtime = f"python3.{language.removeprefix('python3') or '11'}"
    return find_interpreter(runtime, search_path=os.environ["PATH"], home=Path.home()).executable


def _go(_project: RealProject, folder: Path, env: Mapping[str, str], _environments: Path, log: Path) -> Ran:
    return run(["go", "test", "./..."], cwd=folder, env=env, seconds=_LIMIT, log=log)


def _java(_project: RealProject, folder: Path, env: Mapping[str, str], _environments: Path, log: Path) -> Ran:
    argv = ["mvn", "-B", "-q", "-DfailIfNoTests=false", "-Djacoco.skip=true", "test"]
    return run(argv, cwd=folder, env=env, seconds=_LIMIT, log=log)


def _typescript(project: RealProject, folder: Path, env: Mapping[str, str], environments: Path, log: Path) -> Ran:
    """With what the packages above it install, too: in a monorepo, the test runner is the root's."""
    above = [*folder.parents][: 0 if project.path == "." else len(Path(project.path).parts)]
    folders = [each for each in (*reversed(above), folder) if (each / "package.json").is_file()]
    for each in folders:
        installed = _install_packages(each, env, environments, log)
        if installed is not None and installed.code != 0:
            return installed
    runners = [each / "node_modules" / ".bin" / "jest" for each in reversed(folders)]
    runner = next((each for each in runners if each.exists()), None)
    argv = ["npm", "test"] if runner is None else [str(runner), "--coverage=false"]
    return run(argv, cwd=folder, env=env, seconds=_LIMIT, log=log)


def _install_packages(folder: Path, env: Mapping[str, str], environments: Path, log: Path) -> Ran | None:
    """Install what package.json says, or link what was installed for the same one; None where that was enough."""
    named = [each for name in ("package.json", "package-lock.json") if (each := folder / name).is_file()]
    kept = environments / f"npm-{hashlib.sha256(b''.join(each.read_bytes() for each in named)).hexdigest()[:12]}"
    failed = kept.with_suffix(".failed")
    if failed.is_file():
        return Ran(1, 0.0, failed.read_text(encoding="utf-8"))
    if not kept.is_dir():
        argv = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"]
        installed = run(argv, cwd=folder, env=env, seconds=_LIMIT, log=log)
        kept.parent.mkdir(parents=True, exist_ok=True)
        if installed.code != 0:
            failed.write_text(installed.text, encoding="utf-8")
            return installed
        kept.mkdir()
        shutil.move(folder / "node_modules", kept / "node_modules")
    if not (folder / "node_modules").exists():
        (folder / "node_modules").symlink_to(kept / "node_modules")
    return None


def incumbent_commands(environments: Path, env: Mapping[str, str], log: Path) -> Path:
    """The folder of AWS's own `cfn` with its Java plugin, which Maven calls; installed at the first call."""
    venv = environments / "incumbent"
    if not (venv / "ready").is_file():
        shutil.rmtree(venv, ignore_errors=True)
        environments.mkdir(parents=True, exist_ok=True)
        run([sys.executable, "-m", "venv", venv], cwd=environments, env=env, seconds=120, log=log)
        pip = [venv / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        constraints = ["--constraint", Path(__file__).parent.with_name("constraints-incumbent.txt")]
        wanted = [*constraints, "cloudformation-cli", "cloudformation-cli-java-plugin"]
        if run([*pip, *wanted], cwd=environments, env=env, seconds=_LIMIT, log=log).code == 0:
            (venv / "ready").touch()
    return venv / "bin"
