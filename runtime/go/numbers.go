package cfn

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// numeral is the text of a JSON number, or of a string that holds one; "" for anything else. What only Go reads as a
// number (hexadecimal, "inf", digits with underscores) is none.
func numeral(tree any) string {
	var text string
	switch value := tree.(type) {
	case json.Number:
		text = value.String()
	case string:
		text = value
	}
	if strings.Trim(text, "0123456789+-.eE") != "" || strings.Trim(text, "+-.eE") == "" {
		return ""
	}
	return text
}

// wholeNumber is the number as an int64: "5", 5.0 and "5e0" are 5, a value with a fraction is refused rather than cut.
func wholeNumber(tree any) (int64, error) {
	text := numeral(tree)
	if text == "" {
		return 0, misfitOf("an integer", tree)
	}
	if whole, err := strconv.ParseInt(text, 10, 64); err == nil {
		return whole, nil
	}
	float, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, misfitOf("an integer", tree)
	}
	if float != math.Trunc(float) {
		return 0, &misfit{reason: "expected an integer, found a number with a fraction"}
	}
	if math.Abs(float) >= 1<<63 {
		return 0, &misfit{reason: "expected an integer of 64 bits, found a larger one"}
	}
	return int64(float), nil
}

func realNumber(tree any) (float64, error) {
	text := numeral(tree)
	if text == "" {
		return 0, misfitOf("a number", tree)
	}
	float, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, &misfit{reason: "expected a number, found one that 64 bits don't hold"}
	}
	return float, nil
}

// plainNumber writes numbers that are equal in one way: 1, 1.0 and 1e0 as "1".
func plainNumber(text string) string {
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		return text
	}
	float, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	if float == math.Trunc(float) && math.Abs(float) < 1<<53 {
		return strconv.FormatInt(int64(float), 10)
	}
	return strconv.FormatFloat(float, 'g', -1, 64)
}
