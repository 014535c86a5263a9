package integration

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	tolerance    = 5 * time.Minute
	maxBodyBytes = 1 << 20
)

var signaturePattern = regexp.MustCompile(`^t=([0-9]{1,12}),v1=([0-9a-f]{64})$`)

// HandledEvents are the events that the integration handles. It acknowledges all others: new types may be added.
var HandledEvents = []string{
	"cardholder.created",
	"cardholder.kyc.updated",
	"cardholder.approved",
	"card.issued",
	"card.status.changed",
	"card.transaction",
}

// Event is a delivery. Data has the members of all records that the integration handles.
type Event struct {
	ID        string    `json:"id"`
	EventType string    `json:"eventType"`
	CreatedAt string    `json:"createdAt"`
	Data      EventData `json:"data"`
}

// EventData is the record that an event is about.
type EventData struct {
	ID             string `json:"id"`
	ExternalUserID string `json:"externalUserId"`
	KYCStatus      string `json:"kycStatus"`
	Status         string `json:"status"`
	CardID         string `json:"cardId"`
	SettledAmount  Cents  `json:"settledAmount"`
	UpdatedAt      string `json:"updatedAt"`
}

// IsGenuine reports whether a delivery is genuine and recent. The signature covers the raw bytes of the body. While the
// secret is being replaced, secrets has the old one and the new one.
func IsGenuine(rawBody []byte, header string, secrets []string, now time.Time) bool {
	parts := signaturePattern.FindStringSubmatch(header)
	if parts == nil {
		return false
	}
	sent, err := hex.DecodeString(parts[2])
	if err != nil {
		return false
	}
	isSigned := false
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(parts[1] + "."))
		mac.Write(rawBody)
		// In constant time, so that the duration does not reveal how much of a forged signature is right.
		isSigned = hmac.Equal(mac.Sum(nil), sent) || isSigned
	}
	seconds, err := strconv.ParseInt(parts[1], 10, 64)
	return isSigned && err == nil && now.Sub(time.Unix(seconds, 0)).Abs() <= tolerance
}

// Receiver receives webhooks. OnError reports what went wrong inside, as to an error tracker.
type Receiver struct {
	Client  *Client
	Store   *Store
	Secrets []string
	OnError func(error)
}

func (r *Receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	rawBody, err := io.ReadAll(http.MaxBytesReader(w, request.Body, maxBodyBytes))
	if err != nil {
		http.Error(w, "too large", http.StatusRequestEntityTooLarge)
		return
	}
	status, text, err := r.receive(rawBody, request.Header)
	if err != nil {
		r.OnError(err)
		// The sender retries. Until then the event does not count as seen.
		status, text = http.StatusInternalServerError, "try again later"
	}
	w.WriteHeader(status)
	io.WriteString(w, text)
}

func (r *Receiver) receive(rawBody []byte, header http.Header) (int, string, error) {
	// Verify before anything reads the body.
	if !IsGenuine(rawBody, header.Get("X-Service-Signature"), r.Secrets, time.Now()) {
		return http.StatusUnauthorized, "invalid signature", nil
	}
	var kind struct {
		ID        string `json:"id"`
		EventType string `json:"eventType"`
	}
	if err := json.Unmarshal(rawBody, &kind); err != nil {
		return 0, "", err
	}
	if r.Store.HasSeen(kind.ID) {
		return http.StatusOK, "already seen", nil
	}
	if !isHandled(kind.EventType) {
		return http.StatusOK, "ignored", nil
	}
	// Only now the whole event: the data of other types can have any shape.
	var event Event
	if err := json.Unmarshal(rawBody, &event); err != nil {
		return 0, "", err
	}
	owner, err := r.ownerOf(event)
	if err != nil {
		return 0, "", err
	}
	switch owner {
	case anotherPartner:
		return http.StatusNotFound, "no such record", nil
	case ours:
		r.Store.ApplyOnce(event)
	}
	return http.StatusOK, "thanks", nil
}

func isHandled(eventType string) bool {
	for _, each := range HandledEvents {
		if each == eventType {
			return true
		}
	}
	return false
}

type owner int

const (
	anotherPartner owner = iota
	nobodyHere
	ours
)

// ownerOf tells whose record an event is about. A record that is not known here is either new, because its webhook was
// faster than the response of the request that created it, or it is none of ours. The API decides: it shows only our
// own records.
func (r *Receiver) ownerOf(event Event) (owner, error) {
	if strings.HasPrefix(event.EventType, "cardholder.") {
		return r.ownerOfCardholder(event.Data.ID)
	}
	if event.EventType == "card.transaction" {
		return r.ownerOfCard(event.Data.CardID)
	}
	return r.ownerOfCard(event.Data.ID)
}

func (r *Receiver) ownerOfCardholder(id string) (owner, error) {
	if r.Store.HasCardholder(id) {
		return ours, nil
	}
	var cardholder Cardholder
	err := r.Client.Get("/partner/cardholders/"+url.PathEscape(id), &cardholder)
	if StatusOf(err) == http.StatusNotFound {
		return anotherPartner, nil
	}
	if err != nil {
		return nobodyHere, err
	}
	user := r.Store.User(cardholder.ExternalUserID)
	if user.UserID == "" {
		return nobodyHere, nil
	}
	r.Store.LinkCardholder(user.UserID, cardholder.ID)
	return ours, nil
}

func (r *Receiver) ownerOfCard(id string) (owner, error) {
	if r.Store.HasCard(id) {
		return ours, nil
	}
	err := r.Client.Get("/partner/cards/"+url.PathEscape(id), &Card{})
	if StatusOf(err) == http.StatusNotFound {
		return anotherPartner, nil
	}
	if err != nil {
		return nobodyHere, err
	}
	for _, user := range r.Store.UsersWithoutCard() {
		query := url.Values{"cardholderId": {user.CardholderID}}
		found, err := Find(r.Client, "/partner/cards", query, func(card Card) bool { return card.ID == id })
		if err != nil {
			return nobodyHere, err
		}
		if found != nil {
			r.Store.LinkCard(user.UserID, id)
			return ours, nil
		}
	}
	if r.Store.HasCard(id) { // The response may have come during the look-up.
		return ours, nil
	}
	return nobodyHere, nil
}
