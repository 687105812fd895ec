/** The entry point of a hook's handlers. */

import { randomUUID } from 'node:crypto';

import { describeMisfit, secretsOf, unpack, isEnveloped, Members } from './envelope.js';
import { InternalFailure, InvalidRequest } from './exceptions.js';
import { Invocation, expectEvent, resourceMembers } from './invocation.js';
import type { Call, Prepared } from './invocation.js';
import { Observation, observe } from './observation.js';
import { fetchPayload } from './payload.js';
import { HookInvocationPoint } from './protocol.js';
import type { HookContext, HookHandlerRequest, JsonObject, ProgressEvent } from './protocol.js';
import { readTypeConfiguration } from './resource.js';
import { sessionOf } from './session.js';
import type { Session } from './session.js';
import type { Model } from './shapes.js';

/** What a hook handler is called with. */
export interface HookCall<T extends object> extends Call {
  request: HookHandlerRequest;
  typeConfiguration: T | undefined;
}

/** A handler of one invocation point. */
export type HookHandler<T extends object> = (call: HookCall<T>) => ProgressEvent | PromiseLike<ProgressEvent>;

/** A target's properties, typed. */
export interface Target<M extends object> {
  resourceProperties: M;
  previousResourceProperties: M | undefined;
}

/**
 * The handlers of one hook, called as CloudFormation calls them.
 *
 *     const hook = new Hook('Acme::Store::Hook', TypeConfigurationModel);
 *     hook.handler(HookInvocationPoint.CREATE_PRE_PROVISION, async ({ request, typeConfiguration }) => ...);
 *     export const { entrypoint, testEntrypoint } = hook;
 */
export class Hook<T extends object = never> {
  readonly typeName: string;
  readonly #configuration: Model<T> | undefined;
  readonly #handlers = new Map<HookInvocationPoint, HookHandler<T>>();

  constructor(typeName: string, typeConfiguration?: Model<T>) {
    this.typeName = typeName;
    this.#configuration = typeConfiguration;
  }

  /** Register the handler of an invocation point, and give it back. */
  handler(point: HookInvocationPoint, handle: HookHandler<T>): HookHandler<T> {
    this.#handlers.set(point, handle);
    return handle;
  }

  /** What Lambda calls: answers one request of the protocol (version 2.0.0); never throws. */
  readonly entrypoint = async (event: unknown, context?: unknown): Promise<unknown> => {
    const invocation = new Invocation(context);
    let token: string | undefined;
    const answered = await invocation.answer(() => {
      const envelope = unpack(event);
      token = envelope.text('clientRequestToken');
      return this.#prepare(envelope, invocation);
    });
    return invocation.write(answered, (each) => hookMembers(each, token));
  };

