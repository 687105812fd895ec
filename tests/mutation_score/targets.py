"""The packages whose mutation score is measured, each with the tests that must notice a change in it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """`sources` are patterns below src/formwork, but not `without`; `tests` are paths below tests/, or node ids."""

    sources: tuple[str, ...]
    tests: tuple[str, ...]
    without: tuple[str, ...] = ()


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
    # Three quarters of the mutants are in the scripts that make tables, so these have a score of their own.
    "durable": Target(("durable/*",), ("unit/durable",), without=("durable/migrations/*",)),
    "migrations": Target(("durable/migrations/*",), ("unit/durable/test_migrations.py", "unit/durable/test_schema.py")),
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
