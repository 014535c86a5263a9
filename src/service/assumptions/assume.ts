/**
 * What a sandbox assumes where the interface leaves room, by the ids of the assumptions. It is written out for published
 * declarations; `test/sandbox/settings.test.ts` compiles only if it has the settings of the register.
 */
export interface Assume {
  /** Name of the filter of cards by status. Default: `status`. */
  readonly 'card-status-parameter'?: string | undefined;
  /** Names of the filters of usage records. Default: `from`, `to`, `billingPeriod` and `type`. */
  readonly 'usage-from-parameter'?: string | undefined;
  readonly 'usage-to-parameter'?: string | undefined;
  readonly 'usage-period-parameter'?: string | undefined;
  readonly 'usage-type-parameter'?: string | undefined;
  /** Status of a response to invalid input. Default: 400. */
  readonly 'invalid-input-status'?: 400 | 422 | '400' | '422' | undefined;
  /** Status of a response to a caller that is not on the allow-list. Default: 401. */
  readonly 'allow-list-status'?: 401 | 403 | '401' | '403' | undefined;
  /** What copyPan is when it is left out. Default: false. */
  readonly 'copy-pan-default'?: boolean | 'false' | 'true' | undefined;
  /** Whether a reveal needs a style sheet. Default: `optional`. */
  readonly 'stylesheet-url'?: 'optional' | 'required' | undefined;
  /** Status of a new card. Default: `created`. */
  readonly 'card-initial-status'?: 'created' | 'active' | undefined;
  /** Whether a rejected cardholder can be submitted again. Default: `allowed`. */
  readonly 'kyc-after-rejection'?: 'allowed' | 'refused' | undefined;
  /** Which record of a list is first. Default: `newest`. */
  readonly 'list-order'?: 'newest' | 'oldest' | undefined;
  /** Wall time that a webhook attempt may take, such as `30s`. Default: `10s`. */
  readonly 'webhook-timeout'?: string | undefined;
  /** Whether the body of a webhook has an envelope around the data. Default: `envelope`. */
  readonly 'webhook-envelope'?: 'envelope' | 'data' | undefined;
  /** How many event types the API lists delivery events of. Default: `nine`. */
  readonly 'event-history'?: 'nine' | 'twelve' | undefined;
  /** Whether the case of e-mail addresses counts. Default: `insensitive`. */
  readonly 'email-comparison'?: 'insensitive' | 'sensitive' | undefined;
  /** Whether amounts are in units of the currency or in hundredths. Default: `major`. */
  readonly 'amount-unit'?: 'major' | 'minor' | undefined;
  /** What a change of the webhook configuration does with fields that it omits. Default: `merge`. */
  readonly 'patch-config'?: 'merge' | 'replace' | undefined;
  /** How a webhook configuration shows what is not set. Default: `null`. */
  readonly 'unset-config'?: 'null' | 'omitted' | undefined;
  /** Unit of the timestamp in signatures. Default: `seconds`. */
  readonly 'signature-timestamp'?: 'seconds' | 'milliseconds' | undefined;
  /** Whether share tokens such as `idp1_test_approve_1` work without being minted. Default: `on`. */
  readonly 'magic-tokens'?: 'on' | 'off' | undefined;
  /** When an authorization expires, such as `7d`, or `never`. Default: `7d`. */
  readonly 'authorization-ttl'?: string | undefined;
}
