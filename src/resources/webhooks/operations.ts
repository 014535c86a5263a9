import { assumed, badRequest, documented } from '../../kernel/errors.ts';
import { operation, reply } from '../../kernel/operation.ts';
import { viewWebhookConfig, webhookConfigOf, webhookConfigs } from './records.ts';
import { webhookUrlProblem } from './rules.ts';
import { WebhookConfig, WebhookConfigChange } from './schema.ts';

const getWebhookConfig = operation({
  id: 'webhooks.getConfig',
  plane: 'partner',
  method: 'GET',
  path: '/partner/webhooks/config',
  summary: 'Get the webhook configuration',
  fidelity: documented('4.7'),
  responses: { 200: WebhookConfig },
  run: ({ world, partner }) => reply(200, viewWebhookConfig(webhookConfigOf(world, partner.id))),
});

const updateWebhookConfig = operation({
  id: 'webhooks.updateConfig',
  plane: 'partner',
  method: 'PATCH',
  path: '/partner/webhooks/config',
  summary: 'Change the webhook configuration',
  fidelity: documented('4.8'),
  body: WebhookConfigChange,
  responses: { 200: WebhookConfig },
  run({ world, partner, body }) {
    const before = webhookConfigOf(world, partner.id);
    const { webhookUrl = before.webhookUrl, webhookSecret = before.webhookSecret } = body;
    const problem =
      typeof body.webhookUrl === 'string'
        ? webhookUrlProblem(body.webhookUrl, world.options.allowHttpWebhooks)
        : null;
    if (problem !== null) throw badRequest(documented('2.6'), `body.webhookUrl: ${problem}; null clears it`);
    if (webhookUrl !== null && webhookSecret === null) {
      const message =
        'body.webhookSecret: is required with the first webhookUrl, because deliveries are signed with it';
      throw badRequest(assumed('webhook-config'), message);
    }
    const members = {
      webhookUrl,
      webhookSecret,
      subscribedEvents: body.subscribedEvents ?? before.subscribedEvents,
    };
    const table = world.table(webhookConfigs);
    const isNew = table.get(partner.id) === undefined;
    const row = isNew
      ? table.insert({ id: partner.id, partnerId: partner.id, ...members })
      : table.update(partner.id, members);
    return reply(200, viewWebhookConfig(row));
  },
});

/** Operations on the webhook configuration, in the interface's order. */
export const webhookOperations = [getWebhookConfig, updateWebhookConfig];
