"""CloudFormation templates: read with places, typed, checked, and printed unchanged; module fragments and expansion.

It knows neither the registry nor the file system: what a module's name stands for is asked of a resolver passed in.
"""

from formwork.template.dynamic import DynamicReference, DynamicReferenceError, parse_dynamic_references
from formwork.template.expressions import (
    Call,
    Expression,
    Items,
    Members,
    ScalarExpression,
    build_expression,
    literal,
    to_value,
    walk,
)
from formwork.template.parameters import check_parameter_value, is_list_type, stand_in_value
from formwork.template.read import FORMAT_VERSION, ReadTemplate, read_template
from formwork.template.references import Reference, ReferenceKind, parse_sub, references_in
from formwork.template.render import render_json, render_yaml
from formwork.template.resolution import dependencies
from formwork.template.template import PSEUDO_PARAMETERS, Output, Parameter, Resource, Rule, Template

__all__ = [
    "FORMAT_VERSION",
    "PSEUDO_PARAMETERS",
    "Call",
    "DynamicReference",
    "DynamicReferenceError",
    "Expression",
    "Items",
    "Members",
    "Output",
    "Parameter",
    "ReadTemplate",
    "Reference",
    "ReferenceKind",
    "Resource",
    "Rule",
    "ScalarExpression",
    "Template",
    "build_expression",
    "check_parameter_value",
    "dependencies",
    "is_list_type",
    "literal",
    "parse_dynamic_references",
    "parse_sub",
    "read_template",
    "references_in",
    "render_json",
    "render_yaml",
    "stand_in_value",
    "to_value",
    "walk",
]
