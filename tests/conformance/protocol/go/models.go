package main

import "formwork/cfn"

// The models of thing.json and of the configuration.

type Tag struct {
	Key   *string `json:"Key,omitzero"`
	Value *string `json:"Value,omitzero"`
}

type Memo struct {
	Heading *string `json:"Heading,omitzero"`
}

type Model struct {
	Name    *string         `json:"Name,omitzero"`
	Count   *int            `json:"Count,omitzero"`
	Ratio   *float64        `json:"Ratio,omitzero"`
	Enabled *bool           `json:"Enabled,omitzero"`
	Policy  any             `json:"Policy,omitzero"`
	Memo    *Memo           `json:"Memo,omitzero"`
	Tags    cfn.Set[Tag]    `json:"Tags,omitzero"`
	Zones   cfn.Set[string] `json:"Zones,omitzero"`
	Rules   []Tag           `json:"Rules,omitzero"`
	Labels  map[string]int  `json:"Labels,omitzero"`
}

type Configuration struct {
	Limit  *int  `json:"Limit,omitzero"`
	Strict *bool `json:"Strict,omitzero"`
}
