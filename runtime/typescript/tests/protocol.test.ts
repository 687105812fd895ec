import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';

import { Observation } from '../src/observation.js';
import { fetchPayload } from '../src/payload.js';
import { Redaction } from '../src/redaction.js';
import { toWire } from '../src/json.js';
import {
  Action,
  Hook,
  HookInvocationPoint,
  ProgressEvent,
  Resource,
  exceptions,
  generateResourceIdentifier,
  handlerErrorCode,
  readTarget,
  shapes,
} from '../src/index.js';

interface Thing {
  Name?: string | undefined;
  Secret?: string | undefined;
}
const Thing: shapes.Model<Thing> = shapes.model(
  'Thing',
  () => ({ Name: shapes.string, Secret: shapes.string }),
  { writeOnly: ['Secret'] },
);

type Answer = { [name: string]: unknown };

async function ask(resource: Resource<Thing>, more: object = {}, properties: object = { Name: 'n' }): Promise<Answer> {
  const requestData = { resourceProperties: properties };
  const envelope = { action: 'CREATE', awsAccountId: '1', region: 'eu-west-1', bearerToken: 't', requestData };
  return (await resource.entrypoint({ ...envelope, ...more })) as Answer;
}

function quietly<T>(run: () => Promise<T>): Promise<{ result: T; log: string }> {
  const kept = { info: console.info, warn: console.warn, error: console.error };
  const lines: string[] = [];
  Object.assign(console, Object.fromEntries(Object.keys(kept).map((name) => [name, (line: string) => lines.push(line)])));
  return run()
    .then((result) => ({ result, log: lines.join('\n') }))
    .finally(() => Object.assign(console, kept));
}

test('the test entry point reads the envelope too', async () => {
  const resource = new Resource('Acme::Store::Thing', Thing);
  resource.handler(Action.CREATE, () => ProgressEvent.success());
  const requestData = { resourceProperties: { Name: 'n' } };
  const asked = { action: 'CREATE', awsAccountId: '1', region: 'eu-west-1', bearerToken: 't', requestData };
  assert.deepEqual(await resource.testEntrypoint(asked), await resource.entrypoint(asked));
  assert.equal(((await resource.testEntrypoint(asked)) as Answer)['status'], 'SUCCESS');
});

test('credentials come in the form that SDK clients take', async () => {
  const resource = new Resource('Acme::Store::Thing', Thing);
  let config: object | undefined;
  resource.handler(Action.CREATE, ({ session }) => {
    config = session?.clientConfig;
    assert.doesNotMatch(JSON.stringify(session), /secret/);
    return ProgressEvent.success();
  });
  const callerCredentials = { accessKeyId: 'a', secretAccessKey: 'secret', sessionToken: 's', newer: 1 };
  await ask(resource, { requestData: { resourceProperties: {}, callerCredentials } });
  const credentials = { accessKeyId: 'a', secretAccessKey: 'secret', sessionToken: 's' };
  assert.deepEqual(config, { credentials, region: 'eu-west-1' });
});

test('write-only values are masked in messages, logs and stacks', async () => {
  const resource = new Resource('Acme::Store::Thing', Thing);
  resource.handler(Action.CREATE, ({ request, logger }) => {
    logger.info('got', request.desiredResourceState.Secret);
    throw new Error(`cannot use ${request.desiredResourceState.Secret}`);
  });
  const { result, log } = await quietly(() => ask(resource, {}, { Name: 'n', Secret: 'canary-write-only' }));
  assert.match(String(result['message']), /cannot use \*{8}/);
  assert.match(log, /got \*{8}/);
  assert.match(log, /protocol\.test/, 'the stack is in the log');
  assert.doesNotMatch(log + JSON.stringify(result), /canary/);
});

test('anything may be thrown', async () => {
  for (const thrown of [undefined, null, 'text', 5, { a: 1 }]) {
    const resource = new Resource('Acme::Store::Thing', Thing);
    resource.handler(Action.CREATE, () => Promise.reject(thrown));
    const { result } = await quietly(() => ask(resource));
    assert.equal(result['errorCode'], 'InternalFailure');
    assert.notEqual(result['message'], '');
  }
});

test('answers that are not events', async () => {
  for (const wrong of [undefined, null, 5, [], {}, { status: 'DONE' }, { status: undefined }]) {
    const resource = new Resource('Acme::Store::Thing', Thing);
    resource.handler(Action.CREATE, () => wrong as never);
    const { result } = await quietly(() => ask(resource));
    assert.equal(result['status'], 'FAILED');
    assert.match(String(result['message']), /CREATE handler returned/);
  }
});

