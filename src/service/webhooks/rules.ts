import type * as z from 'zod';
import {
  assumed,
  badRequest,
  type Cause,
  cause,
  documented,
  invalidInput,
} from '../../core/operation/errors.ts';
import { type RowRule, rowRule } from '../../core/store/row-rule.ts';
import { parseHttpUrl } from '../../core/values/parse-url.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { webhookFaults } from './faults.ts';
import {
  type AttemptStart,
  deliveries,
  ownConfigOf,
  redeliveries,
  UNSET_CONFIG,
  type WebhookConfigRow,
  webhookConfigOf,
  webhookConfigs,
} from './records.ts';
import type { WebhookConfigChange } from './schema.ts';

const INVALID_URL = cause(400, documented('2.6'), 'webhook-url');
const SECRET_REQUIRED = cause(400, assumed('webhook-config'), 'webhook-secret-required');

/** The causes for which a webhook configuration is not changed. */
export const CONFIG_CAUSES: readonly Cause[] = [INVALID_URL, SECRET_REQUIRED];

/**
 * Changes a partner's webhook configuration (interface section 4.8). What is left out stays, or is cleared if it
 * `replaces` the configuration. Throws a 400 for an invalid URL, and for a URL without a secret.
 */
export function changeWebhookConfig(
  state: WorldState,
  partnerId: string,
  change: z.output<typeof WebhookConfigChange>,
  replaces = false,
): WebhookConfigRow {
  // A URL that is set makes what forwarding has shown so far the partner's own; any other change leaves that out.
  const configOf = typeof change.webhookUrl === 'string' ? webhookConfigOf : ownConfigOf;
  const before = replaces ? UNSET_CONFIG : configOf(state, partnerId);
  const { webhookUrl = before.webhookUrl, webhookSecret = before.webhookSecret } = change;
  const problem =
    typeof change.webhookUrl === 'string'
      ? webhookUrlProblem(change.webhookUrl, state.setup.forwarding().allowHttp)
      : null;
  if (problem !== null) throw invalidInput(INVALID_URL, `body.webhookUrl: ${problem}; null clears it`);
  if (webhookUrl !== null && webhookSecret === null) {
    const message = `body.webhookSecret: is required with ${replaces ? 'a' : 'the first'} webhookUrl, because it signs deliveries`;
    throw badRequest(SECRET_REQUIRED, message);
  }
  const members = {
    webhookUrl,
    webhookSecret,
    subscribedEvents: change.subscribedEvents ?? before.subscribedEvents,
  };
  const table = state.table(webhookConfigs);
  if (table.get(partnerId) === undefined) table.insert({ id: partnerId, partnerId, ...members });
  else table.update(partnerId, members);
  return webhookConfigOf(state, partnerId);
}

/** Returns what is wrong with a webhook URL, or null when it is valid. `allowHttp` allows http:// too. */
export function webhookUrlProblem(text: string, allowHttp: boolean): string | null {
  const url = parseHttpUrl(text);
  if (url === null) return 'must be an absolute https:// URL';
  if (url.protocol === 'http:' && !allowHttp) {
    return 'must use https://; start the sandbox with --allow-http-webhooks (allowHttpWebhooks in code), or PUT /_sandbox/forwarding with allowHttp, to use http:// in tests';
  }
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  return null;
}

function inFlightProblem({ inFlight }: { readonly inFlight?: AttemptStart | undefined }): string | null {
  const problem = inFlight === undefined ? null : webhookUrlProblem(inFlight.webhookUrl, true);
  return problem === null ? null : `inFlight.webhookUrl: ${problem}`;
}

/** Invariants of webhook configurations and of deliveries that are held back. */
export const webhookRules: readonly RowRule[] = [
  rowRule(webhookConfigs, ({ id, partnerId }) => (id === partnerId ? null : "id: must be the partner's id")),
  rowRule(webhookConfigs, ({ webhookUrl, webhookSecret }) => {
    if (webhookUrl === null) return null;
    // A state comes from a sandbox whose options may have allowed it.
    const problem = webhookUrlProblem(webhookUrl, true);
    if (problem !== null) return `webhookUrl: ${problem}`;
    return webhookSecret === null ? 'webhookSecret: is required with a webhookUrl' : null;
  }),
  rowRule(deliveries, inFlightProblem),
  rowRule(redeliveries, inFlightProblem),
  rowRule(webhookFaults, ({ scope, partnerId }) =>
    scope === null || scope === partnerId ? null : "scope: must be null or the partner's id",
  ),
  rowRule(deliveries, ({ status, heldBack }) =>
    heldBack === undefined || status === 'pending' ? null : 'heldBack: only a pending delivery is held back',
  ),
];
