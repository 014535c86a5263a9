package integration

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"testing"
	"time"
)

// What the tests need from the sandbox beyond the API: time, purchases, and what became of the webhooks.

func control(t *testing.T, method, path string, body, answer any) http.Header {
	t.Helper()
	world := os.Getenv("CARD_SANDBOX_WORLD")
	if world == "" {
		world = "main"
	}
	var content io.Reader
	if body != nil {
		text, _ := json.Marshal(body)
		content = bytes.NewReader(text)
	}
	address := fmt.Sprintf("%s/_sandbox/worlds/%s%s", os.Getenv("CARD_SANDBOX_URL"), world, path)
	request, err := http.NewRequest(method, address, content)
	check(t, err)
	if body != nil {
		request.Header.Set("content-type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	check(t, err)
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	check(t, err)
	if response.StatusCode > 299 {
		t.Fatalf("%s %s: %d %s", method, path, response.StatusCode, raw)
	}
	if answer != nil {
		check(t, json.Unmarshal(raw, answer))
	}
	return response.Header
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// advance moves the sandbox clock and runs what falls due.
func advance(t *testing.T, duration string) {
	control(t, "POST", "/clock/advance", map[string]string{"duration": duration}, nil)
}

// now is the current time of the sandbox clock.
func now(t *testing.T) string {
	var clock struct{ Now string }
	control(t, "GET", "/clock", nil, &clock)
	return clock.Now
}

// purchase uses a card, as its cardholder would.
func purchase(t *testing.T, cardID string, amount int) (transaction Transaction) {
	control(t, "POST", "/transactions", map[string]any{"cardId": cardID, "amount": amount}, &transaction)
	return transaction
}

func settle(t *testing.T, id string) (transaction Transaction) {
	control(t, "POST", "/transactions/"+id+"/settle", map[string]any{}, &transaction)
	return transaction
}

func reverse(t *testing.T, id string) {
	control(t, "POST", "/transactions/"+id+"/reverse", map[string]any{}, nil)
}

// count is the number of records of a kind that the partner has.
func count(t *testing.T, kind string) int {
	total, err := strconv.Atoi(control(t, "GET", "/"+kind+"?limit=1", nil, nil).Get("X-Total-Count"))
	check(t, err)
	return total
}

// allDelivered waits until every webhook has been delivered. It fails when the receiver refuses one.
func allDelivered(t *testing.T) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for {
		control(t, "POST", "/deliveries/settle", map[string]any{}, nil)
		var pending []struct{ EventType string }
		control(t, "GET", "/deliveries?status=pending", nil, &pending)
		if len(pending) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("not delivered: %v", pending)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
