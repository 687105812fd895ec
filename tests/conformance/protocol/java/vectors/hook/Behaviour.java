package vectors.hook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.cloudformation.proxy.AmazonWebServicesClientProxy;
import software.amazon.cloudformation.proxy.HandlerErrorCode;
import software.amazon.cloudformation.proxy.Logger;
import software.amazon.cloudformation.proxy.OperationStatus;
import software.amazon.cloudformation.proxy.ProgressEvent;
import software.amazon.cloudformation.proxy.hook.HookAnnotation;
import software.amazon.cloudformation.proxy.hook.HookAnnotationSeverityLevel;
import software.amazon.cloudformation.proxy.hook.HookAnnotationStatus;
import software.amazon.cloudformation.proxy.hook.HookContext;
import software.amazon.cloudformation.proxy.hook.HookHandlerRequest;
import software.amazon.cloudformation.proxy.hook.targetmodel.HookTargetModel;
import software.amazon.cloudformation.resource.Serializer;
import vectors.Errors;
import vectors.Vectors;

/** What the vectors' hook handlers do. */
abstract class Behaviour extends BaseHookHandler<CallbackContext, TypeConfigurationModel> {
    @Override
    public ProgressEvent<HookTargetModel, CallbackContext> handleRequest(
        final AmazonWebServicesClientProxy proxy,
        final HookHandlerRequest request,
        final CallbackContext callbackContext,
        final Logger logger,
        final TypeConfigurationModel typeConfiguration) {
        final RuntimeException error = Errors.of(Vectors.behaviour, null);
        if (error != null) {
            throw error;
        }
        final var event = ProgressEvent.<HookTargetModel, CallbackContext>builder().status(OperationStatus.SUCCESS);
        switch (Vectors.behaviour) {
            case "describe":
                return event.message(describe(proxy, request, callbackContext, typeConfiguration)).build();
            case "progress":
                final CallbackContext next = new CallbackContext();
                next.setStep(callbackContext == null || callbackContext.getStep() == null
                    ? 0 : callbackContext.getStep() + 1);
                return ProgressEvent.defaultInProgressHandler(next, 5, null);
            case "failed":
                return ProgressEvent.failed(null, null, HandlerErrorCode.NonCompliant, "no");
            case "annotate":
                final ProgressEvent<HookTargetModel, CallbackContext> failed =
                    ProgressEvent.failed(null, null, HandlerErrorCode.NonCompliant, "no");
                failed.setResult("r");
                failed.setAnnotations(List.of(HookAnnotation.builder()
                    .annotationName("encryption")
                    .status(HookAnnotationStatus.FAILED)
                    .severityLevel(HookAnnotationSeverityLevel.HIGH)
                    .build()));
                return failed;
            case "skip-stack-hook":
                return event.status(OperationStatus.CHANGE_SET_SUCCESS_SKIP_STACK_HOOK).build();
            case "nothing":
                return null;
            default:
                return event.build();
        }
    }

    private static String describe(
        final AmazonWebServicesClientProxy proxy,
        final HookHandlerRequest request,
        final CallbackContext callbackContext,
        final TypeConfigurationModel configuration) {
        final HookContext context = request.getHookContext();
        final Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("awsAccountId", context.getAwsAccountId());
        seen.put("stackId", context.getStackId());
        seen.put("changeSetId", context.getChangeSetId());
        seen.put("hookTypeName", context.getHookTypeName());
        seen.put("hookTypeVersion", context.getHookTypeVersion());
        seen.put("invocationPoint", String.valueOf(context.getInvocationPoint()));
        seen.put("targetName", context.getTargetName());
        seen.put("targetType", context.getTargetType());
        seen.put("targetLogicalId", context.getTargetLogicalId());
        seen.put("targetModel", context.getTargetModel() == null ? null : context.getTargetModel().getTargetModelAsMap());
        seen.put("clientRequestToken", request.getClientRequestToken());
        seen.put("typeConfiguration", json(configuration));
        seen.put("callbackContext", json(callbackContext));
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
