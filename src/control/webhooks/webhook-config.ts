import * as z from 'zod';
import { partnerChoice, partnerOrFirst } from '../../core/access/partners.ts';
import { assumed } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { viewWebhookConfig, webhookConfigOf } from '../../service/webhooks/records.ts';
import { changeWebhookConfig } from '../../service/webhooks/rules.ts';
import { WebhookConfig, WebhookConfigChange } from '../../service/webhooks/schema.ts';

const PartnerQuery = z.object({ partnerId: partnerChoice });

const showConfig = operation({
  id: 'webhooks.showConfig',
  plane: 'control',
  method: 'GET',
  path: '/webhooks/config',
  summary: "Get a partner's webhook configuration",
  fidelity: assumed('control-records'),
  query: PartnerQuery,
  responses: { 200: WebhookConfig },
  run({ state, query }) {
    const { id } = partnerOrFirst(state, query.partnerId);
    return reply(200, viewWebhookConfig(webhookConfigOf(state, id)));
  },
});

const changeConfig = operation({
  id: 'webhooks.changeConfig',
  plane: 'control',
  method: 'PATCH',
  path: '/webhooks/config',
  summary: "Change a partner's webhook configuration, under the rules of the API",
  fidelity: assumed('control-records'),
  query: PartnerQuery,
  body: WebhookConfigChange,
  responses: { 200: WebhookConfig },
  run({ state, query, body }) {
    const { id } = partnerOrFirst(state, query.partnerId);
    return reply(200, viewWebhookConfig(changeWebhookConfig(state, id, body)));
  },
});

export const webhookConfigOperations = [showConfig, changeConfig];
