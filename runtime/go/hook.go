package cfn

import "context"

// HookHandler answers one invocation point of a hook.
type HookHandler[C any] func(context.Context, *HookRequest[C]) (*HookEvent, error)

// Hook is the handlers of one hook, called as CloudFormation calls them. C is the hook's configuration. A handler that
// is nil fails the requests for it.
type Hook[C any] struct {
	TypeName  string
	PreCreate HookHandler[C]
	PreUpdate HookHandler[C]
	PreDelete HookHandler[C]
}

// Answer answers one request of the protocol (version 2.0.0) with JSON; it never fails.
func (h *Hook[C]) Answer(ctx context.Context, payload []byte) []byte {
	token := ""
	event := answer(ctx, func(redact *redaction) (prepared[NoModel], error) {
		envelope, err := unpack(payload)
		if err != nil {
			return prepared[NoModel]{}, err
		}
		token = envelope.text("clientRequestToken")
		request, observe, err := h.prepare(ctx, envelope, redact)
		return h.prepared(request, observe), err
	})
	return writeResponse(hookEvent(event, token), func(code ErrorCode, message string) *wireEvent {
		return hookEvent(Failed[NoModel](code, message), token)
	})
}

// AnswerTest answers a request without an envelope, with a resource's event (status), as the published libraries do:
// {credentials, actionInvocationPoint, request, callbackContext, typeConfiguration, region}. One in CloudFormation's
// envelope is answered as by Answer.
func (h *Hook[C]) AnswerTest(ctx context.Context, payload []byte) []byte {
	if isEnveloped(payload) {
		return h.Answer(ctx, payload)
	}
	event := answer(ctx, func(redact *redaction) (prepared[NoModel], error) {
		envelope, err := unpack(payload)
		if err != nil {
			return prepared[NoModel]{}, err
		}
		request, err := h.prepareTest(envelope, redact)
		return h.prepared(request, nil), err
	})
	return writeResponse(resourceEvent(event, ""), func(code ErrorCode, message string) *wireEvent {
		return resourceEvent(Failed[NoModel](code, message), "")
	})
}

func (h *Hook[C]) prepared(request *HookRequest[C], observe *observation) prepared[NoModel] {
	return prepared[NoModel]{func(ctx context.Context) (*HookEvent, error) { return h.call(ctx, request) }, observe}
}

// prepare reads a request in CloudFormation's envelope.
func (h *Hook[C]) prepare(
	ctx context.Context, envelope members, redact *redaction,
) (*HookRequest[C], *observation, error) {
	read := reader{members: envelope}
	request := &HookRequest[C]{InvocationPoint: readOneOf(&read, "actionInvocationPoint", invocationPoints)}
	data := read.inner("requestData")
	request.ClientRequestToken = read.required("clientRequestToken")
	request.Credentials = data.credentials("callerCredentials")
	redact.add(request.Credentials.secrets()...)
	h.readContext(request, &read, data)
	request.CallbackContext = CallbackContext{}
	if envelope.value["requestContext"] != nil {
		outer := read.inner("requestContext")
		request.CallbackContext = outer.context("callbackContext")
		read.keep(outer.err)
	}
	configuration := read.object("hookModel")
	if err := read.failure(data); err != nil {
		return nil, nil, err
	}
	if url := data.members.text("payload"); len(request.TargetModel) == 0 && url != "" {
		fetched, err := fetchPayload(ctx, url)
		if err != nil {
			return nil, nil, err
		}
		request.TargetModel = fetched
	}
	var err error
	request.TypeConfiguration, err = readConfiguration[C](h.TypeName, configuration)
	redact.addWriteOnly(request.TypeConfiguration)
	stream := request.AccountID + "-" + request.ClientRequestToken
	if request.StackID != "" && request.TargetLogicalID != "" {
		stream = request.StackID + "/" + request.TargetLogicalID
	}
	observe := observationOf(data.members, observed{
		asked: string(request.InvocationPoint), typeName: h.TypeName, account: request.AccountID, stream: stream,
		token: request.ClientRequestToken,
	}, redact)
	return request, observe, err
}

// prepareTest reads a request that names the members of the handler's request directly.
func (h *Hook[C]) prepareTest(envelope members, redact *redaction) (*HookRequest[C], error) {
	read := reader{members: envelope}
	request := &HookRequest[C]{InvocationPoint: readOneOf(&read, "actionInvocationPoint", invocationPoints)}
	asked := read.inner("request")
	described := asked.inner("hookContext")
	request.ClientRequestToken = asked.members.text("clientRequestToken")
	request.Credentials = read.credentials("credentials")
	redact.add(request.Credentials.secrets()...)
	request.Region = envelope.text("region")
	request.CallbackContext = read.context("callbackContext")
	if described.err == nil && asked.err == nil {
		h.readContext(request, described, described)
	}
	configuration := read.object("typeConfiguration")
	if err := read.failure(asked, described); err != nil {
		return nil, err
	}
	var err error
	request.TypeConfiguration, err = readConfiguration[C](h.TypeName, configuration)
	return request, err
}

// readContext reads the hook's context; in an envelope what describes the target stands in requestData.
func (h *Hook[C]) readContext(request *HookRequest[C], envelope, data *reader) {
	request.AccountID = envelope.required("awsAccountId")
	request.StackID, request.ChangeSetID = envelope.members.text("stackId"), envelope.members.text("changeSetId")
	request.HookTypeName = envelope.members.text("hookTypeName")
	request.HookTypeVersion = envelope.members.text("hookTypeVersion")
	request.TargetName = data.required("targetName")
	request.TargetLogicalID = data.members.text("targetLogicalId")
	if request.TargetType = data.members.text("targetType"); request.TargetType == "" {
		request.TargetType = "RESOURCE"
	}
	if request.TargetModel = data.object("targetModel"); request.TargetModel == nil {
		request.TargetModel = map[string]any{}
	}
}

func (h *Hook[C]) call(ctx context.Context, request *HookRequest[C]) (*HookEvent, error) {
	point := request.InvocationPoint
	handler := map[InvocationPoint]HookHandler[C]{
		PreCreate: h.PreCreate, PreUpdate: h.PreUpdate, PreDelete: h.PreDelete,
	}[point]
	if handler == nil {
		return nil, InternalFailure("No handler for " + string(point))
	}
	event, err := handler(ctx, request)
	if err != nil {
		return nil, err
	}
	return expectEvent(event, string(point))
}
