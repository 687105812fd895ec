"""Handlers of a lamp with a bulb in a service of the web, by urllib alone. The service makes the id."""

import http.client
import json
import urllib.error
import urllib.request

BASE = "https://api.lamps.example/v1"
CODES = {
    429: "Throttling",
    503: "ServiceInternalError",
    403: "AccessDenied",
    401: "InvalidCredentials",
    404: "NotFound",
}


class Refused(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def ask(method, path, body=None, **headers):
    data = None if body is None else json.dumps(body).encode()
    sent = {"Content-Type": "application/json", **{name.replace("_", "-"): each for name, each in headers.items()}}
    request = urllib.request.Request(BASE + path, data, sent, method=method)
    try:
        with urllib.request.urlopen(request, timeout=5) as reply:
            return json.loads(reply.read() or b"null")
    except urllib.error.HTTPError as error:
        raise Refused(CODES.get(error.code, "GeneralServiceException"), f"the service answers {error.code}") from None
    except (OSError, http.client.HTTPException):
        raise Refused("NetworkFailure", "the service can't be reached") from None


def resource(event, context):
    desired = event["requestData"].get("resourceProperties") or {}
    known = {"Id": desired["Id"]} if "Id" in desired else {}
    try:
        return HANDLERS[event["action"]](desired, event, known)
    except Refused as error:
        return failed(error, known, desired)


def failed(error, known, desired):
    answer = {"status": "FAILED", "errorCode": error.code, "message": str(error)}
    return answer if error.code == "NotFound" or not known else {**answer, "resourceModel": known}


def bulbs_of(lamp):
    return f"/lamps/{lamp['id']}/bulbs"


def shown(lamp, bulbs):
    return {"Id": str(lamp["id"]), "Name": lamp["name"], "Color": lamp["color"], "Watts": bulbs[0]["watts"]}


def create(desired, event, known):
    lamp = ask("POST", "/lamps", body_of(desired), Idempotency_Key=event["bearerToken"])
    known["Id"] = str(lamp["id"])
    bulbs = bulbs_so_far(lamp)
    if not bulbs:
        bulbs = [ask("POST", bulbs_of(lamp), {"watts": int(desired["Watts"])})]
    return {"status": "SUCCESS", "resourceModel": shown(lamp, bulbs)}


def bulbs_so_far(lamp):
    try:
        return ask("GET", bulbs_of(lamp))
    except Refused as error:
        if error.code != "NotFound":  # the lamp may not show yet
            raise
        return []


def body_of(desired):
    return {"name": desired["Name"], "color": desired["Color"]}


def read(desired, event, known):
    lamp = ask("GET", "/lamps/" + desired["Id"])
    return {"status": "SUCCESS", "resourceModel": shown(lamp, ask("GET", bulbs_of(lamp)))}


def update(desired, event, known):
    lamp = ask("PUT", "/lamps/" + desired["Id"], body_of(desired))
    return {"status": "SUCCESS", "resourceModel": shown(lamp, ask("GET", bulbs_of(lamp)))}


def delete(desired, event, known):
    ask("DELETE", "/lamps/" + desired["Id"])
    return {"status": "SUCCESS"}


def list_all(desired, event, known):
    return {"status": "SUCCESS", "resourceModels": [{"Id": str(lamp["id"])} for lamp in ask("GET", "/lamps")]}


HANDLERS = {"CREATE": create, "READ": read, "UPDATE": update, "DELETE": delete, "LIST": list_all}
