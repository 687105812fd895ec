"""Resource types whose handlers call services, sound or with one planted fault of handling each.

The sound handlers are files of `data/fault_widgets/`; a planted fault replaces pieces of their text.
"""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from support.handler_projects import SCHEMA, make_project

FOLDER = Path(__file__).parents[1] / "data" / "fault_widgets"


@dataclass(frozen=True)
class Planted:
    """A fault: what of the sound text is replaced by what, the clause that it breaks, and the call to be named."""

    name: str
    pieces: tuple[tuple[str, str], ...]
    clause: str
    call: str


def planted(name, old, new, clause, call, *more):
    """One fault; `more` are further pieces, old and new in turns."""
    return Planted(name, ((old, new), *zip(more[::2], more[1::2], strict=True)), clause, call)


def _schema(properties, identifier, **members):
    schema = {
        name: value
        for name, value in SCHEMA.items()
        if name not in {"definitions", "readOnlyProperties", "writeOnlyProperties"}
    }
    return {
        **schema,
        "properties": properties,
        "primaryIdentifier": [f"/properties/{identifier}"],
        **members,
    }


WORD = {"type": "string", "pattern": "^[a-z]{8,12}$"}
SCHEMAS = {
    "role": _schema(
        {"Name": WORD, "Comment": WORD, "Reach": {"type": "string", "enum": ["Object", "ObjectAcl", "Bucket*"]}},
        "Name",
        createOnlyProperties=["/properties/Name"],
        required=["Name", "Comment", "Reach"],
    ),
    "note": _schema(
        {"Id": {"type": "string"}, "Title": WORD, "Text": WORD, "Password": {**WORD, "minLength": 8}},
        "Id",
        readOnlyProperties=["/properties/Id"],
        writeOnlyProperties=["/properties/Password"],
        required=["Title", "Text", "Password"],
    ),
    "lamp": _schema(
        {
            "Id": {"type": "string"},
            "Name": WORD,
            "Color": WORD,
            "Watts": {"type": "integer", "minimum": 1, "maximum": 99},
        },
        "Id",
        readOnlyProperties=["/properties/Id"],
        createOnlyProperties=["/properties/Watts"],
        required=["Name", "Color", "Watts"],
    ),
}
# What `cfn test` needs for the services that a widget calls.
OPTIONS = {
    "role": ("--aws", "moto"),
    "note": ("--aws", "moto"),
    "lamp": ("--stub", f"api.lamps.example={FOLDER / 'lamps.yaml'}"),
}

