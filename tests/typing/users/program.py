# pyright: strict
"""A program of a user: what the public names accept and return; `# refused` marks what type checkers must refuse."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, assert_type

from formwork.contract import ClauseState, ContractReport, Effort, prove_handlers, prove_project
from formwork.generate import (
    ExtensionKind,
    GeneratedFiles,
    Plan,
    Policy,
    plan_models,
    plan_new_project,
    plan_project,
    write_plan,
)
from formwork.package import Architecture, PackageContents, PackageReport, build_package, read_package
from formwork.registry import LocalRegistry, RegisteredExtension, RequestRefusedError, open_registry
from formwork.schema import (
    BadInputError,
    Diagnostic,
    ResourceSchema,
    Severity,
    detect_kind,
    load_resource_schema,
    validate_schema,
)
from formwork.smithy import ParsedModel, format_model, load_model, render_model, select_shapes
from formwork.stacks import DeployedStack, LocalStacks, PlannedChange, StackEvent, open_stacks
from formwork.testing import Checks, CloudFormation, CloudFormationTestCase, HandlerFailure, InProgress, Stack


def schemas(path: Path, value: dict[str, Any]) -> None:
    assert_type(validate_schema(path), list[Diagnostic])
    validate_schema("text")
    validate_schema(b"bytes")
    validate_schema(value)
    validate_schema(7)  # refused: arg-type
    validate_schema(None)  # refused: arg-type
    assert_type(detect_kind(value), ExtensionKind)
    loaded = load_resource_schema(path)
    assert_type(loaded.schema, ResourceSchema | None)
    len(loaded.schema.type_name)  # refused: union-attr
    if loaded.schema is not None:
        assert_type(loaded.schema.type_name, str)
    worst = min((each.severity for each in loaded.diagnostics), key=lambda each: each.rank)
    if worst is Severity.ERROR:
        raise BadInputError(loaded.diagnostics)


def models(path: Path) -> None:
    parsed = load_model(path, "text")
    assert_type(parsed, ParsedModel)
    assert_type(render_model(parsed.model), dict[str, Any])
    assert_type(select_shapes(parsed.model, "service"), list[str])
    assert_type(format_model("text"), str)
    parsed.valid = False  # refused: misc
    load_model(7)  # refused: arg-type


def projects(folder: Path) -> None:
    plan = plan_new_project("Acme::Store::Thing", language="python312", kind=ExtensionKind.RESOURCE)
    assert_type(plan, Plan)
    assert_type(plan["README.md"].policy, Policy)
    plan["README.md"] = plan["template.yml"]  # refused: index
    assert_type(write_plan(plan, folder).created, tuple[str, ...])
    generated = plan_project(folder)
    assert_type(generated, GeneratedFiles)
    plan_project("folder")  # refused: arg-type
    assert_type(plan_models("text", language="go").files, Plan)
    plan_models("text")  # refused: call-arg


def packages(folder: Path) -> None:
    report = build_package(folder, folder / "x.zip", environment=os.environ, architecture=Architecture.ARM64)
    assert_type(report, PackageReport)
    build_package(folder, folder / "x.zip", architecture="arm64")  # refused: arg-type
    contents = read_package(report.path)
    assert_type(contents, PackageContents)
    assert_type(contents.entrypoint, str | None)
    read_package("x.zip")  # refused: arg-type


def contracts(folder: Path) -> None:
    report = prove_project(folder, effort=Effort.THOROUGH, tests=["contract_create_read"])
    assert_type(report, ContractReport)
    proved = [each.clause for each in report.clauses if each.state is ClauseState.PROVED]
    assert_type(proved, list[str])
    for finding in report.findings:
        assert_type(finding.exchanges, tuple[Mapping[str, Any], ...])
    prove_project(folder, effort="thorough")  # refused: arg-type

    def handle(event: dict[str, Any], context: object) -> dict[str, Any]:
        return {"status": "SUCCESS", "resourceModel": event["requestData"]["resourceProperties"]}

    assert_type(prove_handlers(handle, {"typeName": "Acme::Store::Thing"}).passed, bool)
    prove_handlers("handle", {})  # refused: arg-type


class Box:
    schema: Mapping[str, Any] = {"typeName": "Acme::Store::Box"}

    def create(self, model: dict[str, Any]) -> InProgress:
        if not model:
            raise HandlerFailure("InvalidRequest")
        return InProgress(model, {})


def types(folder: Path) -> None:
    with open_registry(folder, account="111122223333") as registry:
        assert_type(registry, LocalRegistry)
        assert_type(registry.register(Box), RegisteredExtension)
        assert_type(registry.types(), tuple[RegisteredExtension, ...])
        registry.set_default("Acme::Store::Box")  # refused: call-arg
        try:
            registry.deregister("Acme::Store::Box")
        except RequestRefusedError as error:
            assert_type(error.code, str)


def deployments(template: Path) -> None:
    with open_stacks() as stacks:
        assert_type(stacks, LocalStacks)
        stacks.registry.register({"typeName": "Acme::Store::Box"})
        shop = stacks.deploy(template, stack="shop", parameters={"Size": 3, "Names": ["a", "b"]})
        assert_type(shop, DeployedStack)
        assert_type(shop.events, tuple[StackEvent, ...])
        assert_type(shop.resources["Box"].properties, dict[str, Any])
        assert_type(stacks.plan(template, stack="shop"), tuple[PlannedChange, ...])
        stacks.deploy(template)  # refused: call-arg
        stacks.deploy(7, stack="shop")  # refused: arg-type


def test_a_box(cloudformation: CloudFormation) -> None:
    cloudformation.register(Box)
    shop = cloudformation.deploy("shop.yml", parameters={"Name": "books"}, checks=Checks(listed=False))
    assert_type(shop, Stack)
    shop.expect_in_place("Box")
    shop.update(parameters={"Name": "novels"})
    assert_type(shop.outputs, dict[str, str])
    Checks(list=False)  # refused: call-arg
    shop.update("shop.yml", {"Name": "novels"})  # refused: misc


class BoxTest(CloudFormationTestCase):
    def test_a_box(self) -> None:
        assert_type(self.cloudformation, CloudFormation)
