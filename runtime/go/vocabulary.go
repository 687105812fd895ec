package cfn

import "slices"

// Action is what a resource handler is asked to do.
type Action string

// The actions of resource types.
const (
	ActionCreate Action = "CREATE"
	ActionRead   Action = "READ"
	ActionUpdate Action = "UPDATE"
	ActionDelete Action = "DELETE"
	ActionList   Action = "LIST"
)

var actions = []Action{ActionCreate, ActionRead, ActionUpdate, ActionDelete, ActionList}

// InvocationPoint is when a hook is asked.
type InvocationPoint string

// The invocation points of hooks.
const (
	PreCreate InvocationPoint = "CREATE_PRE_PROVISION"
	PreUpdate InvocationPoint = "UPDATE_PRE_PROVISION"
	PreDelete InvocationPoint = "DELETE_PRE_PROVISION"
)

var invocationPoints = []InvocationPoint{PreCreate, PreUpdate, PreDelete}

// Status is where an operation stands; SkipStackHook only answers hooks of change sets.
type Status string

// The statuses of events.
const (
	StatusPending       Status = "PENDING"
	StatusInProgress    Status = "IN_PROGRESS"
	StatusSuccess       Status = "SUCCESS"
	StatusSkipStackHook Status = "CHANGE_SET_SUCCESS_SKIP_STACK_HOOK"
	StatusFailed        Status = "FAILED"
)

var statuses = []Status{StatusPending, StatusInProgress, StatusSuccess, StatusSkipStackHook, StatusFailed}

func (s Status) known() bool { return slices.Contains(statuses, s) }

// ErrorCode is why an operation failed. CloudFormation tries again after CodeNetworkFailure, CodeResourceConflict,
// CodeServiceInternalError and CodeThrottling.
type ErrorCode string

// The error codes of the handler contract.
const (
	CodeNotUpdatable                 ErrorCode = "NotUpdatable"
	CodeInvalidRequest               ErrorCode = "InvalidRequest"
	CodeAccessDenied                 ErrorCode = "AccessDenied"
	CodeUnauthorizedTaggingOperation ErrorCode = "UnauthorizedTaggingOperation"
	CodeInvalidCredentials           ErrorCode = "InvalidCredentials"
	CodeAlreadyExists                ErrorCode = "AlreadyExists"
	CodeNotFound                     ErrorCode = "NotFound"
	CodeResourceConflict             ErrorCode = "ResourceConflict"
	CodeThrottling                   ErrorCode = "Throttling"
	CodeServiceLimitExceeded         ErrorCode = "ServiceLimitExceeded"
	CodeNotStabilized                ErrorCode = "NotStabilized"
	CodeGeneralServiceException      ErrorCode = "GeneralServiceException"
	CodeServiceInternalError         ErrorCode = "ServiceInternalError"
	CodeNetworkFailure               ErrorCode = "NetworkFailure"
	CodeInternalFailure              ErrorCode = "InternalFailure"
	CodeInvalidTypeConfiguration     ErrorCode = "InvalidTypeConfiguration"
	CodeHandlerInternalFailure       ErrorCode = "HandlerInternalFailure"
	CodeNonCompliant                 ErrorCode = "NonCompliant"
	CodeUnsupportedTarget            ErrorCode = "UnsupportedTarget"
	CodeUnknown                      ErrorCode = "Unknown"
)

// AnnotationStatus is how one check of a hook ended.
type AnnotationStatus string

// The statuses of annotations.
const (
	AnnotationPassed  AnnotationStatus = "PASSED"
	AnnotationFailed  AnnotationStatus = "FAILED"
	AnnotationSkipped AnnotationStatus = "SKIPPED"
)

// Severity is how much a failed check weighs.
type Severity string

// The severities of annotations.
const (
	SeverityInformational Severity = "INFORMATIONAL"
	SeverityLow           Severity = "LOW"
	SeverityMedium        Severity = "MEDIUM"
	SeverityHigh          Severity = "HIGH"
	SeverityCritical      Severity = "CRITICAL"
)
