"""`cfn test --faults`: the calls of real handler processes fail, and processes are killed."""

import json

import pytest

from support.fault_widgets import OPTIONS, PLANTED, make_widget
from support.handler_projects import make_project
from support.namespaces import needs_namespaces

pytestmark = needs_namespaces
BULBS = "POST api.lamps.example/v1/lamps/{}/bulbs"


def fault_of(widget, name):
    (found,) = [each for each in PLANTED[widget] if each.name == name]
    return found


def run(desk, project, widget, *words):
    return desk.cfn("test", *OPTIONS[widget], "--seed", "1", *words, cwd=project, timeout=120)


@pytest.fixture(scope="module")
def lamp(tmp_path_factory):
    return make_widget(tmp_path_factory.mktemp("sound") / "thing", "lamp")


def test_sound_handlers_keep_the_clauses(desk, lamp):
    done = run(desk, lamp, "lamp", "--faults", "throttle,5xx,reset,denied,expired,stale", "--report", "json")
    report = json.loads(done.out)
    assert (done.code, report["findings"]) == (0, [])
    assert {each["state"] for each in report["clauses"]} == {"proved"}
    assert run(desk, lamp, "lamp", "--faults", "create/POST api.lamps.example/v1/desks#1/reset").code == 0


def test_a_killed_create_is_delivered_again(desk, tmp_path):
    project = make_widget(tmp_path / "thing", "lamp", fault_of("lamp", "the service is not told the token"))
    done = run(desk, project, "lamp", "--faults", f"create/{BULBS}#1/kill-after")
    assert done.code == 1
    assert f"✗ faults.once: CREATE, killed after `{BULBS}`: made more than once: /lamps " in done.out, done.out
    assert "no answer in" in done.out
    assert f"replay:   cfn test --seed 1 --faults 'create/{BULBS}#1/kill-after'" in done.out


def test_what_moto_is_left_with_is_named(desk, tmp_path):
    project = make_widget(tmp_path / "thing", "role", fault_of("role", "the token of a create is not kept"))
    done = run(desk, project, "role", "--faults", "create/iam CreateRole#1/kill-after")
    assert done.code == 1
    assert (
        "✗ faults.leak: CREATE, killed after `iam CreateRole`: the same request again is FAILED with AlreadyExists"
        in done.out
    )
    assert "and this is left behind: iam roles " in done.out


def test_handlers_that_call_nothing_are_told_so(desk, tmp_path):
    project = make_project(tmp_path / "thing")
    done = desk.cfn("test", "--faults", cwd=project)
    assert "no call leaves the handlers, as far as the gate sees: nothing was injected" in done.out, done.out
    assert "0 tests" in done.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--faults", "loud"], '--faults: "loud" is not a kind of failure'),
        (["--faults", "make/a#1/reset"], '--faults: "make/a#1/reset" is not a scenario'),
        (["--faults", "--simulated"], "--simulated cannot be used with --faults"),
        (["--faults", "--jobs", "2"], "--jobs cannot be used with --faults"),
        (["--faults", "--aws", "real"], "--faults cannot be used with real AWS"),
        (["--faults", "all", "-k", "create"], "-k and pytest's arguments cannot be used with --faults"),
        (["--faults", "all", "--record", "calls"], "--record cannot be used with --faults"),
    ],
)
def test_what_does_not_go_with_it_is_refused(desk, lamp, words, said):
    done = desk.cfn("test", *words, cwd=lamp)
    assert (done.code, said in done.err) == (2, True), str(done)
