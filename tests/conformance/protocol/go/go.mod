module vectors

go 1.24

require formwork/cfn v0.0.0

replace formwork/cfn => ../../../../runtime/go
