"""Plans the files of constructs: a module per type, and the one that they share."""

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct, field

from formwork.cdk.constructs import Construct
from formwork.cdk.templates import TEMPLATES
from formwork.cdk.typescript import SUPPORT, render_typescript
from formwork.extensions import hyphenated_name, package_name
from formwork.generate.plan import Plan, managed, seed


class CdkLanguage(Struct, frozen=True):
    """How a language's modules are rendered and named."""

    render: Callable[[Construct], str]
    file_name: Callable[[str], str]
    support: str
    seeds: Mapping[str, str] = field(default_factory=dict)


def _python(construct: Construct) -> str:
    from formwork.cdk.python import render_python  # noqa: PLC0415 - one of two languages is used

    return render_python(construct)


CDK_LANGUAGES = {
    "typescript": CdkLanguage(render_typescript, lambda name: f"{hyphenated_name(name)}.ts", f"{SUPPORT}.ts"),
    "python": CdkLanguage(_python, lambda name: f"{package_name(name)}.py", "formwork_cdk.py", {"__init__.py": ""}),
}


def plan_constructs(constructs: Iterable[Construct], language: str) -> Plan:
    """Return the files of some constructs in a language of `CDK_LANGUAGES`, for one folder.

    Raises:
        KeyError: the language is not one of them.
    """
    chosen = CDK_LANGUAGES[language]
    support = (TEMPLATES / f"{chosen.support}.txt").read_text(encoding="utf-8")
    files = {chosen.file_name(each.type_name): managed(chosen.render(each)) for each in constructs}
    seeds = {name: seed(text) for name, text in chosen.seeds.items()}
    return {chosen.support: managed(support), **seeds, **files}
