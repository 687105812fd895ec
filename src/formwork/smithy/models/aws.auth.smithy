$version: "2.0"

namespace aws.auth

@authDefinition
@internal
@tags(["internal"])
@trait(selector: "service")
structure cognitoUserPools {
    @required
    providerArns: StringList
}

@internal
@tags(["internal"])
@length(min: 1)
@trait(selector: "service[trait|aws.auth#cognitoUserPools] ~> operation")
list cognitoUserPoolsScopes {
    member: String
}

@authDefinition(
    traits: [unsignedPayload]
)
@externalDocumentation(Reference: "https://docs.aws.amazon.com/general/latest/gr/signature-version-4.html")
@trait(
    selector: "service"
    breakingChanges: [
        {
            change: "remove"
        }
    ]
)
structure sigv4 {
    @externalDocumentation(Reference: "https://docs.aws.amazon.com/general/latest/gr/sigv4-create-string-to-sign.html")
    @length(min: 1)
    @required
    name: String
}

@authDefinition(
    traits: [unsignedPayload]
)
@externalDocumentation(
    Reference: "https://docs.aws.amazon.com/general/latest/gr/signature-version-4.html"
    Examples: "https://github.com/aws-samples/sigv4a-signing-examples"
)
@trait(
    selector: "service[trait|aws.auth#sigv4]"
    breakingChanges: [
        {
            change: "remove"
        }
    ]
)
structure sigv4a {
    @externalDocumentation(Reference: "https://docs.aws.amazon.com/general/latest/gr/sigv4-create-string-to-sign.html")
    @length(min: 1)
    @required
    name: String
}

@trait(selector: "operation")
structure unsignedPayload {}

@private
list StringList {
    member: String
}
