$version: "2.0"

namespace smithy.api

string String

blob Blob

bigInteger BigInteger

bigDecimal BigDecimal

timestamp Timestamp

document Document

boolean Boolean

byte Byte

short Short

integer Integer

long Long

float Float

double Double

@default(false)
boolean PrimitiveBoolean

@default(0)
byte PrimitiveByte

@default(0)
short PrimitiveShort

@default(0)
integer PrimitiveInteger

@default(0)
long PrimitiveLong

@default(0)
float PrimitiveFloat

@default(0)
double PrimitiveDouble

@unitType
structure Unit {}

@trait(
    selector: ":is(simpleType, list, map, structure, union)"
    breakingChanges: [
        {
            change: "presence"
        }
        {
            path: "/structurallyExclusive"
            change: "any"
        }
        {
            path: "/conflicts"
            change: "update"
            severity: "NOTE"
        }
    ]
)
structure trait {
    selector: String

    structurallyExclusive: StructurallyExclusive

    conflicts: NonEmptyStringList

    breakingChanges: TraitDiffRules
}

@private
@length(min: 1)
list TraitDiffRules {
    member: TraitDiffRule
}

@private
structure TraitDiffRule {
    path: String

    @required
    change: TraitChangeType

    severity: Severity = "ERROR"

    message: String
}

@private
enum TraitChangeType {
    UPDATE = "update"

    ADD = "add"

    REMOVE = "remove"

    PRESENCE = "presence"

    ANY = "any"
}

@private
enum Severity {
    NOTE

    WARNING

    DANGER

    ERROR
}

@private
enum StructurallyExclusive {
    MEMBER = "member"

    TARGET = "target"
}

@trait
structure deprecated {
    message: String

    since: String
}

@trait(
    selector: """
        :test(boolean, byte, short, integer, long, float, double,
        member > :test(boolean, byte, short, integer, long, float, double))"""
)
structure box {}

@trait
string documentation

@trait
@length(min: 1)
map externalDocumentation {
    key: NonEmptyString
    value: NonEmptyString
}

@trait(selector: ":is(service, operation)")
@uniqueItems
list auth {
    member: AuthTraitReference
}

@idRef(selector: "[trait|authDefinition]")
@private
string AuthTraitReference

@trait(
    selector: "structure[trait|trait]"
    breakingChanges: [
        {
            change: "presence"
        }
    ]
)
structure protocolDefinition {
    traits: TraitShapeIdList

    @deprecated(message: "Use the `@traitValidators` trait instead")
    noInlineDocumentSupport: Boolean
}

@private
list TraitShapeIdList {
    member: TraitShapeId
}

@private
@idRef(failWhenMissing: true, selector: "[trait|trait]")
string TraitShapeId

@trait(
    selector: "structure[trait|trait]"
    breakingChanges: [
        {
            change: "presence"
        }
    ]
)
structure authDefinition {
    traits: TraitShapeIdList
}

@trait(
    selector: "service"
    breakingChanges: [
        {
            change: "remove"
        }
    ]
)
@authDefinition
@externalDocumentation("RFC 2617": "https://tools.ietf.org/html/rfc2617.html")
structure httpBasicAuth {}

@trait(
    selector: "service"
    breakingChanges: [
        {
            change: "remove"
        }
    ]
)
@authDefinition
@externalDocumentation("RFC 2617": "https://tools.ietf.org/html/rfc2617.html")
structure httpDigestAuth {}

@trait(
    selector: "service"
    breakingChanges: [
        {
            change: "remove"
        }
    ]
)
@authDefinition
@externalDocumentation("RFC 6750": "https://tools.ietf.org/html/rfc6750.html")
structure httpBearerAuth {}

@trait(
    selector: "service"
    breakingChanges: [
        {
            change: "remove"
        }
    ]
)
@authDefinition
structure httpApiKeyAuth {
    @required
    name: NonEmptyString

    @required
    in: HttpApiKeyLocations

    scheme: NonEmptyString
}

