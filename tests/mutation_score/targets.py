"""The packages whose mutation score is measured, each with the tests that must notice a change in it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """`sources` are patterns below src/formwork, but not `without`; `tests` are paths below tests/, or node ids.

    `typed`: mypy judges mutants too, before the tests.
    """

    sources: tuple[str, ...]
    tests: tuple[str, ...]
    without: tuple[str, ...] = ()
    typed: bool = True


TARGETS = {
    "signature": Target(
        ("api/signature.py",),
        ("unit/api", "security/test_signed_requests.py"),
    ),
    "documents": Target(
        ("documents/*",),
        (
            "unit/documents",
            "unit/schema/test_fetching.py",
            "unit/schema/test_fixes.py",
            "unit/schema/test_references.py",
            "unit/template/test_read.py",
            "unit/toolchain/test_reactor.py",
            "unit/languages/java/test_runtime_version.py",
        ),
    ),
    # Three quarters of the mutants are in the scripts that make tables, so these have a score of their own; mutmut
    # takes 9 GB to find the mutants of 11 MB that mypy refuses, all of which the tests notice too.
    "durable": Target(("durable/*",), ("unit/durable",), without=("durable/migrations/*",)),
    "migrations": Target(
        ("durable/migrations/*",), ("unit/durable/test_schema.py", "unit/durable/test_migrations.py"), typed=False
    ),
    "operations": Target(("engine/operations/*",), ("unit/engine", "unit/service_types")),
    "store": Target(("stacks/store/*",), ("unit/stacks", "unit/engine")),
    "registry": Target(("registry/*",), ("unit/registry",)),
    "contract": Target(
        ("contract/*", "contract_results/*"),
        (
            "unit/contract",
            "unit/cli",
            "unit/languages/python/test_line_recorder.py",
            "e2e/test_contract_in_own_tests.py",
            "security/test_terminal_escapes.py",
        ),
    ),
}
