package cfn

import "encoding/json"

// Credentials are the temporary AWS credentials that a request carries; nil where it carries none.
//
// The AWS SDK takes them as they come:
//
//	config.LoadDefaultConfig(ctx,
//		config.WithRegion(request.Region),
//		config.WithCredentialsProvider(credentials.NewStaticCredentialsProvider(request.Credentials.Keys())))
type Credentials struct {
	AccessKeyID     string
	SecretAccessKey string
	SessionToken    string
}

// Keys are the three values, in the order in which the SDK's NewStaticCredentialsProvider takes them.
func (c *Credentials) Keys() (accessKeyID, secretAccessKey, sessionToken string) {
	if c == nil {
		return "", "", ""
	}
	return c.AccessKeyID, c.SecretAccessKey, c.SessionToken
}

// String shows no secret.
func (c *Credentials) String() string { return "Credentials(" + mask + ")" }

// GoString shows no secret.
func (c *Credentials) GoString() string { return c.String() }

func (c *Credentials) secrets() []string {
	if c == nil {
		return nil
	}
	return []string{c.AccessKeyID, c.SecretAccessKey, c.SessionToken}
}

// parseCredentials reads one member: an object, or for hooks the same object as JSON text.
func parseCredentials(value any, place string) (*Credentials, error) {
	if text, isText := value.(string); isText && text != "" {
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			return nil, badEnvelope("%s is not a JSON document; encrypted credentials are not supported", place)
		}
	}
	switch members := value.(type) {
	case nil:
		return nil, nil
	case map[string]any:
		if len(members) == 0 {
			return nil, nil
		}
		return credentialsOf(members, place)
	case string:
		if members == "" {
			return nil, nil
		}
	}
	return nil, badEnvelope("%s must be an object with accessKeyId, secretAccessKey and sessionToken", place)
}

func credentialsOf(members map[string]any, place string) (*Credentials, error) {
	for _, name := range []string{"accessKeyId", "secretAccessKey"} {
		if text, isText := members[name].(string); !isText || text == "" {
			return nil, badEnvelope("%s lacks %s", place, name)
		}
	}
	token, _ := members["sessionToken"].(string)
	return &Credentials{members["accessKeyId"].(string), members["secretAccessKey"].(string), token}, nil
}
