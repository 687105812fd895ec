$version: "2.0"

namespace smithy.protocols

use smithy.api#cors
use smithy.api#endpoint
use smithy.api#hostLabel
use smithy.api#httpError
use smithy.api#requestCompression

@trait(selector: "service")
@protocolDefinition(
    traits: [cors, endpoint, hostLabel, httpError, requestCompression]
)
@traitValidators(
    "rpcv2Cbor.NoDocuments": {
        selector: "service ~> member :test(> document)"
        message: "This protocol does not support document types in most possible scenarios."
        severity: "DANGER"
    }
)
structure rpcv2Cbor {
    http: StringList

    eventStreamHttp: StringList
}

@trait(selector: "service")
@protocolDefinition(
    traits: [cors, endpoint, hostLabel, httpError, requestCompression]
)
structure rpcv2Json {
    http: StringList

    eventStreamHttp: StringList
}

@private
list StringList {
    member: String
}
