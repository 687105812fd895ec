$version: "2"

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
    resources: [Foo]
}

/// A foo.
@cfnResource(additionalSchemas: [FooProperties])
resource Foo {
    identifiers: { fooId: String }
    create: CreateFoo
    read: GetFoo
    update: UpdateFoo
    delete: DeleteFoo
    list: ListFoos
}

@http(method: "POST", uri: "/foos", code: 200)
operation CreateFoo {
    input: CreateFooRequest
    output: CreateFooResponse
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

@readonly
@http(method: "GET", uri: "/foos/{fooId}", code: 200)
operation GetFoo {
    input: GetFooRequest
    output: GetFooResponse
}

@input
structure GetFooRequest {
    @httpLabel
    @required
    fooId: String

    @httpQuery("fooAlias")
    @cfnAdditionalIdentifier
    fooAlias: String
}

@output
structure GetFooResponse {
    fooId: String

    @httpResponseCode
    @cfnExcludeProperty
    responseCode: Integer

    @cfnMutability("read")
    updatedAt: Timestamp

    @cfnDefaultValue
    fooAlias: String

    createProperty: ComplexProperty

    mutableProperty: ComplexProperty

    readProperty: ComplexProperty
}

@idempotent
@http(method: "PUT", uri: "/foos/{fooId}", code: 200)
operation UpdateFoo {
    input: UpdateFooRequest
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

@idempotent
@http(method: "DELETE", uri: "/foos/{fooId}", code: 204)
operation DeleteFoo {
    input := {
        @httpLabel
        @required
        fooId: String
    }
}

@readonly
@http(method: "GET", uri: "/foos", code: 200)
operation ListFoos {
    output := {
        fooIds: FooIds
    }
}

structure FooProperties {
    addedProperty: String

    @cfnMutability("full")
    barProperty: String

    @cfnName("Immutable")
    @cfnMutability("create-and-read")
    immutableSetting: Boolean

    @cfnMutability("read")
    createdAt: Timestamp

    @cfnMutability("write")
    password: String
}

structure ComplexProperty {
    anotherProperty: String
}

list FooIds {
    member: String
}

list TagList {
    member: String
}
