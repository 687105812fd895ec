"""What `make install` and the build server install is what was locked, file by file."""

import hashlib
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from packaging.utils import canonicalize_name
from supply.auditing import audit
from supply.closure import closure
from supply.lock import parse_lock
from supply.pins import CONSTRAINTS, LOCK, REPOSITORY, Pin, PinError, parse_pins, required_by

from support.wheels import make_wheel

BACKEND = """
import zipfile

def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    name = "own-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel_directory + "/" + name, "w") as wheel:
        wheel.writestr("own.py", "")
        wheel.writestr("own-1.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: own\\nVersion: 1.0\\n")
        wheel.writestr("own-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr("own-1.0.dist-info/RECORD", "")
    return name
"""


@pytest.fixture(scope="module")
def locked():
    return parse_lock(LOCK.read_text(encoding="utf-8"))


@pytest.mark.acceptance
def test_make_install_refuses_a_file_with_another_hash(tmp_path):
    """The Makefile itself, on a project of one dependency; the right hash afterwards shows what made it fail."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    wheel = make_wheel(wheels, "harmless")
    project = tmp_path / "project"
    for folder in ("src", "runtime/python/src"):
        (project / folder).mkdir(parents=True)
    (project / "Makefile").write_text((REPOSITORY / "Makefile").read_text(encoding="utf-8"))
    (project / "backend.py").write_text(BACKEND)
    (project / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
        '[project]\nname = "own"\nversion = "1.0"\n'
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "MAKE", "MFLAGS"))}
    environment |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "PIP_CONFIG_FILE": os.devnull}

    def install(digest, python):
        (project / "requirements.lock").write_text(f"harmless==1.0 \\\n    --hash=sha256:{digest}\n")
        argv = ["make", f"PYTHON={python}", "install"]
        done = subprocess.run(
            argv, cwd=project, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
        installed = list((project / ".venv").glob("lib/python3*/site-packages/harmless"))
        return done.returncode, done.stderr, bool(installed)

    code, said, installed = install("0" * 64, sys.executable)
    assert code != 0
    assert "DO NOT MATCH THE HASHES" in said
    assert not installed
    # `true` makes no environment: the one that is there is used.
    code, said, installed = install(hashlib.sha256(wheel.read_bytes()).hexdigest(), "true")
    assert code == 0, said
    assert installed


def test_the_lock_has_the_pins_of_constraints_txt(locked):
    pins = parse_pins(CONSTRAINTS.read_text(encoding="utf-8"))
    assert tuple(locked) == pins, "run `make lock`"


def test_the_lock_names_no_index(locked):
    """Nor an option of pip's: each line is a pin or a hash, which `parse_lock` checks."""
    assert locked
    for path in (LOCK, CONSTRAINTS, REPOSITORY / "Makefile", *(REPOSITORY / "supply").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"https?://|--(extra-)?index-url|--find-links|--trusted-host", text), path


@pytest.mark.parametrize(
    "text",
    [
        "a==1.0\n",
        "a>=1.0 --hash=sha256:" + "0" * 64,
        "a --hash=sha256:" + "0" * 64,
        "a==1.0 --hash=md5:" + "0" * 32,
        "a==1.0 --hash=sha256:" + "0" * 63,
        "--index-url there\na==1.0 --hash=sha256:" + "0" * 64,
        "a==1.0 --hash=sha256:" + "0" * 64 + " --hash=sha1:00",
    ],
)
def test_a_line_without_version_and_hashes_is_no_lock(text):
    with pytest.raises(PinError):
        parse_lock(text)


@pytest.mark.parametrize("part", required_by())
def test_all_that_is_needed_is_locked_on_every_python_and_platform(part, locked):
    """Computed from the metadata of what is installed, so without an index."""
    versions = {pin.key: pin.version for pin in locked}
    wrong = [
        f"{need.by} needs {need.requirement}, locked is {versions.get(need.key, 'nothing')}"
        for need in closure(required_by()[part], part)
        if not need.requirement.specifier.contains(versions.get(need.key, "0"), prereleases=True)
        or need.key not in versions
    ]
    assert wrong == [], "pin it in constraints.txt and run `make lock install`"


def test_nothing_else_is_locked(locked):
    needed = {need.key for part, requirements in required_by().items() for need in closure(requirements, part)}
    assert {pin.key for pin in locked} - needed == set()


def test_what_is_installed_here_is_what_is_locked(locked):
    installed = {canonicalize_name(each.metadata["Name"]): each.version for each in importlib.metadata.distributions()}
    assert {pin.key: installed.get(pin.key) for pin in locked} == {pin.key: pin.version for pin in locked}


