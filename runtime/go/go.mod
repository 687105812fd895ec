module formwork/cfn

go 1.24
