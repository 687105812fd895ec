"""A copy of the tree in which mutmut works on one target."""

import difflib
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
WORK = REPOSITORY / ".mutants"
_MUTMUT = Path(sys.executable).with_name("mutmut")
_KILLED, _SURVIVED, _NO_TEST, _TYPES, _TIMEOUT = "killed", "survived", "no test", "types", "timeout"
# mutmut's exit codes of a mutant's run
_VERDICTS = {1: _KILLED, 3: _KILLED, 0: _SURVIVED, 5: _NO_TEST, 33: _NO_TEST, 37: _TYPES}
_TIMEOUTS = {36, -24, 24, 152, 255, -11, -9}
# What mutmut adds to a module is not strictly typed, so mypy is less strict than in `make check`.
_MYPY = """[mypy]
python_version = 3.11
mypy_path = ../src:../runtime/python/src
explicit_package_bases = True
namespace_packages = True
follow_imports = silent
check_untyped_defs = True
disable_error_code = ignore-without-code
"""
_SENTENCE = re.compile(r"""[rf]*(["'])(?:(?!\1).)*\s(?:(?!\1).)*\1""")


@dataclass(frozen=True)
class Mutant:
    """One change: the function it is in (`module.name`), and its lines before and after."""

    function: str
    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def is_wording(self):
        """Whether only the words of a text with spaces in it differ, which people read and no test should pin."""
        blank = [_SENTENCE.sub('""', line) for line in self.before]
        return blank == [_SENTENCE.sub('""', line) for line in self.after] and self.before != self.after


