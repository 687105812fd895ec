package vectors.resource;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.cloudformation.proxy.AmazonWebServicesClientProxy;
import software.amazon.cloudformation.proxy.Logger;
import software.amazon.cloudformation.proxy.OperationStatus;
import software.amazon.cloudformation.proxy.ProgressEvent;
import software.amazon.cloudformation.proxy.ResourceHandlerRequest;
import software.amazon.cloudformation.resource.Serializer;
import vectors.Errors;
import vectors.Vectors;

/** What the vectors' handlers do; `list` says that they list. */
abstract class Behaviour extends BaseHandler<CallbackContext, TypeConfigurationModel> {
    @Override
    public ProgressEvent<ResourceModel, CallbackContext> handleRequest(
        final AmazonWebServicesClientProxy proxy,
        final ResourceHandlerRequest<ResourceModel> request,
        final CallbackContext callbackContext,
        final Logger logger,
        final TypeConfigurationModel typeConfiguration) {
        final ResourceModel desired = request.getDesiredResourceState();
        final RuntimeException error = Errors.of(Vectors.behaviour, desired == null ? null : desired.getName());
        if (error != null) {
            throw error;
        }
        final var event = ProgressEvent.<ResourceModel, CallbackContext>builder().status(OperationStatus.SUCCESS);
        switch (Vectors.behaviour) {
            case "echo":
                return this instanceof ListHandler
                    ? event.resourceModels(List.of(desired)).nextToken(request.getNextToken()).build()
                    : event.resourceModel(desired).build();
            case "describe":
                return event.message(describe(proxy, request, callbackContext, typeConfiguration)).build();
            case "progress":
                final CallbackContext next = new CallbackContext();
                next.setStep(callbackContext == null || callbackContext.getStep() == null
                    ? 0 : callbackContext.getStep() + 1);
                return ProgressEvent.defaultInProgressHandler(next, 5, desired);
            case "unwritable":
                return event.resourceModel(ResourceModel.builder().policy(Map.of("when", new Object())).build()).build();
            case "nothing":
                return null;
            default:
                return event.build();
        }
    }

    private static String describe(
        final AmazonWebServicesClientProxy proxy,
        final ResourceHandlerRequest<ResourceModel> request,
        final CallbackContext context,
        final TypeConfigurationModel configuration) {
        final Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("desired", json(request.getDesiredResourceState()));
        seen.put("previous", json(request.getPreviousResourceState()));
        seen.put("clientRequestToken", request.getClientRequestToken());
        seen.put("desiredResourceTags", request.getDesiredResourceTags());
        seen.put("previousResourceTags", request.getPreviousResourceTags());
        seen.put("systemTags", request.getSystemTags());
        seen.put("previousSystemTags", request.getPreviousSystemTags());
        seen.put("awsAccountId", request.getAwsAccountId());
        seen.put("logicalResourceIdentifier", request.getLogicalResourceIdentifier());
        seen.put("typeConfiguration", json(configuration));
        seen.put("nextToken", request.getNextToken());
        seen.put("region", request.getRegion());
        seen.put("awsPartition", request.getAwsPartition());
        seen.put("stackId", request.getStackId());
        seen.put("callbackContext", json(context));
        seen.put("session", proxy != null);
        try {
            return new ObjectMapper().writeValueAsString(seen);
        } catch (final JsonProcessingException error) {
            throw new IllegalStateException(error);
        }
    }

    private static Object json(final Object value) {
        try {
            return value == null ? null : new ObjectMapper().readValue(new Serializer().serialize(value), Map.class);
        } catch (final JsonProcessingException error) {
            throw new IllegalStateException(error);
        }
    }
}
