"""As much of `aws_cdk`, `constructs` and `jsii` as generated constructs in Python use: the real ones are 430 MB."""

import contextlib
import importlib
import sys
import types

from formwork.cdk import plan_constructs
from formwork.generate.write import write_plan


class _Token:
    @staticmethod
    def is_unresolved(value):
        return isinstance(value, str) and value.startswith("${Token[")

    @staticmethod
    def as_string(value):
        return "${Token[attribute]}" if value else ""

    as_number = as_list = as_string


class _TagManager:
    def __init__(self, kind, type_name):
        self.kind = kind
        self.extra = {}

    def has_tags(self):
        return bool(self.extra)

    def render_tags(self, tags):
        if self.kind == "MAP":
            return {**(tags or {}), **self.extra}
        own = {each["key"]: each["value"] for each in tags or []} | self.extra
        return [{"key": key, "value": value} for key, value in sorted(own.items())]


class _Resource:
    def __init__(self, scope, logical_id, **_):
        self.node = types.SimpleNamespace(path=f"Stack/{logical_id}")
        self.logical_id = logical_id

    def get_att(self, name, hint=None):
        return types.SimpleNamespace(__jsii_ref__=name)


@contextlib.contextmanager
def python_constructs(constructs, folder):
    """Write and import the modules of constructs over the fakes: `{type name: class}`."""
    write_plan(plan_constructs(constructs, "python"), folder / "generated_constructs")
    fakes = {name: types.ModuleType(name) for name in ("aws_cdk", "constructs", "jsii")}
    fakes["aws_cdk"].__dict__.update(
        CfnResource=_Resource,
        CfnTag=type("CfnTag", (), {}),
        Fn=types.SimpleNamespace(ref=lambda name: f"ref:{name}"),
        ITaggableV2=object,
        ResolutionTypeHint=types.SimpleNamespace(STRING=1, NUMBER=2, STRING_LIST=3),
        TagManager=_TagManager,
        TagType=types.SimpleNamespace(STANDARD="STANDARD", MAP="MAP"),
        Token=_Token,
    )
    fakes["constructs"].Construct = object
    fakes["jsii"].implements = lambda *_: lambda made: made
    fakes["jsii"].member = lambda **_: lambda made: made
    before = {name: sys.modules.get(name) for name in fakes}
    sys.modules |= fakes
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield {
            each.type_name: getattr(
                importlib.import_module(f"generated_constructs.{each.type_name.replace('::', '_').lower()}"),
                each.class_name,
            )
            for each in constructs
        }
    finally:
        sys.path.remove(str(folder))
        for name in [each for each in sys.modules if each.partition(".")[0] == "generated_constructs"]:
            del sys.modules[name]
        for name, module in before.items():
            sys.modules.pop(name)
            if module is not None:
                sys.modules[name] = module
