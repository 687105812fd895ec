/** Handlers that answer what the service at AWKWARD_SERVICE says, through the TypeScript handler library and its models. */
import { Action, Resource } from './formwork/index.js';
import type { ProgressEvent } from './formwork/index.js';
import { ResourceModel, TypeConfigurationModel } from './models.js';

const resource = new Resource('$type_name', ResourceModel, TypeConfigurationModel);
export const { entrypoint, testEntrypoint } = resource;

for (const action of Object.values(Action)) {
  resource.handler(action, async ({ request, callbackContext }) => {
    const response = await fetch(process.env['AWKWARD_SERVICE'] ?? '', {
      method: 'POST',
      body: JSON.stringify({
        action,
        bearerToken: request.clientRequestToken,
        callbackContext,
        nextToken: request.nextToken,
        requestData: { resourceProperties: request.desiredResourceState },
      }),
    });
    const { resourceModel: model, resourceModels: models, ...answer } = (await response.json()) as ProgressEvent;
    return {
      ...answer,
      resourceModel: model ? ResourceModel.read(model) : undefined,
      resourceModels: models?.flatMap((each) => ResourceModel.read(each) ?? []),
    };
  });
}
