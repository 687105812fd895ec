/**
 * Runs the vectors against AWS's TypeScript handler library, compiled in a project of the incumbent's form: requests and
 * answers are JSON lines, as tests/support/vectors.py says. It has no hooks.
 */
import { createInterface } from 'node:readline';

import {
    Action,
    BaseResource,
    exceptions,
    HandlerErrorCode,
    HandlerSignatures,
    OperationStatus,
    ProgressEvent,
} from '@amazon-web-services-cloudformation/cloudformation-cli-typescript-lib';
import { ResourceModel, TypeConfigurationModel } from './models';

const TYPE_NAME = 'Acme::Store::Thing';

class OwnNotFound extends exceptions.NotFound {}

class Resource extends BaseResource<ResourceModel> {}

type Asked = { action: string; model: any; seen: any; callbackContext: any; session: any; secret: string };

function serviceError(name: string, httpStatusCode: number): Error {
    const error = new Error('from the service');
    return Object.assign(error, { name, code: name, statusCode: httpStatusCode, $metadata: { httpStatusCode } });
}

function dump(value: any): string {
    if (value === undefined || value === null) return 'null';
    if (typeof value === 'bigint') return String(value);
    if (Array.isArray(value)) return `[${value.map(dump).join(', ')}]`;
    if (value instanceof Set) return dump([...value]);
    if (value instanceof Map) return dump(Object.fromEntries(value));
    if (typeof value !== 'object') return JSON.stringify(value);
    const members = Object.entries(typeof value.serialize === 'function' ? value.serialize() : value);
    return `{${members.map(([name, item]) => `${JSON.stringify(name)}: ${dump(item)}`).join(', ')}}`;
}

function raise(make: (call: Asked) => Error): (call: Asked) => never {
    return (call) => {
        throw make(call);
    };
}

const success = (members: any): any => ProgressEvent.builder().status(OperationStatus.Success).message(members.message ?? '').resourceModel(members.resourceModel).resourceModels(members.resourceModels).nextToken(members.nextToken).build();

const BEHAVIOURS: { [name: string]: (call: Asked) => any } = {
    echo: ({ action, model, seen }) =>
        action === 'LIST' ? success({ resourceModels: [model], nextToken: seen.nextToken }) : success({ resourceModel: model }),
    describe: ({ seen, callbackContext, session }) =>
        success({ message: dump({ ...seen, callbackContext, session: Boolean(session) }) }),
    progress: ({ model, callbackContext }) => {
        const event = ProgressEvent.progress<ProgressEvent<any>>(model, { step: Number(callbackContext.step ?? -1) + 1 });
        event.callbackDelaySeconds = 5;
        return event;
    },
    delete: () => success({}),
    'not-found': raise(({ model }) => new exceptions.NotFound(TYPE_NAME, model.name)),
    'own-not-found': raise(({ model }) => new OwnNotFound(TYPE_NAME, model.name)),
    unexpected: raise(() => new Error('boom')),
    leak: raise(({ secret }) => new Error(`signing with ${secret} failed`)),
    throttled: raise(() => serviceError('ThrottlingException', 400)),
    'aws-404': raise(() => serviceError('404', 404)),
    nothing: () => undefined,
    unwritable: () => {
        const model = new ResourceModel();
        model.policy = { when: () => 1 };
        return success({ resourceModel: model });
    },
    failed: () => ProgressEvent.failed('NonCompliant' as HandlerErrorCode, 'no'),
};

async function main(): Promise<void> {
    for (const name of ['debug', 'info', 'warn', 'log'] as const) console[name] = () => undefined;
    console.error = () => undefined;
    const lines: string[] = [];
    for await (const line of createInterface({ input: process.stdin })) lines.push(line);
    // Each call sleeps for a second: all at once.
    const answers = await Promise.all(lines.map((line) => answer(JSON.parse(line))));
    process.stdout.write(answers.map((each) => `${JSON.stringify(each)}\n`).join(''));
}

async function answer({ id, kind, entrypoint, handler, secret, request }: any): Promise<object> {
    if (kind === 'hook') return { id, error: 'the library has no hooks' };
    const handlers = new HandlerSignatures();
    for (const action of handler === 'none' ? [] : Object.values(Action)) {
        const handle: any = async (session: any, asked: any, callbackContext: any, _logger: any, typeConfiguration: any) => {
            const { desiredResourceState: model, previousResourceState: previous, ...rest } = asked;
            const seen = { ...rest, desired: model, previous, typeConfiguration };
            const behaviour = BEHAVIOURS[handler];
            if (behaviour === undefined) throw new Error(`there is no ${handler} in this library`);
            return behaviour({ action, model, seen, callbackContext, session, secret });
        };
        handlers.set(action, handle);
    }
    const resource = new Resource(TYPE_NAME, ResourceModel, null, handlers as any, TypeConfigurationModel);
    try {
        const entry: any = entrypoint === 'test' ? resource.testEntrypoint : resource.entrypoint;
        return { id, response: JSON.parse(JSON.stringify(await entry.call(resource, request, {}))) };
    } catch (error) {
        return { id, error: String(error) };
    }
}

void main();
