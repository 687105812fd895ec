$version: "2.0"

namespace smithy.example

use aws.cloudformation#cfnAdditionalIdentifier
use aws.cloudformation#cfnDefaultValue
use aws.cloudformation#cfnExcludeProperty
use aws.cloudformation#cfnMutability
use aws.cloudformation#cfnName
use aws.cloudformation#cfnResource

/// Keeps foos.
service FooService {
    version: "2026-11-21"
    resources: [
        Foo
    ]
}

/// A foo.
@cfnResource(
    additionalSchemas: [
        FooProperties
    ]
)
resource Foo {
    identifiers: {
        fooId: String
    }
    create: CreateFoo
    read: GetFoo
    update: UpdateFoo
    delete: DeleteFoo
    list: ListFoos
}

@http(
    method: "POST"
    uri: "/foos"
    code: 200
)
operation CreateFoo {
    input: CreateFooRequest
    output: CreateFooResponse
}

@http(
    method: "DELETE"
    uri: "/foos/{fooId}"
    code: 204
)
@idempotent
operation DeleteFoo {
    input := {
        @httpLabel
        @required
        fooId: String
    }
    output: Unit
}

@http(
    method: "GET"
    uri: "/foos/{fooId}"
    code: 200
)
@readonly
operation GetFoo {
    input: GetFooRequest
    output: GetFooResponse
}

@http(
    method: "GET"
    uri: "/foos"
    code: 200
)
@readonly
operation ListFoos {
    input: Unit
    output := {
        fooIds: FooIds
    }
}

@http(
    method: "PUT"
    uri: "/foos/{fooId}"
    code: 200
)
@idempotent
operation UpdateFoo {
    input: UpdateFooRequest
    output: Unit
}

structure ComplexProperty {
    anotherProperty: String
}

@input
structure CreateFooRequest {
    @cfnMutability("full")
    tags: TagList
    @cfnMutability("write")
    secret: String
    fooAlias: String
    createProperty: ComplexProperty
    mutableProperty: ComplexProperty
    writeProperty: ComplexProperty
    createWriteProperty: ComplexProperty
}

@output
structure CreateFooResponse {
    fooId: String
}

structure FooProperties {
    addedProperty: String
    @cfnMutability("full")
    barProperty: String
    @cfnMutability("create-and-read")
    @cfnName("Immutable")
    immutableSetting: Boolean
    @cfnMutability("read")
    createdAt: Timestamp
    @cfnMutability("write")
    password: String
}

@input
structure GetFooRequest {
    @httpLabel
    @required
    fooId: String
    @cfnAdditionalIdentifier
    @httpQuery("fooAlias")
    fooAlias: String
}

@output
structure GetFooResponse {
    fooId: String
    @cfnExcludeProperty
    @httpResponseCode
    responseCode: Integer
    @cfnMutability("read")
    updatedAt: Timestamp
    @cfnDefaultValue
    fooAlias: String
    createProperty: ComplexProperty
    mutableProperty: ComplexProperty
    readProperty: ComplexProperty
}

@input
structure UpdateFooRequest {
    @httpLabel
    @required
    fooId: String
    fooAlias: String
    mutableProperty: ComplexProperty
    writeProperty: ComplexProperty
}

list FooIds {
    member: String
}

list TagList {
    member: String
}
