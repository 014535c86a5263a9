// Run with: npx card-sandbox exec --allow-http-webhooks -- go test -count=1 ./...
// or with:  npx card-sandbox exam -- go test -count=1 ./...

package integration

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

var ada = Person{"user-4711", "ada@example.com", "+4915123456789", "idp1_test_approve_ada"}

// One story, told in steps.
func TestIntegration(t *testing.T) {
	secret := os.Getenv("SERVICE_WEBHOOK_SECRET")
	client := NewClient(os.Getenv("SERVICE_BASE_URL"), func() string { return os.Getenv("SERVICE_API_KEY") })
	store := NewStore()
	var errorsMutex sync.Mutex
	var errors []error
	receiver := httptest.NewServer(&Receiver{client, store, []string{secret}, func(err error) {
		errorsMutex.Lock()
		defer errorsMutex.Unlock()
		errors = append(errors, err)
	}})
	defer receiver.Close()
	config := map[string]any{
		"webhookUrl":       receiver.URL + "/webhooks",
		"webhookSecret":    secret,
		"subscribedEvents": HandledEvents,
	}
	// To set the same configuration twice does no harm, so there is nothing to look up.
	check(t, client.Write(http.MethodPatch, "/partner/webhooks/config", config, nil, nil))
	program, err := Find(client, "/partner/card-programs", nil, func(each Program) bool {
		return each.Type == "virtual" && each.Status == "active"
	})
	check(t, err)
	var user User
	var bought []string

	onboardAda := func(t *testing.T) User {
		user, err := Onboard(client, store, ada, program.ID, func() error { advance(t, "2s"); return nil })
		check(t, err)
		return user
	}
	toldAbout := func(id string) (texts []string) {
		store.mutex.Lock()
		defer store.mutex.Unlock()
		for _, message := range store.messages {
			if message.RecordID == id {
				texts = append(texts, message.Text)
			}
		}
		sort.Strings(texts)
		return texts
	}

	t.Run("a user becomes one cardholder with one active card", func(t *testing.T) {
		user = onboardAda(t)
		equal(t, onboardAda(t).CardID, user.CardID)
		var cards struct{ Total int }
		check(t, client.Get("/partner/cards?cardholderId="+user.CardholderID, &cards))
		equal(t, cards.Total, 1)
		var card Card
		check(t, client.Get("/partner/cards/"+user.CardID, &card))
		equal(t, card.Status, "active")
		var cardholder Cardholder
		check(t, client.Get("/partner/cardholders/"+user.CardholderID, &cardholder))
		equal(t, cardholder.ExternalUserID, ada.UserID)
	})

	t.Run("each customer message is sent once", func(t *testing.T) {
		allDelivered(t)
		equal(t, store.User(ada.UserID).KYCStatus, "approved")
		equal(t, store.cards[user.CardID].Status, "active")
		equal(t, toldAbout(user.CardholderID), []string{"welcome", "you can have a card"})
		equal(t, toldAbout(user.CardID), []string{"card active", "card created"})
	})

	t.Run("purchases are summed to the cent", func(t *testing.T) {
		for _, amount := range []int{20, 7, 4} {
			bought = append(bought, purchase(t, user.CardID, amount).ID)
		}
		sum := settle(t, bought[0]).SettledAmount + settle(t, bought[1]).SettledAmount
		reverse(t, bought[2])
		allDelivered(t)
		for index, status := range []string{"settled", "settled", "reversed"} {
			equal(t, store.transactions[bought[index]].Status, status)
		}
		spent, err := SpentOn(client, user.CardID)
		check(t, err)
		equal(t, spent, sum)
		equal(t, store.SettledCents(user.CardID), sum)
		paid := 0
		for _, text := range toldAbout(user.CardID) {
			if strings.HasPrefix(text, "paid") {
				paid++
			}
		}
		equal(t, paid, 2)
	})

	t.Run("the fees are those of the program, and the bill of each month is complete", func(t *testing.T) {
		own := map[string]bool{user.CardholderID: true, user.CardID: true}
		for _, id := range bought {
			own[id] = true
		}
		months, err := MonthsBetween(program.CreatedAt, now(t))
		check(t, err)
		var ownSum Cents
		for _, month := range months {
			fees, err := FeesOfMonth(client, month)
			check(t, err)
			var sum Cents
			for reference, fee := range fees {
				sum += fee
				if own[reference] {
					ownSum += fee
				}
			}
			equal(t, int(sum), billedCents(t, client, month))
		}
		fees := program.Fees
		equal(t, ownSum, fees.KYCVerification+fees.CardIssuance+3*fees.TransactionProcessing)
	})

	t.Run("every cardholder is a contact", func(t *testing.T) {
		contacts, err := Contacts(client)
		check(t, err)
		equal(t, len(contacts), count(t, "cardholders"))
		equal(t, contacts[user.CardholderID].Phone, "…789")
	})

	t.Run("a delivery is genuine under the old secret and the new one", func(t *testing.T) {
		body := []byte(`{"id":"evt_1"}`)
		mac := hmac.New(sha256.New, []byte("the old secret"))
		mac.Write(append([]byte("1000."), body...))
		header := fmt.Sprintf("t=1000,v1=%x", mac.Sum(nil))
		at := time.Unix(1000, 0)
		equal(t, IsGenuine(body, header, []string{"the new secret", "the old secret"}, at), true)
	})

	t.Run("the receiver had no trouble", func(t *testing.T) {
		allDelivered(t)
		errorsMutex.Lock()
		defer errorsMutex.Unlock()
		equal(t, len(errors), 0)
	})
}

func equal(t *testing.T, actual, expected any) {
	t.Helper()
	if !reflect.DeepEqual(actual, expected) {
		t.Fatalf("got %v instead of %v", actual, expected)
	}
}

// billed is a usage record whose amount stays as it was written.
type billed struct {
	ID     string      `json:"id"`
	Amount json.Number `json:"amount"`
}

func (b billed) RecordID() string { return b.ID }

// billedCents is the sum of a billing period, computed from the decimal text.
func billedCents(t *testing.T, client *Client, month string) (cents int) {
	t.Helper()
	query := url.Values{"billingPeriod": {month}}
	check(t, List(client, "/partner/usage/records", query, func(usage billed) bool {
		whole, fraction, _ := strings.Cut(usage.Amount.String(), ".")
		amount, err := strconv.Atoi(whole + (fraction + "00")[:2])
		check(t, err)
		cents += amount
		return true
	}))
	return cents
}
