"""Completion in shells: the scripts, and what they are answered."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CFN = Path(sys.executable).with_name("cfn")


def completions(line):
    """The words that the shell's function receives for `line`."""
    environment = {"COMP_LINE": line, "COMP_POINT": str(len(line)), "_ARGCOMPLETE": "1", "_ARGCOMPLETE_IFS": "\n"}
    done = subprocess.run(
        ["bash", "-c", f'"{CFN}" 8>&1 9>/dev/null'],
        env={"PATH": "/usr/bin:/bin", **environment},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return [each.strip() for each in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("line", "some"),
    [
        ("cfn ", {"init", "validate", "completion", "--version"}),
        ("cfn val", {"validate"}),
        ("cfn test --rep", {"--report", "--report-file"}),
        ("cfn test --report ", {"text", "json", "junit", "html"}),
        ("cfn registry ", {"list", "describe"}),
        ("cfn invoke --format j", {"json"}),
        ('cfn validate "half', set()),
    ],
)
def test_words_that_may_follow(line, some):
    found = completions(line)
    assert some <= set(found)
    last = line.rpartition(" ")[2]
    assert all(each.startswith(last) for each in found)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_one_that_the_shell_reads(shell):
    script = subprocess.run([CFN, "completion", shell], capture_output=True, text=True, check=True, timeout=60).stdout
    assert "cfn" in script
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed here")
    subprocess.run([shell, "-n"], input=script, text=True, check=True, timeout=60)


def test_bash_completes_with_the_script():
    script = '''eval "$("$0" completion bash)"; COMP_WORDS=(cfn tes); COMP_CWORD=1; COMP_LINE="cfn tes"; COMP_POINT=7
COMP_TYPE=9; PATH=$(dirname "$0"):$PATH; _python_argcomplete cfn; printf '%s\n' "${COMPREPLY[@]}"'''
    done = subprocess.run(["bash", "-c", script, CFN], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == ["test"]


def test_an_unknown_shell_is_refused():
    done = subprocess.run([CFN, "completion", "tcsh"], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "one of bash, zsh, fish" in done.stderr
