package integration

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// ErrKYCRejected says that the identity check of a user ended with a refusal.
var ErrKYCRejected = errors.New("KYC was rejected")

// Person is what onboarding needs to know about a user.
type Person struct{ UserID, Email, PhoneNumber, ShareToken string }

// Onboard brings a user to an active card and returns the user. Each step looks for its result before it creates
// anything, so that onboarding can be repeated after a crash: it continues where it stopped. Pause waits between two
// looks at the KYC status; a test advances the sandbox clock instead.
func Onboard(c *Client, store *Store, person Person, programID string, pause func() error) (User, error) {
	// Stored before the first request: a webhook can be faster than the response of the request that caused it.
	user := store.AddUser(person.UserID, person.Email, person.PhoneNumber)
	cardholder, err := ensureCardholder(c, user, person.ShareToken)
	if err != nil {
		return user, err
	}
	store.LinkCardholder(user.UserID, cardholder.ID)
	if err := ensureKYCSubmitted(c, cardholder, programID); err != nil {
		return user, err
	}
	if err := waitForApproval(c, store, user.UserID, pause); err != nil {
		return user, err
	}
	card, err := ensureCard(c, cardholder.ID, programID)
	if err != nil {
		return user, err
	}
	store.LinkCard(user.UserID, card.ID)
	err = ensureActive(c, card)
	return store.User(user.UserID), err
}

func ensureCardholder(c *Client, user User, shareToken string) (cardholder Cardholder, err error) {
	find := func() (bool, error) {
		found, err := findCardholder(c, user.UserID)
		if found != nil {
			cardholder = *found
		}
		return found != nil, err
	}
	body := map[string]string{
		"externalUserId": user.UserID,
		"email":          user.Email,
		"phoneNumber":    user.PhoneNumber,
		"kycSource":      "idp1",
		"idp1ShareToken": shareToken,
	}
	if isFound, err := find(); isFound || err != nil {
		return cardholder, err
	}
	err = c.Write(http.MethodPost, "/partner/cardholders", body, &cardholder, find)
	return cardholder, err
}

func findCardholder(c *Client, externalUserID string) (*Cardholder, error) {
	return Find(c, "/partner/cardholders", url.Values{"externalUserId": {externalUserID}}, func(each Cardholder) bool {
		return each.ExternalUserID == externalUserID
	})
}

func ensureKYCSubmitted(c *Client, cardholder Cardholder, programID string) error {
	if cardholder.KYCStatus != "pending" {
		return nil
	}
	// A cardholder does not show whether its KYC was submitted. The usage records do: each submission is one.
	find := func() (bool, error) {
		query := url.Values{"type": {"kyc_verification"}}
		found, err := Find(c, "/partner/usage/records", query, func(usage Usage) bool {
			return usage.ReferenceID == cardholder.ID
		})
		return found != nil, err
	}
	if isFound, err := find(); isFound || err != nil {
		return err
	}
	body := map[string]string{"cardProgramId": programID}
	return c.Write(http.MethodPost, "/partner/cardholders/"+cardholder.ID+"/kyc", body, nil, find)
}

func waitForApproval(c *Client, store *Store, userID string, pause func() error) error {
	deadline := time.Now().Add(20 * time.Second)
	for {
		// The webhook sets the status of the user. The API is asked as well: a webhook can be late or lost.
		user := store.User(userID)
		if user.KYCStatus == "pending" {
			var cardholder Cardholder
			if err := c.Get("/partner/cardholders/"+user.CardholderID, &cardholder); err != nil {
				return err
			}
			store.SetKYCStatus(userID, cardholder.KYCStatus)
		}
		switch store.User(userID).KYCStatus {
		case "approved":
			return nil
		case "rejected":
			return ErrKYCRejected
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("KYC of %s is still pending", userID)
		}
		if err := pause(); err != nil {
			return err
		}
	}
}

func ensureCard(c *Client, cardholderID, programID string) (card Card, err error) {
	find := func() (bool, error) {
		found, err := FindCard(c, cardholderID, programID)
		if found != nil {
			card = *found
		}
		return found != nil, err
	}
	if isFound, err := find(); isFound || err != nil {
		return card, err
	}
	body := map[string]string{"cardholderId": cardholderID, "cardProgramId": programID}
	err = c.Write(http.MethodPost, "/partner/cards", body, &card, find)
	return card, err
}

// FindCard returns the card of a cardholder under a program, or nil.
func FindCard(c *Client, cardholderID, programID string) (*Card, error) {
	return Find(c, "/partner/cards", url.Values{"cardholderId": {cardholderID}}, func(card Card) bool {
		return card.ProgramID == programID && card.Status != "cancelled"
	})
}

func ensureActive(c *Client, card Card) error {
	if card.Status != "created" {
		return nil
	}
	find := func() (bool, error) {
		var current Card
		err := c.Get("/partner/cards/"+card.ID, &current)
		return err == nil && current.Status != "created", err
	}
	return c.Write(http.MethodPost, "/partner/cards/"+card.ID+"/activate", nil, nil, find)
}
