package cfn

import (
	"context"
)

// Handler answers one action of a resource type.
type Handler[M, C any] func(context.Context, *Request[M, C]) (*Event[M], error)

// Resource is the handlers of one resource type, called as CloudFormation calls them. M is the type's model and C its
// configuration, NoConfiguration where it has none. A handler that is nil fails the requests for it.
type Resource[M, C any] struct {
	TypeName string
	Create   Handler[M, C]
	Read     Handler[M, C]
	Update   Handler[M, C]
	Delete   Handler[M, C]
	List     Handler[M, C]
}

// Answer answers one request of the protocol (version 2.0.0) with JSON; it never fails.
func (r *Resource[M, C]) Answer(ctx context.Context, payload []byte) []byte {
	return r.answer(ctx, payload, r.prepare)
}

// AnswerTest answers a request without an envelope: {credentials, action, request, callbackContext, region}. One in
// CloudFormation's envelope is answered as by Answer.
func (r *Resource[M, C]) AnswerTest(ctx context.Context, payload []byte) []byte {
	if isEnveloped(payload) {
		return r.Answer(ctx, payload)
	}
	return r.answer(ctx, payload, r.prepareTest)
}

func (r *Resource[M, C]) answer(
	ctx context.Context, payload []byte, prepare func(members, *redaction) (*Request[M, C], *observation, error),
) []byte {
	var action Action
	event := answer(ctx, func(redact *redaction) (prepared[M], error) {
		envelope, err := unpack(payload)
		if err != nil {
			return prepared[M]{}, err
		}
		request, observe, err := prepare(envelope, redact)
		if err != nil {
			return prepared[M]{}, err
		}
		action = request.Action
		redact.addWriteOnly(request.DesiredState, request.PreviousState, request.TypeConfiguration)
		return prepared[M]{func(ctx context.Context) (*Event[M], error) { return r.call(ctx, request) }, observe}, nil
	})
	return writeResponse(resourceEvent(event, action), func(code ErrorCode, message string) *wireEvent {
		return resourceEvent(Failed[M](code, message), action)
	})
}

// prepare reads a request in CloudFormation's envelope.
func (r *Resource[M, C]) prepare(envelope members, redact *redaction) (*Request[M, C], *observation, error) {
	read := reader{members: envelope}
	request := &Request[M, C]{Action: readOneOf(&read, "action", actions)}
	data := read.inner("requestData")
	request.AccountID = read.required("awsAccountId")
	request.Region = read.required("region")
	request.ClientRequestToken = read.required("bearerToken")
	request.Partition = partitionOf(request.Region)
	request.StackID, request.NextToken = envelope.text("stackId"), envelope.text("nextToken")
	request.LogicalID = data.members.text("logicalResourceId")
	request.Credentials = data.credentials("callerCredentials")
	request.CallbackContext = read.context("callbackContext")
	request.DesiredTags = data.tags("stackTags")
	request.PreviousTags = data.tags("previousStackTags")
	request.SystemTags = data.tags("systemTags")
	request.PreviousSystemTags = data.tags("previousSystemTags")
	desired, previous := data.object("resourceProperties"), data.object("previousResourceProperties")
	configuration := data.object("typeConfiguration")
	redact.add(request.Credentials.secrets()...)
	if err := read.failure(data); err != nil {
		return nil, nil, err
	}
	if request.DesiredTags == nil {
		request.DesiredTags = map[string]string{}
	}
	stream := request.AccountID + "-" + request.Region
	if request.StackID != "" && request.LogicalID != "" {
		stream = request.StackID + "/" + request.LogicalID
	}
	observe := observationOf(data.members, observed{
		asked: string(request.Action), typeName: r.TypeName, region: request.Region, stream: stream,
		token: request.ClientRequestToken,
	}, redact)
	return request, observe, r.readModels(request, desired, previous, configuration)
}

// prepareTest reads a request that names the members of the handler's request directly.
func (r *Resource[M, C]) prepareTest(envelope members, redact *redaction) (*Request[M, C], *observation, error) {
	read := reader{members: envelope}
	request := &Request[M, C]{Action: readOneOf(&read, "action", actions)}
	asked := read.inner("request")
	request.Credentials = read.credentials("credentials")
	request.CallbackContext = read.context("callbackContext")
	request.ClientRequestToken = asked.members.text("clientRequestToken")
	request.Region = asked.members.text("region")
	if request.Region == "" {
		request.Region = envelope.text("region")
	}
	request.Partition = asked.members.text("awsPartition")
	if request.Partition == "" {
		request.Partition = partitionOf(request.Region)
	}
	request.AccountID, request.StackID = asked.members.text("awsAccountId"), asked.members.text("stackId")
	request.LogicalID = asked.members.text("logicalResourceIdentifier")
	request.NextToken = asked.members.text("nextToken")
	request.DesiredTags = asked.tags("desiredResourceTags")
	request.PreviousTags = asked.tags("previousResourceTags")
	request.SystemTags = asked.tags("systemTags")
	request.PreviousSystemTags = asked.tags("previousSystemTags")
	desired, previous := asked.object("desiredResourceState"), asked.object("previousResourceState")
	configuration := asked.object("typeConfiguration")
	redact.add(request.Credentials.secrets()...)
	if err := read.failure(asked); err != nil {
		return nil, nil, err
	}
	return request, nil, r.readModels(request, desired, previous, configuration)
}

func (r *Resource[M, C]) readModels(request *Request[M, C], desired, previous, configuration map[string]any) error {
	request.DesiredState = new(M)
	if desired != nil {
		if err := readInto(request.DesiredState, desired); err != nil {
			return Errorf(CodeInvalidRequest, "the desired properties: %s", err)
		}
	}
	if previous != nil {
		request.PreviousState = new(M)
		if err := readInto(request.PreviousState, previous); err != nil {
			return Errorf(CodeInvalidRequest, "the previous properties: %s", err)
		}
	}
	var err error
	request.TypeConfiguration, err = readConfiguration[C](r.TypeName, configuration)
	return err
}

func readConfiguration[C any](typeName string, configuration map[string]any) (*C, error) {
	if configuration == nil {
		return nil, nil
	}
	made := new(C)
	if err := readInto(made, configuration); err != nil {
		return nil, InvalidTypeConfiguration(typeName, err.Error())
	}
	return made, nil
}

func (r *Resource[M, C]) call(ctx context.Context, request *Request[M, C]) (*Event[M], error) {
	action := request.Action
	handler := map[Action]Handler[M, C]{
		ActionCreate: r.Create, ActionRead: r.Read, ActionUpdate: r.Update, ActionDelete: r.Delete, ActionList: r.List,
	}[action]
	if handler == nil {
		return nil, InternalFailure("No handler for " + string(action))
	}
	event, err := handler(ctx, request)
	if err == nil {
		event, err = expectEvent(event, string(action))
	}
	if err == nil && (action == ActionRead || action == ActionList) && event.Status == StatusInProgress {
		// They are never called again, so the event would be lost.
		return nil, InternalFailure("READ and LIST handlers must return synchronously.")
	}
	return event, err
}
