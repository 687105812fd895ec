package formwork.tests;

import com.amazonaws.auth.AWSStaticCredentialsProvider;
import com.amazonaws.auth.BasicAWSCredentials;
import com.amazonaws.services.securitytoken.AWSSecurityTokenServiceClientBuilder;
import com.amazonaws.services.securitytoken.model.GetCallerIdentityRequest;
import formwork.aws.Target;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.cloudformation.CloudFormationClient;
import software.amazon.awssdk.services.cloudwatchlogs.CloudWatchLogsClient;

/** Calls AWS with either version of its SDK, and prints what came back. */
public final class Calls {
    private Calls() {
    }

    public static void main(final String[] arguments) {
        final var keys = StaticCredentialsProvider.create(AwsBasicCredentials.create("id", "secret"));
        say(() -> AWSSecurityTokenServiceClientBuilder.standard()
            .withRegion("eu-west-1")
            .withCredentials(new AWSStaticCredentialsProvider(new BasicAWSCredentials("id", "secret")))
            .build()
            .getCallerIdentity(new GetCallerIdentityRequest()));
        say(() -> CloudWatchLogsClient.builder().region(Region.EU_WEST_1).credentialsProvider(keys).build()
            .describeLogGroups());
        say(() -> CloudFormationClient.builder().region(Region.EU_WEST_1).credentialsProvider(keys).build()
            .cancelUpdateStack(each -> each.stackName("sample")));
        for (final String host : new String[] {
            "my-bucket.s3.eu-west-1.amazonaws.com", "a.b.s3-eu-west-1.amazonaws.com", "s3.amazonaws.com.cn",
            "ec2.us-west-2.amazonaws.com"}) {
            System.out.println(host + " \"" + Target.bucketPath(host) + "\"");
        }
    }

    private static void say(final Runnable call) {
        try {
            call.run();
            System.out.println("done");
        } catch (final RuntimeException error) {
            System.out.println(String.valueOf(error.getMessage()).replace('\n', ' '));
        }
    }
}
