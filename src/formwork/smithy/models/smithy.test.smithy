$version: "2.0"

namespace smithy.test

@trait(selector: "operation")
@length(min: 1)
list httpRequestTests {
    member: HttpRequestTestCase
}

@private
structure HttpRequestTestCase with [HttpRequestMixin] {
    @required
    @pattern("^[A-Za-z_][A-Za-z0-9_]+$")
    id: String

    @required
    @idRef(selector: "[trait|protocolDefinition]", failWhenMissing: true)
    protocol: String

    @idRef(selector: "[trait|authDefinition]", failWhenMissing: true)
    authScheme: String

    params: Document

    vendorParams: Document

    @idRef(failWhenMissing: true)
    vendorParamsShape: String

    documentation: String

    tags: NonEmptyStringList

    appliesTo: AppliesTo
}

@private
map StringMap {
    key: String
    value: String
}

@private
list StringList {
    member: String
}

@trait(selector: ":test(operation, structure[trait|error])")
@length(min: 1)
list httpResponseTests {
    member: HttpResponseTestCase
}

@private
structure HttpResponseTestCase with [HttpResponseMixin] {
    @required
    @pattern("^[A-Za-z_][A-Za-z0-9_]+$")
    id: String

    @required
    @idRef(selector: "[trait|protocolDefinition]", failWhenMissing: true)
    protocol: String

    @idRef(selector: "[trait|authDefinition]", failWhenMissing: true)
    authScheme: String

    params: Document

    vendorParams: Document

    @idRef(failWhenMissing: true)
    vendorParamsShape: String

    documentation: String

    tags: NonEmptyStringList

    appliesTo: AppliesTo
}

@private
list NonEmptyStringList {
    member: NonEmptyString
}

@private
@length(min: 1)
string NonEmptyString

@private
enum AppliesTo {
    @enumValue("client")
    CLIENT

    @enumValue("server")
    SERVER
}

@trait(selector: "operation")
@length(min: 1)
@unstable
list httpMalformedRequestTests {
    member: HttpMalformedRequestTestCase
}

@private
structure HttpMalformedRequestTestCase {
    @required
    @pattern("^[A-Za-z_][A-Za-z0-9_]+$")
    id: String

    @required
    @idRef(selector: "[trait|protocolDefinition]", failWhenMissing: true)
    protocol: String

    @required
    request: HttpMalformedRequestDefinition

    @required
    response: HttpMalformedResponseDefinition

    documentation: String

    tags: NonEmptyStringList

    testParameters: HttpMalformedRequestTestParametersDefinition
}

@private
structure HttpMalformedRequestDefinition {
    @required
    @length(min: 1)
    method: String

    @required
    @length(min: 1)
    uri: String

    host: String

    queryParams: StringList

    headers: StringMap

    body: String

    bodyMediaType: String
}

@private
structure HttpMalformedResponseDefinition {
    headers: StringMap

    @required
    @range(min: 100, max: 599)
    code: Integer

    body: HttpMalformedResponseBodyDefinition
}

@private
structure HttpMalformedResponseBodyDefinition {
    @required
    assertion: HttpMalformedResponseBodyAssertion

    @required
    mediaType: String
}

@private
union HttpMalformedResponseBodyAssertion {
    contents: String

    messageRegex: String
}

@private
map HttpMalformedRequestTestParametersDefinition {
    key: String
    value: StringList
}

@trait(selector: "operation :test(-[input, output]-> structure > member > union[trait|streaming])")
@length(min: 1)
list eventStreamTests {
    member: EventStreamTestCase
}

@private
structure EventStreamTestCase {
    @required
    @pattern("^[A-Za-z_][A-Za-z0-9_]+$")
    id: String

    @required
    @idRef(selector: "[trait|protocolDefinition]", failWhenMissing: true)
    protocol: String

    initialRequestParams: Document

    initialRequest: Document

    @idRef(selector: "structure", failWhenMissing: true)
    initialRequestShape: String

    initialResponseParams: Document

    initialResponse: Document

    @idRef(selector: "structure", failWhenMissing: true)
    initialResponseShape: String

    events: Events

    expectation: TestExpectation

    vendorParams: Document

    @idRef(selector: "structure", failWhenMissing: true)
    vendorParamsShape: String

    documentation: String

    appliesTo: AppliesTo

    tags: NonEmptyStringList
}

structure InitialHttpRequest with [HttpRequestMixin] {}

structure InitialHttpResponse with [HttpResponseMixin] {}

@private
list Events {
    member: Event
}

@private
structure Event {
    @required
    type: EventType

    params: Document

    headers: EventHeaders

    forbidHeaders: StringList

    requireHeaders: StringList

    body: Blob

    bodyMediaType: String

    bytes: Blob

    vendorParams: Document = {}

    @idRef(selector: "structure", failWhenMissing: true)
    vendorParamsShape: String
}

@private
enum EventType {
    REQUEST = "request"

    RESPONSE = "response"
}

@private
map EventHeaders {
    key: String
    value: EventHeaderValue
}

@private
union EventHeaderValue {
    boolean: Boolean

    byte: Byte

    short: Short

    integer: Integer

    long: Long

    blob: Blob

    string: String

    timestamp: Timestamp
}

@private
union TestExpectation {
    success: Unit

    failure: TestFailureExpectation
}

@private
structure TestFailureExpectation {
    @idRef(failWhenMissing: true, selector: "[trait|error]")
    errorId: String
}

@private
@mixin
structure HttpMessageMixin {
    headers: StringMap

    forbidHeaders: StringList

    requireHeaders: StringList

    body: String

    bodyMediaType: String
}

@private
@mixin
structure HttpRequestMixin with [HttpMessageMixin] {
    @required
    @length(min: 1)
    method: String

    @required
    @length(min: 1)
    uri: String

    host: String

    resolvedHost: String

    queryParams: StringList

    forbidQueryParams: StringList

    requireQueryParams: StringList
}

@private
@mixin
structure HttpResponseMixin with [HttpMessageMixin] {
    @required
    @range(min: 100, max: 599)
    code: Integer
}
