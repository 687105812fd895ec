"""Rewriting an expression of a module's fragment for the template that it is expanded into.

Logical ids, conditions and mappings get the module's prefix; module parameters give way to the values that the using
template sets; everything else stays as it is.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from formwork.template.expressions import Call, Expression, Items, Members, Path, ScalarExpression, literal
from formwork.template.references import SubText, SubVariable, parse_sub
from formwork.template.template import PSEUDO_PARAMETERS


class ExpansionScope(Struct, frozen=True):
    """The names that are defined at one level of expansion.

    `prefix` goes before every name that the fragment declares. `values` are the values of the module's parameters, by
    name; None at the top, where parameters stay parameters. `target` gives for a reference's text (`Name`,
    `Module.Inner`, `Module.Inner.Attribute`) the final logical id and the attribute that is left, or None; `report`
    takes a message and the path of what cannot be resolved.
    """

    prefix: str
    values: Mapping[str, Any] | None
    conditions: frozenset[str]
    mappings: frozenset[str]
    target: Callable[[str], tuple[str, str | None] | None]
    report: Callable[[str, Path], None]

    def rewrite(self, expression: Expression) -> Any:
        """Return the value of `expression` in the expanded template."""
        match expression:
            case ScalarExpression():
                return expression.value
            case Items():
                return [self.rewrite(each) for each in expression.items]
            case Members():
                return {key: self.rewrite(each) for key, each in expression.members.items()}
            case Call():
                return self._call(expression)

    def condition(self, name: str) -> str:
        """Return the final name of a condition."""
        return self.prefix + name if name in self.conditions else name

    def _call(self, call: Call) -> Any:
        match call.function:
            case "Ref":
                return self._ref(call)
            case "Fn::GetAtt":
                return self._get_att(call)
            case "Fn::Sub":
                return self._sub(call)
            case "Fn::If" | "Fn::FindInMap":
                return self._first_renamed(call)
            case "Condition":
                name = literal(call.argument)
                return {"Condition": self.condition(name) if name is not None else self.rewrite(call.argument)}
            case _:
                return {call.function: self.rewrite(call.argument)}

    def _ref(self, call: Call) -> Any:
        name = literal(call.argument)
        if name is None:
            return {"Ref": self.rewrite(call.argument)}
        if name in PSEUDO_PARAMETERS:
            return {"Ref": name}
        if self.values is not None and name in self.values:
            return self.values[name]
        found = self.target(name)
        if found is None:
            if self.values is not None:
                self.report(f'"{name}" is not a parameter or resource of the module', call.argument.path)
            return {"Ref": name}
        return {"Ref": found[0]}

    def _get_att(self, call: Call) -> Any:
        argument = call.argument
        parts = list(argument.items) if isinstance(argument, Items) else [argument]
        texts = [literal(each) for each in parts]
        known = [text for text in texts if text is not None]
        if len(known) == len(texts):
            found = self.target(".".join(known))
            if found is not None and found[1] is not None:
                return {"Fn::GetAtt": [found[0], found[1]]}
        elif texts[0] is not None and (found := self.target(texts[0])) is not None:
            return {"Fn::GetAtt": [found[0], *(self.rewrite(each) for each in parts[1:])]}
        if self.values is not None:
            self.report(f'"{".".join(known)}" is not a resource of the module with an attribute', argument.path)
        return {"Fn::GetAtt": self.rewrite(argument)}

    def _first_renamed(self, call: Call) -> Any:
        argument = call.argument
        if not isinstance(argument, Items) or not argument.items or literal(argument.items[0]) is None:
            return {call.function: self.rewrite(argument)}
        name = literal(argument.items[0]) or ""
        known = self.conditions if call.function == "Fn::If" else self.mappings
        rest = [self.rewrite(each) for each in argument.items[1:]]
        return {call.function: [self.prefix + name if name in known else name, *rest]}

    def _sub(self, call: Call) -> Any:
        argument = call.argument
        own: dict[str, Any] = {}
        text = argument
        if isinstance(argument, Items) and argument.items:
            text = argument.items[0]
            if len(argument.items) > 1 and isinstance(argument.items[1], Members):
                own = {key: self.rewrite(each) for key, each in argument.items[1].members.items()}
        written = literal(text)
        if written is None:
            return {"Fn::Sub": self.rewrite(argument)}
        parts = [self._sub_part(part, own, text.path) for part in parse_sub(written)]
        rendered = "".join(parts)
        return {"Fn::Sub": [rendered, own]} if own else {"Fn::Sub": rendered}

    def _sub_part(self, part: SubText | SubVariable, own: dict[str, Any], path: Path) -> str:
        if isinstance(part, SubText):
            return _escape(part.text)
        whole = part.name if part.attribute is None else f"{part.name}.{part.attribute}"
        if whole in own or whole in PSEUDO_PARAMETERS:
            return "${" + whole + "}"
        if part.attribute is None and self.values is not None and part.name in self.values:
            return self._sub_value(part.name, own)
        found = self.target(whole)
        if found is None:
            if self.values is not None:
                self.report(f'"${{{whole}}}" is not a parameter or resource of the module', path)
            return "${" + whole + "}"
        return "${" + (found[0] if found[1] is None else f"{found[0]}.{found[1]}") + "}"

    def _sub_value(self, name: str, own: dict[str, Any]) -> str:
        assert self.values is not None
        value = self.values[name]
        if isinstance(value, (str, int, float)) and not isinstance(value, bool):
            return _escape(str(value))
        if isinstance(value, dict) and set(value) == {"Ref"} and isinstance(value["Ref"], str):
            return "${" + value["Ref"] + "}"
        own[name] = value  # a variable of this Fn::Sub's own
        return "${" + name + "}"


def _escape(text: str) -> str:
    return text.replace("${", "${!")
