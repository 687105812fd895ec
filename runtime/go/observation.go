package cfn

import "context"

type observation struct{}
type observed struct{ asked, typeName, account, region, stream, token string }

func observationOf(members, observed, *redaction) *observation { return nil }
func (o *observation) begin(*redaction)                        {}
func (o *observation) end(context.Context, error)              {}
