// Package chain makes an operation of service calls that resumes where it was left.
//
//	steps := chain.Of(ctx, request)
//	return chain.Call(steps, "create-stream", func(ctx context.Context) (string, error) {
//		made, err := client.CreateStream(ctx, input)
//		return aws.ToString(made.StreamARN), err // what a call returns is what is remembered of it
//	}).
//		Stabilize(func(ctx context.Context, step *chain.Step[Model, string]) (bool, error) {
//			return isActive(ctx, client, step.Response)
//		}).
//		Progress().
//		Then(func() *chain.Progress[Model] { return setTags(steps, client) }).
//		Then(func() *chain.Progress[Model] { return chain.From(Read(ctx, request)) }).
//		Answer()
//
// Each time CloudFormation calls the handler again, the chain runs from the top: steps whose call was made answer from
// the callback context, and the first unfinished one continues. Service errors are translated and throttling is waited
// out. Nothing runs before the last word of a step: Progress, Success or Done.
package chain
