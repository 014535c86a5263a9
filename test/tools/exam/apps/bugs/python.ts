import type { Bug } from './bug.ts';

/** Defects of the app in examples/integrations/python. */
export const PYTHON_BUGS: readonly Bug[] = [
  {
    id: 'lost-connection-not-retried',
    file: 'client.py',
    find: 'is_temporary = status is None or status == 429 or status >= 500',
    replace: 'is_temporary = status is not None and (status == 429 or status >= 500)',
  },
  {
    id: 'server-error-not-retried',
    file: 'client.py',
    find: ' or status >= 500',
    replace: '',
  },
  {
    id: 'rate-limit-not-retried',
    file: 'client.py',
    find: ' or status == 429 or ',
    replace: ' or ',
  },
  {
    id: 'second-card-on-retry',
    file: 'onboarding.py',
    find: 'client.write("POST", "/partner/cards", body, find)',
    replace: 'client.write("POST", "/partner/cards", body, lambda: None)',
  },
  {
    id: 'share-token-sent-twice',
    file: 'onboarding.py',
    find: 'client.write("POST", "/partner/cardholders", body, find)',
    replace: 'client.write("POST", "/partner/cardholders", body, lambda: None)',
  },
  {
    id: 'timeout-too-short',
    file: 'client.py',
    find: 'with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:',
    replace: `try:
            response = urllib.request.urlopen(request, timeout=1)
        except TimeoutError as late:
            raise RuntimeError("timed out") from late
        with response:`,
  },
  {
    id: 'strict-responses',
    file: 'reports.py',
    find: 'return [contact_of(cardholder) for cardholder',
    replace:
      'fields = "id externalUserId firstName lastName email phoneNumber kycSource kycStatus status createdAt"\n    return [contact_of(dict(zip(fields.split(), cardholder.values(), strict=True))) for cardholder',
  },
  {
    id: 'unknown-type-refused',
    file: 'webhooks.py',
    find: 'return 200, "ignored"',
    replace: 'raise ValueError("unknown type")',
  },
  {
    id: 'duplicates-applied',
    file: 'webhooks.py',
    find: 'if store.has_seen(event["id"]):',
    replace: 'store._seen.discard(event["id"])\n    if False:',
  },
  {
    id: 'order-assumed',
    file: 'store.py',
    find: 'if not is_newer:\n            return',
    replace: 'pass',
  },
  {
    id: 'signature-not-checked',
    file: 'webhooks.py',
    find: 'if not any([hmac.compare_digest(each, signature) for each in expected]):\n        return False',
    replace: 'pass',
  },
  {
    id: 'reserialized-body',
    file: 'webhooks.py',
    find: 'if not is_genuine(raw_body, headers',
    replace:
      'raw_body = json.dumps(json.loads(raw_body), separators=(",", ":"), ensure_ascii=False).encode()\n    if not is_genuine(raw_body, headers',
  },
  {
    id: 'timestamp-not-checked',
    file: 'webhooks.py',
    find: 'return abs(now_seconds - int(timestamp)) <= TOLERANCE_SECONDS',
    replace: 'return True',
  },
  {
    id: 'body-used-before-the-check',
    file: 'webhooks.py',
    find: '    # Verify before anything reads the body.\n',
    replace:
      '    early = json.loads(raw_body)["id"]\n    if store.has_seen(early):\n        return 200, "already seen"\n    if not is_genuine(raw_body, headers.get("X-Service-Signature"), secrets):\n        store._seen.add(early)\n',
  },
  {
    id: 'first-page-only',
    file: 'client.py',
    find: 'if not answer["data"] or page * PAGE_SIZE >= answer["total"]:\n                return',
    replace: 'return',
  },
  {
    id: 'names-in-ascii',
    file: 'reports.py',
    find: '.strip()\n',
    replace: '.strip()\n    name.encode("ascii")\n',
  },
  {
    id: 'amounts-in-units',
    file: 'money.py',
    find: 'return int(Decimal(amount) * 100)',
    replace: 'return int(float(amount) * 100)',
  },
  {
    id: 'months-of-30-days',
    file: 'reports.py',
    find: 'following = (first + timedelta(days=32)).replace(day=1)',
    replace: 'following = first + timedelta(days=30)',
  },
  {
    id: 'ids-cut-at-32',
    file: 'store.py',
    find: 'user["cardId"] = card_id',
    replace: 'user["cardId"] = card_id = card_id[:32]',
  },
  {
    id: 'early-webhook-dropped',
    file: 'webhooks.py',
    find: '    owner = owner_of(event, client, store)\n',
    replace:
      '    about = event["data"].get("cardId") or event["data"]["id"]\n    if store.user_of(about) is None and about not in store.cards:\n        return 200, "not ours"\n    owner = owner_of(event, client, store)\n',
  },
];
