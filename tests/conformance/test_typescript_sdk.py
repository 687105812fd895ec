"""A TypeScript handler with the AWS SDK for JavaScript v3, whose calls moto answers or the service refuses."""

import json
import re
from pathlib import Path

import pytest

from support.commands import Desk
from support.namespaces import needs_namespaces
from support.toolchains import needs_node
from support.typescript import CACHE

pytestmark = [needs_node, pytest.mark.slow]

HANDLERS = """\
import { CreateBucketCommand, GetBucketLocationCommand, S3Client } from '@aws-sdk/client-s3';

import { Action, ProgressEvent, Resource } from './formwork/index.js';
import type { Session } from './formwork/index.js';
import { ResourceModel, TypeConfigurationModel } from './models.js';

const resource = new Resource('Acme::Store::Thing', ResourceModel, TypeConfigurationModel);
export const { entrypoint, testEntrypoint } = resource;

const client = (session: Session | undefined) => new S3Client({ ...session?.clientConfig, forcePathStyle: true, maxAttempts: 1 });

resource.handler(Action.CREATE, async ({ request, session }) => {
  await client(session).send(new CreateBucketCommand({ Bucket: request.desiredResourceState.Name }));
  return ProgressEvent.success(request.desiredResourceState);
});

resource.handler(Action.READ, async ({ request, session }) => {
  await client(session).send(new GetBucketLocationCommand({ Bucket: request.desiredResourceState.Name }));
  return ProgressEvent.success(request.desiredResourceState);
});
"""


PARAMETER = {
    "typeName": "Acme::Store::Thing",
    "description": "A parameter of the Systems Manager.",
    "properties": {
        "Name": {"type": "string", "pattern": "^[a-z]{3,20}$"},
        "Value": {"type": "string", "pattern": "^[a-z]{1,20}$"},
    },
    "required": ["Name", "Value"],
    "primaryIdentifier": ["/properties/Name"],
    "createOnlyProperties": ["/properties/Name"],
    "additionalProperties": False,
    "tagging": {"taggable": False},
    "handlers": {
        "create": {"permissions": ["ssm:PutParameter"]},
        "read": {"permissions": ["ssm:GetParameter"]},
        "update": {"permissions": ["ssm:GetParameter", "ssm:PutParameter"]},
        "delete": {"permissions": ["ssm:DeleteParameter"]},
        "list": {"permissions": ["ssm:DescribeParameters"]},
    },
}
LIFE = """\
import { DeleteParameterCommand, DescribeParametersCommand, GetParameterCommand } from '@aws-sdk/client-ssm';
import { PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';

import { Action, ProgressEvent, Resource } from './formwork/index.js';
import type { Session } from './formwork/index.js';
import { ResourceModel, TypeConfigurationModel } from './models.js';

const resource = new Resource('Acme::Store::Thing', ResourceModel, TypeConfigurationModel);
export const { entrypoint, testEntrypoint } = resource;

const client = (session: Session | undefined) => new SSMClient({ ...session?.clientConfig, maxAttempts: 1 });
const put = (model: ResourceModel, Overwrite: boolean) =>
  new PutParameterCommand({ Name: model.Name, Value: model.Value, Type: 'String', Overwrite });

resource.handler(Action.CREATE, async ({ request, session }) => {
  await client(session).send(put(request.desiredResourceState, false));
  return ProgressEvent.success(request.desiredResourceState);
});

resource.handler(Action.READ, async ({ request, session }) => {
  const { Name } = request.desiredResourceState;
  const found = await client(session).send(new GetParameterCommand({ Name }));
  return ProgressEvent.success({ Name, Value: found.Parameter?.Value ?? '' });
});

resource.handler(Action.UPDATE, async ({ request, session }) => {
  await client(session).send(new GetParameterCommand({ Name: request.desiredResourceState.Name }));
  await client(session).send(put(request.desiredResourceState, true));
  return ProgressEvent.success(request.desiredResourceState);
});

resource.handler(Action.DELETE, async ({ request, session }) => {
  await client(session).send(new DeleteParameterCommand({ Name: request.desiredResourceState.Name }));
  return ProgressEvent.success();
});

resource.handler(Action.LIST, async ({ request, session }) => {
  const page = await client(session).send(new DescribeParametersCommand({ NextToken: request.nextToken ?? undefined }));
  const models = (page.Parameters ?? []).map((each) => ({ Name: each.Name ?? '' }));
  return ProgressEvent.list(models, page.NextToken);
});
"""
ENDED = re.compile(r"^== \S+: (CREATE|READ|UPDATE|DELETE|LIST) SUCCESS$", re.MULTILINE)


@needs_namespaces
def test_a_life_through_the_gate(tmp_path):
    desk, root = Desk(tmp_path), tmp_path / "thing"
    env = {"FORMWORK_CACHE": str(CACHE), "npm_config_userconfig": str(Path.home() / ".npmrc")}
    root.mkdir()
    words = ("init", "-a", "RESOURCE", "-t", "Acme::Store::Thing", "typescript", "--no-docker")
    assert desk.cfn(*words, cwd=root, env=env).code == 0
    (root / "acme-store-thing.json").write_text(json.dumps(PARAMETER))
    for each in (root / "inputs").glob("*"):
        each.unlink()
    assert desk.cfn("generate", cwd=root, env=env).code == 0
    manifest = json.loads((root / "package.json").read_text())
    manifest["dependencies"] = {"@aws-sdk/client-ssm": "^3.700.0"}
    (root / "package.json").write_text(json.dumps(manifest))
    (root / "src" / "handlers.ts").write_text(LIFE)
    ended = desk.cfn("test", "--aws", "moto", "-v", "--log-file", "log.txt", cwd=root, env=env, timeout=400)
    assert "not sealed" not in ended.said
    assert "> ssm PutParameter: 200 in " in ended.err, str(ended)
    assert set(ENDED.findall((root / "log.txt").read_text())) == {"CREATE", "READ", "UPDATE", "DELETE", "LIST"}


def test_calls_of_the_sdk(tmp_path):
    desk, root, env = (
        Desk(tmp_path),
        tmp_path / "thing",
        {"FORMWORK_CACHE": str(CACHE), "npm_config_userconfig": str(Path.home() / ".npmrc")},
    )
    root.mkdir()
    words = ("init", "-a", "RESOURCE", "-t", "Acme::Store::Thing", "typescript", "--no-docker")
    assert desk.cfn(*words, cwd=root, env=env).code == 0
    manifest = json.loads((root / "package.json").read_text())
    manifest["dependencies"] = {"@aws-sdk/client-s3": "^3.700.0"}
    (root / "package.json").write_text(json.dumps(manifest))
    (root / "src" / "handlers.ts").write_text(HANDLERS)
    (root / "request.json").write_text('{"desiredResourceState": {"Name": "bucket"}, "previousResourceState": null}')

    def invoke(action, *options):
        ended = desk.cfn("invoke", *options, "resource", action, "request.json", cwd=root, env=env, timeout=400)
        return json.loads(ended.out.partition("=== Handler response ===")[2])

    assert invoke("CREATE", "--aws", "moto")["status"] == "SUCCESS"
    missing = invoke("READ", "--aws", "moto")
    assert (missing["status"], missing["errorCode"]) == ("FAILED", "NotFound")
    assert "NoSuchBucket" in missing["message"]
    refused = invoke("CREATE")
    assert refused["status"] == "FAILED"
    assert "--aws" in refused["message"], refused
