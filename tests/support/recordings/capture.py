"""The life of a stack that most change sets were recorded in: made, updated and deleted, each by a change set.

The names under which the answers were recorded tell what was asked when.
"""

_SORTED = {"Changes": "ResourceChange.LogicalResourceId"}  # as they were recorded


def capture_steps(update, recorded):
    """The steps from `first` to `second`, in the order of the recording; `between` stands before the update."""
    parameters = update.get("parameters", [{}, {}])
    settings = {
        "1": _asked("CREATE", update["first"], parameters[0], recorded),
        "2": _asked("UPDATE", update["second"], parameters[1], recorded),
    }
    seen = set()
    for name in recorded:
        if name == "create-change-set-2":
            yield from update.get("between", [])
        made = f"create-{name.removeprefix('describe-').removesuffix('-prop-values')}"
        if name.startswith("describe-change-set") and made not in (*recorded, *seen):  # made, but not recorded
            seen.add(made)
            if made.endswith("2"):
                yield from update.get("between", [])
            yield from _steps(made, settings, recorded)
        yield from _steps(name, settings, recorded)


def _asked(kind, template, parameters, recorded):
    """The capabilities given are told by the recording alone."""
    told = next((each for name, each in recorded.items() if name.startswith("describe-change-set")), {})
    return {
        "Capabilities": told.get("Capabilities", []),
        "StackName": "stack-1",
        "ChangeSetName": "change-set-1",
        "ChangeSetType": kind,
        "TemplateBody": template,
        "Parameters": [{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()],
    }


def _steps(name, settings, recorded):
    kind, _, rest = name.partition("-change-set-")
    describes = {"call": "DescribeStacks", "with": {"StackName": "%stack%"}, "show": "Stacks[0]", "keep": name}
    match kind:
        case "create":
            made = {"set": "Id", "stack": "StackId"}
            yield {"call": "CreateChangeSet", "with": settings[rest], "save": made, "keep": name}
        case "describe":
            asked = {"ChangeSetName": "%set%", "IncludePropertyValues": rest.endswith("prop-values")}
            yield {"call": "DescribeChangeSet", "with": asked, "sort": _SORTED, "keep": name}
        case "execute":
            yield {"call": "ExecuteChangeSet", "with": {"ChangeSetName": "%set%"}, "keep": name}
        case "post-create-1-describe" | "post-create-2-describe":
            yield describes
        case "delete-describe":
            yield {"call": "DeleteStack", "with": {"StackName": "%stack%"}}
            yield describes
        case "per-resource-events":
            yield {"events": {"stack": "%stack%", **_shown(recorded[name])}, "keep": name}


def _shown(recorded):
    """How events were recorded: as they are; or in short, without the clean-up's and at first without deletions."""
    if "Stack" not in recorded:
        return {"cut": False}
    statuses = {each["ResourceStatus"] for events in recorded.values() for each in events}
    deletions = {"DELETE_IN_PROGRESS", "DELETE_COMPLETE"}
    left_out = [] if statuses & deletions else sorted(deletions)
    unnamed = any(events[0]["PhysicalResourceId"] == "" for events in recorded.values())
    return {"cut": True, "newest": not unnamed, "without": ["UPDATE_COMPLETE_CLEANUP_IN_PROGRESS", *left_out]}
