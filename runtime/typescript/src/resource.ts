/** The entry point of a resource type's handlers. */

import { partitionOf, secretsOf, unpack, describeMisfit, isEnveloped } from './envelope.js';
import type { Members } from './envelope.js';
import { InternalFailure, InvalidRequest, InvalidTypeConfiguration } from './exceptions.js';
import { Invocation, expectEvent, expectSynchronous, resourceMembers } from './invocation.js';
import type { Call, Prepared } from './invocation.js';
import { Observation, observe } from './observation.js';
import { Action } from './protocol.js';
import type { JsonObject, ProgressEvent, ResourceHandlerRequest, Tags } from './protocol.js';
import { sessionOf } from './session.js';
import type { Session } from './session.js';
import type { Model } from './shapes.js';

/** What a resource handler is called with. */
export interface ResourceCall<M extends object, T extends object> extends Call {
  request: ResourceHandlerRequest<M, T>;
}

/** A handler of one action. */
export type ResourceHandler<M extends object, T extends object> = (
  call: ResourceCall<M, T>,
) => ProgressEvent<M> | PromiseLike<ProgressEvent<M>>;

/**
 * The handlers of one resource type, called as CloudFormation calls them.
 *
 *     const resource = new Resource('Acme::Store::Thing', ResourceModel, TypeConfigurationModel);
 *     resource.handler(Action.CREATE, async ({ request, session, callbackContext, logger }) => ...);
 *     export const { entrypoint, testEntrypoint } = resource;
 */
export class Resource<M extends object, T extends object = never> {
  readonly typeName: string;
  readonly #model: Model<M>;
  readonly #configuration: Model<T> | undefined;
  readonly #handlers = new Map<Action, ResourceHandler<M, T>>();

  constructor(typeName: string, model: Model<M>, typeConfiguration?: Model<T>) {
    this.typeName = typeName;
    this.#model = model;
    this.#configuration = typeConfiguration;
  }

  /** Register the handler of an action, and give it back. */
  handler(action: Action, handle: ResourceHandler<M, T>): ResourceHandler<M, T> {
    this.#handlers.set(action, handle);
    return handle;
  }

