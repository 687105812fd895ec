package vectors;

import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.cloudformation.exceptions.CfnNotFoundException;

/** What handlers throw. */
public final class Errors {
    private Errors() {
    }

    /** The error of a behaviour that is one, null for others. */
    public static RuntimeException of(final String behaviour, final String name) {
        return switch (behaviour) {
            case "not-found" -> new CfnNotFoundException("Acme::Store::Thing", name);
            case "own-not-found" -> new OwnNotFound(name);
            case "unexpected" -> new RuntimeException("boom");
            case "leak" -> new RuntimeException("signing with " + Vectors.secret + " failed");
            case "throttled" -> service("ThrottlingException", 400);
            case "aws-404" -> service("404", 404);
            default -> null;
        };
    }

    private static AwsServiceException service(final String code, final int status) {
        return AwsServiceException.builder()
            .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).errorMessage("no").build())
            .statusCode(status)
            .message("An error occurred (" + code + ") when calling the Operation operation")
            .build();
    }

    private static final class OwnNotFound extends CfnNotFoundException {
        private static final long serialVersionUID = 1L;

        OwnNotFound(final String name) {
            super("Acme::Store::Thing", name);
        }
    }
}
