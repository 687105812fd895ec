"""About the suite itself."""

from formwork.contract.requirement import proves
from formwork.contract.resource_case import ResourceTestCase


@proves(needs=(), provable_where="nothing", refuted_by="the suite records no finding where it makes one")
def contract_check_asserts_work(test: ResourceTestCase) -> None:
    """The suite's own judgement works: it does not rest on `assert`, which `python -O` strips."""
    before = len(test.record.findings)
    test.violate("event.object", "a finding that the suite makes to see that it can")
    if len(test.record.findings) != before + 1:
        raise RuntimeError("the suite records no findings")
    test.record.findings.pop()
