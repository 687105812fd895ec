"""A TypeScript handler with the AWS SDK for JavaScript v3, whose calls moto answers or the service refuses."""

import json
from pathlib import Path

import pytest

from support.commands import Desk
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