def test_the_build_server_installs_nothing_without_hashes():
    """Each command in its scripts, and in what the tests install from, that has pip or npm bring something."""
    bringing = re.compile(r"\b(?:install|ci|download|wheel)\b")
    commands = []
    for path in ("Makefile", ".ci/run", ".ci/toolchains"):
        text = (REPOSITORY / path).read_text(encoding="utf-8").replace("\\\n", " ")
        [locked] = re.findall(r"^LOCKED := (.*)$", text, re.MULTILINE) or [""]
        text = text.replace("$(LOCKED)", locked)
        commands += [
            line for line in text.splitlines() if re.search(r"\b(?:pip|PIP|npm)\b", line) and bringing.search(line)
        ]
    # Of npm, `ci` alone installs what its lock names; a local folder without an index has nothing of others.
    safe = ("--require-hashes", "--no-index", "npm ci", "apt_install", "uninstall")
    assert len(commands) >= 4
    assert [line for line in commands if not any(each in line for each in safe)] == []


def advisory(name, **more):
    return {"id": name, "summary": "bad", "fixed_in": ["2.0"], **more}


def test_an_advisory_that_was_not_reviewed_is_a_finding():
    a, b = Pin("a", "1.0"), Pin("b", "1.0")
    assert audit({a: (), b: None}, {}) == ()
    [line] = audit({a: (advisory("X-1"),), b: ()}, {})
    assert line == "a 1.0: X-1, fixed in 2.0: bad"
    assert audit({a: (advisory("X-1", aliases=["CVE-1"]),)}, {"CVE-1": "not called"}) == ()
    [line] = audit({a: ()}, {"CVE-1": "not called"})
    assert "CVE-1" in line


class FakeIndex(BaseHTTPRequestHandler):
    """An index with release `locked` 1.0, a yanked one, and the JSON API for `locked` alone."""

    def do_GET(self):
        digest = {"hashes": {"sha256": "ab" * 32}}
        files = [
            {"filename": "locked-1.0-py3-none-any.whl", "url": "../../locked-1.0-py3-none-any.whl", **digest},
            {"filename": "locked-1.0.tar.gz", "url": "../../locked-1.0.tar.gz", "hashes": {"sha256": "cd" * 32}},
            {"filename": "locked-1.1.tar.gz", "url": "../../locked-1.1.tar.gz", **digest},
        ]
        yanked = [{"filename": "yanked-1.0.tar.gz", "url": "../../yanked-1.0.tar.gz", "yanked": "broken", **digest}]
        answers = {
            "/simple/locked/": {"meta": {"api-version": "1.0"}, "name": "locked", "files": files},
            "/simple/yanked/": {"meta": {"api-version": "1.0"}, "name": "yanked", "files": yanked},
            "/pypi/locked/1.0/json": {
                "info": {"version": "1.0"},
                "vulnerabilities": [advisory("X-1"), advisory("X-2", withdrawn="2026-01-01")],
            },
            "/pypi/yanked/json": {"info": {"version": "2.0"}, "vulnerabilities": []},
        }
        body = json.dumps(answers.get(self.path, {})).encode()
        self.send_response(200 if self.path in answers else 404)
        self.send_header("Content-Type", "application/vnd.pypi.simple.v1+json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_words):
        pass


ASK = """
from supply.index import IndexProblemError, open_index
from supply.pins import Pin
with open_index() as index:
    locked, yanked = Pin("locked", "1.0"), Pin("yanked", "1.0")
    print([(file.name, file.sha256[:2]) for file in index.files(locked)])
    for pin in (yanked, Pin("locked", "3.0"), Pin("absent", "1.0")):
        try:
            print(index.files(pin))
        except IndexProblemError as error:
            print(error)
    print([each["id"] for each in index.vulnerabilities(locked)], index.vulnerabilities(yanked))
"""


def test_the_index_that_pip_is_configured_with_is_asked(tmp_path):
    server = ThreadingHTTPServer(("127.0.0.1", 0), FakeIndex)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
    environment |= {
        "PIP_INDEX_URL": f"http://127.0.0.1:{server.server_port}/simple/",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_CACHE_DIR": "1",
        "NO_PROXY": "127.0.0.1",
    }
    try:
        argv = [sys.executable, "-c", ASK]
        done = subprocess.run(
            argv, cwd=REPOSITORY, env=environment, capture_output=True, text=True, timeout=60, check=False
        )
    finally:
        server.shutdown()
        server.server_close()
    assert done.stdout.splitlines() == [
        "[('locked-1.0-py3-none-any.whl', 'ab'), ('locked-1.0.tar.gz', 'cd')]",
        "yanked-1.0.tar.gz was yanked by its authors: broken",
        "the package index has no files of locked 3.0",
        "the package index has no files of absent 1.0",
        "['X-1'] None",
    ], done.stderr


def test_wheels_for_every_python_are_locked(locked):
    """A release whose files are one wheel for one platform would fail elsewhere: binary ones have many files."""
    binary = {"cffi", "cryptography", "pydantic-core", "regex", "rpds-py", "sqlalchemy"}
    counts = {pin.key: len(digests) for pin, digests in locked.items()}
    assert {name for name in binary if counts[name] < 20} == set()
