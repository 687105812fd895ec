package $package;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import software.amazon.cloudformation.proxy.AmazonWebServicesClientProxy;
import software.amazon.cloudformation.proxy.HandlerErrorCode;
import software.amazon.cloudformation.proxy.Logger;
import software.amazon.cloudformation.proxy.OperationStatus;
import software.amazon.cloudformation.proxy.ProgressEvent;
import software.amazon.cloudformation.proxy.ResourceHandlerRequest;
import software.amazon.cloudformation.resource.Serializer;

/** Answers what the service at AWKWARD_SERVICE says, through AWS's Java runtime and the models. */
public class $actionHandler extends BaseHandler<CallbackContext> {
    private static final Serializer MODELS = new Serializer();
    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public ProgressEvent<ResourceModel, CallbackContext> handleRequest(
        final AmazonWebServicesClientProxy proxy,
        final ResourceHandlerRequest<ResourceModel> request,
        final CallbackContext callbackContext,
        final Logger logger) {
        try {
            final ObjectNode asked = JSON.createObjectNode();
            asked.put("action", "$action".toUpperCase());
            asked.put("bearerToken", request.getClientRequestToken());
            asked.put("nextToken", request.getNextToken());
            asked.set("callbackContext", callbackContext == null ? null : callbackContext.getKept());
            asked.putObject("requestData").set("resourceProperties", written(request.getDesiredResourceState()));
            return eventOf(ask(asked));
        } catch (final IOException error) {
            throw new IllegalStateException(error);
        }
    }

    private static JsonNode ask(final JsonNode asked) throws IOException {
        final var connection = (HttpURLConnection) new URL(System.getenv("AWKWARD_SERVICE")).openConnection();
        connection.setDoOutput(true);
        connection.getOutputStream().write(asked.toString().getBytes(StandardCharsets.UTF_8));
        return JSON.readTree(connection.getInputStream());
    }

    /** The answer in the runtime's terms, whose delays are whole seconds. */
    private static ProgressEvent<ResourceModel, CallbackContext> eventOf(final JsonNode answer) throws IOException {
        final var event = ProgressEvent.<ResourceModel, CallbackContext>builder()
            .status(OperationStatus.valueOf(answer.get("status").asText()))
            .callbackDelaySeconds((int) Math.ceil(answer.path("callbackDelaySeconds").asDouble()));
        if (answer.hasNonNull("errorCode")) {
            event.errorCode(HandlerErrorCode.valueOf(answer.get("errorCode").asText()));
        }
        if (answer.hasNonNull("message")) {
            event.message(answer.get("message").asText());
        }
        if (answer.hasNonNull("nextToken")) {
            event.nextToken(answer.get("nextToken").asText());
        }
        if (answer.hasNonNull("callbackContext")) {
            final CallbackContext context = new CallbackContext();
            context.setKept(answer.get("callbackContext"));
            event.callbackContext(context);
        }
        if (answer.hasNonNull("resourceModel")) {
            event.resourceModel(read(answer.get("resourceModel")));
        }
        if (answer.hasNonNull("resourceModels")) {
            final List<ResourceModel> models = new ArrayList<>();
            for (final JsonNode each : answer.get("resourceModels")) {
                models.add(read(each));
            }
            event.resourceModels(models);
        }
        return event.build();
    }

    private static ResourceModel read(final JsonNode model) throws IOException {
        return MODELS.deserialize(model.toString(), new TypeReference<ResourceModel>() { });
    }

    private static JsonNode written(final ResourceModel model) throws IOException {
        return model == null ? null : JSON.readTree(MODELS.serialize(model));
    }
}
