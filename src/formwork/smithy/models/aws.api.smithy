$version: "2.0"

namespace aws.api

@externalDocumentation(Reference: "https://docs.aws.amazon.com/general/latest/gr/aws-arns-and-namespaces.html")
@trait(selector: "resource")
structure arn {
    @required
    template: String

    absolute: Boolean

    noRegion: Boolean

    noAccount: Boolean

    resourceDelimiter: ResourceDelimiter

    reusable: Boolean
}

@trait(selector: "string")
structure arnReference {
    type: String

    resource: String

    service: String
}

@trait(
    selector: "blob[trait|streaming]"
    breakingChanges: [
        {
            change: "remove"
        }
    ]
)
structure awsChunked {}

@trait(selector: "operation")
structure clientDiscoveredEndpoint {
    @required
    required: Boolean
}

@trait(selector: "service")
structure clientEndpointDiscovery {
    @idRef(failWhenMissing: true, selector: "operation")
    @required
    operation: String

    @idRef(failWhenMissing: true, selector: "structure[trait|error]")
    @recommended
    error: String
}

@trait(
    selector: """
        operation[trait|aws.api#clientDiscoveredEndpoint] -[input]->
        structure > :test(member[trait|required] > string)"""
)
structure clientEndpointDiscoveryId {}

@trait(
    selector: ":test(service, resource, operation)"
    conflicts: ["aws.api#dataPlane"]
)
structure controlPlane {}

@trait(selector: ":test(simpleType, list, structure, union, member)")
enum data {
    CUSTOMER_CONTENT = "content"

    CUSTOMER_ACCOUNT_INFORMATION = "account"

    SERVICE_ATTRIBUTES = "usage"

    TAG_DATA = "tagging"

    PERMISSIONS_DATA = "permissions"
}

@trait(
    selector: ":test(service, resource, operation)"
    conflicts: ["aws.api#controlPlane"]
)
structure dataPlane {}

@trait(selector: "service")
structure service {
    @required
    sdkId: String

    arnNamespace: ArnNamespace

    cloudFormationName: CloudFormationName

    cloudTrailEventSource: String

    docId: String

    endpointPrefix: String

    cloudWatchNamespace: CloudWatchMetricNamespace
}

@trait(selector: "service")
@unstable
structure tagEnabled {
    disableDefaultOperations: Boolean

    apiConfig: TaggableServiceApiConfig
}

@idRef(failWhenMissing: true, selector: "service > operation")
string ServiceTagOperationReference

structure TaggableServiceApiConfig {
    tagApi: ServiceTagOperationReference

    untagApi: ServiceTagOperationReference

    listTagsApi: ServiceTagOperationReference
}

@idRef(failWhenMissing: true, selector: "resource > operation")
string TagOperationReference

structure TaggableApiConfig {
    @required
    tagApi: TagOperationReference

    @required
    untagApi: TagOperationReference

    @required
    listTagsApi: TagOperationReference
}

@trait(selector: "resource")
@unstable
structure taggable {
    property: String

    apiConfig: TaggableApiConfig

    disableSystemTags: Boolean
}

@private
enum ResourceDelimiter {
    FORWARD_SLASH = "/"

    COLON = ":"
}

@pattern("^[a-z0-9.\\-]{1,63}$")
@private
string ArnNamespace

@pattern("^[A-Z][A-Za-z0-9]+$")
@private
string CloudFormationName

@pattern("^[^:].*$")
@length(min: 1, max: 255)
@private
string CloudWatchMetricNamespace
