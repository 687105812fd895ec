"""Mutants of a Python source."""

import ast

from support.mutation.mutant import Edit, named_mutants, shortened

_COMPARISONS = {
    ast.Eq: "!=", ast.NotEq: "==", ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
# A comparison that is a whole condition is negated; its opposite operator would be the same mutant again.
_OPPOSITES = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)
_MEMBERS = {
    "OperationStatus": {"SUCCESS": "FAILED", "IN_PROGRESS": "SUCCESS"},
    "Action": {"CREATE": "UPDATE", "UPDATE": "CREATE", "DELETE": "READ", "READ": "LIST", "LIST": "DELETE"},
    "HookInvocationPoint": {
        "CREATE_PRE_PROVISION": "UPDATE_PRE_PROVISION",
        "UPDATE_PRE_PROVISION": "DELETE_PRE_PROVISION",
        "DELETE_PRE_PROVISION": "CREATE_PRE_PROVISION",
    },
    "HandlerErrorCode": {"NonCompliant": "InternalFailure"},
}


def mutants_of(source):
    """Every mutant of the source, in the order of their places."""
    found = _Finder(source)
    found.visit(ast.parse(source))
    edits = sorted(found.edits, key=lambda each: (each.start, each.end))
    return named_mutants(
        (each.scope, each.change, source[: each.start] + each.new + source[each.end :]) for each in edits
    )


