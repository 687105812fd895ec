package cfn

// reader reads members one after the other and remembers the first that is wrong.
type reader struct {
	members members
	err     error
}

func (r *reader) keep(err error) {
	if r.err == nil {
		r.err = err
	}
}

// failure is the first error of this reader, or of the others.
func (r *reader) failure(others ...*reader) error {
	for _, each := range others {
		r.keep(each.err)
	}
	return r.err
}

func (r *reader) inner(name string) *reader {
	found, err := r.members.members(name)
	r.keep(err)
	return &reader{members: found}
}

func (r *reader) required(name string) string {
	text, err := r.members.required(name)
	r.keep(err)
	return text
}

func (r *reader) object(name string) map[string]any {
	object, err := r.members.object(name)
	r.keep(err)
	return object
}

func (r *reader) context(name string) CallbackContext {
	if object := r.object(name); object != nil {
		return object
	}
	return CallbackContext{}
}

func (r *reader) tags(name string) map[string]string {
	tags, err := r.members.tags(name)
	r.keep(err)
	return tags
}

func (r *reader) credentials(name string) *Credentials {
	found, err := r.members.credentials(name)
	r.keep(err)
	return found
}

func readOneOf[T ~string](r *reader, name string, vocabulary []T) T {
	found, err := oneOf(r.members, name, vocabulary)
	r.keep(err)
	return found
}
