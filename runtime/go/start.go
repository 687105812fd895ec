package cfn

import (
	"context"
	"log"
	"os"
)

// Extension is what Lambda calls: a Resource or a Hook.
type Extension interface {
	Answer(ctx context.Context, payload []byte) []byte
	AnswerTest(ctx context.Context, payload []byte) []byte
}

// Start answers Lambda until Lambda ends the process. The function TestEntrypoint of template.yml has MODE=Test in its
// environment, and then requests have no envelope.
func Start(extension Extension) {
	log.SetFlags(0) // Lambda's log has the time
	address := os.Getenv("AWS_LAMBDA_RUNTIME_API")
	if address == "" {
		log.Fatal("This program is started by Lambda. To run it here: cfn invoke, cfn test, cfn serve.")
	}
	answer := extension.Answer
	if os.Getenv("MODE") == "Test" {
		answer = extension.AnswerTest
	}
	if err := newRuntimeAPI(address).serve(answer); err != nil {
		log.Fatal(err)
	}
}
