package $package;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigInteger;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import software.amazon.cloudformation.exceptions.CfnGeneralServiceException;
import software.amazon.cloudformation.proxy.AmazonWebServicesClientProxy;
import software.amazon.cloudformation.proxy.HandlerErrorCode;
import software.amazon.cloudformation.proxy.Logger;
import software.amazon.cloudformation.proxy.OperationStatus;
import software.amazon.cloudformation.proxy.ProgressEvent;
import software.amazon.cloudformation.proxy.ResourceHandlerRequest;
import software.amazon.cloudformation.resource.Serializer;

/** Repeats everything it was given, as Java writes it; `Mode` says how an action fails. */
public class $actionHandler extends BaseHandler<CallbackContext, TypeConfigurationModel> {
    private static final Serializer MODELS = new Serializer();
    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public ProgressEvent<ResourceModel, CallbackContext> handleRequest(
        final AmazonWebServicesClientProxy proxy,
        final ResourceHandlerRequest<ResourceModel> request,
        final CallbackContext callbackContext,
        final Logger logger,
        final TypeConfigurationModel typeConfiguration) {
        final ResourceModel desired = request.getDesiredResourceState();
        final String[] mode = (desired.getMode() == null ? "" : desired.getMode()).split("-");
        final String told;
        try {
            told = tell(request, typeConfiguration);
        } catch (final IOException error) {
            throw new IllegalStateException(error);
        }
        System.out.println(told);
        System.err.println(request + " " + desired + " " + desired.getNested() + " " + desired.getLogins() + " " + typeConfiguration);
        logger.log(told);
        if (mode.length == 2 && mode[1].equals("$action".toLowerCase())) {
            switch (mode[0]) {
                case "raise":
                    throw new IllegalStateException(told, new RuntimeException(desired.getPassword()));
                case "throw":
                    throw new CfnGeneralServiceException(told, new RuntimeException(desired.toString()));
                case "crash":
                    final Thread thread = new Thread(() -> {
                        throw new IllegalArgumentException(told, new RuntimeException(desired.toString()));
                    });
                    thread.setName(desired.getPassword());
                    thread.start();
                    try {
                        thread.join();
                    } catch (final InterruptedException error) {
                        Thread.currentThread().interrupt();
                    }
                    Runtime.getRuntime().halt(3);
                    break;
                case "trace":
                    final StringWriter trace = new StringWriter();
                    new RuntimeException(told, new RuntimeException(desired.toString())).printStackTrace(new PrintWriter(trace));
                    return ProgressEvent.failed(desired, null, HandlerErrorCode.InternalFailure, trace.toString());
                case "wait":
                    if (callbackContext == null || callbackContext.getTold() == null) {
                        final CallbackContext context = new CallbackContext();
                        context.setTold(told);
                        context.setKey(Map.of(desired.getPassword(), 1));
                        return ProgressEvent.<ResourceModel, CallbackContext>builder()
                            .status(OperationStatus.IN_PROGRESS)
                            .callbackContext(context)
                            .resourceModel(desired)
                            .message(told)
                            .build();
                    }
                    break;
                case "fail":
                    return ProgressEvent.failed(desired, null, HandlerErrorCode.InvalidRequest, told);
                default:
            }
        }
        final var event = ProgressEvent.<ResourceModel, CallbackContext>builder()
            .status(OperationStatus.SUCCESS)
            .message(told);
        switch ("$action") {
            case "List":
                event.resourceModels(new ArrayList<>());
                break;
            case "Delete":
                break;
            default:
                event.resourceModel(ResourceModel.builder()
                    .name(desired.getName()).mode(desired.getMode()).label(desired.getLabel()).build());
        }
        return event.build();
    }

    private static String tell(
        final ResourceHandlerRequest<ResourceModel> request, final TypeConfigurationModel typeConfiguration)
        throws IOException {
        final ArrayNode known = JSON.createArrayNode();
        known.add(written(request.getDesiredResourceState()));
        known.add(written(request.getPreviousResourceState()));
        known.add(written(typeConfiguration));
        known.add(System.getenv("AWS_SECRET_ACCESS_KEY"));
        known.add(System.getenv("AWS_SESSION_TOKEN"));
        final String whole = known.toString();
        final List<String> lines = new ArrayList<>(List.of(
            whole, known.toPrettyString(), JSON.writeValueAsString(whole), URLEncoder.encode(whole, StandardCharsets.UTF_8),
            Base64.getEncoder().encodeToString(whole.getBytes(StandardCharsets.UTF_8)),
            String.valueOf(JSON.convertValue(known, List.class))));
        leaves(known, lines);
        return String.join("\n", lines);
    }

    private static void leaves(final JsonNode value, final List<String> lines) throws IOException {
        if (value.isContainerNode()) {
            for (final JsonNode each : value) {
                leaves(each, lines);
            }
        } else if (!value.isNull()) {
            forms(value.asText(), lines);
        }
    }

    private static void forms(final String text, final List<String> lines) throws IOException {
        final byte[] raw = text.getBytes(StandardCharsets.UTF_8);
        lines.addAll(List.of(
            "<" + text + ">", JSON.writeValueAsString(text), JSON.writeValueAsString(JSON.writeValueAsString(text)),
            URLEncoder.encode(text, StandardCharsets.UTF_8), "\u001b[31m" + text + "\u001b[0m",
            new BigInteger(1, raw).toString(16), String.valueOf(Map.of("inner", List.of(text)))));
        for (int before = 0; before < 3; before++) {
            final byte[] shifted = ("x".repeat(before) + text + "y").getBytes(StandardCharsets.UTF_8);
            lines.add(Base64.getEncoder().encodeToString(shifted));
            lines.add(Base64.getUrlEncoder().withoutPadding().encodeToString(shifted));
        }
    }

    private static JsonNode written(final Object model) throws IOException {
        return model == null ? null : JSON.readTree(MODELS.serialize(model));
    }
}
