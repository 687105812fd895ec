package cfn

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// sign gives a request AWS's signature, version 4, over the host, the time, the session token and the body.
func sign(request *http.Request, body []byte, service, region string, keys *Credentials, now time.Time) {
	stamp := now.UTC().Format("20060102T150405Z")
	request.Header.Set("X-Amz-Date", stamp)
	signed := []string{"host", "x-amz-date"}
	if keys.SessionToken != "" {
		request.Header.Set("X-Amz-Security-Token", keys.SessionToken)
		signed = append(signed, "x-amz-security-token")
	}
	slices.Sort(signed)
	var headers strings.Builder
	for _, name := range signed {
		value := request.Header.Get(name)
		if name == "host" {
			value = request.URL.Host
		}
		headers.WriteString(name + ":" + strings.TrimSpace(value) + "\n")
	}
	names := strings.Join(signed, ";")
	canonical := strings.Join([]string{
		request.Method, pathOf(request.URL), request.URL.Query().Encode(), headers.String(), names, hexHash(body),
	}, "\n")
	scope := strings.Join([]string{stamp[:8], region, service, "aws4_request"}, "/")
	toSign := strings.Join([]string{"AWS4-HMAC-SHA256", stamp, scope, hexHash([]byte(canonical))}, "\n")
	key := []byte("AWS4" + keys.SecretAccessKey)
	for _, part := range strings.Split(scope, "/") {
		key = mac(key, part)
	}
	request.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+keys.AccessKeyID+"/"+scope+
		", SignedHeaders="+names+", Signature="+hex.EncodeToString(mac(key, toSign)))
}

func pathOf(address *url.URL) string {
	if path := address.EscapedPath(); path != "" {
		return path
	}
	return "/"
}

func mac(key []byte, text string) []byte {
	made := hmac.New(sha256.New, key)
	made.Write([]byte(text))
	return made.Sum(nil)
}

func hexHash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
