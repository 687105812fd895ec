package cfn

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
)

const (
	digestLength     = 12
	shortestGenerate = 15
)

var stackARN = regexp.MustCompile(`^[a-z0-9:-]*stack/([-a-zA-Z0-9]*)/[-a-zA-Z0-9]*`)

// GenerateIdentifier names a resource whose template names none: "<stack>-<logical id>-<12 hex digits of the token>",
// shortened to maxLength bytes. The same token gives the same name, so that a retried create finds what it made.
func GenerateIdentifier(stackIDOrName, logicalID, clientRequestToken string, maxLength int) (string, error) {
	if maxLength < shortestGenerate {
		return "", fmt.Errorf("the longest name is %d; a generated one needs at least %d", maxLength, shortestGenerate)
	}
	stack := stackIDOrName
	if found := stackARN.FindStringSubmatch(stack); found != nil {
		stack = found[1]
	}
	stack, logical := strings.TrimLeft(stack, "-"), strings.TrimLeft(logicalID, "-")
	digest := sha1.Sum([]byte(clientRequestToken))

	free, separator := maxLength-digestLength-1, ""
	if maxLength > shortestGenerate+2 {
		free, separator = free-1, "-"
	}
	logical = logical[:min(free/2, len(logical))]
	stack = stack[:min(free-len(logical), len(stack))]
	if stack != "" {
		stack += separator
	}
	name := stack + logical + "-" + hex.EncodeToString(digest[:])[:digestLength]
	return strings.TrimLeft(name, "-"), nil
}
