// Package integration is an integration of the card API that survives what networks and services do.
package integration

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

const (
	attempts       = 5
	requestTimeout = 10 * time.Second
	firstPause     = 50 * time.Millisecond
	pageSize       = 50
)

// APIError is a response of the API that is not a success.
type APIError struct {
	Status  int
	Message string
}

func (e *APIError) Error() string { return fmt.Sprintf("%d: %s", e.Status, e.Message) }

// Client repeats requests after lost connections, timeouts, 429 and 5xx.
type Client struct {
	BaseURL string
	// ReadKey returns the current API key. It is called for each request, so that a rotated key needs no restart.
	ReadKey func() string
	http    http.Client
}

// NewClient creates a client with a timeout for each request.
func NewClient(baseURL string, readKey func() string) *Client {
	return &Client{BaseURL: baseURL, ReadKey: readKey, http: http.Client{Timeout: requestTimeout}}
}

// Get reads a record. A read changes nothing, so it can always be repeated.
func (c *Client) Get(path string, record any) error {
	return c.attempt(http.MethodGet, path, nil, record, nil)
}

// Write changes something exactly once. findResult looks the result up and returns false when there is none. It runs
// after each attempt whose outcome is unknown: that attempt may have been applied before its response was lost.
func (c *Client) Write(method, path string, body, record any, findResult func() (bool, error)) error {
	return c.attempt(method, path, body, record, findResult)
}

func (c *Client) attempt(method, path string, body, record any, findResult func() (bool, error)) error {
	pause := firstPause
	for attempt := 1; ; attempt++ {
		retryAfter, err := c.send(method, path, body, record)
		if err == nil {
			return nil
		}
		status := StatusOf(err) // 0 without a response: whether the request was applied is unknown.
		// Any other 4xx is a decision. To repeat the request would only get the same answer again.
		isTemporary := status == 0 || status == http.StatusTooManyRequests || status >= 500
		if !isTemporary || attempt == attempts {
			return err
		}
		if status == http.StatusTooManyRequests {
			time.Sleep(retryAfter)
			continue // A 429 was not applied, so there is nothing to look up.
		}
		time.Sleep(pause)
		pause *= 2
		if findResult == nil {
			continue
		}
		if isFound, err := findResult(); isFound || err != nil {
			return err
		}
	}
}

func (c *Client) send(method, path string, body, record any) (retryAfter time.Duration, err error) {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return 0, err
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, c.BaseURL+path, content)
	if err != nil {
		return 0, err
	}
	request.Header.Set("x-service-api-key", c.ReadKey())
	if body != nil {
		request.Header.Set("content-type", "application/json")
	}
	response, err := c.http.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, err
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
		if err != nil {
			seconds = 1
		}
		return time.Duration(seconds) * time.Second, &APIError{response.StatusCode, string(raw)}
	}
	if record == nil {
		return 0, nil
	}
	return 0, json.Unmarshal(raw, record) // Members that the record does not name are ignored.
}

// StatusOf returns the status of the response that an error stands for, or 0.
func StatusOf(err error) int {
	var apiError *APIError
	if errors.As(err, &apiError) {
		return apiError.Status
	}
	return 0
}

// Identified is what every record of a list has.
type Identified interface{ RecordID() string }

// List calls use for each record of a list, page by page, until it returns false. A record that moves to a later page
// while others are added counts once.
func List[T Identified](c *Client, path string, query url.Values, use func(T) bool) error {
	seen := map[string]bool{}
	for page := 1; ; page++ {
		parameters := url.Values{"page": {strconv.Itoa(page)}, "limit": {strconv.Itoa(pageSize)}}
		for name, values := range query {
			parameters[name] = values
		}
		var answer struct {
			Data  []T `json:"data"`
			Total int `json:"total"`
		}
		if err := c.Get(path+"?"+parameters.Encode(), &answer); err != nil {
			return err
		}
		for _, record := range answer.Data {
			if !seen[record.RecordID()] && !use(record) {
				return nil
			}
			seen[record.RecordID()] = true
		}
		if len(answer.Data) == 0 || page*pageSize >= answer.Total {
			return nil
		}
	}
}

// Find returns the first record of a list that fits, or nil.
func Find[T Identified](c *Client, path string, query url.Values, fits func(T) bool) (*T, error) {
	var found *T
	err := List(c, path, query, func(record T) bool {
		if fits(record) {
			found = &record
		}
		return found == nil
	})
	return found, err
}
