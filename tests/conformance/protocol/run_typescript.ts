/**
 * Runs the vectors against the TypeScript handler library: requests and answers are JSON lines, as
 * tests/support/vectors.py says. It is compiled beside the library (./formwork) and the models generated from
 * thing.json and hook.json (./models, ./configuration).
 */
import { createInterface } from 'node:readline';

import {
  Action,
  Hook,
  HookInvocationPoint,
  ProgressEvent,
  Resource,
  exceptions,
} from './formwork/index.js';
import type { Call, ResourceHandlerRequest } from './formwork/index.js';
import { TypeConfigurationModel } from './configuration.js';
import { ResourceModel } from './models.js';

const TYPE_NAME = 'Acme::Store::Thing';

class OwnNotFound extends exceptions.NotFound {}

interface Asked extends Call {
  asked: string;
  model: ResourceModel;
  seen: { [member: string]: unknown };
  nextToken: string | undefined;
  secret: string;
}

function serviceError(name: string, httpStatusCode: number): Error {
  return Object.assign(new Error('from the service'), { name, $metadata: { httpStatusCode } });
}

/** JSON with ": " and ", " between members, as Python writes it; undefined is null. */
function dump(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (Array.isArray(value)) return `[${value.map(dump).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, item]) => `${JSON.stringify(name)}: ${dump(item)}`)
    .join(', ')}}`;
}

const raise = (make: (call: Asked) => Error) => (call: Asked): never => {
  throw make(call);
};

const BEHAVIOURS: { [name: string]: (call: Asked) => ProgressEvent } = {
  echo: ({ asked, model, nextToken }) =>
    asked === 'LIST' ? ProgressEvent.list([model], nextToken) : ProgressEvent.success(model),
  describe: ({ seen, callbackContext, session }) => ({
    status: 'SUCCESS',
    message: dump({ ...seen, callbackContext, session: session !== undefined }),
  }),
  progress: ({ asked, model, callbackContext }) => ({
    status: 'IN_PROGRESS',
    callbackDelaySeconds: 5,
    callbackContext: { step: Number(callbackContext['step'] ?? -1) + 1 },
    resourceModel: asked.endsWith('PROVISION') ? undefined : model,
  }),
  delete: () => ProgressEvent.success(),
  'not-found': raise(({ model }) => new exceptions.NotFound(TYPE_NAME, model.Name)),
  'own-not-found': raise(({ model }) => new OwnNotFound(TYPE_NAME, model.Name)),
  unexpected: raise(() => new Error('boom')),
  leak: raise(({ secret }) => new Error(`signing with ${secret} failed`)),
  throttled: raise(() => serviceError('ThrottlingException', 400)),
  'aws-404': raise(() => serviceError('404', 404)),
  nothing: () => undefined as never,
  unwritable: () => ProgressEvent.success({ Policy: { when: () => 1 } }),
  failed: () => ProgressEvent.failed('NonCompliant', 'no'),
  annotate: () =>
    ProgressEvent.failed('NonCompliant', 'no', {
      result: 'r',
      annotations: [{ annotationName: 'encryption', status: 'FAILED', severityLevel: 'HIGH' }],
    }),
  'skip-stack-hook': () => ({ status: 'CHANGE_SET_SUCCESS_SKIP_STACK_HOOK' }),
};

type Vector = { id: string; kind: string; entrypoint: string; handler: string; secret: string; request: unknown };

function makeResource({ handler, secret }: Vector): Resource<ResourceModel, TypeConfigurationModel> {
  const resource = new Resource(TYPE_NAME, ResourceModel, TypeConfigurationModel);
  for (const asked of handler === 'none' ? [] : Object.values(Action)) {
    resource.handler(asked, (call) => {
      const { desiredResourceState: desired, previousResourceState: previous, ...rest } = call.request;
      const seen: Partial<ResourceHandlerRequest<ResourceModel, TypeConfigurationModel>> & object = rest;
      const described = { ...seen, desired, previous, typeConfiguration: call.request.typeConfiguration };
      const asking = { ...call, asked, model: desired, seen: described, nextToken: rest.nextToken, secret };
      return BEHAVIOURS[handler]?.(asking) as ProgressEvent<ResourceModel>;
    });
  }
  return resource;
}

function makeHook({ handler, secret }: Vector): Hook<TypeConfigurationModel> {
  const hook = new Hook('Acme::Store::Check', TypeConfigurationModel);
  for (const asked of handler === 'none' ? [] : Object.values(HookInvocationPoint)) {
    hook.handler(asked, (call) => {
      const { request, typeConfiguration } = call;
      const seen = { ...request.hookContext, clientRequestToken: request.clientRequestToken, typeConfiguration };
      const asking = { ...call, asked, model: {}, seen, nextToken: undefined, secret };
      return BEHAVIOURS[handler]?.(asking) as ProgressEvent;
    });
  }
  return hook;
}

async function main(): Promise<void> {
  for (const name of ['debug', 'info', 'warn'] as const) console[name] = console.error;
  for await (const line of createInterface({ input: process.stdin })) {
    const vector = JSON.parse(line) as Vector;
    const extension = vector.kind === 'hook' ? makeHook(vector) : makeResource(vector);
    const entry = vector.entrypoint === 'test' ? extension.testEntrypoint : extension.entrypoint;
    const response = await entry(vector.request, {});
    process.stdout.write(`${JSON.stringify({ id: vector.id, response })}\n`);
  }
}

void main();