class _Finder(ast.NodeVisitor):
    """Collects the edits of a tree; type annotations and docstrings have none."""

    def __init__(self, source):
        self.edits = []
        self._source = source
        self._lines = [0]
        for line in source.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        assert source.isascii(), "the tree counts bytes"
        self._scopes = []
        self._statement = None

    # ── where and what ───────────────────────────────────────────────────────────────────────────────────────────────
    def _place(self, node):
        end = self._lines[node.end_lineno - 1] + node.end_col_offset
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.decorator_list:
            first = node.decorator_list[0]
            return self._lines[first.lineno - 1] + first.col_offset - len("@"), end
        return self._lines[node.lineno - 1] + node.col_offset, end

    def _code(self, node):
        start, end = self._place(node)
        return self._source[start:end]

    def _edit(self, node, new, change=None):
        start, end = self._place(node)
        self._add(start, end, new, change or f"`{shortened(self._source[start:end])}` → `{shortened(new)}`")

    def _add(self, start, end, new, change):
        if self._statement is not None:
            change += f" in `{shortened(self._code(self._statement).splitlines()[0])}`"
        self.edits.append(Edit(".".join(self._scopes) or "module", change, start, end, new))

    def visit(self, node):
        around = self._statement
        if isinstance(node, ast.stmt):
            self._statement = node
        super().visit(node)
        self._statement = around

    # ── statements ───────────────────────────────────────────────────────────────────────────────────────────────────
    def generic_visit(self, node):
        for each in _statements_below(node):
            self._delete(each)
        super().generic_visit(node)

    def _delete(self, statement):
        around, self._statement = self._statement, None
        self._edit(statement, "pass", f"delete `{shortened(self._code(statement))}`")
        self._statement = around

    def visit_FunctionDef(self, node):
        self._scopes.append(node.name)
        self._visit_defaults(node.args)
        self._visit_body(node)
        self._scopes.pop()
        for each in node.decorator_list:
            self.visit(each)

    def visit_ClassDef(self, node):
        self._scopes.append(node.name)
        self._visit_body(node)
        self._scopes.pop()

    def _visit_body(self, node):
        inner = ast.Module(body=node.body, type_ignores=[])
        self.generic_visit(inner)

    def _visit_defaults(self, arguments):
        for each in (*arguments.defaults, *filter(None, arguments.kw_defaults)):
            self.visit(each)

    def visit_AnnAssign(self, node):
        if node.value is not None:
            self._value(node.value)
            self.visit(node.value)

    def visit_Assign(self, node):
        self._value(node.value)
        self.generic_visit(node)

    def visit_Return(self, node):
        if node.value is not None:
            self._value(node.value)
            self.visit(node.value)

    def _value(self, value):
        if not (isinstance(value, ast.Constant) and value.value is None):
            self._edit(value, "None")

    def visit_Raise(self, node):
        self.generic_visit(node)
        called = node.exc.func if isinstance(node.exc, ast.Call) else None
        if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
            other = "NotFound" if called.attr == "InvalidRequest" else "InvalidRequest"
            arguments = "('x', 'y')" if other == "NotFound" else "('x')"
            self._edit(node.exc, f"{called.value.id}.{other}{arguments}")

    def visit_Expr(self, node):
        if not _is_docstring(node):
            self.generic_visit(node)

    # ── conditions ───────────────────────────────────────────────────────────────────────────────────────────────────
    def _condition(self, node):
        self._edit(node, f"not ({self._code(node)})", f"negate `{shortened(self._code(node))}`")
        if isinstance(node, ast.BoolOp):
            for each in node.values:
                self._condition(each)

    def visit_If(self, node):
        self._condition(node.test)
        self.generic_visit(node)

    def visit_While(self, node):
        self._condition(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node):
        self._condition(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node):
        for each in node.ifs:
            self._condition(each)
        self.generic_visit(node)

    def visit_BoolOp(self, node):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self._edit(node, ast.unparse(ast.BoolOp(other, node.values)))
        for each in node.values:
            self._edit(node, f"({self._code(each)})")
        self.generic_visit(node)

    def visit_Compare(self, node):
        for place, operator in enumerate(node.ops):
            if len(node.ops) == 1 and isinstance(operator, _OPPOSITES):
                continue
            words = [f"({self._code(node.left)})"]
            for number, (each, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
                words += [_COMPARISONS[type(each)] if number == place else _symbol(each), f"({self._code(right)})"]
            self._edit(node, " ".join(words))
        self.generic_visit(node)

    # ── values ───────────────────────────────────────────────────────────────────────────────────────────────────────
    def visit_Constant(self, node):
        match node.value:
            case bool():
                self._edit(node, str(not node.value))
            case int():
                for each in (node.value - 1, node.value + 1):
                    self._edit(node, str(each))
            case str():
                quote = self._code(node)[-1]  # within an f-string another one would end it
                self._edit(node, quote * 2 if node.value else f"{quote}x{quote}")
            case _:
                pass

    def visit_JoinedStr(self, node):
        self._edit(node, '""')
        for each in node.values:
            if isinstance(each, ast.FormattedValue):
                self.visit(each.value)

    def visit_Attribute(self, node):
        if isinstance(node.value, ast.Name) and node.attr in _MEMBERS.get(node.value.id, {}):
            self._edit(node, f"{node.value.id}.{_MEMBERS[node.value.id][node.attr]}")
        self.generic_visit(node)

    def visit_BinOp(self, node):
        other = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*"}.get(type(node.op))
        if other is not None:
            self._edit(node, f"({self._code(node.left)}) {other} ({self._code(node.right)})")
        self.generic_visit(node)

    def visit_Slice(self, node):
        self._edit(node, ":")
        self.generic_visit(node)

    # ── what may be left out ─────────────────────────────────────────────────────────────────────────────────────────
    def visit_Call(self, node):
        for each in node.keywords:
            if each.arg is not None:
                self._without(node, each, [*node.args, *node.keywords])
        if len(node.args) == 1 and not node.keywords and not isinstance(node.args[0], ast.Starred):
            self._edit(node, f"({self._code(node.args[0])})")
        elif isinstance(node.func, ast.Attribute) and not node.args and not node.keywords:
            self._edit(node, self._code(node.func.value))
        self.generic_visit(node)

    def _without(self, whole, part, parts):
        """Leave out one of several parts, and the comma beside it."""
        index = parts.index(part)
        start, end = self._place(part)
        if index + 1 < len(parts):
            end, _ = self._place(parts[index + 1])
        elif index:
            _, start = self._place(parts[index - 1])
        change = f"`{shortened(self._code(whole))}` without `{shortened(self._code(part))}`"
        self._add(start, end, "", change)

    def visit_Set(self, node):
        self._elements(node)

    def visit_List(self, node):
        self._elements(node)

    def visit_Tuple(self, node):
        if isinstance(node.ctx, ast.Load) and len(node.elts) > 2:  # a pair without one would need its comma
            self._elements(node)
        else:
            self.generic_visit(node)

    def _elements(self, node):
        if len(node.elts) > 1:
            for each in node.elts:
                self._without(node, each, node.elts)
        self.generic_visit(node)

    def visit_Dict(self, node):
        for place, (key, value) in enumerate(zip(node.keys, node.values, strict=True)):
            rest = [
                f"**{self._code(each)}" if name is None else f"{self._code(name)}: {self._code(each)}"
                for number, (name, each) in enumerate(zip(node.keys, node.values, strict=True))
                if number != place
            ]
            what = f"**{self._code(value)}" if key is None else self._code(key)
            change = f"`{shortened(self._code(node))}` without `{shortened(what)}`"
            self._edit(node, f"{{{', '.join(rest)}}}", change)
        self.generic_visit(node)


def _statements_below(node):
    """The statements right below a node that are worth deleting: neither docstrings nor `pass`."""
    lists = [getattr(node, name, None) for name in ("body", "orelse", "finalbody")]
    found = [each for one in lists if isinstance(one, list) for each in one]
    return [each for each in found if not _is_docstring(each) and not isinstance(each, ast.Pass)]


def _symbol(operator):
    written = ast.unparse(ast.Compare(ast.Name("a"), [operator], [ast.Name("b")]))
    return written.removeprefix("a ").removesuffix(" b")


def _is_docstring(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
