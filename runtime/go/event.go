package cfn

// Event is what a handler answers.
//
// A model of an IN_PROGRESS event is what the next invocation gets as its desired state, and CallbackContext comes back
// with it. Result and Annotations are for hooks only.
type Event[M any] struct {
	Status               Status
	ErrorCode            ErrorCode
	Message              string
	CallbackContext      CallbackContext
	CallbackDelaySeconds int
	ResourceModel        *M
	ResourceModels       []M
	NextToken            string
	Result               string
	Annotations          []Annotation
}

// HookEvent is what a hook's handler answers.
type HookEvent = Event[NoModel]

// NoModel is the model of events that have none.
type NoModel struct{}

// NoConfiguration is the configuration of a type whose schema has no typeConfiguration; whatever comes is kept.
type NoConfiguration struct {
	Additional map[string]any `json:"-" cfn:"additional"`
}

// CallbackContext is what one invocation of an operation leaves to the next: JSON. What comes back has its numbers as
// [encoding/json.Number]; [Get] reads a member as the type it was written as.
type CallbackContext map[string]any

// Get reads the member called name as a T; false where it is absent or no T.
func Get[T any](context CallbackContext, name string) (T, bool) {
	var read T
	value, found := context[name]
	if !found || value == nil {
		return read, false
	}
	if typed, same := value.(T); same {
		return typed, true
	}
	tree, err := treeOf(value)
	if err != nil || readInto(&read, tree) != nil {
		var zero T
		return zero, false
	}
	return read, true
}

// Annotation is one check that a hook made, shown beside its result.
type Annotation struct {
	AnnotationName     string           `json:"annotationName"`
	Status             AnnotationStatus `json:"status"`
	StatusMessage      string           `json:"statusMessage,omitzero"`
	RemediationMessage string           `json:"remediationMessage,omitzero"`
	RemediationLink    string           `json:"remediationLink,omitzero"`
	SeverityLevel      Severity         `json:"severityLevel,omitzero"`
}

// Success ends an operation; model is nil after a delete.
func Success[M any](model *M) *Event[M] {
	return &Event[M]{Status: StatusSuccess, ResourceModel: model}
}

// SuccessList ends a list with one page; nextToken is "" on the last.
func SuccessList[M any](models []M, nextToken string) *Event[M] {
	return &Event[M]{Status: StatusSuccess, ResourceModels: models, NextToken: nextToken}
}

// InProgress asks to be called again after some seconds, with this model and context.
func InProgress[M any](model *M, context CallbackContext, delaySeconds int) *Event[M] {
	return &Event[M]{
		Status:               StatusInProgress,
		ResourceModel:        model,
		CallbackContext:      context,
		CallbackDelaySeconds: delaySeconds,
	}
}

// Failed ends an operation without success; returning an error from the handler does the same.
func Failed[M any](code ErrorCode, message string) *Event[M] {
	return &Event[M]{Status: StatusFailed, ErrorCode: code, Message: message}
}

// Ptr is the address of a value, for the optional properties of models.
func Ptr[T any](value T) *T { return &value }

// Value is what an optional property holds, or the zero value where it is absent.
func Value[T any](pointer *T) T {
	if pointer == nil {
		var zero T
		return zero
	}
	return *pointer
}

// What stands on the wire. A list's models are written even where there are none, since a nil slice is an empty one.
type wireEvent struct {
	Status             Status          `json:"status,omitzero"`
	HookStatus         Status          `json:"hookStatus,omitzero"`
	ErrorCode          ErrorCode       `json:"errorCode,omitzero"`
	Message            string          `json:"message"`
	CallbackContext    CallbackContext `json:"callbackContext,omitzero"`
	CallbackDelay      int             `json:"callbackDelaySeconds"`
	ResourceModel      any             `json:"resourceModel,omitzero"`
	ResourceModels     any             `json:"resourceModels,omitzero"`
	NextToken          string          `json:"nextToken,omitzero"`
	Result             string          `json:"result,omitzero"`
	ClientRequestToken string          `json:"clientRequestToken,omitzero"`
	Annotations        []Annotation    `json:"annotations,omitzero"`
}

func resourceEvent[M any](event *Event[M], action Action) *wireEvent {
	wire := commonEvent(event)
	wire.Status = event.Status
	if event.ResourceModel != nil {
		wire.ResourceModel = event.ResourceModel
	}
	if event.ResourceModels != nil {
		wire.ResourceModels = event.ResourceModels
	} else if action == ActionList && event.Status == StatusSuccess {
		wire.ResourceModels = []M{}
	}
	wire.NextToken = event.NextToken
	return wire
}

func hookEvent(event *HookEvent, token string) *wireEvent {
	wire := commonEvent(event)
	wire.HookStatus = event.Status
	wire.Result = event.Result
	wire.Annotations = event.Annotations
	wire.ClientRequestToken = token
	return wire
}

func commonEvent[M any](event *Event[M]) *wireEvent {
	return &wireEvent{
		ErrorCode:       event.ErrorCode,
		Message:         event.Message,
		CallbackContext: event.CallbackContext,
		CallbackDelay:   event.CallbackDelaySeconds,
	}
}
