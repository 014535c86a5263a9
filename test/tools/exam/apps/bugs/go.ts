import type { Bug } from './bug.ts';

/** Defects of the app in examples/integrations/go. */
export const GO_BUGS: readonly Bug[] = [
  {
    id: 'lost-connection-not-retried',
    file: 'client.go',
    find: 'isTemporary := status == 0 || ',
    replace: 'isTemporary := ',
  },
  {
    id: 'server-error-not-retried',
    file: 'client.go',
    find: ' || status >= 500',
    replace: '',
  },
  {
    id: 'rate-limit-not-retried',
    file: 'client.go',
    find: ' || status == http.StatusTooManyRequests || ',
    replace: ' || ',
  },
  {
    id: 'second-card-on-retry',
    file: 'onboarding.go',
    find: 'c.Write(http.MethodPost, "/partner/cards", body, &card, find)',
    replace: 'c.Write(http.MethodPost, "/partner/cards", body, &card, nil)',
  },
  {
    id: 'share-token-sent-twice',
    file: 'onboarding.go',
    find: 'c.Write(http.MethodPost, "/partner/cardholders", body, &cardholder, find)',
    replace: 'c.Write(http.MethodPost, "/partner/cardholders", body, &cardholder, nil)',
  },
  {
    id: 'timeout-too-short',
    file: 'client.go',
    find: 'response, err := c.http.Do(request)\n',
    replace: `c.http.Timeout = time.Second
	response, err := c.http.Do(request)
	if late, isURLError := err.(*url.Error); isURLError && late.Timeout() {
		return 0, &APIError{408, "timed out"}
	}
`,
  },
  {
    id: 'strict-responses',
    file: 'client.go',
    find: 'if err := c.Get(path+"?"+parameters.Encode(), &answer); err != nil {',
    replace: `var members map[string]json.RawMessage
		if err := c.Get(path+"?"+parameters.Encode(), &members); err != nil {
			return err
		}
		if len(members) != 4 {
			return errors.New("not a list")
		}
		if err := c.Get(path+"?"+parameters.Encode(), &answer); err != nil {`,
  },
  {
    id: 'unknown-type-refused',
    file: 'webhooks.go',
    find: 'return http.StatusOK, "ignored", nil',
    replace: 'return 0, "", io.ErrUnexpectedEOF',
  },
  {
    id: 'duplicates-applied',
    file: 'store.go',
    find: 's.seen[event.ID] = true',
    replace: '',
  },
  {
    id: 'order-assumed',
    file: 'store.go',
    find: '	if isNewer {\n		s.transactions[next.ID] = next\n	}',
    replace: '	_ = isNewer\n	s.transactions[next.ID] = next',
  },
  {
    id: 'signature-not-checked',
    file: 'webhooks.go',
    find: 'return isSigned && err == nil',
    replace: 'return err == nil',
  },
  {
    id: 'reserialized-body',
    file: 'webhooks.go',
    find: '	// Verify before anything reads the body.\n',
    replace: `	var again struct {
		ID        string          \`json:"id"\`
		EventType string          \`json:"eventType"\`
		CreatedAt string          \`json:"createdAt"\`
		Data      json.RawMessage \`json:"data"\`
	}
	if err := json.Unmarshal(rawBody, &again); err != nil {
		return 0, "", err
	}
	rawBody, _ = json.Marshal(again)
`,
  },
  {
    id: 'timestamp-not-checked',
    file: 'webhooks.go',
    find: 'return isSigned && err == nil && now.Sub(time.Unix(seconds, 0)).Abs() <= tolerance',
    replace: '_ = seconds\n	return isSigned && err == nil',
  },
  {
    id: 'body-used-before-the-check',
    file: 'webhooks.go',
    find: '	// Verify before anything reads the body.\n',
    replace: `	var early Event
	json.Unmarshal(rawBody, &early)
	if r.Store.HasSeen(early.ID) {
		return http.StatusOK, "already seen", nil
	}
	if !IsGenuine(rawBody, header.Get("X-Service-Signature"), r.Secrets, time.Now()) {
		r.Store.ApplyOnce(Event{ID: early.ID})
	}
`,
  },
  {
    id: 'first-page-only',
    file: 'client.go',
    find: 'if len(answer.Data) == 0 || page*pageSize >= answer.Total {',
    replace: 'if page == 1 {',
  },
  {
    id: 'names-in-ascii',
    file: 'reports.go',
    find: '	phone := "none"',
    replace: '	if len(name) != len([]rune(name)) {\n		panic("not a name")\n	}\n	phone := "none"',
  },
  {
    id: 'amounts-in-units',
    file: 'money.go',
    find: '	*c = Cents(amount.Num().Int64())',
    replace: '	inexact, _ := amount.Quo(amount, big.NewRat(100, 1)).Float64()\n	*c = Cents(inexact * 100)',
  },
  {
    id: 'months-of-30-days',
    file: 'reports.go',
    find: 'first.AddDate(0, 1, 0).Add',
    replace: 'first.AddDate(0, 0, 30).Add',
  },
  {
    id: 'ids-cut-at-32',
    file: 'onboarding.go',
    find: 'store.LinkCard(user.UserID, card.ID)',
    replace: 'store.LinkCard(user.UserID, fmt.Sprintf("%.32s", card.ID))',
  },
  {
    id: 'early-webhook-dropped',
    file: 'webhooks.go',
    find: '	owner, err := r.ownerOf(event)\n',
    replace: `	if data := event.Data; !r.Store.HasCardholder(data.ID) && !r.Store.HasCard(data.ID) && !r.Store.HasCard(data.CardID) {
		return http.StatusOK, "not ours", nil
	}
	owner, err := r.ownerOf(event)
`,
  },
];
