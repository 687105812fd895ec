package vectors;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.LambdaLogger;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Reads a vector's request a line and writes its answer a line, as tests/support/vectors.py says. */
public final class Vectors {
    /** The behaviour that the handlers show to the request at hand, and the caller's secret. */
    public static volatile String behaviour;
    public static volatile String secret;

    private static final ObjectMapper JSON = new ObjectMapper();

    private Vectors() {
    }

    public static void main(final String[] arguments) throws Exception {
        final PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.setOut(System.err); // the runtime logs to standard output
        final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            answers.println(JSON.writeValueAsString(answer(JSON.readTree(line))));
        }
        System.exit(0);
    }

    private static ObjectNode answer(final JsonNode asked) {
        final ObjectNode answer = JSON.createObjectNode().set("id", asked.get("id"));
        behaviour = asked.get("handler").asText();
        secret = asked.get("secret").asText();
        try {
            final boolean hook = "hook".equals(asked.get("kind").asText());
            final Object wrapper = hook
                ? new vectors.hook.HookHandlerWrapper()
                : new vectors.resource.HandlerWrapper();
            if ("none".equals(behaviour)) {
                forgetHandlers(wrapper);
            }
            final ByteArrayOutputStream output = new ByteArrayOutputStream();
            final InputStream request = new ByteArrayInputStream(JSON.writeValueAsBytes(asked.get("request")));
            if ("test".equals(asked.get("entrypoint").asText())) {
                final Method method = wrapper.getClass()
                    .getMethod("testEntrypoint", InputStream.class, OutputStream.class, Context.class);
                method.invoke(wrapper, request, output, context());
            } else {
                ((RequestStreamHandler) wrapper).handleRequest(request, output, context());
            }
            answer.set("response", JSON.readTree(output.toByteArray()));
        } catch (final Exception error) {
            final Throwable cause = error.getCause() == null ? error : error.getCause();
            answer.put("error", cause.getClass().getSimpleName());
        }
        return answer;
    }

    private static void forgetHandlers(final Object wrapper) throws ReflectiveOperationException {
        final Field handlers = wrapper.getClass().getDeclaredField("handlers");
        handlers.setAccessible(true);
        ((Map<?, ?>) handlers.get(wrapper)).clear();
    }

    private static Context context() {
        final LambdaLogger logger = new LambdaLogger() {
            @Override
            public void log(final String message) {
                // what is logged is not answered
            }

            @Override
            public void log(final byte[] message) {
                // what is logged is not answered
            }
        };
        return (Context) Proxy.newProxyInstance(
            Context.class.getClassLoader(),
            new Class<?>[] {Context.class},
            (self, method, words) -> switch (method.getName()) {
                case "getLogger" -> logger;
                case "getRemainingTimeInMillis", "getMemoryLimitInMB" -> 100_000;
                default -> null;
            });
    }
}
