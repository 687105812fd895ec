"""What `--log-file` holds: input, lines and output of the handlers, by test and invocation, secrets masked."""

from formwork.contract.suite import collect, run_suite
from formwork.contract_results.report.logs import render_logs
from formwork.contract_results.test_result import TestResult
from formwork.invoke import Exchange
from formwork.invoke.answer import Answer, AnswerProblem, ProblemKind
from formwork.simulate import Simulator
from support.contract_subjects import subject_of
from support.shapes import SHAPES

SECRET = "hunter2-hunter2"


def exchange(action, log, event):
    request = {
        "action": action,
        "requestData": {
            "resourceProperties": {"Name": "n"},
            "providerCredentials": {"secretAccessKey": SECRET},
        },
    }
    problem = None if event else AnswerProblem(ProblemKind.FUNCTION_ERROR, "it died")
    return Exchange(request, Answer(b"", log=log), event, problem)


def logs(*tests):
    schema = SHAPES["named"]()
    subject = subject_of(Simulator(schema, seed=1), schema)
    results = [TestResult(name, (), tuple(exchanges), (), 0.1) for name, exchanges in tests]
    return render_logs(collect(subject, results))


def test_each_block_names_the_test_the_action_and_the_status():
    found = logs(
        (
            "contract_b",
            [exchange("CREATE", "made\nit\n", {"status": "SUCCESS"}), exchange("READ", "", {"status": "FAILED"})],
        ),
        ("contract_a", [exchange("DELETE", "Traceback\n", None)]),
    )
    created, read, deleted = found.split("== ")[1:]
    assert created.startswith("contract_b: CREATE SUCCESS\nrequest: {")
    assert '"desired": {"Name": "n"}' in created
    assert created.endswith('\nmade\nit\nanswer: {"status": "SUCCESS"}\n')
    assert read.endswith('}\nanswer: {"status": "FAILED"}\n')
    assert deleted.startswith("contract_a: DELETE no event\n")
    assert deleted.endswith('Traceback\nanswer: "(it died)"\n')


def test_secrets_of_requests_are_masked():
    found = logs(("contract_a", [exchange("CREATE", f"key {SECRET}", {"status": "SUCCESS"})]))
    assert SECRET not in found
    assert "key ********" in found


def test_handlers_that_write_nothing_are_logged_with_their_input_and_output():
    schema = SHAPES["named"]()
    found = render_logs(run_suite(subject_of(Simulator(schema, seed=1), schema), names=["contract_create_read"]))
    assert found.count("request: ") == found.count("answer: ") == found.count("== ") > 1
