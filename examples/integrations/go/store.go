package integration

import "sync"

// User is a user of the integration. UserID is the externalUserId of the cardholder.
type User struct{ UserID, Email, PhoneNumber, CardholderID, CardID, KYCStatus string }

type cardState struct{ Status, ChangedAt string }

// Message is a message to a customer: what must happen exactly once per event.
type Message struct{ RecordID, Text string }

// Store has the integration's own records. They are in memory here; in production these are tables, and the events seen
// are a table with a unique column, written in the transaction that applies the event.
type Store struct {
	mutex             sync.Mutex
	users             map[string]*User
	usersByCardholder map[string]*User
	cards             map[string]cardState
	transactions      map[string]Transaction
	messages          []Message
	seen              map[string]bool
}

// NewStore creates an empty store.
func NewStore() *Store {
	return &Store{
		users:             map[string]*User{},
		usersByCardholder: map[string]*User{},
		cards:             map[string]cardState{},
		transactions:      map[string]Transaction{},
		seen:              map[string]bool{},
	}
}

var cardOrder = map[string]int{"created": 0, "active": 1, "frozen": 2, "cancelled": 3}

// AddUser stores a user who is not known yet.
func (s *Store) AddUser(userID, email, phoneNumber string) User {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.users[userID] == nil {
		s.users[userID] = &User{UserID: userID, Email: email, PhoneNumber: phoneNumber, KYCStatus: "pending"}
	}
	return *s.users[userID]
}

// User returns a user as stored now, or the zero User.
func (s *Store) User(userID string) User {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if user := s.users[userID]; user != nil {
		return *user
	}
	return User{}
}

// UsersWithoutCard returns the users who have a cardholder and no card yet.
func (s *Store) UsersWithoutCard() (users []User) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, user := range s.users {
		if user.CardholderID != "" && user.CardID == "" {
			users = append(users, *user)
		}
	}
	return users
}

// LinkCardholder stores which cardholder a user is.
func (s *Store) LinkCardholder(userID, cardholderID string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.users[userID].CardholderID = cardholderID
	s.usersByCardholder[cardholderID] = s.users[userID]
}

// LinkCard stores which card a user has.
func (s *Store) LinkCard(userID, cardID string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.users[userID].CardID = cardID
	if _, isKnown := s.cards[cardID]; !isKnown {
		s.cards[cardID] = cardState{Status: "created"}
	}
}

// SetKYCStatus stores the decision on a user's identity. A decision is final: a late "pending" changes nothing.
func (s *Store) SetKYCStatus(userID, status string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if status != "pending" {
		s.users[userID].KYCStatus = status
	}
}

// HasCardholder reports whether a cardholder is a user.
func (s *Store) HasCardholder(cardholderID string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.usersByCardholder[cardholderID] != nil
}

// HasCard reports whether a card belongs to a user.
func (s *Store) HasCard(cardID string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	_, isKnown := s.cards[cardID]
	return isKnown
}

// HasSeen reports whether an event was applied before.
func (s *Store) HasSeen(eventID string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.seen[eventID]
}

// SettledCents returns the sum of the settled transactions of a card, from webhooks alone.
func (s *Store) SettledCents(cardID string) (sum Cents) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, transaction := range s.transactions {
		if transaction.CardID == cardID {
			sum += transaction.SettledAmount
		}
	}
	return sum
}

// ApplyOnce applies an event about a record that is ours, unless it was applied before: a retry or a duplicate has the
// same ID. Events come in any order, so an older one never undoes a newer one.
func (s *Store) ApplyOnce(event Event) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.seen[event.ID] {
		return
	}
	s.seen[event.ID] = true
	data := event.Data
	switch event.EventType {
	case "cardholder.created":
		s.tell(data.ID, "welcome")
	case "cardholder.kyc.updated", "cardholder.approved":
		if data.KYCStatus != "pending" {
			s.usersByCardholder[data.ID].KYCStatus = data.KYCStatus
		}
		if event.EventType == "cardholder.approved" {
			s.tell(data.ID, "you can have a card")
		}
	case "card.issued", "card.status.changed":
		s.applyCard(data.ID, cardState{data.Status, event.CreatedAt})
		s.tell(data.ID, "card "+data.Status)
	case "card.transaction":
		s.applyTransaction(Transaction{data.ID, data.CardID, data.Status, data.SettledAmount, data.UpdatedAt})
		if data.Status == "settled" {
			s.tell(data.CardID, "paid "+data.SettledAmount.String())
		}
	}
}

func (s *Store) applyCard(id string, next cardState) {
	known := s.cards[id]
	isNewer := next.ChangedAt > known.ChangedAt ||
		(next.ChangedAt == known.ChangedAt && cardOrder[next.Status] > cardOrder[known.Status])
	if isNewer {
		s.cards[id] = next
	}
}

func (s *Store) applyTransaction(next Transaction) {
	known, isKnown := s.transactions[next.ID]
	// Every status but authorized is final. Among authorized ones the latest counts.
	isNewer := !isKnown ||
		(known.Status == "authorized" && (next.Status != "authorized" || next.UpdatedAt > known.UpdatedAt))
	if isNewer {
		s.transactions[next.ID] = next
	}
}

func (s *Store) tell(recordID, text string) {
	s.messages = append(s.messages, Message{recordID, text})
}
