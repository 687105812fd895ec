package formwork.aws;

import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where calls to AWS go instead, as AWS_ENDPOINT_URL says; most versions of the SDKs don't know that variable. */
public final class Target {
    public static final URI ENDPOINT = URI.create(System.getenv("AWS_ENDPOINT_URL"));

    // The bucket stands in the host's name, which is about to be replaced.
    private static final Pattern BUCKET = Pattern.compile("^(.+)\\.s3[.-].*amazonaws\\.com(\\.cn)?$");

    private Target() {
    }

    /** Whether a call to that host is a call to AWS itself. */
    public static boolean replaces(final String host) {
        return host != null && (host.endsWith(".amazonaws.com") || host.endsWith(".amazonaws.com.cn")
            || host.endsWith(".api.aws"));
    }

    /** What the path begins with at the new place: the bucket, where the old host's name had it; else nothing. */
    public static String bucketPath(final String host) {
        final Matcher found = BUCKET.matcher(host);
        return found.matches() ? "/" + found.group(1) : "";
    }
}