_ROLE = (
    planted(
        "a throttle is no code that is retried",
        '    "Throttling": "Throttling",\n',
        "",
        "faults.code",
        "iam CreateRole",
    ),
    planted(
        "a failure of the service is called an invalid request",
        '"InternalFailure": "ServiceInternalError"',
        '"InternalFailure": "InvalidRequest"',
        "faults.code",
        "iam PutRolePolicy",
    ),
    planted(
        "a denial is called a failure of the service",
        '"AccessDenied": "AccessDenied"',
        '"AccessDenied": "ServiceInternalError"',
        "faults.code",
        "iam GetRole",
    ),
    planted(
        "expired credentials are called a denial",
        '"ExpiredToken": "InvalidCredentials"',
        '"ExpiredToken": "AccessDenied"',
        "faults.code",
        "iam DeleteRole",
    ),
    planted(
        "connections that break are not handled",
        "except botocore.exceptions.HTTPClientError:",
        "except ZeroDivisionError:",
        "faults.code",
        "iam UpdateRole",
    ),
    planted(
        "a read that is throttled says NotFound",
        'def read(iam, desired, token, event):\n    return success(described(iam, desired["Name"]))',
        'def read(iam, desired, token, event):\n    try:\n        return success(described(iam, desired["Name"]))\n'
        '    except botocore.exceptions.ClientError:\n        raise Refused("NotFound", "no such role") from None',
        "faults.code",
        "iam GetRolePolicy",
    ),
    planted(
        "a throttled policy is forgotten",
        '    iam.put_role_policy(RoleName=name, PolicyName="inline", PolicyDocument=POLICY % desired["Reach"])\n    for _',
        "    with contextlib.suppress(botocore.exceptions.ClientError):\n"
        '        iam.put_role_policy(RoleName=name, PolicyName="inline", PolicyDocument=POLICY % desired["Reach"])\n    for _',
        "faults.success",
        "iam PutRolePolicy",
    ),
    planted(
        "a change that fails is forgotten",
        '    iam.update_role(RoleName=name, Description=desired["Comment"])\n',
        '    with contextlib.suppress(Exception):\n        iam.update_role(RoleName=name, Description=desired["Comment"])\n',
        "faults.success",
        "iam UpdateRole",
    ),
    planted(
        "a read makes up what it does not get",
        '    policy = iam.get_role_policy(RoleName=name, PolicyName="inline")["PolicyDocument"]\n',
        '    try:\n        policy = iam.get_role_policy(RoleName=name, PolicyName="inline")["PolicyDocument"]\n'
        '    except Exception:\n        policy = {"Statement": [{"Action": "s3:GetNothing"}]}\n',
        "faults.success",
        "iam GetRolePolicy",
    ),
    planted(
        "a list that fails is empty",
        '    names = [role["RoleName"] for page in pages for role in page["Roles"]]\n',
        '    try:\n        names = [role["RoleName"] for page in pages for role in page["Roles"]]\n'
        "    except Exception:\n        names = []\n",
        "faults.success",
        "iam ListRoles",
    ),
    planted(
        "the token of a create is not kept",
        "        if found != tags:\n            raise",
        "        if found:\n            raise",
        "faults.leak",
        "iam CreateRole",
    ),
    planted(
        "a retried create finds its own role",
        '        found = iam.list_role_tags(RoleName=name)["Tags"]\n        if found != tags:\n            raise',
        "        if True:\n            raise",
        "faults.recovery",
        "iam PutRolePolicy",
    ),
    planted(
        "a create that fails does not say what it made",
        '    if model.get("Name") and code not in ("AlreadyExists", "NotFound"):\n',
        "    if False:\n",
        "faults.leak",
        "iam PutRolePolicy",
    ),
    planted(
        "a role that can't be deleted is forgotten",
        "    iam.delete_role(RoleName=name)\n",
        "    with contextlib.suppress(Exception):\n        iam.delete_role(RoleName=name)\n",
        "faults.leak",
        "iam DeleteRole",
    ),
    planted(
        "a delete does not bear that a part is gone",
        '    with contextlib.suppress(iam.exceptions.NoSuchEntityException):\n        iam.delete_role_policy(RoleName=name, PolicyName="inline")\n',
        '    iam.delete_role_policy(RoleName=name, PolicyName="inline")\n',
        "faults.leak",
        "iam DeleteRolePolicy",
    ),
    planted(
        "an update that fails removes the role",
        '    iam.put_role_policy(RoleName=name, PolicyName="inline", PolicyDocument=POLICY % desired["Reach"])\n    return',
        "    try:\n"
        '        iam.put_role_policy(RoleName=name, PolicyName="inline", PolicyDocument=POLICY % desired["Reach"])\n'
        "    except Exception:\n        delete(iam, desired, token, event)\n        raise\n    return",
        "faults.lost",
        "iam PutRolePolicy",
    ),
    planted(
        "a role that does not show yet is an error",
        "        except iam.exceptions.NoSuchEntityException:\n            time.sleep(0.05)\n",
        "        except ZeroDivisionError:\n            time.sleep(0.05)\n",
        "faults.recovery",
        "iam GetRole",
    ),
    planted(
        "a role that does not show is waited for without an end",
        "    for _ in range(10):\n        try:\n            iam.get_role(RoleName=name)\n",
        "    while True:\n        try:\n            iam.get_role(RoleName=name)\n",
        "faults.end",
        "iam GetRole",
        "        except iam.exceptions.NoSuchEntityException:\n            time.sleep(0.05)\n",
        "        except Exception:\n            time.sleep(0.05)\n",
    ),
    planted(
        "the handler is called again without an end",
        "        except iam.exceptions.NoSuchEntityException:\n            time.sleep(0.05)\n",
        '        except Exception:\n            return {"status": "IN_PROGRESS", "resourceModel": desired, "callbackContext": {}}\n',
        "faults.end",
        "iam GetRole",
        "    try:\n        iam.create_role(",
        '    try:\n        event.get("callbackContext") is None and iam.create_role(',
    ),
    planted(
        "credentials are in the message",
        '"the call failed: " + code_of(error)',
        '"the call failed for " + event["requestData"]["callerCredentials"]["secretAccessKey"]',
        "faults.secret",
        "iam CreateRole",
    ),
)
_NOTE = (
    planted(
        "S3's throttle is not known",
        '    "SlowDown": "Throttling",\n',
        "",
        "faults.code",
        "s3 PutObject",
    ),
    planted(
        "DynamoDB's throttle is not known",
        '    "ThrottlingException": "Throttling",\n',
        "",
        "faults.code",
        "dynamodb PutItem",
    ),
    planted(
        "every failure is an internal one",
        'code = CODES.get(error.response["Error"]["Code"], "GeneralServiceException")',
        'code = "InternalFailure"',
        "faults.code",
        "dynamodb GetItem",
    ),
    planted(
        "S3's failure is called a conflict",
        '    "InternalFailure": "ServiceInternalError",\n',
        '    "InternalFailure": "ResourceConflict",\n',
        "faults.code",
        "s3 GetObject",
    ),
    planted(
        "DynamoDB's denial is a throttle",
        '"AccessDeniedException": "AccessDenied"',
        '"AccessDeniedException": "Throttling"',
        "faults.code",
        "dynamodb Scan",
    ),
    planted(
        "expired credentials of DynamoDB are not known",
        '    "ExpiredTokenException": "InvalidCredentials",\n',
        "",
        "faults.code",
        "dynamodb DeleteItem",
    ),
    planted(
        "the id is made anew each time",
        "return hashlib.sha256(token.encode()).hexdigest()[:12]",
        "return hashlib.sha256(os.urandom(9)).hexdigest()[:12]",
        "faults.once",
        "s3 PutObject",
        "import json\n",
        "import json\nimport os\n",
    ),
    planted(
        "a failed create does not say its id",
        'answer["resourceModel"] = {"Id": model["Id"]} if "Id" in model else None',
        'answer["resourceModel"] = None',
        "faults.leak",
        "dynamodb PutItem",
    ),
    planted(
        "a text that is not kept is forgotten",
        "        self.s3.put_object(Bucket=BUCKET, Key=note, Body=json.dumps(text).encode())\n",
        "        try:\n            self.s3.put_object(Bucket=BUCKET, Key=note, Body=json.dumps(text).encode())\n"
        "        except botocore.exceptions.ClientError:\n            pass\n",
        "faults.success",
        "s3 PutObject",
    ),
    planted(
        "a text that is not deleted is forgotten",
        "        self.s3.delete_object(Bucket=BUCKET, Key=note)\n",
        "        try:\n            self.s3.delete_object(Bucket=BUCKET, Key=note)\n        except Exception:\n            pass\n",
        "faults.leak",
        "s3 DeleteObject",
    ),
    planted(
        "the item goes before its text",
        '        self.s3.delete_object(Bucket=BUCKET, Key=note)\n        self.table.delete_item(Key={"Id": note})\n',
        '        self.table.delete_item(Key={"Id": note})\n        self.s3.delete_object(Bucket=BUCKET, Key=note)\n',
        "faults.leak",
        "dynamodb DeleteItem",
        '    texts = store.s3.list_objects_v2(Bucket=BUCKET, Prefix=note).get("Contents", [])\n',
        "    texts = []\n",
    ),
    planted(
        "a text that can't be read is empty",
        '        text = json.loads(self.s3.get_object(Bucket=BUCKET, Key=note)["Body"].read())\n',
        '        try:\n            text = json.loads(self.s3.get_object(Bucket=BUCKET, Key=note)["Body"].read())\n'
        '        except Exception:\n            text = ""\n',
        "faults.success",
        "s3 GetObject",
    ),
    planted(
        "an item that can't be read does not exist",
        '        found = self.table.get_item(Key={"Id": note}, ConsistentRead=True).get("Item")\n',
        '        try:\n            found = self.table.get_item(Key={"Id": note}, ConsistentRead=True).get("Item")\n'
        "        except Exception:\n            found = None\n",
        "faults.code",
        "dynamodb GetItem",
    ),
    planted(
        "a list that is throttled is empty",
        '    items = store.table.scan()["Items"]\n',
        '    try:\n        items = store.table.scan()["Items"]\n    except Exception:\n        items = []\n',
        "faults.success",
        "dynamodb Scan",
    ),
    planted(
        "the note is read back at once",
        '    store.put(note, desired["Title"], desired["Text"])\n    return {"status": "SUCCESS", "resourceModel": {"Id": note, "Title": desired["Title"], "Text": desired["Text"]}}\n',
        '    store.put(note, desired["Title"], desired["Text"])\n    return {"status": "SUCCESS", "resourceModel": store.get(note)}\n',
        "faults.recovery",
        "dynamodb GetItem",
    ),
    planted(
        "an update answers with what it reads",
        '    store.put(desired["Id"], desired["Title"], desired["Text"])\n    shown = {name: desired[name] for name in ("Id", "Title", "Text")}\n',
        '    store.put(desired["Id"], desired["Title"], desired["Text"])\n    shown = store.get(desired["Id"])\n',
        "faults.success",
        "dynamodb GetItem",
    ),
    planted(
        "a failed update deletes the note",
        '    store.put(desired["Id"], desired["Title"], desired["Text"])\n    shown',
        '    try:\n        store.put(desired["Id"], desired["Title"], desired["Text"])\n    except Exception:\n'
        '        store.remove(desired["Id"])\n        raise\n    shown',
        "faults.lost",
        "s3 PutObject",
    ),
    planted(
        "the password is in the message",
        'return failed(code, "a call failed: " + code, answered)',
        'return failed(code, "a call failed for " + str(desired.get("Password")), answered)',
        "faults.secret",
        "s3 PutObject",
    ),
    planted(
        "network failures are an unhandled error",
        "except botocore.exceptions.HTTPClientError:",
        "except ZeroDivisionError:",
        "faults.code",
        "s3 PutObject",
    ),
    planted(
        "a network failure is not one that is retried",
        'return failed("NetworkFailure", "AWS can\'t be reached", answered)',
        'return failed("GeneralServiceException", "AWS can\'t be reached", answered)',
        "faults.code",
        "dynamodb PutItem",
    ),
)
_LAMP = (
    planted("429 is not known", '    429: "Throttling",\n', "", "faults.code", "POST api.lamps.example/v1/lamps"),
    planted(
        "503 is a conflict",
        '503: "ServiceInternalError"',
        '503: "InternalFailure"',
        "faults.code",
        "PUT api.lamps.example/v1/lamps/{}",
    ),
    planted(
        "403 is NotFound", '403: "AccessDenied"', '403: "NotFound"', "faults.code", "GET api.lamps.example/v1/lamps/{}"
    ),
    planted(
        "401 is a denial",
        '401: "InvalidCredentials"',
        '401: "AccessDenied"',
        "faults.code",
        "DELETE api.lamps.example/v1/lamps/{}",
    ),
    planted(
        "a lost connection is the service's failure",
        'raise Refused("NetworkFailure"',
        'raise Refused("ServiceInternalError"',
        "faults.code",
        "GET api.lamps.example/v1/lamps",
    ),
    planted(
        "a lost connection is not handled",
        "except (OSError, http.client.HTTPException):",
        "except ZeroDivisionError:",
        "faults.code",
        "POST api.lamps.example/v1/lamps",
    ),
    planted(
        "the service is not told the token",
        ', Idempotency_Key=event["bearerToken"])',
        ")",
        "faults.once",
        "POST api.lamps.example/v1/lamps/{}/bulbs",
    ),
    planted(
        "the id is not said",
        '    known["Id"] = str(lamp["id"])\n',
        "",
        "faults.leak",
        "POST api.lamps.example/v1/lamps/{}/bulbs",
    ),
    planted(
        "a bulb is made each time",
        "    if not bulbs:\n",
        "    if True:\n",
        "faults.once",
        "POST api.lamps.example/v1/lamps/{}/bulbs",
    ),
    planted(
        "a bulb that fails is forgotten",
        '        bulbs = [ask("POST", bulbs_of(lamp), {"watts": int(desired["Watts"])})]\n',
        '        try:\n            bulbs = [ask("POST", bulbs_of(lamp), {"watts": int(desired["Watts"])})]\n'
        '        except Refused:\n            bulbs = [{"watts": int(desired["Watts"])}]\n',
        "faults.success",
        "POST api.lamps.example/v1/lamps/{}/bulbs",
    ),
    planted(
        "a bulb that can't be read is off",
        '"resourceModel": shown(lamp, ask("GET", bulbs_of(lamp)))}\n\n\ndef update',
        '"resourceModel": shown(lamp, dim(lamp))}\n\n\n'
        'def dim(lamp):\n    try:\n        return ask("GET", bulbs_of(lamp))\n    except Refused:\n        return [{"watts": 1}]\n\n\ndef update',
        "faults.success",
        "GET api.lamps.example/v1/lamps/{}/bulbs",
    ),
    planted(
        "a lamp that is not changed is said to be",
        '    lamp = ask("PUT", "/lamps/" + desired["Id"], body_of(desired))\n',
        '    try:\n        lamp = ask("PUT", "/lamps/" + desired["Id"], body_of(desired))\n    except Refused:\n'
        '        lamp = {"id": desired["Id"], **body_of(desired)}\n',
        "faults.success",
        "PUT api.lamps.example/v1/lamps/{}",
    ),
    planted(
        "a lamp that is not deleted is said to be",
        '    ask("DELETE", "/lamps/" + desired["Id"])\n',
        '    try:\n        ask("DELETE", "/lamps/" + desired["Id"])\n    except Refused as error:\n'
        '        if error.code == "NotFound":\n            raise\n',
        "faults.leak",
        "DELETE api.lamps.example/v1/lamps/{}",
    ),
    planted(
        "no lamp is listed where the service fails",
        'for lamp in ask("GET", "/lamps")]}',
        'for lamp in lamps()]}\n\n\ndef lamps():\n    try:\n        return ask("GET", "/lamps")\n    except Refused:\n        return []',
        "faults.success",
        "GET api.lamps.example/v1/lamps",
    ),
    planted(
        "a bulb is waited for without an end",
        '        bulbs = [ask("POST", bulbs_of(lamp), {"watts": int(desired["Watts"])})]\n',
        '        bulbs = [ask("POST", bulbs_of(lamp), {"watts": int(desired["Watts"])})]\n'
        '    while True:\n        try:\n            bulbs = ask("GET", bulbs_of(lamp))\n            break\n        except Refused:\n            pass\n',
        "faults.end",
        "GET api.lamps.example/v1/lamps/{}/bulbs",
        "    bulbs = bulbs_so_far(lamp)\n    if not bulbs",
        "    bulbs = []\n    if not bulbs",
    ),
    planted(
        "a failed update deletes the lamp",
        '    lamp = ask("PUT", "/lamps/" + desired["Id"], body_of(desired))\n    return {"status": "SUCCESS", "resourceModel": shown(lamp, ask("GET", bulbs_of(lamp)))}',
        '    lamp = ask("PUT", "/lamps/" + desired["Id"], body_of(desired))\n    try:\n        return {"status": "SUCCESS", "resourceModel": shown(lamp, ask("GET", bulbs_of(lamp)))}\n'
        '    except Refused:\n        ask("DELETE", "/lamps/" + desired["Id"])\n        raise',
        "faults.lost",
        "GET api.lamps.example/v1/lamps/{}/bulbs",
    ),
)
PLANTED = {"role": _ROLE, "note": _NOTE, "lamp": _LAMP}


