"""What pip failed at, and why, read from the output of an old and a new pip."""

import pytest

from formwork.toolchain.pip_output import read_failure

BUILD = """Looking in links: /wheels
Collecting fine==1.0
Processing {name}
  Installing build dependencies: finished with status 'error'
  error: subprocess-exited-with-error

  × {command} did not run successfully.
  │ exit code: 1
  ╰─> [3 lines of output]
      Looking in links: /wheels
      ERROR: Could not find a version that satisfies the requirement no-backend (from versions: none)
      ERROR: No matching distribution found for no-backend
      [end of output]

  note: This error originates from a subprocess, and is likely not a problem with pip.
{end}
"""  # noqa: RUF001 - as pip prints it
OLD_END = "error: subprocess-exited-with-error\n\n\u00d7 pip subprocess did not run successfully.\n\u2570\u2500> See above for output."
NEW_END = "ERROR: Failed to build 'needs-a-backend' when installing build dependencies"


@pytest.mark.parametrize("end", [OLD_END, NEW_END], ids=["pip 23", "pip 26"])
def test_a_source_whose_build_needs_what_is_not_there(end):
    failure = read_failure(BUILD.format(name="needs-a-backend", command="installing build dependencies", end=end))
    assert failure.requirement == "needs-a-backend"
    assert failure.reasons[0] == "installing build dependencies failed"
    assert failure.reasons[-1] == "ERROR: No matching distribution found for no-backend"
    assert "subprocess-exited-with-error" not in "".join(failure.reasons)


def test_a_wheel_that_is_not_built_is_named_though_others_were_collected_after_it():
    output = "Collecting first\nCollecting second\n" + BUILD.format(
        name="third", command="Building wheel for first (pyproject.toml)", end=NEW_END
    )
    assert read_failure(output).requirement == "first"


def test_a_requirement_that_no_index_has():
    output = (
        "Collecting other\n"
        "ERROR: Could not find a version that satisfies the requirement nothing==1 (from other) (from versions: none)\n"
        "ERROR: No matching distribution found for nothing==1 (from other)\n"
    )
    failure = read_failure(output)
    assert failure.requirement == "nothing==1"
    assert len(failure.reasons) == 2


def test_a_repository_that_git_cannot_clone_without_the_credentials():
    output = (
        "Collecting git+https://me:secret@host.invalid/x.git\n"
        "  error: subprocess-exited-with-error\n"
        "  fatal: unable to access 'https://me:secret@host.invalid/x.git/': Could not resolve host\n"
    )
    failure = read_failure(output)
    assert failure.requirement == "git+https://host.invalid/x.git"
    assert failure.reasons == ("fatal: unable to access 'https://host.invalid/x.git/': Could not resolve host",)


def test_silence():
    assert read_failure("").reasons == ("pip printed nothing",)
