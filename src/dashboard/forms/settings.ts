import { EVENT_TYPES } from '../../service/webhooks/event-types.ts';
import { randomText } from '../browser.ts';
import { withToast } from '../data/actions.ts';
import { control } from '../data/http.ts';
import type { Forwarding, Settings, WebhookConfig } from '../data/response-types.ts';
import { forwarding, partner, partnerQuery, partners, settings, webhookConfig } from '../data/store.ts';
import { openForm } from '../ui/form.tsx';
import { dateTime } from '../ui/format.ts';
import { toast } from '../ui/toast.tsx';
import { plainChoices } from './fields.ts';

const SECRET_LENGTH = 24;

export function openAccessForm(saved: Settings): void {
  const id = partner.value?.id;
  openForm({
    title: 'Access and limits',
    submit: 'Save',
    fields: () => [
      {
        name: 'ipAllowList',
        label: 'IP allow-list',
        kind: 'lines',
        initial: saved.ipAllowList.join('\n'),
        isOptional: true,
        hint: 'One address, range such as 203.0.113.0/24, or localhost per line. Empty allows all.',
      },
      {
        name: 'allowedOrigins',
        label: 'Allowed origins',
        kind: 'lines',
        initial: saved.allowedOrigins.join('\n'),
        isOptional: true,
        hint: 'One per line, with the scheme. Empty allows all.',
      },
      {
        name: 'rateLimitPerMinute',
        label: 'Requests per minute',
        kind: 'number',
        initial: String(saved.rateLimitPerMinute),
        hint: '0 disables the limit.',
      },
      {
        name: 'lowThreshold',
        label: 'Low balance below',
        kind: 'number',
        initial: String(saved.lowThreshold),
        hint: 'Checked daily, sends balance.low.',
      },
      {
        name: 'alertThreshold',
        label: 'Alert below',
        kind: 'number',
        initial: String(saved.alertThreshold),
        hint: 'Sends balance.alert each time it is crossed.',
      },
    ],
    async run(input) {
      settings.set(await control<Settings>('PATCH', `/partners/${id}/settings`, input));
    },
  });
}

export function openRotationForm(): void {
  openForm({
    title: 'Rotate the API key',
    submit: 'Rotate key',
    fields: () => [
      {
        name: 'gracePeriod',
        label: 'Grace period of the old key',
        initial: '24h',
        hint: 'A duration such as 90s, 30m or 24h.',
      },
    ],
    async run(input) {
      const path = `/partners/${partner.value?.id}/keys/rotate`;
      const { previousKeyValidUntil } = await control<{ previousKeyValidUntil: string }>('POST', path, input);
      await partners.load();
      toast('good', `API key rotated. The old key is valid until ${dateTime(previousKeyValidUntil)}.`);
    },
  });
}

export function openWebhooksForm({ webhookUrl, webhookSecret, subscribedEvents }: WebhookConfig): void {
  openForm({
    title: 'Configure webhooks',
    submit: 'Save',
    fields: () => [
      {
        name: 'webhookUrl',
        label: 'URL',
        initial: webhookUrl ?? '',
        isOptional: true,
        hint: 'https, unless the sandbox allows http.',
      },
      {
        name: 'webhookSecret',
        label: webhookSecret === null ? 'Signing secret' : 'New signing secret',
        initial: webhookSecret === null ? `whsec_${randomText(SECRET_LENGTH)}` : '',
        isOptional: true,
        hint: `At least 16 characters.${webhookSecret === null ? '' : ' Leave empty to keep the present one.'}`,
      },
      {
        name: 'subscribedEvents',
        label: 'Subscribed events',
        kind: 'checks',
        initial: subscribedEvents.join(','),
        choices: plainChoices(EVENT_TYPES),
        isOptional: true,
      },
    ],
    async run(input) {
      const body = { ...input, webhookUrl: input.webhookUrl ?? null };
      webhookConfig.set(await control<WebhookConfig>('PATCH', `/webhooks/config?${partnerQuery()}`, body));
    },
  });
}

export function openForwardingForm({ url, map, allowHttp }: Forwarding): void {
  openForm({
    title: 'Forward webhooks',
    submit: 'Save',
    fields: () => [
      {
        name: 'url',
        label: 'Forward to',
        initial: url ?? '',
        isOptional: true,
        hint: 'Receives every webhook instead of the configured URLs. http is allowed.',
      },
      {
        name: 'allowHttp',
        label: 'http:// URLs in configurations',
        kind: 'choice',
        initial: String(allowHttp),
        choices: [
          ['false', 'are refused'],
          ['true', 'are accepted'],
        ],
      },
    ],
    async run(input) {
      const body = { url: input.url ?? null, map, allowHttp: input.allowHttp === 'true' };
      forwarding.set(await control<Forwarding>('PUT', '/forwarding', body));
      await webhookConfig.load();
    },
  });
}

/** Discards the forwarding that was set. The toast offers to set it again. */
export function restoreForwarding({ url, map, allowHttp }: Forwarding): Promise<void> {
  const change = async (method: string, body?: object) => {
    await control(method, '/forwarding', body);
    await Promise.all([forwarding.load(), webhookConfig.load()]);
  };
  return withToast(
    'Webhooks are forwarded as at the start',
    () => change('DELETE'),
    () => void withToast('Set again', () => change('PUT', { url, map, allowHttp })),
  );
}