# The same lamp in other languages: the words of `cfn init`, and where the handlers belong.
LAMPS = {
    "go": (("go", "--import-path", "example.com/lamp"), "lamp.go", "cmd/resource/resource.go"),
    "typescript": (("typescript", "--no-docker"), "lamp.ts", "src/handlers.ts"),
    "java": (
        ("java", "--namespace", "com.acme.store.lamp"),
        "Lamps.java",
        "src/main/java/com/acme/store/lamp/Lamps.java",
    ),
}
_JAVA_CALLS = {
    "Create": "lamps.answer(null, () -> lamps.create(request))",
    "Read": "lamps.answer(request.getDesiredResourceState(), () -> lamps.read(request.getDesiredResourceState()))",
    "Update": "lamps.answer(request.getDesiredResourceState(), () -> lamps.update(request.getDesiredResourceState()))",
    "Delete": "lamps.answer(request.getDesiredResourceState(), () -> lamps.delete(request.getDesiredResourceState()))",
    "List": "lamps.answer(null, () -> lamps.list())",
}
PLANTED_LAMPS = {
    "go": (
        planted(
            "429 is not known", "\t429: cfn.CodeThrottling,\n", "", "faults.code", "POST api.lamps.example/v1/lamps"
        ),
        planted(
            "the id is not said",
            "\t\t\treturn failed(err, &Model{Id: &id})",
            "\t\t\treturn failed(err, nil)",
            "faults.leak",
            "POST api.lamps.example/v1/lamps/{}/bulbs",
        ),
        planted(
            "the service is not told the token",
            "&made, request.ClientRequestToken)",
            '&made, "")',
            "faults.once",
            "POST api.lamps.example/v1/lamps/{}/bulbs",
        ),
        planted(
            "a bulb that fails is forgotten",
            '&one, ""); err != nil {',
            '&one, ""); err != nil && one.Watts != 0 {',
            "faults.success",
            "POST api.lamps.example/v1/lamps/{}/bulbs",
        ),
    ),
    "typescript": (
        planted(
            "503 is an internal failure",
            "503: HandlerErrorCode.ServiceInternalError",
            "503: HandlerErrorCode.InternalFailure",
            "faults.code",
            "PUT api.lamps.example/v1/lamps/{}",
        ),
        planted(
            "connections that break are not handled",
            '  } catch {\n    throw new Refused(HandlerErrorCode.NetworkFailure, "the service can\'t be reached");',
            "  } catch (error) {\n    throw error;",
            "faults.code",
            "GET api.lamps.example/v1/lamps",
        ),
        planted(
            "a delete that fails is forgotten",
            "    await ask('DELETE', `/lamps/${call.request.desiredResourceState.Id}`);",
            "    await ask('DELETE', `/lamps/${call.request.desiredResourceState.Id}`).catch(() => undefined);",
            "faults.leak",
            "DELETE api.lamps.example/v1/lamps/{}",
        ),
        planted(
            "a bulb is made each time",
            "if (bulbs.length === 0) bulbs",
            "bulbs",
            "faults.once",
            "POST api.lamps.example/v1/lamps/{}/bulbs",
        ),
    ),
    "java": (
        planted(
            "401 is a denial",
            "401, HandlerErrorCode.InvalidCredentials",
            "401, HandlerErrorCode.AccessDenied",
            "faults.code",
            "GET api.lamps.example/v1/lamps/{}",
        ),
        planted(
            "a lost connection is not one that is retried",
            "HandlerErrorCode.NetworkFailure",
            "HandlerErrorCode.GeneralServiceException",
            "faults.code",
            "POST api.lamps.example/v1/lamps",
        ),
        planted(
            "the id is not said",
            '        known = lamp.get("id").asText();\n        JsonNode found',
            '        final String id = lamp.get("id").asText();\n        JsonNode found',
            "faults.leak",
            "POST api.lamps.example/v1/lamps/{}/bulbs",
            "            found = bulbs(known);",
            "            found = bulbs(id);",
            '"/lamps/" + known + "/bulbs"',
            '"/lamps/" + id + "/bulbs"',
        ),
        planted(
            "a list that fails is empty",
            '        ask("GET", "/lamps", null, null).forEach(\n            each -> models.add(ResourceModel.builder().id(each.get("id").asText()).build()));',
            '        try {\n            ask("GET", "/lamps", null, null).forEach(\n                each -> models.add(ResourceModel.builder().id(each.get("id").asText()).build()));\n        } catch (final Refused why) {\n            models.clear();\n        }',
            "faults.success",
            "GET api.lamps.example/v1/lamps",
        ),
    ),
}


