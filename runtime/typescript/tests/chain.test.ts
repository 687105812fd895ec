import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Blended, CappedExponential, Chain, Constant, Exponential, MultipleOf, Retry, ShiftBy, Timing, exceptions } from '../src/index.js';
import type { ChainOptions, Delay, JsonObject, Progress } from '../src/index.js';

interface Stream {
  Name?: string;
}

/** A service whose stream becomes active after some looks, and whose calls fail as told. */
class Kinesis {
  calls: string[] = [];
  failures: Error[] = [];
  looksUntilActive = 2;

  async create(name: string): Promise<{ arn: string; $metadata: object }> {
    this.calls.push(`create ${name}`);
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
    return { arn: `arn:${name}`, $metadata: { requestId: 'r' } };
  }

  async isActive(): Promise<boolean> {
    this.calls.push('look');
    this.looksUntilActive -= 1;
    return this.looksUntilActive <= 0;
  }
}

type Make = (chain: Chain<Stream>, kinesis: Kinesis) => Progress<Stream>;

const createStream: Make = (chain, kinesis) =>
  chain
    .initiate('create', kinesis)
    .request((model) => model.Name ?? '')
    .call((name, client) => client.create(name))
    .stabilize((step) => step.client.isActive())
    .progress()
    .andThen(() => chain.initiate('tag', kinesis).request(() => 'tags').call((name, client) => client.create(name)).progress())
    .success();

/** Call the operation as CloudFormation does: again with the JSON of the context, and later. */
async function drive(make: Make, kinesis: Kinesis, options: ChainOptions = {}, most = 20) {
  let [context, now] = ['{}', 1000];
  const events = [];
  for (let turn = 0; turn < most; turn += 1) {
    const timing = new Timing({ clock: () => now, sleep: async (seconds) => void (now += seconds) });
    const callbackContext = JSON.parse(context) as JsonObject;
    const event = await make(new Chain<Stream>({ Name: 's' }, callbackContext, { timing, ...options }), kinesis);
    events.push(event);
    if (event.status !== 'IN_PROGRESS') return { events, last: event, context: callbackContext };
    context = JSON.stringify(event.callbackContext);
    now += event.callbackDelaySeconds ?? 0;
  }
  throw new Error('it never ends');
}

function serviceError(name: string, httpStatusCode = 400): Error {
  return Object.assign(new Error('from the service'), { name, $metadata: { httpStatusCode } });
}

test('a chain calls once, waits, and resumes where it was', async () => {
  const kinesis = new Kinesis();
  const { events, last } = await drive(createStream, kinesis);
  assert.deepEqual(kinesis.calls, ['create s', 'look', 'look', 'create tags']);
  assert.deepEqual(events.map((each) => [each.status, each.callbackDelaySeconds ?? 0]), [['IN_PROGRESS', 5], ['SUCCESS', 0]]);
  assert.deepEqual(last.resourceModel, { Name: 's' });
  const state = events[0]?.callbackContext?.['__chain__'] as { [name: string]: { response: unknown } };
  assert.deepEqual(state['create']?.response, { arn: 'arn:s' }, 'without the metadata');
});

test('checkpoints leave after every call', async () => {
  const { events } = await drive(createStream, new Kinesis(), { checkpoint: true });
  assert.deepEqual(events.map((each) => each.callbackDelaySeconds ?? 0), [0, 5, 0, 0]);
});

test('throttling is waited out, other errors end the operation with their code', async () => {
  const throttled = new Kinesis();
  throttled.failures = [serviceError('ThrottlingException'), serviceError('Odd', 503)];
  assert.equal((await drive(createStream, throttled)).last.status, 'SUCCESS');
  const existing = new Kinesis();
  existing.failures = [serviceError('AlreadyExistsException')];
  const { last } = await drive(createStream, existing);
  assert.deepEqual([last.status, last.errorCode], ['FAILED', 'AlreadyExists']);
});

const withErrors =
  (tell: (error: unknown) => never): Make =>
  (chain, kinesis) =>
    chain.initiate('c', kinesis).request(() => 'n').call((name, client) => client.create(name)).handleError(tell).success();

test('error handlers decide', async () => {
  const retried = new Kinesis();
  retried.failures = [new Error('once')];
  const retry = withErrors(() => {
    throw new Retry();
  });
  assert.equal((await drive(retry, retried)).last.status, 'SUCCESS');
  const failing = new Kinesis();
  failing.failures = [new Error('once')];
  const notFound = withErrors(() => {
    throw new exceptions.NotFound('T', 'i');
  });
  assert.equal((await drive(notFound, failing)).last.errorCode, 'NotFound');
  const nothing = new Kinesis();
  nothing.failures = [new Error('once')];
  const { last } = await drive(withErrors(() => undefined as never), nothing);
  assert.match(last.message ?? '', /handleError of c returned undefined/);
});

