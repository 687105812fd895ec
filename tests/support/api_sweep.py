"""Every operation that describes, lists or gets something, called for everything that a server has."""

import itertools
import json

from botocore.exceptions import ClientError, ParamValidationError

_VERBS = ("Describe", "List", "Get", "BatchDescribe", "Detect", "Estimate")


def sweep(client, known):
    """(operation with its arguments, answer as text) of each call; `known` has the values of members by name.

    Required members are given every known value, members of which one must be given as well (`StackName`, which no
    model requires). What a service refuses is an answer too.
    """
    model = client.meta.service_model
    for name in model.operation_names:
        if not name.startswith(_VERBS):
            continue
        shape = model.operation_model(name).input_shape
        members = {} if shape is None else shape.members
        required = [] if shape is None else shape.required_members
        wanted = [each for each in members if each in known and (each in required or each in known["always"])]
        for values in itertools.product(*(known[each] for each in wanted)):
            given = dict(zip(wanted, values, strict=True))
            yield from _call(client, name, given)


def _call(client, name, given):
    method = getattr(client, _snake(name, client))
    where = f"{client.meta.service_model.service_name}:{name} {json.dumps(given, default=str)}"
    for _page in range(20):
        try:
            answer = method(**given)
        except ParamValidationError:
            return
        except ClientError as error:
            yield where, json.dumps(error.response, default=str, ensure_ascii=False)
            return
        if hasattr(answer.get("Body"), "read"):
            answer["Body"] = answer["Body"].read().decode(errors="replace")
        yield where, json.dumps(answer, default=str, ensure_ascii=False)
        if not answer.get("NextToken"):
            return
        given = {**given, "NextToken": answer["NextToken"]}


def _snake(name, client):
    return next(each for each, operation in client.meta.method_to_api_mapping.items() if operation == name)
