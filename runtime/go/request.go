package cfn

// Request is what a resource handler is asked. Texts are "" and maps nil where the request has none.
type Request[M, C any] struct {
	Action             Action
	ClientRequestToken string // the same in every attempt of one operation
	LogicalID          string
	DesiredState       *M // never nil
	PreviousState      *M // nil but for an update
	DesiredTags        map[string]string
	PreviousTags       map[string]string
	SystemTags         map[string]string
	PreviousSystemTags map[string]string
	TypeConfiguration  *C
	CallbackContext    CallbackContext // never nil; empty in the first invocation
	NextToken          string
	StackID            string
	AccountID          string
	Region             string
	Partition          string
	Credentials        *Credentials // nil for a type without an execution role
}

// HookRequest is what a hook's handler is asked.
type HookRequest[C any] struct {
	InvocationPoint    InvocationPoint
	ClientRequestToken string
	AccountID          string
	StackID            string
	ChangeSetID        string
	HookTypeName       string
	HookTypeVersion    string
	TargetName         string
	TargetType         string
	TargetLogicalID    string
	TargetModel        map[string]any // resourceProperties, previousResourceProperties; see Target
	TypeConfiguration  *C
	CallbackContext    CallbackContext
	Region             string
	Credentials        *Credentials
}

// targetHolder is any HookRequest.
type targetHolder interface{ target() map[string]any }

func (r *HookRequest[C]) target() map[string]any { return r.TargetModel }

// Target is the target as a hook finds it or would leave it, typed: Target[aws_s3_bucket.AwsS3Bucket](request). It is
// nil where the request has no such properties.
func Target[M any](request targetHolder) (*M, error) {
	return readTarget[M](request, "resourceProperties")
}

// PreviousTarget is the target before an update.
func PreviousTarget[M any](request targetHolder) (*M, error) {
	return readTarget[M](request, "previousResourceProperties")
}

func readTarget[M any](request targetHolder, name string) (*M, error) {
	tree := request.target()[name]
	if tree == nil {
		return nil, nil
	}
	made := new(M)
	if err := readInto(made, tree); err != nil {
		return nil, Errorf(CodeInvalidRequest, "requestData.targetModel.%s: %s", name, err)
	}
	return made, nil
}
