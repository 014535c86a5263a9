import { linkTo } from '../route.ts';

/** Where the setting is that a message is about, by what such messages contain. */
const PLACES: readonly (readonly [RegExp, view: string, id: string | null, label: string])[] = [
  [/webhooks\/config|webhook URL|webhookUrl|subscribed/i, 'settings', 'webhooks', 'Webhook settings'],
  [/forward|--map|allow-http|http:\/\/ URLs/i, 'settings', 'forwarding', 'Forwarding settings'],
  [
    /allow-list|ipAllowList|allowed origins?|allowedOrigins|rate limit/i,
    'settings',
    'access',
    'Access settings',
  ],
  [/api key|service-api-key/i, 'settings', 'key', 'API key'],
  [/\bfault\b/i, 'faults', null, 'Faults'],
];

/** A link to the setting that a message is about; nothing for other messages. */
export function SettingLink({ text }: { readonly text: string }) {
  const [, view, id, label] = PLACES.find(([pattern]) => pattern.test(text)) ?? [];
  if (view === undefined) return null;
  return (
    <p class="setting-link">
      <a href={linkTo(view, id)}>{label}</a>
    </p>
  );
}
