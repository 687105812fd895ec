"""The tools by name: what each is for, its arguments, and the command of `cfn` that it is."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from formwork.agents import arguments as schemas
from formwork.agents import plans
from formwork.agents.folders import AllowedFolders
from formwork.agents.plans import Arguments, CommandPlan


class AgentTool(Struct, frozen=True):
    """One tool: `plan` makes its command (None: no command), `runs` says which code it runs (None: none)."""

    name: str
    description: str
    properties: Mapping[str, Any]
    required: tuple[str, ...] = ()
    plan: Callable[[Arguments, AllowedFolders], CommandPlan] | None = None
    runs: str | None = None
    reads_only: bool = False
    destroys: bool = False

    @property
    def text(self) -> str:
        """The description for clients, which says first that code is run."""
        if self.runs is None:
            return self.description
        return f"Runs code: {self.runs}, on this machine. Ask the user, then set confirm to true. {self.description}"

    @property
    def input_schema(self) -> dict[str, Any]:
        """The JSON Schema of the arguments."""
        confirm = {} if self.runs is None else {"confirm": schemas.confirm(self.runs)}
        return {
            "type": "object",
            "properties": {**self.properties, **confirm},
            "required": list(self.required),
            "additionalProperties": False,
        }


_TEMPLATE = {
    "stack": schemas.STACK,
    "template": schemas.TEMPLATE,
    "parameters": schemas.PARAMETERS,
    "capabilities": schemas.CAPABILITIES,
}

TOOLS: Mapping[str, AgentTool] = {
    each.name: each
    for each in (
        AgentTool(
            "validate",
            "Check a project's folder or a schema file (`cfn validate`): all problems, each with its code, "
            "line, pointer and fix.",
            {"path": schemas.PATH},
            plan=plans.validate,
            reads_only=True,
        ),
        AgentTool(
            "explain",
            "Say what a diagnostic code (such as schema.readonly-required) or a clause of the handler "
            "contract (such as create.echo) means.",
            {"code": schemas.CODE},
            ("code",),
            reads_only=True,
        ),
        AgentTool(
            "scaffold",
            "Start a project in a folder, which is made (`cfn init`). With sample: true its handlers work. A "
            "schema of the type's name that the folder already has is kept, and handlers are written for it.",
            schemas.SCAFFOLD,
            ("project", "type_name"),
            plan=plans.scaffold,
        ),
        AgentTool(
            "generate",
            "Write models, documentation and the role's template from the schema (`cfn generate`); handlers "
            "and tests are kept. Call it after each change of the schema.",
            {"project": schemas.PROJECT},
            ("project",),
            plan=plans.generate,
        ),
        AgentTool(
            "contract_tests",
            "Test the handlers against CloudFormation's handler contract (`cfn test`). Answers with the "
            "verdict, the findings (clause, message, differences, last exchanges, replay command) and the "
            "clauses that are not proved. AWS calls are refused, or answered by moto.",
            schemas.CONTRACT_TESTS,
            ("project",),
            plan=plans.contract_tests,
            runs="the project's handlers",
        ),
        AgentTool(
            "read_report",
            "Read the report of the last contract_tests of a project: all of it within bounds, or one clause "
            "with each exchange.",
            {"project": schemas.PROJECT, "clause": schemas.CODE},
            ("project",),
            reads_only=True,
        ),
        AgentTool(
            "register",
            "Package the project and register it on this machine (`cfn submit --local`), as the default version.",
            {"project": schemas.PROJECT},
            ("project",),
            plan=plans.register,
            runs="the build of the project's package",
        ),
        AgentTool(
            "deploy",
            "Create a stack on this machine, or update it to a template (`cfn stack deploy --local`), and "
            "wait for its end.",
            _TEMPLATE,
            ("stack", "template"),
            plan=plans.with_template("deploy"),
            runs="the handlers, hooks and macros that the template names",
            destroys=True,
        ),
        AgentTool(
            "diff",
            "Show what deploying a template would change, by a change set that is removed (`cfn stack diff "
            "--local`). The exit code is 1 where something would.",
            _TEMPLATE,
            ("stack", "template"),
            plan=plans.with_template("diff"),
            runs="the hooks and macros that the template names",
        ),
        AgentTool(
            "drift",
            "Compare a stack's resources with its template (`cfn stack drift --local`). The exit code is 1 "
            "where one differs.",
            {"stack": schemas.STACK},
            ("stack",),
            plan=plans.of_stack("drift", "--format=json"),
            runs="the read handlers of the stack's resources",
        ),
        AgentTool(
            "events",
            "Show the events of a stack on this machine, oldest first (`cfn stack events --local`). A server "
            "that this starts resumes operations that were interrupted.",
            {"stack": schemas.STACK},
            ("stack",),
            plan=plans.of_stack("events", "--format=json"),
            reads_only=True,
        ),
        AgentTool(
            "delete",
            "Delete a stack on this machine with its resources (`cfn stack delete --local`).",
            {"stack": schemas.STACK},
            ("stack",),
            plan=plans.of_stack("delete", "--yes"),
            runs="the delete handlers of the stack's resources",
            destroys=True,
        ),
    )
}