test('requests of any form are answered', async () => {
  const resource = new Resource('Acme::Store::Thing', Thing);
  for (const event of [null, 5, [], 'x', {}, { action: {} }, { action: 'CREATE', requestData: [] }]) {
    const { result } = await quietly(() => resource.entrypoint(event) as Promise<Answer>);
    assert.equal(result['errorCode'], 'InvalidRequest', JSON.stringify(event));
    assert.equal((await quietly(() => resource.testEntrypoint(event) as Promise<Answer>)).result['status'], 'FAILED');
  }
});

test('what JSON knows another form for is written so, what it has none for is named', () => {
  const when = new Date(0);
  const value = { when, big: 5n, huge: 2n ** 70n, set: new Set([1]), map: new Map([['a', undefined]]), gone: undefined };
  const expected = { when: when.toISOString(), big: 5, huge: (2n ** 70n).toString(), set: [1], map: {} };
  assert.deepEqual(toWire(value), expected);
  const circular: { [name: string]: unknown } = {};
  circular['self'] = circular;
  for (const [wrong, says] of [
    [{ a: [() => 1] }, /\/a\/0 is of type function/],
    [{ n: NaN }, /\/n is not a finite number/],
    [circular, /nested too deeply/],
    [{ d: new Date(NaN) }, /not a valid date/],
  ] as const) {
    assert.throws(() => toWire(wrong), says);
  }
});

test('errors of the SDKs are recognized by their shape', () => {
  const version3 = (name: string, httpStatusCode: number) =>
    Object.assign(new Error('Rate exceeded'), { name, $metadata: { httpStatusCode } });
  assert.equal(handlerErrorCode(version3('ThrottlingException', 400)), 'Throttling');
  assert.equal(handlerErrorCode(version3('NoSuchBucket', 404)), 'NotFound');
  assert.equal(handlerErrorCode(version3('Odd', 409)), 'ResourceConflict');
  assert.equal(handlerErrorCode(version3('Odd', 500)), 'ServiceInternalError');
  assert.equal(handlerErrorCode(version3('Odd', 418)), 'GeneralServiceException');
  const version2 = Object.assign(new Error('x'), { code: 'BucketAlreadyOwnedByYou', statusCode: 409 });
  assert.equal(handlerErrorCode(version2), 'AlreadyExists');
  assert.equal(handlerErrorCode(Object.assign(new Error('x'), { code: 'ECONNREFUSED' })), 'NetworkFailure');
  assert.equal(handlerErrorCode(Object.assign(new Error('x'), { name: 'CredentialsProviderError' })), 'InvalidCredentials');
  assert.equal(handlerErrorCode(Object.assign(new Error('x'), { code: 'ENOENT' })), undefined);
  assert.equal(handlerErrorCode(new Error('x')), undefined);
});

test('every error code has an exception', () => {
  const made = [
    new exceptions.NotFound('T', 'i'),
    new exceptions.InvalidTypeConfiguration('T', 'r'),
    new exceptions.UnsupportedTarget('H', 'T'),
    new exceptions.Throttling('m'),
  ];
  assert.deepEqual(made.map((each) => each.errorCode), ['NotFound', 'InvalidTypeConfiguration', 'UnsupportedTarget', 'Throttling']);
  assert.deepEqual(made.map((each) => each.name), ['NotFound', 'InvalidTypeConfiguration', 'UnsupportedTarget', 'Throttling']);
  const cause = new Error('why');
  assert.equal(new exceptions.InternalFailure('m', { cause }).cause, cause);
});

test('generated names', () => {
  const stackId = 'arn:aws:cloudformation:us-east-1:123456789012:stack/my-stack/084c0bd1';
  const named = { stackId, logicalResourceIdentifier: 'MyResource', clientRequestToken: 'token' };
  assert.equal(generateResourceIdentifier(named, 40), 'my-stack-MyResource-ee977806d7286510da8b9a7492ba58e2484c0ecc'.slice(0, 32));
  assert.equal(generateResourceIdentifier(named, 15), 'sM-ee977806d728'.replace('sM', 'mM'));
  assert.throws(() => generateResourceIdentifier(named, 14), /at least 15/);
});

test('masking leaves short values, and masks encoded ones', () => {
  const redaction = new Redaction();
  redaction.add(['t', 'se+cr/et=', 'canary-long', 'canary-long-er']);
  assert.equal(redaction.mask('t se+cr/et= se%2Bcr%2Fet%3D canary-long-er'), 't ******** ******** ********');
});

