/**
 * What the provider of an extension sees of one invocation: its log in CloudWatch Logs and its metrics.
 *
 * Both need the provider's credentials in the request, and the AWS SDK's clients, which Lambda's Node runtimes bring
 * along; without either nothing is delivered. Nothing that goes wrong here reaches the request, and all of it gives up
 * within seconds.
 */

import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { Credentials, Members } from './envelope.js';
import { secretsOf } from './envelope.js';
import type { Logger } from './logger.js';
import { Redaction } from './redaction.js';

/** What to observe: who is asked, and what the log stream is called. */
export interface Observed {
  asked: string;
  typeName: string;
  namespace: string;
  dimensions: { asked: string; type: string };
  region: string | undefined;
  stream: string;
  token: string;
}

type Send = (service: 'logs' | 'monitoring', operation: string, input: object) => Promise<unknown>;
type LogEvent = { timestamp: number; message: string };
type Datum = { [member: string]: unknown };

const LONGEST_EVENT = 60_000; // characters, at most four bytes each: PutLogEvents takes 256 KB an event
const BATCH_EVENTS = 1000;
const BATCH_CHARACTERS = 250_000;

/** Collects what one invocation logs, and how it ends; `close` delivers it. */
export class Observation {
  readonly #observed: Observed | undefined;
  readonly #send: Send | undefined;
  readonly #group: string | undefined;
  readonly #delivered = new Redaction();
  readonly #events: LogEvent[] = [];
  readonly #data: Datum[] = [];
  readonly #started = Date.now();

  constructor(observed?: Observed, send?: Send, group?: string) {
    this.#observed = observed;
    this.#send = send;
    this.#group = group;
    if (observed !== undefined) this.#delivered.add([observed.token]);
  }

  /** Take this line into the provider's log. */
  hear(message: string): void {
    const text = this.#delivered.mask(message).slice(0, LONGEST_EVENT);
    if (text !== '') this.#events.push({ timestamp: Date.now(), message: text });
  }

  /** The handler has ended, with this error or undefined. */
  handled(error: unknown): void {
    if (this.#observed === undefined) return;
    this.#add('HandlerInvocationCount', this.#observed.asked);
    this.#add('HandlerInvocationDuration', this.#observed.asked, {
      Unit: 'Milliseconds',
      Value: Date.now() - this.#started,
    });
    if (error !== undefined) this.#addException(this.#observed.asked, error);
  }

  /** Deliver what was collected. */
  async close(): Promise<void> {
    if (this.#send === undefined || this.#observed === undefined) return;
    try {
      await this.#deliverLog(this.#send, this.#observed);
    } catch (error) {
      this.#addException('ProviderLogDelivery', error);
    }
    try {
      const input = { Namespace: this.#observed.namespace, MetricData: this.#data };
      await this.#send('monitoring', 'PutMetricData', input);
    } catch (error) {
      console.warn(`The metrics were not delivered: ${nameOf(error)}`);
    }
  }

  async #deliverLog(send: Send, observed: Observed): Promise<void> {
    if (this.#group === undefined) return;
    const where = { logGroupName: this.#group, logStreamName: observed.stream.replaceAll(':', '__') };
    for (const logEvents of batches(this.#events)) {
      try {
        await send('logs', 'PutLogEvents', { ...where, logEvents });
      } catch (error) {
        if (nameOf(error) !== 'ResourceNotFoundException') throw error;
        await create(send, 'CreateLogGroup', { logGroupName: where.logGroupName });
        await create(send, 'CreateLogStream', where);
        await send('logs', 'PutLogEvents', { ...where, logEvents });
      }
    }
  }

  #addException(asked: string, error: unknown): void {
    this.#add('HandlerException', asked, {}, { DimensionKeyExceptionType: nameOf(error) });
  }

  #add(metric: string, asked: string, datum: Datum = {}, more: { [name: string]: string } = {}): void {
    const observed = this.#observed;
    if (observed === undefined) return;
    const named = { [observed.dimensions.asked]: asked, [observed.dimensions.type]: observed.typeName, ...more };
    const Dimensions = Object.entries(named).map(([Name, Value]) => ({ Name, Value }));
    this.#data.push({ MetricName: metric, Dimensions, Timestamp: new Date(), Unit: 'Count', Value: 1, ...datum });
  }
}

/** The observation that a request's `requestData` asks for. */
export function observe(observed: Observed, data: Members, logger: Logger, redaction: Redaction): Observation {
  let credentials: Credentials | undefined;
  try {
    credentials = data.credentials('providerCredentials');
  } catch (problem) {
    logger.warn('The log and the metrics are not delivered:', problem instanceof Error ? problem.message : problem);
  }
  if (credentials === undefined) return new Observation();
  redaction.add(secretsOf(credentials));
  const group = data.text('providerLogGroupName');
  const observation = new Observation(observed, sender(credentials, observed.region), group);
  if (group) logger.listen((_level, message) => observation.hear(message));
  return observation;
}

function* batches(events: LogEvent[]): Iterable<LogEvent[]> {
  let batch: LogEvent[] = [];
  let size = 0;
  for (const event of events) {
    if (batch.length === BATCH_EVENTS || (size + event.message.length > BATCH_CHARACTERS && batch.length > 0)) {
      yield batch;
      [batch, size] = [[], 0];
    }
    batch.push(event);
    size += event.message.length;
  }
  if (batch.length > 0) yield batch;
}

async function create(send: Send, operation: string, input: object): Promise<void> {
  try {
    await send('logs', operation, input);
  } catch (error) {
    if (nameOf(error) !== 'ResourceAlreadyExistsException') throw error; // another invocation may be faster
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

interface Client {
  send(command: object, options: object): Promise<unknown>;
}
type Sdk = { [name: string]: new (config: object) => Client & object };

/** Sends through the SDK's clients, which are looked for only now: no project need install them. */
function sender(credentials: Credentials, region: string | undefined): Send {
  const clients = new Map<string, readonly [Sdk, Client]>();
  return async (service, operation, input) => {
    const [sdk, client] = remember(clients, service, () => connect(service, credentials, region));
    const Command = sdk[`${operation}Command`];
    if (Command === undefined) throw new TypeError(`the SDK has no ${operation}`);
    return client.send(new Command(input), { abortSignal: AbortSignal.timeout(3000) });
  };
}

function connect(
  service: 'logs' | 'monitoring',
  credentials: Credentials,
  region: string | undefined,
): readonly [Sdk, Client] {
  const [name, className] =
    service === 'logs'
      ? ['@aws-sdk/client-cloudwatch-logs', 'CloudWatchLogsClient']
      : ['@aws-sdk/client-cloudwatch', 'CloudWatchClient'];
  // Lambda has the SDK beside its runtime, where only `require` looks.
  const sdk = createRequire(join(process.env['LAMBDA_TASK_ROOT'] ?? process.cwd(), 'handlers.js'))(name) as Sdk;
  const Client = sdk[className];
  if (Client === undefined) throw new TypeError(`${name} has no ${className}`);
  return [sdk, new Client({ credentials, ...(region === undefined ? {} : { region }), maxAttempts: 1 })];
}

function remember<T>(known: Map<string, T>, name: string, make: () => T): T {
  const found = known.get(name) ?? make();
  known.set(name, found);
  return found;
}