@trait(selector: "[trait|trait]")
map traitValidators {
    @length(min: 1)
    key: String

    value: TraitValidator
}

@private
structure TraitValidator {
    @required
    selector: String

    message: String

    severity: Severity = "ERROR"
}

@trait(selector: "dataType :not([trait|input]) :not([trait|output])")
structure metadata {
    @required
    @length(min: 1)
    key: String
}

@private
@metadata(key: "shapeClosures")
list ShapeClosures {
    member: ShapeClosure
}

@private
structure ShapeClosure {
    @required
    id: ClosureId

    includeNamespaces: Namespaces = []

    @length(min: 1)
    includeBySelector: String

    rename: Renames = {}

    documentation: CommonMark
}

@private
@idRef(failWhenMissing: false)
string ClosureId

@private
@uniqueItems
list Namespaces {
    member: String
}

@private
map Renames {
    @idRef(
        failWhenMissing: true
        selector: ":not(:is(member, service, resource, operation))"
        errorMessage: """
            Renames must target shapes that are in the model and must not target \
            services, resources, operations, or members."""
    )
    key: String

    value: Identifier
}

@private
@externalDocumentation("CommonMark Specification": "https://commonmark.org/")
@mediaType("text/markdown; charset=UTF-8; variant=CommonMark")
string CommonMark

@private
@pattern("^(_+[a-zA-Z0-9]|[a-zA-Z])\\w*$")
string Identifier

@trait(selector: ":is(simpleType, list, map, structure > member :test(> :is(simpleType, list, map)))")
document default

@trait(
    selector: "structure > member [trait|default]"
    breakingChanges: [
        {
            change: "remove"
        }
    ]
)
structure addedDefault {}

@trait(selector: "structure > member")
structure clientOptional {}

@private
enum HttpApiKeyLocations {
    HEADER = "header"
    QUERY = "query"
}

@trait(
    selector: "operation"
    breakingChanges: [
        {
            change: "remove"
        }
    ]
)
structure optionalAuth {}

@trait(selector: "operation")
list examples {
    member: Example
}

@private
structure Example {
    @required
    title: String

    documentation: String

    input: Document

    output: Document

    error: ExampleError

    allowConstraintErrors: Boolean
}

@private
structure ExampleError {
    @idRef(selector: "structure[trait|error]")
    shapeId: String

    content: Document
}

@trait(
    selector: "structure"
    conflicts: [trait]
    breakingChanges: [
        {
            change: "any"
        }
    ]
)
enum error {
    CLIENT = "client"
    SERVER = "server"
}

@trait(
    selector: "structure[trait|error]"
    breakingChanges: [
        {
            change: "remove"
        }
    ]
)
structure retryable {
    throttling: Boolean
}

@trait(
    selector: "operation"
    conflicts: [idempotent]
    breakingChanges: [
        {
            change: "remove"
        }
    ]
)
structure readonly {}

@trait(
    selector: "operation"
    conflicts: [readonly]
    breakingChanges: [
        {
            change: "remove"
        }
    ]
)
structure idempotent {
    exists: IdempotentErrors

    notFound: IdempotentErrors
}

@private
list IdempotentErrors {
    @idRef(selector: "[trait|error]")
    member: String
}

@trait(
    selector: "structure > :test(member > string)"
    structurallyExclusive: "member"
    breakingChanges: [
        {
            change: "remove"
        }
    ]
)
@notProperty
structure idempotencyToken {}

@trait(
    breakingChanges: [
        {
            change: "remove"
            severity: "WARNING"
        }
    ]
)
structure internal {}

@trait(
    selector: ":is(structure, union) > member"
    breakingChanges: [
        {
            change: "any"
        }
    ]
)
string jsonName

@trait(
    selector: "structure > :test(member > :test(boolean, number, string, timestamp))"
    conflicts: [xmlNamespace]
    breakingChanges: [
        {
            change: "any"
        }
    ]
)
structure xmlAttribute {}