test('a hook reads its target typed, and says what does not fit', async () => {
  const hook = new Hook('Acme::Store::Hook');
  hook.handler(HookInvocationPoint.CREATE_PRE_PROVISION, ({ request }) => {
    const { resourceProperties, previousResourceProperties } = readTarget(Thing, request);
    return { status: 'SUCCESS', message: `${resourceProperties.Name} ${previousResourceProperties?.Name}` };
  });
  const point = { actionInvocationPoint: 'CREATE_PRE_PROVISION', awsAccountId: '1', clientRequestToken: 't' };
  const call = (targetModel: object) =>
    hook.entrypoint({ ...point, requestData: { targetName: 'T', targetModel } }) as Promise<Answer>;
  const both = { resourceProperties: { Name: 5 }, previousResourceProperties: { Name: 'b' } };
  assert.equal((await call(both))['message'], '5 b');
  const { result } = await quietly(() => call({ resourceProperties: { Nope: 1 } }));
  assert.match(String(result['message']), /Thing: unknown property at \/Nope/);
});

test('a payload is fetched, again after server errors, and never shown', async () => {
  const statuses = [500, 503, 200];
  const server = createServer((_request, response) => {
    response.statusCode = statuses.shift() ?? 403;
    response.end('{"resourceProperties": {}}');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x?signature=canary`;
  const pauses: number[] = [];
  const pause = (ms: number) => Promise.resolve(pauses.push(ms));
  assert.deepEqual(await fetchPayload(url, pause), { resourceProperties: {} });
  assert.deepEqual(pauses, [1000, 2000]);
  await assert.rejects(fetchPayload(url, pause), (error: Error) => /403/.test(error.message) && !/canary/.test(error.message));
  server.close();
  server.closeAllConnections();
  await assert.rejects(fetchPayload(url, pause), /ECONNREFUSED, 4 times/);
  await assert.rejects(fetchPayload('file:///etc/passwd'), /not an http/);
});

test('the log and the metrics of an invocation', async () => {
  const observed = {
    asked: 'CREATE',
    typeName: 'A::B::C',
    namespace: 'AWS/CloudFormation/A/B/C',
    dimensions: { asked: 'DimensionKeyActionType', type: 'DimensionKeyResourceType' },
    region: 'r',
    stream: 'arn:x/Thing',
    token: 'token-of-the-request',
  };
  const calls: [string, { [name: string]: unknown }][] = [];
  let missing = true;
  const send = (_service: string, operation: string, input: object) => {
    calls.push([operation, input as { [name: string]: unknown }]);
    if (operation === 'PutLogEvents' && missing) {
      missing = false;
      return Promise.reject(Object.assign(new Error('none'), { name: 'ResourceNotFoundException' }));
    }
    const exists = Object.assign(new Error('there'), { name: 'ResourceAlreadyExistsException' });
    return operation === 'CreateLogGroup' ? Promise.reject(exists) : Promise.resolve();
  };
  const observation = new Observation(observed, send, 'group');
  observation.hear('a line with token-of-the-request');
  observation.handled(new TypeError('x'));
  await observation.close();
  assert.deepEqual(
    calls.map(([operation]) => operation),
    ['PutLogEvents', 'CreateLogGroup', 'CreateLogStream', 'PutLogEvents', 'PutMetricData'],
  );
  const events = calls[3]?.[1]['logEvents'] as { message: string }[];
  assert.deepEqual([calls[3]?.[1]['logStreamName'], events[0]?.message], ['arn__x/Thing', 'a line with ********']);
  const data = calls[4]?.[1]['MetricData'] as { MetricName: string }[];
  const names = ['HandlerInvocationCount', 'HandlerInvocationDuration', 'HandlerException'];
  assert.deepEqual(data.map((each) => each.MetricName), names);
});

test('a failed delivery has no effect on the answer', async () => {
  const resource = new Resource('Acme::Store::Thing', Thing);
  resource.handler(Action.CREATE, () => ProgressEvent.success());
  const providerCredentials = { accessKeyId: 'a', secretAccessKey: 's', sessionToken: 't' };
  const requestData = { resourceProperties: {}, providerCredentials, providerLogGroupName: 'g' };
  const { result, log } = await quietly(() => ask(resource, { requestData }));
  assert.equal(result['status'], 'SUCCESS');
  assert.match(log, /metrics were not delivered/); // the SDK is not installed here
  const broken = { ...requestData, providerCredentials: 'x' };
  assert.equal((await quietly(() => ask(resource, { requestData: broken }))).result['status'], 'SUCCESS');
});
