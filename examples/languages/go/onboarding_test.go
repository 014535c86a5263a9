// Package onboarding goes from the first call to a verified webhook: npx card-sandbox exec -- go test
package onboarding

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

const secret = "whsec_of_more_than_16_characters"

// Step 1: `exec` starts a sandbox on a free port, and sets these variables.
var (
	api     = os.Getenv("SERVICE_BASE_URL")
	apiKey  = os.Getenv("SERVICE_API_KEY")
	world   = os.Getenv("CARD_SANDBOX_WORLD")
	control = os.Getenv("CARD_SANDBOX_URL") + "/_sandbox"
)

type record = map[string]any

// call sends a request and returns the JSON of its response. An error status ends the test.
func call(t *testing.T, method, url string, body any) record {
	t.Helper()
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, url, content)
	if err != nil {
		t.Fatal(err)
	}
	if body != nil {
		request.Header.Set("content-type", "application/json")
	}
	if strings.HasPrefix(url, api) {
		request.Header.Set("x-service-api-key", apiKey)
	} else if token := os.Getenv("CARD_SANDBOX_CONTROL_TOKEN"); token != "" {
		// The control plane needs a token beyond loopback.
		request.Header.Set("authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode >= 300 {
		t.Fatalf("%s %s: %s %s", method, url, response.Status, text)
	}
	result := record{}
	if len(text) > 0 {
		if err := json.Unmarshal(text, &result); err != nil {
			t.Fatal(err)
		}
	}
	return result
}

// isGenuine reports whether a webhook was signed with the secret, at most five minutes ago.
func isGenuine(body []byte, signature, secret string) bool {
	parts := map[string]string{}
	for _, part := range strings.Split(signature, ",") {
		name, value, _ := strings.Cut(part, "=")
		parts[name] = value
	}
	seconds, err := strconv.ParseInt(parts["t"], 10, 64)
	if err != nil {
		return false
	}
	age := time.Since(time.Unix(seconds, 0))
	if age > 5*time.Minute || age < -5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "%s.%s", parts["t"], body)
	return hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(parts["v1"]))
}

func TestFromTheFirstCallToAVerifiedWebhook(t *testing.T) {
	if world != "" {
		control += "/worlds/" + world
	}

	// Step 2: the first call.
	if currency := call(t, "GET", api+"/partner/balance", nil)["currency"]; currency != "EUR" {
		t.Fatalf("the currency is %v", currency)
	}

	// Step 3: KYC. The provider decides after two seconds of sandbox time, which the clock skips.
	random := make([]byte, 8)
	if _, err := rand.Read(random); err != nil {
		t.Fatal(err)
	}
	user := hex.EncodeToString(random)
	cardholder := call(t, "POST", api+"/partner/cardholders", record{
		"externalUserId": user,
		"email":          user + "@example.com",
		"phoneNumber":    "+4915123456789",
		"kycSource":      "idp1",
		"idp1ShareToken": "idp1_test_approve_" + user,
	})
	path := fmt.Sprintf("%s/partner/cardholders/%s", api, cardholder["id"])
	programs := call(t, "GET", api+"/partner/card-programs", nil)["data"].([]any)
	program := programs[0].(record)["id"]
	call(t, "POST", path+"/kyc", record{"cardProgramId": program})
	call(t, "POST", control+"/clock/advance", record{"duration": "2s"})
	if status := call(t, "GET", path, nil)["kycStatus"]; status != "approved" {
		t.Fatalf("the KYC status is %v", status)
	}

	// Step 5 begins: a receiver, to which the sandbox forwards the webhooks for the configured URL.
	events := make(chan record, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		var event record
		// The signature is that of the raw body, before it is parsed.
		if err != nil || !isGenuine(body, request.Header.Get("x-service-signature"), secret) {
			response.WriteHeader(http.StatusUnauthorized)
		} else if json.Unmarshal(body, &event) == nil {
			events <- event
		}
	}))
	defer receiver.Close()
	call(t, "PUT", control+"/forwarding", record{"url": receiver.URL})
	defer call(t, "DELETE", control+"/forwarding", nil)
	call(t, "PATCH", api+"/partner/webhooks/config", record{
		"webhookUrl":       "https://app.example.com/webhooks",
		"webhookSecret":    secret,
		"subscribedEvents": []string{"card.issued"},
	})

	// Step 4: a card.
	card := call(t, "POST", api+"/partner/cards", record{"cardholderId": cardholder["id"], "cardProgramId": program})
	active := call(t, "POST", fmt.Sprintf("%s/partner/cards/%s/activate", api, card["id"]), nil)
	if active["status"] != "active" {
		t.Fatalf("the card is %v", active["status"])
	}

	// Step 5 ends: the webhook has arrived, and its signature is right.
	select {
	case event := <-events:
		if data := event["data"].(record); event["eventType"] != "card.issued" || data["id"] != card["id"] {
			t.Fatalf("received %v", event)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("no webhook arrived")
	}
	if isGenuine([]byte("{}"), "t=1,v1=0", secret) {
		t.Fatal("a forged signature was accepted")
	}
}