@trait(
    selector: ":is(structure, union) > :test(member > :test(list, map))"
    breakingChanges: [
        {
            change: "any"
        }
    ]
)
structure xmlFlattened {}

@trait(
    selector: ":is(structure, union, member)"
    breakingChanges: [
        {
            change: "any"
        }
    ]
)
@pattern("^[a-zA-Z_][a-zA-Z_0-9-]*(:[a-zA-Z_][a-zA-Z_0-9-]*)?$")
string xmlName

@trait(
    selector: ":is(service, member, simpleType, list, map, structure, union)"
    conflicts: [xmlAttribute]
    breakingChanges: [
        {
            change: "any"
        }
    ]
)
structure xmlNamespace {
    @required
    uri: NonEmptyString

    @pattern("^[a-zA-Z_][a-zA-Z_0-9-]*$")
    prefix: NonEmptyString
}

@private
@length(min: 1)
string NonEmptyString

@trait(selector: "resource:test(-[put]->)")
structure noReplace {}

@trait(
    selector: ":is(blob, string)"
    breakingChanges: [
        {
            change: "remove"
        }
    ]
)
string mediaType

@trait(selector: ":is(structure, string)")
list references {
    member: Reference
}

@private
structure Reference {
    @required
    resource: NonEmptyString

    ids: NonEmptyStringMap

    service: NonEmptyString

    rel: NonEmptyString
}

@private
map NonEmptyStringMap {
    key: NonEmptyString
    value: NonEmptyString
}

@trait(
    selector: "structure > :test(member[trait|required] > string)"
    breakingChanges: [
        {
            change: "remove"
        }
    ]
)
@length(min: 1)
@notProperty
string resourceIdentifier

@trait
structure private {}

@trait(selector: ":not(:test(service, operation, resource, member))")
structure sensitive {}

@trait
string since

@trait(
    selector: ":is(blob, union)"
    structurallyExclusive: "target"
    breakingChanges: [
        {
            change: "any"
        }
    ]
)
structure streaming {}

@trait(
    selector: "blob[trait|streaming]"
    breakingChanges: [
        {
            change: "presence"
        }
    ]
)
structure requiresLength {}

@trait(selector: "operation")
@unstable
structure longPoll {
    @required
    @range(min: 1)
    timeoutMillis: Integer
}

@trait
list tags {
    member: String
}

@trait
string title

@trait(
    selector: "string :not(enum)"
    breakingChanges: [
        {
            change: "presence"
        }
    ]
)
@length(min: 1)
@deprecated(message: "The enum trait is replaced by the enum shape in Smithy 2.0", since: "2.0")
list enum {
    member: EnumDefinition
}

@private
structure EnumDefinition {
    @required
    value: NonEmptyString

    name: EnumConstantBodyName

    documentation: String

    tags: NonEmptyStringList

    deprecated: Boolean
}

@private
@pattern("^[a-zA-Z_]+[a-zA-Z_0-9]*$")
string EnumConstantBodyName

@trait(selector: ":is(enum, intEnum) > member")
@tags(["diff.error.const"])
document enumValue

@trait(selector: ":test(list, map, string, blob, member > :is(list, map, string, blob))")
structure length {
    min: Long

    max: Long
}

@trait(selector: ":test(number, member > number)")
structure range {
    min: BigDecimal

    max: BigDecimal
}

@trait(
    selector: ":test(string, member > string)"
    breakingChanges: [
        {
            change: "add"
            severity: "WARNING"
        }
        {
            change: "update"
            severity: "NOTE"
        }
    ]
)
string pattern

@trait(selector: "structure > member")
structure required {}

@trait(
    selector: "structure > member"
    conflicts: [resourceIdentifier]
    breakingChanges: [
        {
            change: "remove"
        }
        {
            change: "update"
        }
    ]
)
structure property {
    name: String
}

@trait(
    selector: ":is(operation -[input, output]-> structure > member, [trait|trait])"
    breakingChanges: [
        {
            change: "add"
        }
    ]
)
@notProperty
structure notProperty {}