class Workspace:
    """The folder of one target; what it holds survives interruptions."""

    def __init__(self, name, target):
        self.root = WORK / name
        self._target = target

    def prepare(self):
        """Copy the tree and let mutmut make the mutants and note which test reaches which function."""
        if (self.root / "ready").is_file():
            return
        shutil.rmtree(self.root, ignore_errors=True)
        head = ["git", "log", "-1", "--format=%h %cs"]
        commit = subprocess.run(head, cwd=REPOSITORY, check=True, capture_output=True, text=True).stdout.strip()
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=REPOSITORY, check=True, capture_output=True, text=True)
        files = [Path(name) for name in listed.stdout.split("\0") if name and (REPOSITORY / name).is_file()]
        for path in files:
            (self.root / path.parent).mkdir(parents=True, exist_ok=True)
            shutil.copy2(REPOSITORY / path, self.root / path)
        (self.root / "setup.cfg").write_text(self._configuration(files), encoding="utf-8")
        (self.root / "mypy.ini").write_text(_MYPY, encoding="utf-8")
        # Naming no mutant would run all; a name that none has ends mutmut once they are made.
        shown = self._mutmut("none", check=False)
        if not self._metadata() or "nothing matches" not in shown:
            raise SystemExit(f"mutmut could not prepare {self.root.name}:\n{shown[-3000:]}")
        (self.root / "ready").write_text(commit, encoding="utf-8")

    @property
    def commit(self):
        """The commit that is measured, and its date."""
        return (self.root / "ready").read_text(encoding="utf-8")

    def mutants(self):
        """Every mutant by mutmut's key."""
        found = {}
        for meta, keys in self._metadata().items():
            module = meta.removesuffix(".meta")
            bodies = _functions((self.root / "mutants" / module).read_text(encoding="utf-8"))
            for key in keys:
                name = key.rpartition(".")[2]
                before = bodies[re.sub(r"__mutmut_\d+$", "__mutmut_orig", name)]
                changed = [line for line in difflib.ndiff(before, bodies[name]) if line[:2] in ("- ", "+ ")]
                found[key] = Mutant(
                    f"{module.removeprefix('src/formwork/')}: {_plain(name)}",
                    tuple(line[2:].strip() for line in changed if line[0] == "-"),
                    tuple(line[2:].strip() for line in changed if line[0] == "+"),
                )
        return found

    def run(self, keys):
        """Judge mutants; their verdicts are kept."""
        shown = self._mutmut(*keys)
        if missing := [key for key in keys if self.verdict(key) is None]:
            raise SystemExit(f"mutmut gave no verdict on {missing[0]}:\n{shown[-3000:]}")

    def verdict(self, key):
        """killed, survived, no test, types or timeout; None before its run."""
        code = next((keys[key] for keys in self._metadata().values() if key in keys), None)
        return None if code is None else _TIMEOUT if code in _TIMEOUTS else _VERDICTS.get(code, "suspicious")

    def _metadata(self):
        found = {}
        for path in sorted((self.root / "mutants").rglob("*.meta")):
            name = str(path.relative_to(self.root / "mutants"))
            found[name] = json.loads(path.read_text(encoding="utf-8"))["exit_code_by_key"]
        return found

    def _configuration(self, files):
        beside = sorted({path.parts[0] for path in files} - {"src", "tests", "setup.cfg"})
        options = {
            "source_paths": ["src"],
            "only_mutate": [f"src/formwork/{pattern}" for pattern in self._target.sources],
            "pytest_add_cli_args_test_selection": [f"tests/{each}" for each in self._target.tests],
            "pytest_add_cli_args": ["-p", "no:cacheprovider", "-m", "not slow and not acceptance"],
            "also_copy": [*beside, "mypy.ini"],
        }
        if self._target.without:
            options["do_not_mutate"] = [f"src/formwork/{pattern}" for pattern in self._target.without]
        if self._target.typed:
            options["type_check_command"] = [
                *(sys.executable, str(REPOSITORY / "tests/mutation_score/typed.py"), "mypy"),
                *("--config-file", "mypy.ini", "--output", "json", *self._checked(files)),
            ]
        lines = [f"{key}=\n" + "".join(f"    {value}\n" for value in values) for key, values in options.items()]
        return "[mutmut]\n" + "".join(lines) + "track_dependencies=false\n"

    def _checked(self, files):
        return [str(path) for path in files if path.suffix == ".py" and self._is_mutated(str(path))]

    def _is_mutated(self, path):
        def is_any(patterns):
            return any(fnmatch(path, f"src/formwork/{pattern}") for pattern in patterns)

        return is_any(self._target.sources) and not is_any(self._target.without)

    def _mutmut(self, *keys, check=True):
        environment = os.environ | {"PATH": f"{_MUTMUT.parent}{os.pathsep}{os.environ['PATH']}"}
        done = subprocess.run(
            [_MUTMUT, "run", "--max-children", "2", *keys],
            cwd=self.root,
            check=False,
            env=environment,
            capture_output=True,
            text=True,
        )
        shown = done.stdout + done.stderr
        if check and done.returncode:
            raise SystemExit(f"mutmut ended with {done.returncode}:\n{shown[-3000:]}")
        return shown


def _functions(text):
    """The lines of each function in a file of mutants, by its name there."""
    found, name, indent = {}, None, 0
    for line in text.splitlines():
        begins = re.match(r"( *)(?:async )?def (\w+)\(", line)
        if begins and len(begins[1]) <= 4 and "__mutmut_" in begins[2]:
            name, indent = begins[2], len(begins[1])
            found[name] = [line.replace(re.search(r"\w+__mutmut_\w+", line)[0], _plain(name))]
        elif name is not None:
            if line.strip() and len(line) - len(line.lstrip()) <= indent and not line.strip().startswith(")"):
                name = None
            else:
                found[name].append(line)
    return found


def _plain(name):
    """A function's own name from mutmut's: `xǁClassǁmethod__mutmut_3` is `Class.method`."""
    stem = re.sub(r"__mutmut_(\d+|orig)$", "", name)
    return stem.removeprefix("x").strip("ǁ").replace("ǁ", ".") if "ǁ" in stem else stem.removeprefix("x_")
