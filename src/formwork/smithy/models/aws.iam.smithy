$version: "2.0"

namespace aws.iam

@deprecated(since: "2023-11-10", message: "Use the `name` member of the `aws.iam#iamAction` trait instead.")
@trait(selector: "operation")
string actionName

@deprecated(since: "2023-11-10", message: "Use the `documentation` member of the `aws.iam#iamAction` trait instead.")
@trait(selector: "operation")
string actionPermissionDescription

@trait(selector: ":test(resource, operation)")
list conditionKeys {
    member: ConditionKeyName
}

@trait(selector: "member")
@pattern("^(([A-Za-z0-9][A-Za-z0-9-\\.]{0,62}:)?[^:\\s]+)$")
string conditionKeyValue

@trait(selector: "service")
map defineConditionKeys {
    key: ConditionKeyName
    value: ConditionKeyDefinition
}

@trait(selector: ":test(service, resource)")
structure disableConditionKeyInference {}

@trait(selector: "operation")
structure iamAction {
    name: String

    documentation: String

    relativeDocumentation: String

    requiredActions: RequiredActionsList

    resources: ActionResources

    createsResources: ResourceNameList
}

@trait(selector: "resource")
structure iamResource {
    name: String

    relativeDocumentation: String

    disableConditionKeyInheritance: Boolean
}

@deprecated(since: "2023-11-10", message: "Use the `requiredActions` member of the `aws.iam#iamAction` trait instead.")
@trait(selector: "operation")
list requiredActions {
    member: IamIdentifier
}

@trait(selector: "service")
list serviceResolvedConditionKeys {
    member: ConditionKeyName
}

@trait(selector: ":test(service, operation)")
list supportedPrincipalTypes {
    member: PrincipalType
}

@private
structure ActionResources {
    required: ActionResourceMap

    optional: ActionResourceMap
}

@private
structure ConditionKeyDefinition {
    @required
    type: ConditionKeyType

    documentation: String

    externalDocumentation: String

    relativeDocumentation: String

    required: Boolean
}

@private
structure ActionResource {
    conditionKeys: ConditionKeysList
}

@private
map ActionResourceMap {
    key: ResourceName
    value: ActionResource
}

@private
@uniqueItems
list ConditionKeysList {
    member: String
}

@private
@uniqueItems
list RequiredActionsList {
    member: IamIdentifier
}

@private
@uniqueItems
list ResourceNameList {
    member: ResourceName
}

@private
@pattern("^(([A-Za-z0-9][A-Za-z0-9-\\.]{0,62}:)?[^:\\s]+)$")
string ConditionKeyName

@private
enum ConditionKeyType {
    ARN

    ARRAY_OF_ARN = "ArrayOfARN"

    BINARY = "Binary"

    ARRAY_OF_BINARY = "ArrayOfBinary"

    STRING = "String"

    ARRAY_OF_STRING = "ArrayOfString"

    NUMERIC = "Numeric"

    ARRAY_OF_NUMERIC = "ArrayOfNumeric"

    DATE = "Date"

    ARRAY_OF_DATE = "ArrayOfDate"

    BOOL = "Bool"

    ARRAY_OF_BOOL = "ArrayOfBool"

    IP_ADDRESS = "IPAddress"

    ARRAY_OF_IP_ADDRESS = "ArrayOfIPAddress"
}

@pattern("^([A-Za-z0-9][A-Za-z0-9-\\.]{0,62}:[^:]+)$")
@private
string IamIdentifier

@private
string ResourceName

@private
enum PrincipalType {
    ROOT = "Root"

    IAM_USER = "IAMUser"

    IAM_ROLE = "IAMRole"

    FEDERATED_USER = "FederatedUser"
}
