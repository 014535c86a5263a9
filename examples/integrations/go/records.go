package integration

// Cardholder is a record of the API, as are the following types. Each has only the members that are used here.
type Cardholder struct {
	ID             string  `json:"id"`
	ExternalUserID string  `json:"externalUserId"`
	FirstName      string  `json:"firstName"`
	LastName       string  `json:"lastName"`
	PhoneNumber    *string `json:"phoneNumber"` // null when there is none
	KYCStatus      string  `json:"kycStatus"`
	CreatedAt      string  `json:"createdAt"`
}

// Card is a card without its number.
type Card struct {
	ID        string `json:"id"`
	Status    string `json:"status"`
	ProgramID string `json:"programId"`
}

// Program is a card program with its fees.
type Program struct {
	ID        string `json:"id"`
	Type      string `json:"type"`
	Status    string `json:"status"`
	Fees      Fees   `json:"fees"`
	CreatedAt string `json:"createdAt"`
}

// Fees is what the service bills for each use.
type Fees struct {
	KYCVerification       Cents `json:"kyc_verification"`
	CardIssuance          Cents `json:"card_issuance"`
	TransactionProcessing Cents `json:"transaction_processing"`
}

// Usage is a billed use of the service.
type Usage struct {
	ID          string `json:"id"`
	ReferenceID string `json:"referenceId"`
	Amount      Cents  `json:"amount"`
}

// Transaction is a use of a card.
type Transaction struct {
	ID            string `json:"id"`
	CardID        string `json:"cardId"`
	Status        string `json:"status"`
	SettledAmount Cents  `json:"settledAmount"` // null, which is 0, unless settled
	UpdatedAt     string `json:"updatedAt"`
}

func (c Cardholder) RecordID() string  { return c.ID }
func (c Card) RecordID() string        { return c.ID }
func (p Program) RecordID() string     { return p.ID }
func (u Usage) RecordID() string       { return u.ID }
func (t Transaction) RecordID() string { return t.ID }
