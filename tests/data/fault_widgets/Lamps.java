package com.acme.store.lamp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.cloudformation.proxy.HandlerErrorCode;
import software.amazon.cloudformation.proxy.OperationStatus;
import software.amazon.cloudformation.proxy.ProgressEvent;
import software.amazon.cloudformation.proxy.ResourceHandlerRequest;

/** A lamp with a bulb in a service of the web, by java.net.http alone. The service makes the id. */
final class Lamps {
    private static final String BASE = "https://api.lamps.example/v1";
    private static final Map<Integer, HandlerErrorCode> CODES = Map.of(
        429, HandlerErrorCode.Throttling,
        503, HandlerErrorCode.ServiceInternalError,
        403, HandlerErrorCode.AccessDenied,
        401, HandlerErrorCode.InvalidCredentials,
        404, HandlerErrorCode.NotFound);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(5)).build();

    private String known;

    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;
        final HandlerErrorCode code;

        Refused(final HandlerErrorCode code, final String said) {
            super(said);
            this.code = code;
        }
    }

    interface Act {
        ProgressEvent<ResourceModel, CallbackContext> run();
    }

    ProgressEvent<ResourceModel, CallbackContext> answer(final ResourceModel model, final Act act) {
        known = model == null ? null : model.getId();
        try {
            return act.run();
        } catch (final Refused why) {
            final boolean named = known != null && why.code != HandlerErrorCode.NotFound;
            final ResourceModel made = named ? ResourceModel.builder().id(known).build() : null;
            return ProgressEvent.failed(made, null, why.code, why.getMessage());
        }
    }

    private static JsonNode ask(final String method, final String path, final Object body, final String token) {
        try {
            final HttpRequest.BodyPublisher sent = body == null
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body));
            final HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(BASE + path))
                .timeout(Duration.ofSeconds(5)).header("Content-Type", "application/json").method(method, sent);
            if (token != null) {
                request.header("Idempotency-Key", token);
            }
            final HttpResponse<byte[]> reply = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            if (reply.statusCode() >= 300) {
                final HandlerErrorCode code =
                    CODES.getOrDefault(reply.statusCode(), HandlerErrorCode.GeneralServiceException);
                throw new Refused(code, "the service answers " + reply.statusCode());
            }
            return reply.body().length == 0 ? null : JSON.readTree(reply.body());
        } catch (final IOException error) {
            throw new Refused(HandlerErrorCode.NetworkFailure, "the service can't be reached");
        } catch (final InterruptedException error) {
            throw new IllegalStateException(error);
        }
    }

    private static ProgressEvent<ResourceModel, CallbackContext> success(final ResourceModel model) {
        return ProgressEvent.<ResourceModel, CallbackContext>builder()
            .resourceModel(model).status(OperationStatus.SUCCESS).build();
    }

    private static ProgressEvent<ResourceModel, CallbackContext> shown(final JsonNode lamp, final JsonNode bulb) {
        return success(ResourceModel.builder()
            .id(lamp.get("id").asText()).name(lamp.get("name").asText()).color(lamp.get("color").asText())
            .watts(bulb.get("watts").asInt()).build());
    }

    private static Map<String, String> body(final ResourceModel model) {
        return Map.of("name", model.getName(), "color", model.getColor());
    }

    private static JsonNode bulbs(final String id) {
        return ask("GET", "/lamps/" + id + "/bulbs", null, null);
    }

    ProgressEvent<ResourceModel, CallbackContext> create(final ResourceHandlerRequest<ResourceModel> request) {
        final ResourceModel model = request.getDesiredResourceState();
        final JsonNode lamp = ask("POST", "/lamps", body(model), request.getClientRequestToken());
        known = lamp.get("id").asText();
        JsonNode found = JSON.createArrayNode();
        try {
            found = bulbs(known);
        } catch (final Refused why) {
            if (why.code != HandlerErrorCode.NotFound) {
                throw why;
            }
        }
        return shown(lamp, found.size() > 0
            ? found.get(0)
            : ask("POST", "/lamps/" + known + "/bulbs", Map.of("watts", model.getWatts()), null));
    }

    ProgressEvent<ResourceModel, CallbackContext> read(final ResourceModel model) {
        final JsonNode lamp = ask("GET", "/lamps/" + model.getId(), null, null);
        return shown(lamp, bulbs(model.getId()).get(0));
    }

    ProgressEvent<ResourceModel, CallbackContext> update(final ResourceModel model) {
        final JsonNode lamp = ask("PUT", "/lamps/" + model.getId(), body(model), null);
        return shown(lamp, bulbs(model.getId()).get(0));
    }

    ProgressEvent<ResourceModel, CallbackContext> delete(final ResourceModel model) {
        ask("DELETE", "/lamps/" + model.getId(), null, null);
        return success(null);
    }

    ProgressEvent<ResourceModel, CallbackContext> list() {
        final List<ResourceModel> models = new ArrayList<>();
        ask("GET", "/lamps", null, null).forEach(
            each -> models.add(ResourceModel.builder().id(each.get("id").asText()).build()));
        return ProgressEvent.<ResourceModel, CallbackContext>builder()
            .resourceModels(models).status(OperationStatus.SUCCESS).build();
    }
}
