package formwork.aws;

import java.net.URI;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where calls to AWS go instead, as AWS_ENDPOINT_URL says, or for one service AWS_ENDPOINT_URL_ and its id; most versions
 * of the SDKs don't know these variables.
 */
public final class Target {
    private static final String OF_ALL = "AWS_ENDPOINT_URL";
    private static final String OF_SERVICE = OF_ALL + "_";

    // The bucket stands in the host's name, which is about to be replaced.
    private static final Pattern BUCKET = Pattern.compile("^(.+)\\.s3[.-].*amazonaws\\.com(\\.cn)?$");

    private Target() {
    }

    /** Whether calls to AWS go elsewhere: not where the process has a network of its own, in which they do by themselves. */
    public static boolean isSet() {
        return System.getenv(OF_ALL) != null;
    }

    /** Whether a call to that host is a call to AWS itself that goes elsewhere. */
    public static boolean replaces(final String host) {
        return isSet() && host != null && (host.endsWith(".amazonaws.com") || host.endsWith(".amazonaws.com.cn")
            || host.endsWith(".api.aws"));
    }

    /** The endpoint of a service by its id, with or without blanks ("CloudWatch Logs"); null where that is unknown. */
    public static URI endpoint(final String service) {
        final String wanted = service == null ? "" : service.replace(" ", "");
        for (final Map.Entry<String, String> each : System.getenv().entrySet()) {
            if (each.getKey().startsWith(OF_SERVICE) && !each.getValue().isEmpty()
                && each.getKey().substring(OF_SERVICE.length()).replace("_", "").equalsIgnoreCase(wanted)) {
                return URI.create(each.getValue());
            }
        }
        return URI.create(System.getenv(OF_ALL));
    }

    /** What the path begins with at the new place: the bucket, where the old host's name had it; else nothing. */
    public static String bucketPath(final String host) {
        final Matcher found = BUCKET.matcher(host);
        return found.matches() ? "/" + found.group(1) : "";
    }
}