  /** What Lambda calls: answers one request of the protocol (version 2.0.0); never throws. */
  readonly entrypoint = async (event: unknown, context?: unknown): Promise<unknown> => {
    const invocation = new Invocation(context);
    const answered = await invocation.answer(() => this.#prepare(unpack(event), invocation));
    return invocation.write(answered, resourceMembers);
  };

  /**
   * Answers a request without an envelope: `{credentials, action, request, callbackContext, region}`. One in
   * CloudFormation's envelope is answered as by `entrypoint`.
   */
  readonly testEntrypoint = async (event: unknown, context?: unknown): Promise<unknown> => {
    if (isEnveloped(event)) return this.entrypoint(event, context);
    const invocation = new Invocation(context);
    const answered = await invocation.answer(() => this.#prepareTest(unpack(event), invocation));
    return invocation.write(answered, resourceMembers);
  };

  #prepare(envelope: Members, invocation: Invocation): Prepared {
    const action = envelope.oneOf('action', Action);
    const data = envelope.members('requestData');
    const [account, region] = [envelope.required('awsAccountId'), envelope.required('region')];
    const [token, stackId] = [envelope.required('bearerToken'), envelope.text('stackId')];
    const logicalId = data.text('logicalResourceId');
    const credentials = data.credentials('callerCredentials');
    invocation.redaction.add(secretsOf(credentials));
    const request: ResourceHandlerRequest<M, T> = {
      clientRequestToken: token,
      ...this.#models(data, 'resourceProperties', 'previousResourceProperties', invocation),
      desiredResourceTags: (data.object('stackTags') ?? {}) as Tags,
      previousResourceTags: data.object('previousStackTags') as Tags | undefined,
      systemTags: data.object('systemTags') as Tags | undefined,
      previousSystemTags: data.object('previousSystemTags') as Tags | undefined,
      awsAccountId: account,
      logicalResourceIdentifier: logicalId,
      nextToken: envelope.text('nextToken'),
      region,
      awsPartition: partitionOf(region),
      stackId,
    };
    const observed = {
      asked: action,
      typeName: this.typeName,
      namespace: `AWS/CloudFormation/${this.typeName.replaceAll('::', '/')}`,
      dimensions: { asked: 'DimensionKeyActionType', type: 'DimensionKeyResourceType' },
      region,
      stream: stackId && logicalId ? `${stackId}/${logicalId}` : `${account}-${region}`,
      token,
    };
    const observation = observe(observed, data, invocation.logger, invocation.redaction);
    const session = sessionOf(credentials, region);
    return { call: this.#call(action, session, request, envelope.object('callbackContext'), invocation), observation };
  }

  #prepareTest(envelope: Members, invocation: Invocation): Prepared {
    const action = envelope.oneOf('action', Action);
    const asked = envelope.members('request');
    const credentials = envelope.credentials('credentials');
    invocation.redaction.add(secretsOf(credentials));
    const region = asked.text('region') ?? envelope.text('region');
    const request: ResourceHandlerRequest<M, T> = {
      clientRequestToken: asked.text('clientRequestToken') ?? '',
      ...this.#models(asked, 'desiredResourceState', 'previousResourceState', invocation),
      desiredResourceTags: asked.object('desiredResourceTags') as Tags | undefined,
      previousResourceTags: asked.object('previousResourceTags') as Tags | undefined,
      systemTags: asked.object('systemTags') as Tags | undefined,
      previousSystemTags: asked.object('previousSystemTags') as Tags | undefined,
      awsAccountId: asked.text('awsAccountId'),
      logicalResourceIdentifier: asked.text('logicalResourceIdentifier'),
      nextToken: asked.text('nextToken'),
      region,
      awsPartition: asked.text('awsPartition') ?? partitionOf(region),
      stackId: asked.text('stackId'),
    };
    const session = sessionOf(credentials, envelope.text('region') ?? region);
    const context = envelope.object('callbackContext');
    return { call: this.#call(action, session, request, context, invocation), observation: new Observation() };
  }

  #models(data: Members, desired: string, previous: string, invocation: Invocation) {
    const read = (name: string): M | undefined => this.#read(data.object(name), invocation);
    return {
      desiredResourceState: read(desired) ?? ({} as M),
      previousResourceState: read(previous),
      typeConfiguration: readTypeConfiguration(this.typeName, this.#configuration, data, invocation),
    };
  }

  #read(properties: JsonObject | undefined, invocation: Invocation): M | undefined {
    if (properties === undefined) return undefined;
    invocation.redaction.addLater(() => this.#model.secrets(properties));
    try {
      return this.#model.read(properties);
    } catch (problem) {
      throw new InvalidRequest(describeMisfit(this.#model.name, problem));
    }
  }

  /** What calls the action's handler; a type without one fails the request, not the reading of it. */
  #call(
    action: Action,
    session: Session | undefined,
    request: ResourceHandlerRequest<M, T>,
    callbackContext: JsonObject | undefined,
    { logger, lambda }: Invocation,
  ): () => Promise<ProgressEvent> {
    return async () => {
      const handle = this.#handlers.get(action);
      if (handle === undefined) throw new InternalFailure(`No handler for ${action}`);
      const answer = await handle({ request, session, callbackContext: callbackContext ?? {}, logger, lambda });
      return expectSynchronous(expectEvent(answer, action), action);
    };
  }
}

/** The extension's configuration, or undefined where there is none or the extension has no model for it. */
export function readTypeConfiguration<T extends object>(
  typeName: string,
  model: Model<T> | undefined,
  data: Members,
  invocation: Invocation,
  member = 'typeConfiguration',
): T | undefined {
  const configuration = data.object(member);
  if (model === undefined || configuration === undefined) return undefined;
  invocation.redaction.addLater(() => model.secrets(configuration));
  try {
    return model.read(configuration);
  } catch (problem) {
    throw new InvalidTypeConfiguration(typeName, describeMisfit(model.name, problem));
  }
}