test('retryOn and failAs go by the service code', async () => {
  const make: Make = (chain, kinesis) =>
    chain
      .initiate('c', kinesis)
      .request(() => 'n')
      .call((name, client) => client.create(name))
      .retryOn('ResourceInUseException')
      .failAs({ Odd: 'NotUpdatable' })
      .success();
  const kinesis = new Kinesis();
  kinesis.failures = [serviceError('ResourceInUseException'), serviceError('Odd')];
  const { events, last } = await drive(make, kinesis);
  assert.deepEqual([events.length, last.errorCode], [2, 'NotUpdatable']);
});

test('the time to wait ends', async () => {
  const never: Make = (chain, kinesis) =>
    chain.waitFor('ready', kinesis, () => false, { delay: new Constant(10, { timeout: 30 }) }).success();
  const { events, last } = await drive(never, new Kinesis());
  assert.deepEqual([events.length, last.errorCode], [4, 'NotStabilized']);
  assert.match(last.message ?? '', /ready did not stabilize after 4 attempts in 30 seconds/);
});

test('short waits are spent here', async () => {
  const soon: Make = (chain, kinesis) =>
    chain.waitFor('ready', kinesis, (step) => step.client.isActive(), { delay: new Constant(0.2, { timeout: 9 }) }).success();
  const { events } = await drive(soon, new Kinesis());
  assert.equal(events.length, 1);
});

test('what cannot be remembered is refused with the name of the step', async () => {
  const big: Make = (chain, kinesis) =>
    chain.initiate('big', kinesis).request(() => '').call(() => 'x'.repeat(40_000)).stabilize(() => false).success();
  await assert.rejects(drive(big, new Kinesis()), /more than 32768; step 'big' holds/);
  const odd: Make = (chain, kinesis) => chain.initiate('odd', kinesis).request(() => '').call(() => ({ f: () => 1 })).success();
  const { last } = await drive(odd, new Kinesis());
  assert.match(last.message ?? '', /response of odd cannot be remembered: \/f is of type function.*keep\(\)/);
  const kept: Make = (chain, kinesis) =>
    chain
      .initiate('kept', kinesis)
      .request(() => 'n')
      .call((name, client) => client.create(name))
      .keep((response) => response.arn)
      .done((step) => ({ status: 'SUCCESS', message: step.response, resourceModel: step.model }));
  assert.equal((await drive(kept, new Kinesis())).last.message, 'arn:n');
});

test('two steps of one name are refused, and a foreign context is', () => {
  const chain = new Chain<Stream>({}, {});
  chain.initiate('a', null);
  assert.throws(() => chain.initiate('a', null), /two steps of the chain are named 'a'/);
  assert.throws(() => new Chain<Stream>({}, { __chain__: [] }), /was not written by a chain/);
});

test('progress with a delay leaves once', async () => {
  const make: Make = (chain, kinesis) =>
    chain.initiate('a', kinesis).request(() => '').call(() => null).progress(7).success();
  const { events } = await drive(make, new Kinesis());
  assert.deepEqual(events.map((each) => each.callbackDelaySeconds ?? 0), [7, 0]);
});

test('tokens are the same in every attempt, and UUIDs in form', () => {
  const chain = new Chain<Stream>({}, {}, { token: 'token' });
  const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
  assert.match(chain.tokenFor('a'), pattern);
  assert.equal(chain.tokenFor('a'), new Chain<Stream>({}, {}, { token: 'token' }).tokenFor('a'));
  assert.notEqual(chain.tokenFor('a'), chain.tokenFor('b'));
});

test('the figures of the delays', () => {
  const first = (delay: Delay, count: number) => Array.from({ length: count }, (_, index) => delay.seconds(index + 1));
  assert.deepEqual(first(new Constant(5, { timeout: 15 }), 4), [5, 5, 5, undefined]);
  assert.deepEqual(first(new Exponential({ timeout: 14 }), 4), [2, 4, 8, undefined]);
  assert.deepEqual(first(new CappedExponential({ timeout: 100 }), 6), [2, 4, 8, 16, 20, 20]);
  assert.deepEqual(first(new MultipleOf(5, { timeout: 600 }), 4), [5, 10, 20, 30]);
  assert.deepEqual(first(new ShiftBy(5, { timeout: 600 }), 4), [5, 15, 35, 65]);
  const blended = new Blended(new Constant(5, { timeout: 20 }), new ShiftBy(5, { timeout: 220 }));
  assert.deepEqual(first(blended, 8), [5, 5, 5, 5, 40, 90, 150, 220]);
  assert.throws(() => new Constant(0, { timeout: 1 }), /delay is 0/);
});
