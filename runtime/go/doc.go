// Package cfn is the library that ships inside a Go handler package of a CloudFormation extension.
//
// It needs only the standard library. A resource type is a [Resource] with a handler an action, a hook a [Hook] with a
// handler an invocation point; [Start] answers Lambda with one of them:
//
//	func main() {
//		cfn.Start(&cfn.Resource[resource.Model, resource.TypeConfiguration]{
//			TypeName: resource.TypeName,
//			Create:   resource.Create,
//			Read:     resource.Read,
//		})
//	}
//
// A handler answers with an [Event], or with an error: those of this package (NotFound, AlreadyExists, …) have an
// error code, errors of the AWS SDK have theirs translated, and every other one is an InternalFailure.
package cfn
