"""What the mutation scores of our own code rest on: which mutants count, and what they came to."""

from mutation_score.results import load_explanations, load_results, summarize
from mutation_score.targets import TARGETS
from mutation_score.typed import batches, caused_by_mutants
from mutation_score.workspace import REPOSITORY, Mutant, Workspace, _functions, _plain

MUTATED = """
def x_add__mutmut_orig(a, b):
    return a + b

def x_add__mutmut_1(a, b):
    return a - b

class Sum:
    def xǁSumǁvalue__mutmut_orig(self):
        return 1
    def xǁSumǁvalue__mutmut_1(
        self,
    ):
        return 2
    other = 3
"""


def test_functions_of_a_mutated_file():
    found = _functions(MUTATED)
    assert found["x_add__mutmut_1"][:2] == ["def add(a, b):", "    return a - b"]
    assert found["xǁSumǁvalue__mutmut_1"][-1].strip() == "return 2"
    assert _plain("xǁSumǁvalue__mutmut_orig") == "Sum.value"


def test_an_error_of_types_counts_where_a_mutant_causes_it():
    def error(text, message, severity="error"):
        line = MUTATED.splitlines().index(text) + 1
        return {"line": line, "message": message, "severity": severity}

    elsewhere = error("    other = 3", "an inferred type")
    unchanged = error("    return a + b", "already defined")
    copied = error("    return a - b", "already defined")
    note = error("    return a - b", "see above", "note")
    caused = error("    return a - b", "unsupported operand")
    assert caused_by_mutants(MUTATED, [elsewhere, unchanged, copied, note, caused]) == [caused]


def test_types_are_checked_in_parts():
    found = batches({"a": 2_000_000, "b": 1_000_000, "c": 1, "large": 9_000_000, "d": 5, "e": 6})
    assert found == [["a", "b"], ["c"], ["large"], ["d", "e"]]


def test_a_target_leaves_files_out():
    workspace = Workspace("durable", TARGETS["durable"])
    assert workspace._is_mutated("src/formwork/durable/clock.py")
    assert not workspace._is_mutated("src/formwork/durable/migrations/versions/0001_registry.py")
    assert not workspace._is_mutated("src/formwork/contract/suite.py")
    assert "type_check_command" in workspace._configuration([])
    assert "type_check_command" not in Workspace("migrations", TARGETS["migrations"])._configuration([])


def test_the_words_of_messages_are_left_out():
    assert Mutant("f", ('raise E("no such file")',), ('raise E("XXno such fileXX")',)).is_wording
    assert not Mutant("f", ('get("name")',), ('get("XXnameXX")',)).is_wording
    assert not Mutant("f", ('raise E("no such file", 1)',), ('raise E("no such file", 2)',)).is_wording


def test_types_and_timeouts_count_as_noticed():
    mutant = Mutant("f", ("a",), ("b",))
    verdicts = ["killed", "types", "timeout", "survived", "no test"]
    found = summarize({str(n): (mutant, each) for n, each in enumerate(verdicts)}, 9)
    assert (found["mutants"], found["sampled"], found["killed"], found["by types"]) == (9, 5, 3, 1)
    assert [each["verdict"] for each in found["survived"]] == ["survived", "no test"]


def test_each_target_is_in_the_tree():
    for target in TARGETS.values():
        assert all(any((REPOSITORY / "src/formwork").glob(pattern)) for pattern in target.sources)
        assert all((REPOSITORY / "tests" / each).exists() for each in target.tests)


def test_explanations_are_of_survivors():
    for name, reasons in load_explanations().items():
        survivors = {(each["function"], "\n".join(each["after"])) for each in load_results()[name]["survived"]}
        assert reasons.keys() <= survivors
        assert all(reasons.values())
