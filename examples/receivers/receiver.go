// A webhook receiver that uses only the standard library. Start it with
//
//	SERVICE_WEBHOOK_SECRET=<the secret of your webhook configuration> go run receiver.go
//
// then send webhooks to it: PATCH /partner/webhooks/config with its address, or start the sandbox with --forward-to.
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
	tolerance    = 5 * time.Minute
	maxBodyBytes = 1 << 20
)

var (
	secret    = []byte(os.Getenv("SERVICE_WEBHOOK_SECRET"))
	signature = regexp.MustCompile(`^t=([0-9]{1,12}),v1=([0-9a-f]{64})$`)
	// In production: a table with a unique column for the ID, so that a crash loses nothing.
	events sync.Map
	work   = make(chan event, 1000)
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

	// 1. Read the raw bytes: the signature covers them, not the parsed body.
	rawBody, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
	if err != nil {
		http.Error(w, "too large", http.StatusRequestEntityTooLarge)
		return
	}

	// 2. Verify the signature and its age before anything else.
	if !isGenuine(rawBody, r.Header.Get("X-Service-Signature")) {
		http.Error(w, "invalid signature", http.StatusUnauthorized)
		return
	}
	var received event
	if err := json.Unmarshal(rawBody, &received); err != nil {
		http.Error(w, "not JSON", http.StatusBadRequest)
		return
	}

	// 3. Store the event, and respond only then: what was acknowledged is not sent again. A retry or a duplicate has the
	//    same ID, and is stored once.
	if _, isStored := events.LoadOrStore(received.ID, received); isStored {
		fmt.Fprint(w, "already stored")
		return
	}
	fmt.Fprint(w, "stored")

	// 4. Process it afterwards: a slow response counts as a failed delivery.
	work <- received
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
	// Compare in constant time, so that the duration does not reveal how much of a forged signature is right.
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
			// Ignore unknown event types: new ones may be added.
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
