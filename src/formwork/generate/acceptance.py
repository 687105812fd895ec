"""The test in stacks that a new project begins with: pytest runs it with Formwork's plugin, whatever the language."""

from formwork.extensions import ExtensionKind
from formwork.generate.plan import PlannedFile, seed
from formwork.generate.templates import TEMPLATES, render_template

ACCEPTANCE_TEST = "tests/test_acceptance.py"
_SAMPLES = {
    ExtensionKind.RESOURCE: "acceptance_sample.py.txt",
    ExtensionKind.HOOK: "acceptance_hook_sample.py.txt",
    ExtensionKind.MODULE: "acceptance_module.py.txt",
}
_EXAMPLE_TARGET = "AWS::S3::Bucket"


def plan_acceptance_test(kind: ExtensionKind, type_name: str, *, sample: bool) -> dict[str, PlannedFile]:
    """Return the test of a new project: with `sample` for the handlers or the fragment that it begins with."""
    if sample:
        return {ACCEPTANCE_TEST: seed(render_template(TEMPLATES / _SAMPLES[kind], {"type_name": type_name}))}
    target = _EXAMPLE_TARGET if kind is ExtensionKind.HOOK else type_name
    text = render_template(TEMPLATES / "acceptance_test.py.txt", {"noun": kind.noun, "target": target})
    return {ACCEPTANCE_TEST: seed(text)}
