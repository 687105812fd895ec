"""Handlers that repeat everything they were given: in messages, logs, contexts, exceptions, in every encoding."""

from support.registry import hook_package, hook_schema, resource_package, resource_schema

VAULT = "Acme::Secret::Vault"
WARDEN = "Acme::Secret::Warden"

# All that is known to a handler, in every encoding, as lines.
TELL = r"""
import base64, html, json, pathlib, sys, traceback, urllib.parse

def leaves(value):
    if isinstance(value, dict):
        for each in value.values():
            yield from leaves(each)
    elif isinstance(value, list):
        for each in value:
            yield from leaves(each)
    elif value is not None:
        yield str(value)

def tell(*known):
    texts = [text for value in known for text in leaves(value) if not text.startswith(("http://", "arn:"))]
    whole = json.dumps(known, ensure_ascii=False)
    lines = [whole, json.dumps(known), json.dumps(whole), repr(known), html.escape(whole), urllib.parse.quote(whole)]
    lines += [base64.b64encode(whole.encode()).decode(), base64.b64encode(b" " + json.dumps(known).encode()).decode()]
    for text in dict.fromkeys(texts):
        raw = text.encode()
        lines += [f"<{text}>", json.dumps(text), repr(text), repr(raw), html.escape(text)]
        lines += [urllib.parse.quote(text), urllib.parse.quote(text, safe=""), urllib.parse.quote_plus(text)]
        lines += [base64.b64encode(b"x" * n + raw + b"y").decode() for n in range(3)]
        lines += [base64.urlsafe_b64encode(b"x" * n + raw + b"y").decode() for n in range(3)]
        lines += [raw.hex(), f"\x1b[31m{text}\x1b[0m", json.dumps(json.dumps({"inner": text}))]
    return "\n".join(lines)

def locals_of(error):
    return "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())
"""

RESOURCE = (
    TELL
    + r"""
STORE = pathlib.Path(%r)

def resource(event, context):
    action, data = event["action"], event["requestData"]
    desired, mode = data["resourceProperties"] or {}, (data["resourceProperties"] or {}).get("Mode", "")
    known = [desired, data.get("previousResourceProperties"), data.get("typeConfiguration"), data.get("callerCredentials")]
    known[3] = {name: each for name, each in (known[3] or {}).items() if name != "accessKeyId"}
    store = json.loads(STORE.read_text()) if STORE.exists() else {}
    told = tell(*known)
    print(told)
    print(told, file=sys.stderr)
    name, verb = desired.get("Name"), action.lower()
    if mode == "raise-" + verb:
        raise RuntimeError(told)
    if mode == "locals-" + verb:
        try:
            secret = dict(desired)
            raise KeyError(told)
        except KeyError as error:
            return {"status": "FAILED", "errorCode": "InternalFailure", "message": locals_of(error)}
    if mode == "fail-" + verb:
        return {"status": "FAILED", "errorCode": "InvalidRequest", "message": told, "resourceModel": desired}
    if mode == "code-" + verb:
        return {"status": "FAILED", "errorCode": desired["Password"], "message": told}
    if mode == "status-" + verb:
        return {"status": told}
    if mode == "wait-" + verb and not event.get("callbackContext"):
        return {"status": "IN_PROGRESS", "callbackDelaySeconds": 0, "callbackContext": {"told": told, "key": {desired["Password"]: 1}},
                "resourceModel": desired, "message": told}
    if action == "LIST":
        return {"status": "SUCCESS", "resourceModels": [{"Name": each} for each in store], "message": told}
    if action == "DELETE":
        store.pop(name, None)
        STORE.write_text(json.dumps(store))
        return {"status": "SUCCESS", "message": told}
    if action in ("CREATE", "UPDATE"):
        store[name] = {**store.get(name, {}), **desired}
        STORE.write_text(json.dumps(store))
    elif name not in store:
        return {"status": "FAILED", "errorCode": "NotFound", "message": told}
    kept = store[name]
    shown = {key: kept[key] for key in ("Name", "Mode", "Label") if key in kept}
    if mode == "drift":
        shown["Label"] = "changed " + kept.get("Label", "")
    return {"status": "SUCCESS", "resourceModel": shown, "message": told}
"""
)

HOOK = (
    TELL
    + r"""
def resource(event, context):
    data = event["requestData"]
    model = data["targetModel"]
    told = tell(model, event["hookModel"])
    print(told)
    mode = (model.get("resourceProperties") or {}).get("Hook", "")
    answer = {"clientRequestToken": event["clientRequestToken"]}
    if mode == "raise":
        raise RuntimeError(told)
    if not event["requestContext"]["callbackContext"]:
        return {**answer, "hookStatus": "IN_PROGRESS", "message": told, "callbackContext": {"told": told}, "callbackDelaySeconds": 0}
    note = {"annotationName": "Told", "status": "FAILED", "remediationMessage": told, "statusMessage": told, "severityLevel": "HIGH"}
    if mode == "fail":
        return {**answer, "hookStatus": "FAILED", "errorCode": "NonCompliant", "message": told, "annotations": [note]}
    return {**answer, "hookStatus": "SUCCESS", "message": told, "annotations": [note]}
"""
)