def make_lamp(root, language, cfn, fault=None):
    """The project of the lamp in another language in the folder `root`; `cfn` runs a command there."""
    words, source, place = LAMPS[language]
    cfn("init", "-a", "RESOURCE", "-t", "Acme::Store::Lamp", *words)
    schema = {**SCHEMAS["lamp"], "typeName": "Acme::Store::Lamp"}
    (root / "acme-store-lamp.json").write_text(json.dumps(schema), encoding="utf-8")
    for tests in ("inputs", "tests", "src/test"):
        shutil.rmtree(root / tests, ignore_errors=True)
    for test in root.rglob("*_test.go"):
        test.unlink()
    (root / place).write_text(_with(fault, (FOLDER / source).read_text(encoding="utf-8")), encoding="utf-8")
    for name, call in _JAVA_CALLS.items() if language == "java" else ():
        handler = root / f"src/main/java/com/acme/store/lamp/{name}Handler.java"
        head, _, _ = handler.read_text(encoding="utf-8").partition("        return ProgressEvent.failed(")
        body = f"        final Lamps lamps = new Lamps();\n        return {call};\n    }}\n}}\n"
        handler.write_text(head + body, encoding="utf-8")
    cfn("generate")
    return root


def make_widget(root, widget, fault=None):
    """The project of a widget in the folder `root`, sound or with a planted fault."""
    text = _with(fault, (FOLDER / f"{widget}.py").read_text(encoding="utf-8"))
    return make_project(root, handlers=text, schema=SCHEMAS[widget])


def _with(fault, text):
    for old, new in fault.pieces if fault is not None else ():
        assert text.count(old) == 1, (fault.name, text.count(old))
        text = text.replace(old, new)
    return text
