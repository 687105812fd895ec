"""Evaluating a template's expressions.

Source: CloudFormation user guide, "Intrinsic function reference", "Pseudo parameters" and "Conditions".
"""

from formwork.template.bounds import MAX_TEMPLATE_BYTES, TOO_LARGE
from formwork.template.evaluation.environment import Environment, EvaluationError
from formwork.template.evaluation.functions import FUNCTIONS
from formwork.template.evaluation.values import ABSENT, UNKNOWN, Value
from formwork.template.expressions import Call, Expression, Items, Members, Path, ScalarExpression
from formwork.template.template import PSEUDO_PARAMETERS, Output, Resource, Rule, Template

# What functions may make, in characters: one text as much as a whole template may have, and all those of one resource
# or output together a few times that. A chain of calls can name the same text again and again.
_MAX_BUILT = 4 * MAX_TEMPLATE_BYTES


class Evaluator:
    """Evaluates expressions of one template in one environment; conditions are evaluated once."""

    def __init__(self, template: Template, environment: Environment) -> None:
        self.template = template
        self.environment = environment
        self._conditions: dict[str, bool] = {}
        self._open: list[str] = []
        self._built = 0

    def value(self, expression: Expression) -> Value:
        """Return the value of an expression; ABSENT where it is `AWS::NoValue` as a whole.

        Raises:
            EvaluationError: it has none.
        """
        match expression:
            case ScalarExpression():
                return expression.value
            case Items():
                found = (self.value(each) for each in expression.items)
                return [each for each in found if each is not ABSENT]
            case Members():
                pairs = ((key, self.value(each)) for key, each in expression.members.items())
                return {key: each for key, each in pairs if each is not ABSENT}
            case Call():
                return self._call(expression)

    def condition(self, name: str, path: Path = ()) -> bool:
        """Return whether the condition holds.

        Raises:
            EvaluationError: there is no such condition, it refers to itself, or it has no value.
        """
        if name not in self._conditions:
            expression = self.template.conditions.get(name)
            if expression is None:
                raise EvaluationError(f"Template error: unresolved condition dependency {name}", path)
            if name in self._open:
                listed = ", ".join(sorted({*self._open[self._open.index(name) :]}))
                raise EvaluationError(f"Circular dependency between conditions: [{listed}]", path)
            self._open.append(name)
            try:
                self._conditions[name] = self.truth(expression)
            finally:
                self._open.pop()
        return self._conditions[name]

    def truth(self, expression: Expression) -> bool:
        """Return the value of a condition's expression.

        Raises:
            EvaluationError: the value is not a boolean.
        """
        value = self.value(expression)
        if isinstance(value, bool):
            return value
        if value in ("true", "false"):
            return bool(value == "true")
        raise EvaluationError("Template error: every condition must evaluate to true or false", expression.path)

    def exists(self, declared: Resource | Output) -> bool:
        """Return whether the resource or output is there: it has no condition, or one that holds."""
        return declared.condition is None or self.condition(declared.condition, declared.path)

    def properties(self, resource: Resource) -> dict[str, Value]:
        """Return the resource's properties.

        Raises:
            EvaluationError: one has no value.
        """
        self._built = 0
        value = {} if resource.properties is None else self.value(resource.properties)
        return value if isinstance(value, dict) else {}

    def output(self, output: Output) -> Value:
        """Return the output's value.

        Raises:
            EvaluationError: it has none.
        """
        self._built = 0
        return self.value(output.value)

    def check_size(self, characters: int, path: Path) -> None:
        """Refuse what is too large before it is built.

        Raises:
            EvaluationError: a text of so many characters is too large.
        """
        if characters > MAX_TEMPLATE_BYTES or self._built > _MAX_BUILT:
            raise EvaluationError(TOO_LARGE, path)

    def failed_assertions(self, rule: Rule) -> tuple[str, ...]:
        """Return what a rule has against the parameters: the description of each assertion that does not hold."""
        if rule.condition is not None and not self.truth(rule.condition):
            return ()
        return tuple(
            description or f"Rule {rule.name} is violated"
            for assertion, description in rule.assertions
            if not self.truth(assertion)
        )

    def reference(self, name: str, path: Path) -> Value:
        """Return what `Ref` of the name gives."""
        if name == "AWS::NoValue":
            return ABSENT
        if name in PSEUDO_PARAMETERS:
            return self.environment.pseudo.get(name, UNKNOWN)
        if name in self.environment.parameters:
            return self.environment.parameters[name]
        self._expect(name, path)
        return self.environment.resources.reference(name)

    def attribute(self, name: str, attribute: str, path: Path) -> Value:
        """Return what `Fn::GetAtt` of the resource's attribute gives."""
        if name not in self.template.resources:
            raise EvaluationError(f"Template error: instance of Fn::GetAtt references undefined resource {name}", path)
        resource = self._expect(name, path)
        try:
            return self.environment.resources.attribute(name, attribute)
        except KeyError:
            place = "/" + "/".join(map(str, path))
            raise EvaluationError(
                f"[Error] {place}: Resource type {resource.type} does not support attribute {{{attribute}}}.", path
            ) from None

    def _expect(self, name: str, path: Path) -> Resource:
        """Return a resource that is there; what outputs say of another is put in other words, as the service does."""
        resource = self.template.resources.get(name)
        if resource is not None and self.exists(resource):
            return resource
        block = str(path[0]) if path else "Resources"
        words = f"Unresolved resource dependencies [{name}] in the {block} block of the template"
        raise EvaluationError(words if block == "Outputs" else f"Template format error: {words}", path)

    def _call(self, call: Call) -> Value:
        function = FUNCTIONS.get(call.function)
        if function is None:
            raise EvaluationError(f"Template error: {call.function} is only known to a transform", call.path)
        value = function(self, call)
        size = _size(value)
        self._built += size
        self.check_size(size, call.path)
        return value


def _size(value: Value) -> int:
    if isinstance(value, str):
        return len(value)
    return sum(len(each) + 1 for each in value if isinstance(each, str)) if isinstance(value, list) else 0
