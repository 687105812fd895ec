package formwork.aws2;

import formwork.aws.Target;
import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * Sends the calls of version 2 of AWS's SDK to the endpoint that stands in for AWS.
 *
 * Before 2.18 the endpoint is what the request has; later releases work it out again after this class was asked about
 * the request, so that they must take it for one that the client was given.
 */
public final class Redirect implements ExecutionInterceptor {
    // The package is the service's id without blanks; what attributes call the service's name is not always its id.
    private static final Pattern SERVICE = Pattern.compile("awssdk\\.services\\.([a-z0-9]+)\\.");

    @Override
    public void beforeExecution(final Context.BeforeExecution context, final ExecutionAttributes attributes) {
        if (!Target.isSet()) {
            return;
        }
        final Object own = attribute(attributes, "CLIENT_ENDPOINT");
        if (own == null || Target.replaces(((URI) own).getHost())) {
            set(attributes, "CLIENT_ENDPOINT", endpoint(context.request()));
            set(attributes, "ENDPOINT_OVERRIDDEN", Boolean.TRUE);
        }
    }

    @Override
    public SdkHttpRequest modifyHttpRequest(final Context.ModifyHttpRequest context, final ExecutionAttributes attributes) {
        final SdkHttpRequest request = context.httpRequest();
        if (!Target.replaces(request.host())) {
            return request;
        }
        final String path = Target.bucketPath(request.host()) + request.encodedPath();
        final URI endpoint = endpoint(context.request());
        return request.toBuilder()
            .protocol(endpoint.getScheme())
            .host(endpoint.getHost())
            .port(endpoint.getPort())
            .encodedPath(path)
            .build();
    }

    private static URI endpoint(final SdkRequest request) {
        final Matcher found = SERVICE.matcher(request.getClass().getName());
        return Target.endpoint(found.find() ? found.group(1) : null);
    }

    private static Object attribute(final ExecutionAttributes attributes, final String name) {
        try {
            return attributes.getAttribute((ExecutionAttribute<?>) SdkExecutionAttribute.class.getField(name).get(null));
        } catch (final ReflectiveOperationException error) {
            return null; // a release that doesn't know it
        }
    }

    @SuppressWarnings("unchecked")
    private static void set(final ExecutionAttributes attributes, final String name, final Object value) {
        try {
            attributes.putAttribute(
                (ExecutionAttribute<Object>) SdkExecutionAttribute.class.getField(name).get(null), value);
        } catch (final ReflectiveOperationException error) {
            return; // a release that doesn't know it
        }
    }
}
