"""Whatever pages, messages and generated files have users install is a file of ours, or a project that was looked at.

A name that is no one's on a package index can be registered by anyone, and then runs on the machines of those who follow
a page: our own distributions are on no index.
"""

import functools
import re

import pytest

from support.corpus import REPOSITORY

# Name → whose it is.
REVIEWED = {
    "pip": {
        "aws-cdk-lib": "AWS",
        "aws-sam-translator": "AWS",
        "boto3": "AWS",
        "cryptography": "the Python Cryptographic Authority",
        "debugpy": "Microsoft",
        "pytest": "the pytest developers",
    },
    "npm": {
        "aws-cdk-lib": "AWS",
        "cdk": "AWS: a program of aws-cdk, which projects have as a dependency",
        "typescript": "Microsoft",
        "tsc": "a program of typescript, which projects have as a dependency",
    },
    "go": {
        "github.com/aws-cloudformation/cloudformation-cli-go-plugin": "AWS",
        "github.com/go-delve/delve/cmd/dlv": "Delve",
    },
}
# A path, not a name: the checkout, a wheel, a file of requirements.
OURS = re.compile(
    r"\.(?:\[[a-z,]+\]|\[\{extra\}\])?|\./tools/formwork_cfn-[0-9.]+-py3-none-any\.whl|\$ACTION_PATH\[[a-z,]+\]"
)
COMMANDS = {
    "pip": re.compile(r"\b(?:pip3?|pipx|uv pip|uv tool) install\b(?! (?:from|over|it)\b)((?:[^`\n)#,;]|,(?! ))*)"),
    "uvx": re.compile(r"\buvx\b((?:[^`\n)#,;]|,(?! ))*)"),
    "npm": re.compile(r"\b(?:npm (?:install|i|add)|npx|yarn add|pnpm add)\b(?! what\b)((?:[^`\n)#,;]|,(?! ))*)"),
    "go": re.compile(r"\bgo (?:get|install)\b((?:[^`\n)#,;]|,(?! ))*)"),
}
PLACES = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "ARCHITECTURE.md",
    "action.yml",
    "docs",
    "examples",
    "src",
    "runtime",
)
SUFFIXES = {".md", ".py", ".ts", ".go", ".yml", ".yaml", ".toml", ".json", ".txt"}


@functools.cache
def texts():
    return list(_texts())


def _texts():
    for place in PLACES:
        root = REPOSITORY / place
        for path in sorted(root.rglob("*")) if root.is_dir() else [root]:
            parts = path.relative_to(REPOSITORY).parts
            if path.suffix in SUFFIXES and path.is_file() and not {"node_modules", "dist", "decisions"} & set(parts):
                yield path, path.read_text(encoding="utf-8")


def names_in(kind, text):
    """The packages that the commands of `kind` in a text install."""
    for found in COMMANDS[kind].finditer(text):
        words = re.sub(r"[\"'*]", " ", found[1]).split()
        start = text[: found.start()].rpartition("\n")[2].strip()
        whole = start in {"", "$", "- run:", "-"} or start.endswith("`")  # else words of the sentence follow
        skip = False
        for word in words:
            if skip or word in {"-r", "--requirement", "--prefix", "-p", "--build"}:
                skip = not skip
            elif not re.search(r"[\w.]", word) or word.startswith(("-", "<")):
                continue
            elif kind in {"pip", "uvx"} and OURS.fullmatch(word):
                if not whole:
                    break
            elif not set(word) & set("{}"):
                yield word if kind == "uvx" else re.split(r"@(?=v|latest|\d)|==|>=", word)[0]
                if kind != "pip" or not whole:
                    break  # what follows is prose, or the program's own arguments


def all_names(kind):
    return {(name, str(path.relative_to(REPOSITORY))) for path, text in texts() for name in names_in(kind, text)}


@pytest.mark.parametrize("kind", REVIEWED)
def test_names_are_those_that_were_looked_at(kind):
    found = all_names(kind)
    assert {each for each in found if each[0] not in REVIEWED[kind]} == set()
    assert {name for name, _path in found} == set(REVIEWED[kind]), "a reviewed name that no page has any more"


def test_uvx_runs_the_checkout_alone():
    for path, text in texts():
        for line in re.findall(r"^.*\buvx (?!formwork-cfn` run).*$", text, re.MULTILINE):
            assert "uvx --from . formwork-cfn" in line or path.name == "pyproject.toml", (path, line)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("`pip install formwork-cfn`", ["formwork-cfn"]),
        ("say pip install 'formwork-cfn[serve]' now", ["formwork-cfn[serve]"]),
        ("pip install --quiet -r requirements.txt a", ["a"]),
        ("pip install '.[serve]' # here", []),
        ("`pip install` from a checkout", []),
        ("run pip install one, and go on", ["one"]),
        ("hint: pip install one brings it", ["one"]),
        ("$ pip install one two", ["one", "two"]),
        ("say `pip install one two`", ["one", "two"]),
    ],
)
def test_names_are_found(text, names):
    assert list(names_in("pip", text)) == names


def test_actions_and_hooks_of_workflows_are_github_s_own_or_have_no_address():
    """A repository that someone else could register runs in the user's pipeline, with its secrets."""
    used = set()
    for path, text in texts():
        if path.suffix in {".md", ".yml", ".yaml"}:
            used |= set(re.findall(r"^\s*- (?:uses|repo): (.+)$", text, re.MULTILINE))
    assert used
    assert {each for each in used if not re.fullmatch(r"(actions|github)/[a-z/-]+@v\d+|<where .*", each)} == set()


def test_what_our_own_metadata_installs_was_locked():
    """Extras and base: `make install` has them all, so each name resolved to a project whose hash was recorded."""
    from supply.lock import parse_lock
    from supply.pins import LOCK, required_by

    locked = {pin.key for pin in parse_lock(LOCK.read_text(encoding="utf-8"))}
    asked = {each.name.lower().replace("_", "-") for requirements in required_by().values() for each in requirements}
    assert asked <= locked
