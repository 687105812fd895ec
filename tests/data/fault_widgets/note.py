"""Handlers of an item in a DynamoDB table and an object in S3, on moto. The id is made, of the client request token."""

import hashlib
import json

import boto3
import botocore.exceptions

TABLE = "acme-notes"
BUCKET = "acme-notes-texts"
CODES = {
    "ThrottlingException": "Throttling",
    "SlowDown": "Throttling",
    "InternalServerError": "ServiceInternalError",
    "InternalFailure": "ServiceInternalError",
    "AccessDeniedException": "AccessDenied",
    "AccessDenied": "AccessDenied",
    "ExpiredTokenException": "InvalidCredentials",
    "ExpiredToken": "InvalidCredentials",
    "NoSuchKey": "NotFound",
}


class Refused(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def resource(event, context):
    desired = event["requestData"].get("resourceProperties") or {}
    answered = {"Id": id_of(event["bearerToken"])} if event["action"] == "CREATE" else desired
    try:
        return HANDLERS[event["action"]](Store(), desired, event)
    except Refused as error:
        return failed(error.code, str(error), answered)
    except botocore.exceptions.ClientError as error:
        code = CODES.get(error.response["Error"]["Code"], "GeneralServiceException")
        return failed(code, "a call failed: " + code, answered)
    except botocore.exceptions.HTTPClientError:
        return failed("NetworkFailure", "AWS can't be reached", answered)


def id_of(token):
    return hashlib.sha256(token.encode()).hexdigest()[:12]


def failed(code, message, model):
    answer = {"status": "FAILED", "errorCode": code, "message": message}
    if code != "NotFound":
        answer["resourceModel"] = {"Id": model["Id"]} if "Id" in model else None
    return {name: value for name, value in answer.items() if value is not None}


class Store:
    """The table and the bucket, which are made with the first note."""

    def __init__(self):
        self.table = boto3.resource("dynamodb").Table(TABLE)
        self.s3 = boto3.client("s3")

    def prepare(self):
        client = self.table.meta.client
        try:
            client.describe_table(TableName=TABLE)
        except client.exceptions.ResourceNotFoundException:
            key = {"AttributeName": "Id", "KeyType": "HASH"}
            name = {"AttributeName": "Id", "AttributeType": "S"}
            try:
                client.create_table(
                    TableName=TABLE, KeySchema=[key], AttributeDefinitions=[name], BillingMode="PAY_PER_REQUEST"
                )
            except client.exceptions.ResourceInUseException:
                return
            self.s3.create_bucket(Bucket=BUCKET)

    def put(self, note, title, text):
        self.s3.put_object(Bucket=BUCKET, Key=note, Body=json.dumps(text).encode())
        self.table.put_item(Item={"Id": note, "Title": title})

    def get(self, note):
        found = self.table.get_item(Key={"Id": note}, ConsistentRead=True).get("Item")
        if found is None:
            raise Refused("NotFound", "there is no such note")
        text = json.loads(self.s3.get_object(Bucket=BUCKET, Key=note)["Body"].read())
        return {"Id": note, "Title": found["Title"], "Text": text}

    def remove(self, note):
        self.s3.delete_object(Bucket=BUCKET, Key=note)
        self.table.delete_item(Key={"Id": note})


def create(store, desired, event):
    note = id_of(event["bearerToken"])
    store.prepare()
    store.put(note, desired["Title"], desired["Text"])
    return {"status": "SUCCESS", "resourceModel": {"Id": note, "Title": desired["Title"], "Text": desired["Text"]}}


def read(store, desired, event):
    return {"status": "SUCCESS", "resourceModel": store.get(desired["Id"])}


def update(store, desired, event):
    store.get(desired["Id"])
    store.put(desired["Id"], desired["Title"], desired["Text"])
    shown = {name: desired[name] for name in ("Id", "Title", "Text")}
    return {"status": "SUCCESS", "resourceModel": shown}


def delete(store, desired, event):
    note = desired["Id"]
    texts = store.s3.list_objects_v2(Bucket=BUCKET, Prefix=note).get("Contents", [])
    if not texts and store.table.get_item(Key={"Id": note}, ConsistentRead=True).get("Item") is None:
        raise Refused("NotFound", "there is no such note")
    store.remove(note)
    return {"status": "SUCCESS"}


def list_all(store, desired, event):
    items = store.table.scan()["Items"]
    return {"status": "SUCCESS", "resourceModels": [{"Id": item["Id"]} for item in items]}


HANDLERS = {"CREATE": create, "READ": read, "UPDATE": update, "DELETE": delete, "LIST": list_all}