@trait(
    selector: "operation -[input, output]-> structure > member :test(> structure)"
    structurallyExclusive: "member"
    breakingChanges: [
        {
            change: "any"
        }
    ]
)
@notProperty
structure nestedProperties {}

@trait(
    selector: "structure > member"
    conflicts: [required]
)
structure recommended {
    reason: String
}

@trait(
    selector: ":is(list, map)"
    breakingChanges: [
        {
            change: "presence"
        }
    ]
)
structure sparse {}

@trait(
    selector: "list :not(> member ~> :is(float, double, document))"
    conflicts: [sparse]
    breakingChanges: [
        {
            change: "presence"
            severity: "WARNING"
        }
    ]
)
structure uniqueItems {}

@trait
structure unstable {}

@trait(
    selector: ":is(service, operation)"
    breakingChanges: [
        {
            change: "remove"
        }
        {
            path: "/inputToken"
            change: "update"
        }
        {
            path: "/outputToken"
            change: "update"
        }
        {
            path: "/items"
            change: "remove"
        }
        {
            path: "/items"
            change: "add"
            severity: "NOTE"
        }
        {
            path: "/items"
            change: "update"
            severity: "NOTE"
        }
        {
            path: "/pageSize"
            change: "update"
        }
        {
            path: "/pageSize"
            change: "remove"
        }
    ]
)
structure paginated {
    inputToken: NonEmptyString

    outputToken: NonEmptyString

    items: NonEmptyString

    pageSize: NonEmptyString
}

@trait(
    selector: "operation"
    breakingChanges: [
        {
            change: "remove"
        }
        {
            path: "/method"
            change: "update"
        }
        {
            path: "/uri"
            change: "update"
        }
        {
            path: "/code"
            change: "update"
        }
        {
            path: "/code"
            change: "presence"
            severity: "DANGER"
        }
    ]
)
structure http {
    @required
    method: NonEmptyString

    @required
    uri: NonEmptyString

    @range(min: 100, max: 999)
    code: Integer = 200
}

@trait(
    selector: "structure > member[trait|required] :test(> :test(string, number, boolean, timestamp))"
    conflicts: [httpHeader, httpQuery, httpPrefixHeaders, httpPayload, httpResponseCode, httpQueryParams]
    breakingChanges: [
        {
            change: "presence"
        }
    ]
)
structure httpLabel {}

@trait(
    selector: """
        structure > member
        :test(> :test(string, number, boolean, timestamp),
        > list > member > :test(string, number, boolean, timestamp))"""
    conflicts: [httpLabel, httpHeader, httpPrefixHeaders, httpPayload, httpResponseCode, httpQueryParams]
    breakingChanges: [
        {
            change: "any"
        }
    ]
)
@length(min: 1)
string httpQuery

@trait(
    selector: """
        structure > member
        :test(> map > member[id|member=value] > :test(string, list > member > string))"""
    structurallyExclusive: "member"
    conflicts: [httpLabel, httpQuery, httpHeader, httpPayload, httpResponseCode, httpPrefixHeaders]
    breakingChanges: [
        {
            change: "any"
        }
    ]
)
structure httpQueryParams {}

@trait(
    selector: """
        structure > :test(member > :test(boolean, number, string, timestamp,
        list > member > :test(boolean, number, string, timestamp)))"""
    conflicts: [httpLabel, httpQuery, httpPrefixHeaders, httpPayload, httpResponseCode, httpQueryParams]
    breakingChanges: [
        {
            change: "any"
        }
    ]
)
@length(min: 1)
string httpHeader

@trait(
    selector: """
        structure > member
        :test(> map :not([trait|sparse]) > member[id|member=value] > string)"""
    structurallyExclusive: "member"
    conflicts: [httpLabel, httpQuery, httpHeader, httpPayload, httpResponseCode, httpQueryParams]
    breakingChanges: [
        {
            change: "any"
        }
    ]
)
string httpPrefixHeaders