  /**
   * Answers a request without an envelope, with a resource's event (`status`) as the CloudFormation CLI's libraries do:
   * `{credentials, actionInvocationPoint, request, callbackContext, typeConfiguration, region}`. One in CloudFormation's
   * envelope is answered as by `entrypoint`.
   */
  readonly testEntrypoint = async (event: unknown, context?: unknown): Promise<unknown> => {
    if (isEnveloped(event)) return this.entrypoint(event, context);
    const invocation = new Invocation(context);
    const answered = await invocation.answer(() => this.#prepareTest(unpack(event), invocation));
    return invocation.write(answered, resourceMembers);
  };

  async #prepare(envelope: Members, invocation: Invocation): Promise<Prepared> {
    const point = envelope.oneOf('actionInvocationPoint', HookInvocationPoint);
    const data = envelope.members('requestData');
    const token = envelope.required('clientRequestToken');
    const credentials = data.credentials('callerCredentials');
    invocation.redaction.add(secretsOf(credentials));
    const hookContext = readContext(envelope, data, point, await target(data));
    const account = hookContext.awsAccountId;
    const observed = {
      asked: point,
      typeName: this.typeName,
      namespace: `AWS/CloudFormation/${account}/${this.typeName.replaceAll('::', '/')}`,
      dimensions: { asked: 'DimensionKeyInvocationPointType', type: 'DimensionKeyHookType' },
      region: undefined,
      stream:
        hookContext.stackId && hookContext.targetLogicalId
          ? `${hookContext.stackId}/${hookContext.targetLogicalId}`
          : `${account}-${randomUUID()}`,
      token,
    };
    const observation = observe(observed, data, invocation.logger, invocation.redaction);
    const requestContext = new Members(envelope.get('requestContext') ?? {}, 'requestContext');
    const configuration = readTypeConfiguration(this.typeName, this.#configuration, envelope, invocation, 'hookModel');
    const request = { clientRequestToken: token, hookContext };
    const context = requestContext.object('callbackContext');
    const session = sessionOf(credentials, undefined);
    return { call: this.#call(point, session, request, context, configuration, invocation), observation };
  }

  #prepareTest(envelope: Members, invocation: Invocation): Prepared {
    const point = envelope.oneOf('actionInvocationPoint', HookInvocationPoint);
    const asked = envelope.members('request');
    const credentials = envelope.credentials('credentials');
    invocation.redaction.add(secretsOf(credentials));
    const described = asked.members('hookContext');
    const hookContext = readContext(described, described, point, described.object('targetModel') ?? {});
    const configuration = readTypeConfiguration(this.typeName, this.#configuration, envelope, invocation);
    const request = { clientRequestToken: asked.text('clientRequestToken') ?? '', hookContext };
    const context = envelope.object('callbackContext');
    const session = sessionOf(credentials, envelope.text('region'));
    const call = this.#call(point, session, request, context, configuration, invocation);
    return { call, observation: new Observation() };
  }

  /** What calls the point's handler; a hook without one fails the request, not the reading of it. */
  #call(
    point: HookInvocationPoint,
    session: Session | undefined,
    request: HookHandlerRequest,
    callbackContext: JsonObject | undefined,
    typeConfiguration: T | undefined,
    { logger, lambda }: Invocation,
  ): () => Promise<ProgressEvent> {
    return async () => {
      const handle = this.#handlers.get(point);
      if (handle === undefined) throw new InternalFailure(`No handler for ${point}`);
      const call = { request, session, callbackContext: callbackContext ?? {}, typeConfiguration, logger, lambda };
      return expectEvent(await handle(call), point);
    };
  }
}

/** The target of a resource-level hook, read as the model of its type. */
export function readTarget<M extends object>(model: Model<M>, request: HookHandlerRequest): Target<M> {
  const { targetModel } = request.hookContext;
  try {
    return {
      resourceProperties: model.read(targetModel['resourceProperties']) ?? ({} as M),
      previousResourceProperties: model.read(targetModel['previousResourceProperties']),
    };
  } catch (problem) {
    throw new InvalidRequest(describeMisfit(model.name, problem));
  }
}

/** The hook's context; in an envelope what describes the target stands in `requestData`. */
function readContext(
  envelope: Members,
  data: Members,
  invocationPoint: HookInvocationPoint,
  targetModel: JsonObject,
): HookContext {
  return {
    awsAccountId: envelope.required('awsAccountId'),
    stackId: envelope.text('stackId') ?? '',
    changeSetId: envelope.text('changeSetId'),
    hookTypeName: envelope.text('hookTypeName') ?? '',
    hookTypeVersion: envelope.text('hookTypeVersion') ?? '',
    invocationPoint,
    targetName: data.required('targetName'),
    targetType: data.text('targetType') ?? 'RESOURCE',
    targetLogicalId: data.text('targetLogicalId') ?? '',
    targetModel,
  };
}

async function target(data: Members): Promise<JsonObject> {
  const inline = data.object('targetModel');
  if (inline !== undefined && Object.keys(inline).length > 0) return inline;
  const url = data.text('payload');
  return url ? fetchPayload(url) : {};
}

function hookMembers(event: ProgressEvent, clientRequestToken: string | undefined): { [name: string]: unknown } {
  return {
    hookStatus: event.status,
    errorCode: event.errorCode,
    message: event.message ?? '',
    callbackContext: event.callbackContext,
    callbackDelaySeconds: event.callbackDelaySeconds ?? 0,
    result: event.result,
    clientRequestToken,
    annotations: event.annotations,
  };
}
