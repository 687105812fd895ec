package formwork.aws2;

import formwork.aws.Target;

import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;

/** Sends the calls of version 2 of AWS's SDK to the endpoint that stands in for AWS. */
public final class Redirect implements ExecutionInterceptor {
    @Override
    public SdkHttpRequest modifyHttpRequest(final Context.ModifyHttpRequest context, final ExecutionAttributes attributes) {
        final SdkHttpRequest request = context.httpRequest();
        if (!Target.replaces(request.host())) {
            return request;
        }
        final String path = Target.bucketPath(request.host()) + request.encodedPath();
        return request.toBuilder()
            .protocol(Target.ENDPOINT.getScheme())
            .host(Target.ENDPOINT.getHost())
            .port(Target.ENDPOINT.getPort())
            .encodedPath(path)
            .build();
    }
}
