package cfn

import (
	"errors"
	"fmt"
)

// Failure is an error with an error code. What wraps one, or embeds a *Failure, keeps its code.
type Failure struct {
	Code    ErrorCode
	Message string
}

func (e *Failure) Error() string {
	if e.Message == "" {
		return string(e.Code)
	}
	return e.Message
}

// HandlerErrorCode is the code that the operation fails with.
func (e *Failure) HandlerErrorCode() ErrorCode { return e.Code }

// coded is what an error with an error code looks like, *Failure and those that embed it.
type coded interface {
	error
	HandlerErrorCode() ErrorCode
}

// CodeOf is the error code that an operation fails with when its handler returns err: the error's own, the translation
// of an AWS service's, or "" where the error says nothing.
func CodeOf(err error) ErrorCode {
	var known coded
	if errors.As(err, &known) {
		return known.HandlerErrorCode()
	}
	return serviceErrorCode(err)
}

// Errorf is an error with this code.
func Errorf(code ErrorCode, format string, arguments ...any) error {
	return &Failure{Code: code, Message: fmt.Sprintf(format, arguments...)}
}

// NotFound says that the resource is not there.
func NotFound(typeName, identifier string) error {
	return Errorf(CodeNotFound, "Resource of type '%s' with identifier '%s' was not found.", typeName, identifier)
}

// AlreadyExists says that the resource was there before the create request.
func AlreadyExists(typeName, identifier string) error {
	return Errorf(CodeAlreadyExists, "Resource of type '%s' with identifier '%s' already exists.", typeName, identifier)
}

// InvalidRequest says what is wrong with the user's input.
func InvalidRequest(message string) error { return &Failure{CodeInvalidRequest, message} }

// NotUpdatable says that the request changes what can't be changed.
func NotUpdatable(message string) error { return &Failure{CodeNotUpdatable, message} }

// NonCompliant says that the hook's target breaks the hook's rule.
func NonCompliant(message string) error { return &Failure{CodeNonCompliant, message} }

// UnsupportedTarget says that the hook does not handle this target.
func UnsupportedTarget(hookTypeName, targetName string) error {
	return Errorf(CodeUnsupportedTarget, "Hook of type '%s' received request for unsupported target '%s'",
		hookTypeName, targetName)
}

// InvalidTypeConfiguration says what is wrong with the extension's configuration.
func InvalidTypeConfiguration(typeName, message string) error {
	return Errorf(CodeInvalidTypeConfiguration, "Invalid TypeConfiguration provided for type %s. Reason: %s",
		typeName, message)
}

// InternalFailure says that the handler failed unexpectedly.
func InternalFailure(message string) error { return &Failure{CodeInternalFailure, message} }

// envelopeError is what is wrong with a request; its text names the member.
type envelopeError struct{ text string }

func (e *envelopeError) Error() string { return e.text }

func badEnvelope(format string, arguments ...any) error {
	return &envelopeError{fmt.Sprintf(format, arguments...)}
}
