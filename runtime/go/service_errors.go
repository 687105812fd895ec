package cfn

import (
	"errors"
	"net"
	"slices"
	"strings"
)

// Errors of the AWS SDKs for Go are known by what they can say, so that no SDK need be imported: version 2 has
// ErrorCode and, for the response, HTTPStatusCode; version 1 has Code and StatusCode.
type (
	serviceError   interface{ ErrorCode() string }
	serviceErrorV1 interface {
		Code() string
		OrigErr() error
	}
	httpError   interface{ HTTPStatusCode() int }
	httpErrorV1 interface{ StatusCode() int }
)

var codesByName = map[ErrorCode][]string{
	CodeThrottling: {
		"BandwidthLimitExceeded", "PriorRequestNotComplete", "ProvisionedThroughputExceededException",
		"RequestLimitExceeded", "SlowDown", "TooManyRequestsException", "TransactionInProgressException",
	},
	CodeInvalidCredentials: {
		"AuthFailure", "ExpiredToken", "ExpiredTokenException", "IncompleteSignature", "InvalidAccessKeyId",
		"InvalidClientTokenId", "InvalidSignatureException", "InvalidToken", "MissingAuthenticationToken",
		"MissingAuthenticationTokenException", "NoCredentialProviders", "RequestExpired", "SignatureDoesNotMatch",
		"UnrecognizedClientException",
	},
	CodeAccessDenied: {
		"AuthorizationError", "Forbidden", "NotAuthorized", "OptInRequired", "UnauthorizedException",
		"UnauthorizedOperation",
	},
	CodeAlreadyExists: {"BucketAlreadyOwnedByYou", "ResourceExistsException"},
	CodeResourceConflict: {
		"ConflictException", "DeleteConflict", "DependencyViolation", "IncorrectInstanceState", "IncorrectState",
		"InvalidStateException", "OperationAborted", "OperationInProgressException", "ResourceConflictException",
		"ResourceInUse", "ResourceInUseException",
	},
	CodeServiceInternalError: {
		"InternalError", "InternalFailure", "InternalServerError", "InternalServerException", "ServiceUnavailable",
	},
	CodeInvalidRequest: {"MalformedPolicyDocument", "ValidationError", "ValidationException"},
}

// Parts of codes that follow a convention, the first that fits decides.
var codesByPart = []struct {
	part string
	code ErrorCode
}{
	{"Throttl", CodeThrottling},
	{"AccessDenied", CodeAccessDenied},
	{"AlreadyExist", CodeAlreadyExists},
	{".Duplicate", CodeAlreadyExists},
	{"NotFound", CodeNotFound},
	{"NoSuch", CodeNotFound},
	{"NonExistent", CodeNotFound},
	{"DoesNotExist", CodeNotFound},
	{"ConcurrentModification", CodeResourceConflict},
	{"LimitExceeded", CodeServiceLimitExceeded},
	{"QuotaExceeded", CodeServiceLimitExceeded},
	{"InvalidParameter", CodeInvalidRequest},
}

var codesByStatus = map[int]ErrorCode{
	400: CodeInvalidRequest,
	401: CodeAccessDenied,
	403: CodeAccessDenied,
	404: CodeNotFound,
	409: CodeResourceConflict,
	410: CodeNotFound,
	429: CodeThrottling,
	503: CodeThrottling,
	511: CodeAccessDenied,
}

// ServiceCode is the AWS service's own code in an error of an AWS SDK, such as "ResourceInUseException"; "" for any
// other error.
func ServiceCode(err error) string {
	var second serviceError
	if errors.As(err, &second) {
		return second.ErrorCode()
	}
	var first serviceErrorV1
	if errors.As(err, &first) {
		return first.Code()
	}
	return ""
}

// HTTPStatus is the status of the response that an error of an AWS SDK stands for, 0 where there is none.
func HTTPStatus(err error) int {
	var second httpError
	if errors.As(err, &second) {
		return second.HTTPStatusCode()
	}
	var first httpErrorV1
	if errors.As(err, &first) {
		return first.StatusCode()
	}
	return 0
}

func serviceErrorCode(err error) ErrorCode {
	code, status := ServiceCode(err), HTTPStatus(err)
	if code == "" && status == 0 {
		var network net.Error
		if errors.As(err, &network) {
			return CodeNetworkFailure
		}
		return ""
	}
	for meaning, names := range codesByName {
		if slices.Contains(names, code) {
			return meaning
		}
	}
	for _, each := range codesByPart {
		if strings.Contains(code, each.part) {
			return each.code
		}
	}
	if meaning, known := codesByStatus[status]; known {
		return meaning
	}
	if status >= 500 {
		return CodeServiceInternalError
	}
	return CodeGeneralServiceException
}
