"""Running `cfn test` many times: in processes forked from one that has imported everything, with caches for all."""

import json
from dataclasses import dataclass

from support.forked import run_command

# Handlers may let `cfn test` wait for what never comes; most are judged within seconds.
_SECONDS = 300
_SEED = 7


@dataclass(frozen=True)
class ContractVerdict:
    """How `cfn test` ended: its exit code, the clauses violated and warned of, all that it wrote."""

    code: int
    violated: tuple[str, ...]
    warned: tuple[str, ...]
    report: str

    @property
    def is_quiet(self):
        """Whether there was nothing to say."""
        return self.code == 0 and not self.violated and not self.warned


class Prover:
    """Runs `cfn` with an environment of its own."""

    def __init__(self, environment):
        self._environment = environment

    def cfn(self, *words, cwd):
        """Run `cfn`; its exit code, what it printed and what it said."""
        done = run_command(words, cwd=cwd, env=self._environment, timeout=_SECONDS)
        return done.returncode, done.stdout, done.stderr

    def expect(self, *words, cwd):
        """Run `cfn`, which must succeed."""
        code, printed, said = self.cfn(*words, cwd=cwd)
        assert code == 0, printed + said

    def test(self, root, *options):
        """The verdict of `cfn test`, which stops at the first violation, on the project in `root`."""
        words = ("test", "--seed", str(_SEED), "--no-coverage", "--report", "json", *options, "--", "-x")
        code, printed, said = self.cfn(*words, cwd=root)
        report = json.loads(printed) if printed.startswith("{") else {"clauses": []}
        states = {each["id"]: each["state"] for each in report["clauses"]}
        violated, warned = (
            tuple(name for name, each in states.items() if each == word) for word in ("violated", "warned")
        )
        return ContractVerdict(code, violated, warned, printed + said)
