/** Handlers that repeat everything they were given, as Node writes it; `Mode` says how an action fails. */
import { inspect } from 'node:util';
import { Action, Resource } from './formwork/index.js';
import type { HandlerErrorCode } from './formwork/index.js';
import { ResourceModel, TypeConfigurationModel } from './models.js';

const resource = new Resource('$type_name', ResourceModel, TypeConfigurationModel);
export const { entrypoint, testEntrypoint } = resource;

function leaves(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leaves);
  return value === null || value === undefined ? [] : [String(value)];
}

function forms(text: string): string[] {
  const raw = Buffer.from(text);
  const shifted = [0, 1, 2].map((before) => Buffer.concat([Buffer.from('x'.repeat(before)), raw, Buffer.from('y')]));
  return [
    `<${text}>`,
    JSON.stringify(text),
    JSON.stringify(JSON.stringify({ inner: text })),
    inspect(text),
    inspect({ a: { b: [text] } }),
    encodeURIComponent(text),
    encodeURI(text),
    new URLSearchParams({ key: text }).toString(),
    escape(text),
    ...shifted.map((each) => each.toString('base64')),
    ...shifted.map((each) => each.toString('base64url')),
    raw.toString('hex'),
    `\u001b[31m${text}\u001b[0m`,
  ];
}

function tell(...known: unknown[]): string {
  const whole = JSON.stringify(known);
  const texts = [...new Set(leaves(known))].filter((each) => !/^(https?:\/\/localhost|arn:)/.test(each));
  return [
    whole,
    JSON.stringify(whole),
    JSON.stringify(known, null, 2),
    inspect(known, { depth: 9 }),
    encodeURIComponent(whole),
    Buffer.from(whole).toString('base64'),
    ...texts.flatMap(forms),
  ].join('\n');
}

for (const action of Object.values(Action)) {
  resource.handler(action, async ({ request, session, callbackContext }) => {
    const desired: ResourceModel = request.desiredResourceState;
    const { secretAccessKey, sessionToken } = session?.credentials ?? {};
    const environment = Object.entries(process.env).filter(([name]) => /SECRET_ACCESS_KEY|SESSION_TOKEN/.test(name));
    const keys = [secretAccessKey, sessionToken, ...environment.map(([, value]) => value)];
    const told = tell(desired, request.previousResourceState, request.typeConfiguration, keys);
    process.stdout.write(`${told}\n`);
    console.error(desired, request, told);
    const [how, when] = (desired.Mode ?? '').split('-');
    if (when === action.toLowerCase()) {
      if (how === 'raise') {
        throw new Error(told, { cause: Object.assign(new TypeError(desired.Password), { desired }) });
      }
      if (how === 'crash') {
        setTimeout(() => {
          throw Object.assign(new RangeError(told), { desired });
        });
        await new Promise(() => setTimeout(() => undefined, 60_000));
      }
      if (how === 'code') return { status: 'FAILED', errorCode: desired.Password as HandlerErrorCode, message: told };
      if (how === 'wait' && Object.keys(callbackContext ?? {}).length === 0) {
        const context = { told, key: { [desired.Password ?? '']: 1 } };
        return { status: 'IN_PROGRESS', resourceModel: desired, callbackContext: context, message: told };
      }
      if (how === 'fail') return { status: 'FAILED', errorCode: 'InvalidRequest', message: told, resourceModel: desired };
    }
    if (action === Action.LIST) return { status: 'SUCCESS', resourceModels: [], message: told };
    if (action === Action.DELETE) return { status: 'SUCCESS', message: told };
    const { Name, Mode, Label } = desired;
    return { status: 'SUCCESS', resourceModel: { Name, Mode, Label }, message: told };
  });
}
