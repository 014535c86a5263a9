package integration

import (
	"net/url"
	"strings"
	"time"
)

const isoMillis = "2006-01-02T15:04:05.000Z"

// MonthsBetween returns the months from one moment of the service's clock to another, both included, as YYYY-MM in UTC.
func MonthsBetween(from, to string) ([]string, error) {
	month, err := time.Parse("2006-01", from[:7])
	if err != nil {
		return nil, err
	}
	var months []string
	// Each is the first of a month, so that to add a month never skips one.
	for ; month.Format("2006-01") <= to[:7]; month = month.AddDate(0, 1, 0) {
		months = append(months, month.Format("2006-01"))
	}
	return months, nil
}

// BoundsOf returns the first and the last moment of a month in UTC. Both ends of the service's filters are inclusive.
func BoundsOf(month string) (url.Values, error) {
	first, err := time.Parse("2006-01", month)
	if err != nil {
		return nil, err
	}
	last := first.AddDate(0, 1, 0).Add(-time.Millisecond)
	return url.Values{"from": {first.Format(isoMillis)}, "to": {last.Format(isoMillis)}}, nil
}

// FeesOfMonth returns the fees of a month by the ID of the record that each is for.
func FeesOfMonth(c *Client, month string) (map[string]Cents, error) {
	bounds, err := BoundsOf(month)
	if err != nil {
		return nil, err
	}
	fees := map[string]Cents{}
	err = List(c, "/partner/usage/records", bounds, func(usage Usage) bool {
		fees[usage.ReferenceID] += usage.Amount
		return true
	})
	return fees, err
}

// SpentOn returns what a card has spent: its settled transactions.
func SpentOn(c *Client, cardID string) (sum Cents, err error) {
	query := url.Values{"cardId": {cardID}, "status": {"settled"}}
	err = List(c, "/partner/transactions", query, func(transaction Transaction) bool {
		sum += transaction.SettledAmount
		return true
	})
	return sum, err
}

// Contact is a cardholder as the support desk sees them.
type Contact struct{ Name, Phone string }

// Contacts returns the contacts of all cardholders by their IDs.
func Contacts(c *Client) (map[string]Contact, error) {
	all := map[string]Contact{}
	err := List(c, "/partner/cardholders", nil, func(cardholder Cardholder) bool {
		all[cardholder.ID] = contactOf(cardholder)
		return true
	})
	return all, err
}

func contactOf(cardholder Cardholder) Contact {
	name := strings.TrimSpace(cardholder.FirstName + " " + cardholder.LastName)
	phone := "none" // Not everybody has a telephone number.
	if number := cardholder.PhoneNumber; number != nil {
		phone = "…" + (*number)[len(*number)-3:]
	}
	return Contact{name, phone}
}
