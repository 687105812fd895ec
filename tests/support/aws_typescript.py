"""A TypeScript project as the incumbent makes one: AWS's handler library, and the package versions that it pins."""

import json

from support.typescript import RUNTIME

LIBRARY = "@amazon-web-services-cloudformation/cloudformation-cli-typescript-lib"
SCHEMA = RUNTIME.parents[1] / "tests" / "conformance" / "protocol" / "thing.json"

MANIFEST = {
    "name": "acme-store-thing",
    "version": "0.1.0",
    "private": True,
    "main": "dist/handlers.js",
    "files": ["dist"],
    "scripts": {"build": "npx tsc", "test": "npx jest --passWithNoTests"},
    "dependencies": {LIBRARY: "1.0.6", "class-transformer": "0.3.1"},
    "devDependencies": {"@types/node": "20.19.43", "typescript": "5.3.3"},
    "optionalDependencies": {"aws-sdk": "2.1693.0"},
}
CONFIG = {
    "artifact_type": "RESOURCE",
    "typeName": "Acme::Store::Thing",
    "language": "typescript",
    "runtime": "nodejs20.x",
    "entrypoint": "dist/handlers.entrypoint",
    "testEntrypoint": "dist/handlers.testEntrypoint",
    "settings": {"useDocker": False, "protocolVersion": "2.0.0"},
}
COMPILER = {
    "compilerOptions": {
        "target": "ES2019",
        "module": "commonjs",
        "lib": ["es2019", "ES2020.BigInt"],
        "outDir": "dist",
        "rootDir": "src",
        "strict": False,
        "experimentalDecorators": True,
        "emitDecoratorMetadata": True,
        "esModuleInterop": True,
        "skipLibCheck": True,
        "types": ["node"],
    },
    "include": ["src"],
}
TEMPLATE = """\
AWSTemplateFormatVersion: "2010-09-09"
Transform: AWS::Serverless-2016-10-31
Globals:
  Function: {Timeout: 180, MemorySize: 256}
Resources:
  TestEntrypoint:
    Type: AWS::Serverless::Function
    Properties: {Handler: dist/handlers.testEntrypoint, Runtime: nodejs20.x, CodeUri: ./}
  TypeFunction:
    Type: AWS::Serverless::Function
    Metadata: {BuildMethod: makefile}
    Properties: {Handler: dist/handlers.entrypoint, Runtime: nodejs20.x, CodeUri: ./}
"""
HANDLERS = """\
import {
    Action,
    BaseResource,
    exceptions,
    handlerEvent,
    LoggerProxy,
    Optional,
    ProgressEvent,
    ResourceHandlerRequest,
    SessionProxy,
} from '@amazon-web-services-cloudformation/cloudformation-cli-typescript-lib';
import { ResourceModel, TypeConfigurationModel } from './models';

class Resource extends BaseResource<ResourceModel> {
    @handlerEvent(Action.Create)
    public async create(
        session: Optional<SessionProxy>,
        request: ResourceHandlerRequest<ResourceModel>,
        callbackContext: Record<string, any>,
        logger: LoggerProxy,
        typeConfiguration: TypeConfigurationModel
    ): Promise<ProgressEvent> {
        return ProgressEvent.success<ProgressEvent<ResourceModel>>(new ResourceModel(request.desiredResourceState));
    }

    @handlerEvent(Action.Read)
    public async read(
        session: Optional<SessionProxy>,
        request: ResourceHandlerRequest<ResourceModel>
    ): Promise<ProgressEvent> {
        throw new exceptions.NotFound(this.typeName, request.desiredResourceState.name);
    }
}

export const resource = new Resource(ResourceModel.TYPE_NAME, ResourceModel, null, null, TypeConfigurationModel);
export const entrypoint = resource.entrypoint;
export const testEntrypoint = resource.testEntrypoint;
"""
# What the incumbent's generator wrote, as far as it matters: the way of the older class-transformer.
STALE_MODELS = """\
import { BaseModel, Optional, transformValue } from '@amazon-web-services-cloudformation/cloudformation-cli-typescript-lib';
import { Exclude, Expose, Transform } from 'class-transformer';

export class ResourceModel extends BaseModel {
    @Exclude()
    public static readonly TYPE_NAME: string = 'Acme::Store::Thing';

    @Expose({ name: 'Name' })
    @Transform((value: any, obj: any) => transformValue(String, 'name', value, obj, []), { toClassOnly: true })
    name?: Optional<string>;
}

export class TypeConfigurationModel extends BaseModel {}
"""


def write_project(root, **more):
    """The project in the new folder `root`; `more` are files by their path."""
    files = {
        ".rpdk-config": json.dumps(CONFIG, indent=4),
        ".npmrc": "optional=true\n",
        "package.json": json.dumps(MANIFEST, indent=4),
        "tsconfig.json": json.dumps(COMPILER, indent=4),
        "template.yml": TEMPLATE,
        "acme-store-thing.json": SCHEMA.read_text(encoding="utf-8"),
        "src/handlers.ts": HANDLERS,
        "src/models.ts": STALE_MODELS,
        **more,
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root
