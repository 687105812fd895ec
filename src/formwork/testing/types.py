"""The types of an account, as Cloud Control shows their resources."""

import json
from collections.abc import Mapping
from typing import Any


class AccountTypes:
    """Schemas of types, and what their handlers list and read; `client` makes a boto3 client of a service."""

    def __init__(self, client: Any, known: dict[str, dict[str, Any]]) -> None:
        """`known` are the schemas of AWS's types, which all accounts share."""
        self._client = client
        self._known = known
        self._registered: dict[str, dict[str, Any]] = {}
        self._unreadable: set[str] = set()  # schemas of AWS's types have a handler that moto does not

    def forget(self, type_name: str) -> None:
        """Forget the schema of a type, of which another version is registered."""
        self._registered.pop(type_name, None)

    def schema(self, type_name: str) -> dict[str, Any]:
        """Return the schema of a type, {} for one without."""
        import botocore.exceptions  # noqa: PLC0415 - optional

        known = self._known if type_name.startswith("AWS::") else self._registered
        if type_name not in known:
            try:
                answer = self._client("cloudformation").describe_type(Type="RESOURCE", TypeName=type_name)
                known[type_name] = json.loads(answer.get("Schema") or "{}")
            except botocore.exceptions.ClientError:
                known[type_name] = {}
        return known[type_name]

    def lists(self, type_name: str) -> bool:
        """Return whether a type's resources are listed: it has a LIST handler, and is not CloudFormation's own."""
        if type_name.startswith(("AWS::CloudFormation::", "Custom::")):
            return False
        return "list" in self.schema(type_name).get("handlers", {})

    def lists_by_model(self, type_name: str) -> bool:
        """Return whether the LIST handler needs properties of the resource's parent."""
        handler = self.schema(type_name).get("handlers", {}).get("list", {})
        return bool(handler.get("handlerSchema", {}).get("required"))

    def reads(self, type_name: str) -> bool:
        """Return whether Cloud Control can read a type's resources."""
        return type_name not in self._unreadable and "read" in self.schema(type_name).get("handlers", {})

    def listed(self, type_name: str, model: Mapping[str, Any] | None = None) -> frozenset[str] | None:
        """Return the identifiers that the LIST handler answers, None where it can't be asked."""
        import botocore.exceptions  # noqa: PLC0415 - optional

        more = {} if model is None else {"ResourceModel": json.dumps(self._asked(type_name, model))}
        found: set[str] = set()
        try:
            pages = self._client("cloudcontrol").get_paginator("list_resources").paginate(TypeName=type_name, **more)
            for page in pages:
                found |= {each["Identifier"] for each in page["ResourceDescriptions"]}
        except botocore.exceptions.ClientError as error:
            if error.response["Error"]["Code"] == "UnsupportedActionException":
                return None
            raise
        return frozenset(found)

    def _asked(self, type_name: str, model: Mapping[str, Any]) -> dict[str, Any]:
        required = self.schema(type_name)["handlers"]["list"]["handlerSchema"]["required"]
        return {name: model[name] for name in required if name in model}

    def delete(self, type_name: str, identifier: str) -> None:
        """Delete a resource, and wait for the end."""
        client = self._client("cloudcontrol")
        request = client.delete_resource(TypeName=type_name, Identifier=identifier)["ProgressEvent"]["RequestToken"]
        waiter = client.get_waiter("resource_request_success")
        waiter.wait(RequestToken=request, WaiterConfig={"Delay": 1, "MaxAttempts": 3600})

    def read(self, type_name: str, identifier: str) -> dict[str, Any] | None:
        """Return the properties that the READ handler answers, None where it finds nothing or there is none."""
        client = self._client("cloudcontrol")
        try:
            answer = client.get_resource(TypeName=type_name, Identifier=identifier)
        except client.exceptions.ResourceNotFoundException:
            return None
        except client.exceptions.UnsupportedActionException:
            self._unreadable.add(type_name)
            return None
        found: dict[str, Any] = json.loads(answer["ResourceDescription"]["Properties"])
        return found
