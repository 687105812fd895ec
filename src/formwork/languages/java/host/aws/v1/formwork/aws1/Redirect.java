package formwork.aws1;

import formwork.aws.Target;

import com.amazonaws.Request;
import com.amazonaws.handlers.HandlerContextKey;
import com.amazonaws.handlers.RequestHandler2;

/** Sends the calls of version 1 of AWS's SDK to the endpoint that stands in for AWS. */
public final class Redirect extends RequestHandler2 {
    @Override
    public void beforeRequest(final Request<?> request) {
        final String host = request.getEndpoint().getHost();
        if (Target.replaces(host)) {
            request.setResourcePath(Target.bucketPath(host)
                + (request.getResourcePath() == null ? "" : request.getResourcePath()));
            request.setEndpoint(Target.endpoint(service(request)));
        }
    }

    private static String service(final Request<?> request) {
        try {
            return (String) request.getHandlerContext(
                (HandlerContextKey<?>) HandlerContextKey.class.getField("SERVICE_ID").get(null));
        } catch (final ReflectiveOperationException error) {
            return null; // a release that doesn't know it
        }
    }
}
