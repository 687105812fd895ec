/** Handlers of a lamp with a bulb in a service of the web, by fetch alone. The service makes the id. */
import { Action, HandlerErrorCode, ProgressEvent, Resource } from './formwork/index.js';
import { ResourceModel, TypeConfigurationModel } from './models.js';
import type { Call } from './models.js';

const BASE = 'https://api.lamps.example/v1';
const CODES: { [status: number]: HandlerErrorCode } = {
  429: HandlerErrorCode.Throttling,
  503: HandlerErrorCode.ServiceInternalError,
  403: HandlerErrorCode.AccessDenied,
  401: HandlerErrorCode.InvalidCredentials,
  404: HandlerErrorCode.NotFound,
};

interface Lamp { id: number; name: string; color: string }
interface Bulb { watts: number }

class Refused extends Error {
  constructor(readonly code: HandlerErrorCode, message: string) {
    super(message);
  }
}

async function ask<T>(method: string, path: string, body?: unknown, token?: string): Promise<T> {
  let reply: Response;
  let text: string;
  try {
    reply = await fetch(BASE + path, {
      method,
      headers: { 'content-type': 'application/json', ...(token === undefined ? {} : { 'idempotency-key': token }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(5000),
    });
    text = await reply.text();
  } catch {
    throw new Refused(HandlerErrorCode.NetworkFailure, "the service can't be reached");
  }
  if (!reply.ok) {
    const code = CODES[reply.status] ?? HandlerErrorCode.GeneralServiceException;
    throw new Refused(code, `the service answers ${reply.status}`);
  }
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

const resource = new Resource('Acme::Store::Lamp', ResourceModel, TypeConfigurationModel);
export const { entrypoint, testEntrypoint } = resource;

async function answering(known: { Id?: string }, act: () => Promise<ProgressEvent<ResourceModel>>) {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const named = error.code !== HandlerErrorCode.NotFound && known.Id !== undefined;
    return ProgressEvent.failed(error.code, error.message, (named ? { resourceModel: known } : {}) as object);
  }
}

function shown(lamp: Lamp, bulbs: Bulb[]) {
  return { Id: String(lamp.id), Name: lamp.name, Color: lamp.color, Watts: bulbs[0]?.watts };
}

const known = ({ request }: Call) => ({ ...(request.desiredResourceState.Id && { Id: request.desiredResourceState.Id }) });

export const create = resource.handler(Action.CREATE, async ({ request }: Call) => {
  const model = request.desiredResourceState;
  const made: { Id?: string } = {};
  return answering(made, async () => {
    const asked = { name: model.Name, color: model.Color };
    const lamp = await ask<Lamp>('POST', '/lamps', asked, request.clientRequestToken);
    made.Id = String(lamp.id);
    let bulbs: Bulb[] = [];
    try {
      bulbs = await ask<Bulb[]>('GET', `/lamps/${lamp.id}/bulbs`);
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== HandlerErrorCode.NotFound) throw error;
    }
    if (bulbs.length === 0) bulbs = [await ask<Bulb>('POST', `/lamps/${lamp.id}/bulbs`, { watts: model.Watts })];
    return ProgressEvent.success(shown(lamp, bulbs));
  });
});

export const read = resource.handler(Action.READ, async (call: Call) => {
  return answering(known(call), async () => {
    const lamp = await ask<Lamp>('GET', `/lamps/${call.request.desiredResourceState.Id}`);
    return ProgressEvent.success(shown(lamp, await ask<Bulb[]>('GET', `/lamps/${lamp.id}/bulbs`)));
  });
});

export const update = resource.handler(Action.UPDATE, async (call: Call) => {
  return answering(known(call), async () => {
    const model = call.request.desiredResourceState;
    const lamp = await ask<Lamp>('PUT', `/lamps/${model.Id}`, { name: model.Name, color: model.Color });
    return ProgressEvent.success(shown(lamp, await ask<Bulb[]>('GET', `/lamps/${lamp.id}/bulbs`)));
  });
});

export const remove = resource.handler(Action.DELETE, async (call: Call) => {
  return answering(known(call), async () => {
    await ask('DELETE', `/lamps/${call.request.desiredResourceState.Id}`);
    return ProgressEvent.success();
  });
});

export const list = resource.handler(Action.LIST, async () => {
  return answering({}, async () => {
    const lamps = await ask<Lamp[]>('GET', '/lamps');
    return ProgressEvent.list(lamps.map(lamp => ({ Id: String(lamp.id) })));
  });
});
