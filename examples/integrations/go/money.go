package integration

import (
	"fmt"
	"math/big"
)

// Cents is an amount. The API sends decimal numbers with at most two decimals. They are read from their text, because
// sums of fractions are not exact.
type Cents int64

// UnmarshalJSON reads 19.99 as 1999 cents.
func (c *Cents) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	amount, isNumber := new(big.Rat).SetString(string(text))
	if !isNumber {
		return fmt.Errorf("not an amount: %s", text)
	}
	amount.Mul(amount, big.NewRat(100, 1))
	if !amount.IsInt() {
		return fmt.Errorf("more than two decimals: %s", text)
	}
	*c = Cents(amount.Num().Int64())
	return nil
}

// String writes 1999 cents as "19.99".
func (c Cents) String() string {
	if c < 0 {
		return "-" + (-c).String()
	}
	return fmt.Sprintf("%d.%02d", c/100, c%100)
}
