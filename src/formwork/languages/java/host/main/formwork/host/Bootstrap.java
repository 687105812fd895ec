package formwork.host;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The program of a Java handler process: makes the handler, then asks Lambda's Runtime API for events until it is killed.
 *
 * It is started with Lambda's variables and the class path of the handler. The handler is `package.Class::method`, a
 * method of streams and Lambda's Context, as those of CloudFormation extensions are. It knows no class of Lambda's: the
 * Context is made of whichever version the class path has. The only server it ever talks to is the one that started
 * it, so that HTTP over a plain socket is enough, and a fraction of the time that loading a client would take.
 */
public final class Bootstrap {
    private final String start;
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    private Bootstrap(final String address) throws IOException {
        final int slash = address.indexOf('/');
        final String place = slash < 0 ? address : address.substring(0, slash);
        start = (slash < 0 ? "" : address.substring(slash)) + "/2018-06-01/runtime/";
        final int colon = place.lastIndexOf(':');
        socket = new Socket(place.substring(0, colon), Integer.parseInt(place.substring(colon + 1)));
        socket.setTcpNoDelay(true);
        in = new java.io.BufferedInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    /** Serves events for ever. */
    public static void main(final String[] arguments) throws Exception {
        trust();
        final Bootstrap api = new Bootstrap(System.getenv("AWS_LAMBDA_RUNTIME_API"));
        Handler handler = null;
        try {
            handler = Handler.make(System.getenv("_HANDLER"));
        } catch (final Throwable error) {
            final Throwable cause = causeOf(error);
            cause.printStackTrace();
            api.post("init/error", errorDocument(cause), cause.getClass().getName());
            System.exit(1);
        }
        while (true) {
            api.serve(handler);
        }
    }

    /** Trusts the certificates of the gate that the process's requests pass, where there is one. */
    private static void trust() {
        final String store = System.getenv("FORMWORK_TRUST_STORE_FILE");
        if (store != null) {
            System.setProperty("javax.net.ssl.trustStore", store);
            System.setProperty("javax.net.ssl.trustStoreType", "PKCS12");
            System.setProperty("javax.net.ssl.trustStorePassword", System.getenv("FORMWORK_TRUST_STORE_PASSWORD"));
        }
    }

    private void serve(final Handler handler) throws IOException {
        final Answer event = call("GET", "invocation/next", new byte[0], "");
        final String id = event.headers.get("lambda-runtime-aws-request-id");
        final ByteArrayOutputStream response = new ByteArrayOutputStream();
        String path = "invocation/" + id + "/response";
        byte[] body;
        String type = "";
        try {
            handler.call(new ByteArrayInputStream(event.body), response, event.headers);
            body = response.toByteArray();
        } catch (final Throwable error) {
            final Throwable cause = causeOf(error);
            cause.printStackTrace();
            path = "invocation/" + id + "/error";
            body = errorDocument(cause);
            type = cause.getClass().getName();
        }
        System.out.flush();
        System.err.flush();
        post(path, body, type);
    }

    private void post(final String path, final byte[] body, final String errorType) throws IOException {
        call("POST", path, body,
            errorType.isEmpty() ? "" : "Lambda-Runtime-Function-Error-Type: " + errorType + "\r\n");
    }

    private Answer call(final String method, final String path, final byte[] body, final String more)
        throws IOException {
        final String head = method + " " + start + path + " HTTP/1.1\r\nHost: localhost\r\n" + more
            + "Content-Length: " + body.length + "\r\n\r\n";
        final ByteArrayOutputStream request = new ByteArrayOutputStream(head.length() + body.length);
        request.write(head.getBytes(StandardCharsets.ISO_8859_1));
        request.write(body);
        request.writeTo(out);
        final Answer answer = new Answer();
        String line = readLine();
        if (line.startsWith("410", line.indexOf(' ') + 1)) {
            System.exit(0);
        }
        while (!(line = readLine()).isEmpty()) {
            final int colon = line.indexOf(':');
            answer.headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).trim());
        }
        answer.body = in.readNBytes(Integer.parseInt(answer.headers.getOrDefault("content-length", "0")));
        return answer;
    }

    private String readLine() throws IOException {
        final StringBuilder line = new StringBuilder();
        for (int each = in.read(); each != '\n'; each = in.read()) {
            if (each < 0) {
                System.exit(0); // the process that started this one has ended
            }
            if (each != '\r') {
                line.append((char) each);
            }
        }
        return line.toString();
    }

    private static Throwable causeOf(final Throwable error) {
        final boolean wrapped = error instanceof InvocationTargetException || error instanceof ExceptionInInitializerError;
        return wrapped && error.getCause() != null ? error.getCause() : error;
    }

    private static byte[] errorDocument(final Throwable error) {
        final StringBuilder text = new StringBuilder("{\"errorMessage\":");
        quote(text, String.valueOf(error.getMessage()));
        text.append(",\"errorType\":");
        quote(text, error.getClass().getName());
        text.append(",\"stackTrace\":[");
        String separator = "";
        for (final StackTraceElement each : error.getStackTrace()) {
            text.append(separator);
            quote(text, each.toString());
            separator = ",";
        }
        return text.append("]}").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void quote(final StringBuilder text, final String value) {
        text.append('"');
        for (final char each : value.toCharArray()) {
            if (each == '"' || each == '\\') {
                text.append('\\').append(each);
            } else if (each < ' ' || each > '~') {
                text.append(String.format("\\u%04x", (int) each));
            } else {
                text.append(each);
            }
        }
        text.append('"');
    }

    private static final class Answer {
        final Map<String, String> headers = new HashMap<>();
        byte[] body = {};
    }

    /** The author's method, and the instance it is called on. */
    private static final class Handler {
        private final Object instance;
        private final Method method;

        private Handler(final Object instance, final Method method) {
            this.instance = instance;
            this.method = method;
        }

        static Handler make(final String name) throws ReflectiveOperationException {
            final String[] parts = name.split("::", 2);
            final Class<?> type = Class.forName(parts[0]);
            final String wanted = parts.length == 2 ? parts[1] : "handleRequest";
            for (final Method each : type.getMethods()) {
                if (each.getName().equals(wanted) && takesStreams(each.getParameterTypes())) {
                    return new Handler(type.getConstructor().newInstance(), each);
                }
            }
            throw new NoSuchMethodException(
                name + ": there is no public method " + wanted + "(InputStream, OutputStream, Context)");
        }

        private static boolean takesStreams(final Class<?>[] types) {
            return (types.length == 2 || types.length == 3)
                && types[0] == InputStream.class && types[1] == OutputStream.class
                && (types.length == 2 || types[2].isInterface());
        }

        void call(final InputStream input, final OutputStream output, final Map<String, String> headers)
            throws Exception {
            if (method.getParameterCount() == 2) {
                method.invoke(instance, input, output);
                return;
            }
            method.invoke(instance, input, output, proxy(method.getParameterTypes()[2], new Context(headers)));
        }
    }

    private static Object proxy(final Class<?> type, final InvocationHandler handler) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
    }

    /** Answers the questions of Lambda's Context. */
    private static final class Context implements InvocationHandler {
        private final Map<String, String> headers;

        Context(final Map<String, String> headers) {
            this.headers = headers;
        }

        @Override
        public Object invoke(final Object self, final Method method, final Object[] arguments) {
            switch (method.getName()) {
                case "getAwsRequestId":
                    return headers.get("lambda-runtime-aws-request-id");
                case "getInvokedFunctionArn":
                    return headers.get("lambda-runtime-invoked-function-arn");
                case "getRemainingTimeInMillis":
                    final long deadline = Long.parseLong(headers.getOrDefault("lambda-runtime-deadline-ms", "0"));
                    return (int) Math.max(0, deadline - System.currentTimeMillis());
                case "getMemoryLimitInMB":
                    return Integer.parseInt(System.getenv("AWS_LAMBDA_FUNCTION_MEMORY_SIZE"));
                case "getLogGroupName":
                    return System.getenv("AWS_LAMBDA_LOG_GROUP_NAME");
                case "getLogStreamName":
                    return System.getenv("AWS_LAMBDA_LOG_STREAM_NAME");
                case "getFunctionName":
                    return System.getenv("AWS_LAMBDA_FUNCTION_NAME");
                case "getFunctionVersion":
                    return System.getenv("AWS_LAMBDA_FUNCTION_VERSION");
                case "getLogger":
                    return proxy(method.getReturnType(), Context::log);
                case "hashCode":
                    return System.identityHashCode(self);
                case "equals":
                    return self == arguments[0];
                case "toString":
                    return "Context of " + headers.get("lambda-runtime-aws-request-id");
                default:
                    return null; // no identity and no client context: no phone has called
            }
        }

        private static Object log(final Object self, final Method method, final Object[] arguments) {
            if ("log".equals(method.getName())) {
                final Object line = arguments[0];
                System.out.println(
                    line instanceof byte[] ? new String((byte[]) line, StandardCharsets.UTF_8) : String.valueOf(line));
            }
            return null;
        }
    }
}
