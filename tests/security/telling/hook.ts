/** A hook that repeats everything it was given, as Node writes it; the target's `Hook` says how it fails. */
import { inspect } from 'node:util';
import { Hook, HookInvocationPoint } from './formwork/index.js';
import { TypeConfigurationModel } from './models.js';

const hook = new Hook('$type_name', TypeConfigurationModel);
export const { entrypoint, testEntrypoint } = hook;

for (const point of Object.values(HookInvocationPoint)) {
  hook.handler(point, async ({ request, session, callbackContext, typeConfiguration }) => {
    const model = request.hookContext.targetModel;
    const { secretAccessKey, sessionToken } = session?.credentials ?? {};
    const known = [model, typeConfiguration, secretAccessKey, sessionToken];
    const whole = JSON.stringify(known);
    const told = [
      whole,
      JSON.stringify(whole),
      inspect(known, { depth: 9 }),
      encodeURIComponent(whole),
      Buffer.from(whole).toString('base64'),
    ].join('\n');
    process.stdout.write(`${told}\n`);
    console.error(known);
    const mode = (model['resourceProperties'] as { Hook?: string } | undefined)?.Hook;
    if (mode === 'raise') throw new Error(told, { cause: known });
    if (Object.keys(callbackContext ?? {}).length === 0) {
      return { status: 'IN_PROGRESS', message: told, callbackContext: { told } };
    }
    if (mode === 'fail') return { status: 'FAILED', errorCode: 'NonCompliant', message: told };
    return { status: 'SUCCESS', message: told };
  });
}