# The function of a custom resource.
CUSTOM = (
    TELL
    + r"""
import cfnresponse

def handler(event, context):
    properties = event["ResourceProperties"]
    known = {key: value for key, value in properties.items() if key != "ServiceToken"}
    told = tell(known, event.get("OldResourceProperties"))
    print(told)
    if properties.get("Do") == "raise" and event["RequestType"] == "Create":
        raise RuntimeError(told)
    failed = properties.get("Do") == "fail" and event["RequestType"] == "Create"
    status = cfnresponse.FAILED if failed else cfnresponse.SUCCESS
    data = {"Hidden": properties.get("Answer", ""), "Told": "yes"}
    cfnresponse.send(event, context, status, data, "custom-" + properties.get("Do", ""), True, reason=told)
"""
)

_TEXT = {"type": "string"}
_SECRETS = ("Password", "Odd", "Pem", "Document", "Escapes", "Url", "Brief")


def vault_schema(name=VAULT, **more):
    """A type whose secrets stand at every depth."""
    return resource_schema(
        name,
        **{
            "definitions": {
                "Login": {"type": "object", "properties": {"User": _TEXT, "Key": _TEXT}, "additionalProperties": False},
            },
            "properties": {
                "Name": _TEXT,
                "Mode": _TEXT,
                "Hook": _TEXT,
                "Label": _TEXT,
                "Pin": {"type": "integer"},
                **dict.fromkeys(_SECRETS, _TEXT),
                "Nested": {
                    "type": "object",
                    "properties": {"Inner": {"$ref": "#/definitions/Login"}},
                    "additionalProperties": False,
                },
                "Logins": {"type": "array", "insertionOrder": False, "items": {"$ref": "#/definitions/Login"}},
                "Tokens": {"type": "object", "patternProperties": {"^[a-z]+$": _TEXT}, "additionalProperties": False},
            },
            "writeOnlyProperties": [
                *(f"/properties/{each}" for each in (*_SECRETS, "Pin", "Tokens")),
                "/properties/Nested/Inner/Key",
                "/properties/Logins/*/Key",
            ],
            "typeConfiguration": {
                "properties": {
                    "ApiKey": _TEXT,
                    "Access": {
                        "type": "object",
                        "properties": {"Secret": _TEXT, "Token": _TEXT},
                        "additionalProperties": False,
                    },
                    "Stored": {
                        "type": "object",
                        "properties": {"Secure": _TEXT, "Managed": _TEXT, "Whole": _TEXT},
                        "additionalProperties": False,
                    },
                },
                "additionalProperties": False,
            },
            **more,
        },
    )


def vault_package(store, name=VAULT, **more):
    """The package of the type; `store` is the file that its handlers keep resources in."""
    return resource_package(name, schema=vault_schema(name), handlers=RESOURCE % str(store), **more)


def warden_schema(name=WARDEN):
    """A hook on everything."""
    handler = {"targetNames": ["*"], "permissions": []}
    schema = hook_schema(name, handlers=dict.fromkeys(("preCreate", "preUpdate", "preDelete"), handler))
    schema["typeConfiguration"] = {
        "properties": {"ApiKey": _TEXT, "Stored": {"type": "object", "properties": {"Secure": _TEXT}}},
        "additionalProperties": False,
    }
    return schema


def warden_package(name=WARDEN):
    """The package of the hook."""
    return hook_package(name, schema=warden_schema(name), handlers=HOOK)


def vault_properties(canaries, about, **more):
    """Properties of the type with a secret at every place."""
    return {
        "Name": about.replace(" ", "-"),
        "Password": canaries.plant(f"{about}: top level"),
        "Odd": canaries.plant(f"{about}: with characters that are escaped", "quoted"),
        "Pem": canaries.plant(f"{about}: of several lines", "lines"),
        "Document": canaries.plant(f"{about}: parts of a JSON text", "document"),
        "Escapes": canaries.plant(f"{about}: with terminal escapes", "escapes"),
        "Url": f"https://user:{canaries.plant(f'{about}: in a URL')}@example.com/",
        "Brief": canaries.plant(f"{about}: short", "brief"),
        "Pin": canaries.plant(f"{about}: a number", "number"),
        "Nested": {"Inner": {"User": "somebody", "Key": canaries.plant(f"{about}: nested")}},
        "Logins": [
            {"User": "one", "Key": canaries.plant(f"{about}: first item")},
            {"User": "two", "Key": canaries.plant(f"{about}: second item")},
        ],
        "Tokens": {"primary": canaries.plant(f"{about}: in a map")},
        **more,
    }
