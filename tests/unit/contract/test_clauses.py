import re

import pytest

from formwork.contract import permissions
from formwork.contract.requirements import REQUIREMENTS
from formwork.contract_results.clauses import CLAUSES, Level
from support.corpus import FIXTURES

TABLE = FIXTURES.parent / "spec" / "contract-clauses.md"
# Groups that the table, made before them, does not have.
OURS = {"practice", "permissions", "faults"}
ROW = re.compile(r"^\| ([a-z]+\.[a-z.]+) \| (.*) \| (.*) \|$")


@pytest.mark.skipif(not TABLE.is_file(), reason="the clause table is not part of this repository")
def test_the_clauses_are_those_of_the_table():
    rows = [found.groups() for line in TABLE.read_text(encoding="utf-8").splitlines() if (found := ROW.match(line))]
    assert [(each.id, each.text) for each in CLAUSES.values() if each.group not in OURS] == [
        (clause, text) for clause, text, _ in rows
    ]
    for clause, _, level in rows:
        said = level.partition(" ")[0].rstrip(",")
        assert CLAUSES[clause].level == (said if said in set(Level) else Level.MUST)


def test_every_clause_has_a_test_or_a_reason():
    tested = {clause for each in REQUIREMENTS.values() for clause in each.clauses}
    everywhere = {each for each in CLAUSES if each.startswith("event.")}  # judged on every exchange
    by_answer = {"delete.empty", "delete.progress", "read.final", "list.final"}  # judged on every exchange too
    for clause in CLAUSES.values():
        if clause.unprovable is not None or clause.group == "faults":  # judged by runs with failures
            continue
        assert clause.id in tested | everywhere | by_answer | set(permissions.CLAUSES), clause.id


def test_tests_name_clauses_that_exist():
    for each in REQUIREMENTS.values():
        assert set(each.clauses) <= set(CLAUSES), each.name


GUIDE = {
    "contract_create_create", "contract_create_read", "contract_create_delete", "contract_create_list",
    "contract_update_read", "contract_update_list", "contract_update_without_create", "contract_delete_create",
    "contract_delete_update", "contract_delete_read", "contract_delete_list", "contract_delete_delete",
}  # fmt: skip
INCUMBENT = {"contract_create_taggable", "contract_update_tag_updatable", "contract_check_asserts_work"} | {
    f"contract_pre_{each}_{what}"
    for each in ("create", "update", "delete")
    for what in ("success", "failed", "failed_unsupported_target")
}


def test_the_guides_names_and_the_incumbents_are_there():
    assert set(REQUIREMENTS) >= GUIDE | INCUMBENT
