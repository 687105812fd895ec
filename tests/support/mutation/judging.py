"""Judging a mutant by `cfn test`."""

import re

KILLED = "killed"  # exit 1, with the clause that is violated, or the action whose operation was given up on
WARNED = "warned"  # exit 0, with a warning under a clause that SHOULD be kept
SURVIVED = "survived"
_GAVE_UP = re.compile(r"gave up on \w+")


def judge(prover, project, source, mutant, *, explained=False):
    """What becomes of a mutant, such as `killed: create.applied`; the project is as it was after it.

    What the sample's own inputs do not show is tried with others, unless it is `explained`: they count where a clause is
    violated, since the samples leave it to the schema to refuse most invalid inputs, which is worth a warning.
    """
    project.apply(source, mutant)
    try:
        verdict = prover.test(project.root)
        others = project.other_inputs() if verdict.is_quiet and not explained else ()
        for each in others:
            project.forget()
            with each as options:
                other = prover.test(project.root, *options)
            verdict = verdict if other.code == 0 else other
        return told(verdict)
    finally:
        project.restore(source)


def told(verdict):
    """A verdict of `cfn test` in a word, with the first clause that it reports."""
    if verdict.code == 1 and verdict.violated:
        return f"{KILLED}: {verdict.violated[0]}"
    if verdict.code == 1 and (given_up := _GAVE_UP.search(verdict.report)) is not None:
        return f"{KILLED}: {given_up[0]}"
    if verdict.code == 0:
        return f"{WARNED}: {verdict.warned[0]}" if verdict.warned else SURVIVED
    return f"exit {verdict.code}: {verdict.report.strip()[-300:]}"


def outcome(told):
    """What is the same in each run: which clause is violated first may vary."""
    return told.partition(": ")[0]