@trait(
    selector: "structure > member"
    conflicts: [httpLabel, httpQuery, httpHeader, httpPrefixHeaders, httpResponseCode, httpQueryParams]
    structurallyExclusive: "member"
    breakingChanges: [
        {
            change: "presence"
        }
    ]
)
structure httpPayload {}

@trait(
    selector: "structure[trait|error]"
    breakingChanges: [
        {
            change: "any"
        }
    ]
)
integer httpError

@trait(
    selector: "structure :not([trait|input]) > member :test(> integer)"
    structurallyExclusive: "member"
    conflicts: [httpLabel, httpQuery, httpHeader, httpPrefixHeaders, httpPayload, httpQueryParams]
    breakingChanges: [
        {
            change: "any"
        }
    ]
)
structure httpResponseCode {}

@trait(
    selector: "service"
    breakingChanges: [
        {
            change: "remove"
        }
    ]
)
structure cors {
    origin: NonEmptyString = "*"

    origins: NonEmptyStringMap

    maxAge: Integer = 600

    additionalAllowedHeaders: NonEmptyStringList

    additionalExposedHeaders: NonEmptyStringList
}

@private
list NonEmptyStringList {
    member: NonEmptyString
}

@trait(
    selector: "structure > :test(member > :test(blob, string, structure, union))"
    conflicts: [eventHeader]
    structurallyExclusive: "member"
    breakingChanges: [
        {
            change: "any"
        }
    ]
)
structure eventPayload {}

@trait(
    selector: """
        structure >
        :test(member > :test(boolean, byte, short, integer, long, blob, string, timestamp))"""
    conflicts: [eventPayload]
    breakingChanges: [
        {
            change: "any"
        }
    ]
)
structure eventHeader {}

@trait(selector: ":test(string, member > string)")
structure idRef {
    selector: String = "*"

    failWhenMissing: Boolean

    errorMessage: String
}

@trait(
    selector: ":test(timestamp, member > timestamp)"
    breakingChanges: [
        {
            change: "any"
        }
    ]
)
enum timestampFormat {
    DATE_TIME = "date-time"

    EPOCH_SECONDS = "epoch-seconds"

    HTTP_DATE = "http-date"
}

@trait(
    selector: "operation"
    breakingChanges: [
        {
            change: "any"
        }
    ]
)
structure endpoint {
    @required
    hostPrefix: NonEmptyString
}

@trait(
    selector: "structure > :test(member[trait|required] > string)"
    breakingChanges: [
        {
            change: "any"
        }
    ]
)
structure hostLabel {}

@trait
list suppress {
    @length(min: 1)
    member: String
}

@unstable
@trait(selector: "operation")
structure httpChecksumRequired {}

@trait(
    selector: "structure"
    conflicts: [output, error]
    breakingChanges: [
        {
            change: "presence"
        }
    ]
)
structure input {}

@trait(
    selector: "structure"
    conflicts: [input, error]
    breakingChanges: [
        {
            change: "presence"
        }
    ]
)
structure output {}

@trait(selector: "[id=smithy.api#Unit]")
structure unitType {}

@trait(selector: ":not(member)")
structure mixin {
    localTraits: LocalMixinTraitList
}

@private
list LocalMixinTraitList {
    member: LocalMixinTrait
}

@idRef(
    selector: "[trait|trait]"
    failWhenMissing: true
    errorMessage: """
        Strings provided to the localTraits property of a mixin trait
        must target a valid trait."""
)
@private
string LocalMixinTrait

@private
list RequestCompressionEncodingsList {
    member: String
}

@trait(
    selector: "operation"
    breakingChanges: [
        {
            change: "remove"
            severity: "DANGER"
        }
        {
            change: "remove"
            path: "/encodings"
        }
        {
            change: "add"
            severity: "NOTE"
            path: "/encodings/member"
        }
        {
            change: "remove"
            severity: "DANGER"
            path: "/encodings/member"
        }
        {
            change: "update"
            severity: "DANGER"
            path: "/encodings/member"
        }
    ]
)
structure requestCompression {
    @required
    encodings: RequestCompressionEncodingsList
}
