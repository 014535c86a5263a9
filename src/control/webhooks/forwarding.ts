import * as z from 'zod';
import { assumed } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { forwardedSecrets } from '../../service/webhooks/records.ts';

const RULE = assumed('forwarding');

const MAX_MAPPINGS = 1_000;

const UrlMap = z.record(z.string(), z.string());

const ForwardingView = z
  .strictObject({
    url: z.string().nullable().describe('Receives every webhook; null to use the configured URLs.'),
    map: UrlMap.describe(
      'Webhooks for URLs below a key go to the same path below its value. The first match applies.',
    ),
    allowHttp: z.boolean().describe('Whether webhook configurations may use http:// URLs.'),
    webhookSecrets: z
      .record(z.string(), z.string())
      .optional()
      .describe('Secrets by partner id, of the partners without a webhook URL of their own.'),
  })
  .meta({ id: 'Forwarding' });

function viewForwarding(state: WorldState): z.input<typeof ForwardingView> {
  const { url, map, allowHttp } = state.setup.forwarding();
  const secrets = forwardedSecrets(state);
  const hasSecrets = Object.keys(secrets).length > 0;
  return { url, map: { ...map }, allowHttp, ...(hasSecrets ? { webhookSecrets: secrets } : {}) };
}

const show = operation({
  id: 'forwarding.show',
  plane: 'control',
  method: 'GET',
  path: '/forwarding',
  summary: 'Get where webhooks are forwarded',
  fidelity: RULE,
  responses: { 200: ForwardingView },
  run: ({ state }) => reply(200, viewForwarding(state)),
});

const change = operation({
  id: 'forwarding.set',
  plane: 'control',
  method: 'PUT',
  path: '/forwarding',
  summary: 'Change where webhooks are forwarded; omitted fields are as at the start',
  fidelity: RULE,
  body: z.object({
    url: z
      .string()
      .nullable()
      .optional()
      .describe('Send every webhook to this URL instead of the configured one; null for none.'),
    map: UrlMap.refine(
      map => Object.keys(map).length <= MAX_MAPPINGS,
      `must have at most ${MAX_MAPPINGS} entries`,
    )
      .optional()
      .describe('Send webhooks for URLs below a key to the same path below its value.'),
    allowHttp: z.boolean().optional().describe('Accept http:// webhook URLs.'),
  }),
  responses: { 200: ForwardingView },
  run({ state, world, body }) {
    world.changeForwarding(body);
    return reply(200, viewForwarding(state));
  },
});

const restore = operation({
  id: 'forwarding.restore',
  plane: 'control',
  method: 'DELETE',
  path: '/forwarding',
  summary: 'Forward webhooks as at the start again',
  fidelity: RULE,
  responses: { 204: null },
  run({ world }) {
    world.changeForwarding({});
    return reply(204, null);
  },
});

export const forwardingOperations = [show, change, restore];
