"""Which members of its request an operation reads, from the source of the functions that answer it."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FunctionType, MethodType
from typing import Any

_PACKAGE = "formwork.api."
_REFUSALS = ("refuse", "_refuse")
_REQUEST = "request"  # the name of the parameter in every function that reads members


@dataclass(frozen=True)
class ReadMembers:
    """Texts that may name the members of a request: those that are read, and those of them that may be refused."""

    read: frozenset[str]
    refused: frozenset[str]


def read_members(handler: Callable[..., Any]) -> ReadMembers:
    """Return what may name a member that `handler`, or a function of the API that it calls, reads.

    These are `request["X"]`, `request.get("X")` and `"X" in request`; texts that are passed to such functions, which
    may take a member's name; and these with the ends that a function puts behind a name (`f"{name}URL"`). Refused are
    those that are passed to a function `refuse…`, or are the condition of its call.
    """
    reader = _Reader()
    reader.visit(handler)
    with_ends = {f"{name}{end}" for name in reader.passed for end in reader.ends}
    return ReadMembers(frozenset(reader.members | reader.passed | with_ends), frozenset(reader.refused))


class _Reader:
    def __init__(self) -> None:
        self.members: set[str] = set()
        self.refused: set[str] = set()
        self.passed: set[str] = set()
        self.ends: set[str] = set()
        self._seen: set[Any] = set()

    def visit(self, called: Any) -> None:
        """Read a function or a bound method, and what it calls."""
        function = called.__func__ if isinstance(called, MethodType) else called
        if not isinstance(function, FunctionType) or not function.__module__.startswith(_PACKAGE):
            return
        if (key := (function, getattr(called, "__self__", None).__class__)) in self._seen:  # closures share their code
            return
        self._seen.add(key)
        [tree] = ast.parse(textwrap.dedent(inspect.getsource(function))).body
        for default in function.__kwdefaults__ or {}, dict(enumerate(function.__defaults__ or ())):
            self.passed |= {each for each in default.values() if isinstance(each, str)}
        for node in ast.walk(tree):
            self._read(node)
        for each in self._callees(tree, called, function):
            self.visit(each)

    def _read(self, node: ast.AST) -> None:
        if (member := _member(node)) is not None:
            self.members.add(member)
        match node:
            case ast.Call(ast.Name(name)) if name.startswith(_REFUSALS):
                self.refused |= _members(node)
            case ast.If(condition, [ast.Expr(ast.Call(ast.Name(name)))]) if name.startswith(_REFUSALS):
                self.refused |= _members(condition)
            case ast.JoinedStr([ast.FormattedValue(ast.Name()), ast.Constant(str(end))]):
                self.ends.add(end)
            case ast.Call(_, arguments, keywords) if any(_is_request(each) for each in arguments):
                given = [*arguments, *(each.value for each in keywords)]
                self.passed |= {
                    each.value for each in given if isinstance(each, ast.Constant) and isinstance(each.value, str)
                }

    def _callees(self, tree: ast.AST, called: Any, function: FunctionType) -> Iterator[Any]:
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        names = function.__globals__ | {name: cell.cell_contents for name, cell in cells.items()}
        if isinstance(called, MethodType):
            names["self"] = called.__self__
        return (_resolve(node, names) for node in ast.walk(tree) if isinstance(node, ast.Name | ast.Attribute))


def _members(tree: ast.AST) -> set[str]:
    return {member for node in ast.walk(tree) if (member := _member(node)) is not None}


def _member(node: ast.AST) -> str | None:
    """The member of the request that an expression reads."""
    match node:
        case ast.Subscript(ast.Name(name), ast.Constant(str(member))) if name == _REQUEST:
            return member
        case ast.Call(ast.Attribute(ast.Name(name), "get"), [ast.Constant(str(member)), *_]) if name == _REQUEST:
            return member
        case ast.Compare(ast.Constant(str(member)), [ast.In() | ast.NotIn()], [ast.Name(name)]) if name == _REQUEST:
            return member
    return None


def _is_request(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == _REQUEST


def _resolve(node: ast.AST, names: dict[str, Any]) -> Any:
    match node:
        case ast.Name(name):
            return names.get(name)
        case ast.Attribute(base, name):
            return getattr(_resolve(base, names), name, None)
    return None
