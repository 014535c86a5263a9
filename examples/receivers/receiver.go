// A webhook receiver with nothing but Go's standard library. Start it with
//
//	SERVICE_WEBHOOK_SECRET=<the secret of your webhook configuration> go run receiver.go
//
// and have the sandbox send to it: PATCH /partner/webhooks/config with this address, or start --forward-to it.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"sync"
	"time"
)

const (
	tolerance   = 5 * time.Minute
	largestBody = 1 << 20
)

var (
	secret    = []byte(os.Getenv("SERVICE_WEBHOOK_SECRET"))
	signature = regexp.MustCompile(`^t=([0-9]{1,12}),v1=([0-9a-f]{64})$`)
	// In production: a table with a unique column, written in the transaction that does the work.
	seen sync.Map
	work = make(chan event, 1000)
)

type event struct {
	ID        string          `json:"id"`
	EventType string          `json:"eventType"`
	CreatedAt time.Time       `json:"createdAt"`
	Data      json.RawMessage `json:"data"`
}

func receive(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		http.Error(w, "POST only", http.StatusMethodNotAllowed)
		return
	}

	// 1. The raw bytes: what was signed is what was sent, not what a parser makes of it.
	rawBody, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largestBody))
	if err != nil {
		http.Error(w, "too large", http.StatusRequestEntityTooLarge)
		return
	}

	// 2. Genuine and fresh, or nothing else happens.
	if !isGenuine(rawBody, r.Header.Get("X-Service-Signature")) {
		http.Error(w, "signature refused", http.StatusUnauthorized)
		return
	}
	var received event
	if err := json.Unmarshal(rawBody, &received); err != nil {
		http.Error(w, "not JSON", http.StatusBadRequest)
		return
	}

	// 3. A retry, or a duplicate, has the id of the first: acknowledge it and do nothing.
	if _, isKnown := seen.LoadOrStore(received.ID, true); isKnown {
		fmt.Fprint(w, "seen before")
		return
	}

	// 4. Acknowledge first, work later: a slow answer counts as a failed delivery.
	work <- received
	fmt.Fprint(w, "thanks")
}

func isGenuine(rawBody []byte, header string) bool {
	parts := signature.FindStringSubmatch(header)
	if parts == nil {
		return false
	}
	sent, err := hex.DecodeString(parts[2])
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(parts[1] + "."))
	mac.Write(rawBody)
	// Constant time: how long it takes must not tell how much of a forged signature is right.
	if !hmac.Equal(mac.Sum(nil), sent) {
		return false
	}
	seconds, err := strconv.ParseInt(parts[1], 10, 64)
	return err == nil && time.Since(time.Unix(seconds, 0)).Abs() <= tolerance
}

func main() {
	if len(secret) == 0 {
		log.Fatal("SERVICE_WEBHOOK_SECRET is not set")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	go func() {
		for received := range work {
			// New types may come: what is not known is not an error.
			fmt.Println("handled", received.EventType, received.ID)
		}
	}()
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("receiving on http://%s/webhooks\n", listener.Addr())
	server := &http.Server{Handler: http.HandlerFunc(receive), ReadTimeout: 10 * time.Second}
	log.Fatal(server.Serve(listener))
}
