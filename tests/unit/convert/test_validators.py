"""What validators of AWS's traits say, one small model each."""

import pytest

from formwork.convert.validators import CFN_VALIDATORS
from formwork.smithy.load import library, load_texts
from formwork.smithy.validate import validate

HEAD = """$version: "2.0"
namespace a
use aws.api#arn
use aws.api#service
use aws.api#clientDiscoveredEndpoint
use aws.api#clientEndpointDiscovery
use aws.auth#sigv4
use aws.iam#conditionKeys
use aws.iam#defineConditionKeys
use aws.iam#iamResource
use aws.protocols#awsQuery
use aws.protocols#httpChecksum
use aws.protocols#restJson1
"""
LIBRARIES = ("prelude", "aws.api", "aws.iam", "aws.cloudformation", "aws.auth", "aws.customizations", "aws.protocols")
CASES = {
    "SigV4Traits": '@service(sdkId: "A", arnNamespace: "one") @sigv4(name: "two") service S { version: "1" }',
    "CloudWatchNamespace": '@service(sdkId: "A", cloudWatchNamespace: "aws") service S { version: "1" }',
    "ErrorRename": """@restJson1 service S { version: "1", errors: [E], rename: { "a#E": "F" } }
        @error("client") structure E {}""",
    "ConditionKeys": """@service(sdkId: "A") service S { version: "1", operations: [O] }
        @conditionKeys(["other:Key"]) operation O {}""",
    "DefineConditionKeysTrait": """@defineConditionKeys("a:K": { type: "String", required: true })
        service S { version: "1" }""",
    "IamResourceTrait": '@iamResource(name: "one") @arn(template: "two/{id}") resource R { identifiers: { id: String } }',
    "IamResourceTraitConflictingName": """service S { version: "1", resources: [R, T] }
        @iamResource(name: "t") resource R { identifiers: { id: String } }
        resource T { identifiers: { id: String } }""",
    "ClientEndpointDiscovery": """service S { version: "1", operations: [O] }
        @clientDiscoveredEndpoint(required: true) operation O {}""",
    "HttpChecksumTrait": '@httpChecksum(requestAlgorithmMember: "how") operation O { input := { x: String } }',
    "ProtocolHttp": '@restJson1(http: ["h2"], eventStreamHttp: ["http/1.1"]) service S { version: "1" }',
    "ProtocolHttpPayload": """@restJson1 service S { version: "1", operations: [O] }
        @http(method: "POST", uri: "/") operation O { input := { @httpPayload x: Integer } }""",
    "QueryErrorCode": """@awsQuery @xmlNamespace(uri: "https://x") service S { version: "1", errors: [E, b#E] }""",
    "UnsupportedProtocolDocument": """@awsQuery @xmlNamespace(uri: "https://x") service S { version: "1", operations: [O] }
        operation O { input := { x: Document } }""",
    "HttpBindingTraitIgnored": """service S { version: "1", operations: [O] }
        operation O { input := { x: Inner } } structure Inner { @httpHeader("x-y") y: String }""",
    "HttpMethodSemantics.UnexpectedPayload": """service S { version: "1", operations: [O] }
        @readonly @http(method: "GET", uri: "/") operation O { input := { x: String } }""",
    "HttpMethodSemantics.MissingIdempotentTrait": """service S { version: "1", operations: [O] }
        @http(method: "PUT", uri: "/") operation O {}""",
    "MemberShouldReferenceResource": """service S { version: "1", resources: [R] }
        resource R { identifiers: { id: String } } structure T { id: String }""",
    "ServiceBoundResourceOperation": """service S { version: "1", resources: [R], operations: [O] }
        resource R { identifiers: { id: String } }
        operation O { output := { @required id: String } }""",
    "ReferencesTrait": """@references([{ resource: R }]) structure T { other: String }
        resource R { identifiers: { id: String } }""",
}


@pytest.mark.parametrize(("event_id", "text"), CASES.items())
def test_an_event_is_told(event_id, text):
    texts = [
        ("a.smithy", HEAD + text.replace("} structure", "}\nstructure")),
        ("b.smithy", '$version: "2.0"\nnamespace b\n@error("client")\nstructure E {}\n'),
    ]
    if event_id == "QueryErrorCode":
        texts[0] = ("a.smithy", texts[0][1] + '\n@error("client")\nstructure E {}\n')
    loaded = load_texts(texts, base=library(*LIBRARIES))
    assert [str(event) for event in loaded.events if event.severity == "ERROR"] == []
    found = validate(loaded.model, after=loaded.events, extra=tuple(CFN_VALIDATORS))
    assert any(event.is_or_under(event_id) for event in found), [str(event) for event in found]
