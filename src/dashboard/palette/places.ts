import uFuzzy from '@leeoniya/ufuzzy';
import { nextTheme } from '../browser/theme.ts';
import { toggleClock } from '../data/actions.ts';
import { clock, deliveries, journal } from '../data/store.ts';
import { openCardholderForm } from '../forms/cardholders.ts';
import { openShareTokenForm } from '../forms/identities.ts';
import { go } from '../route.ts';
import { operations } from '../views/console/document.ts';
import { VIEWS } from '../views.ts';
import type { Option } from './option.ts';

/** How many options of each group are shown. */
const MAX_OF_GROUP = 6;

/** One mistake in a word is forgiven, and words may be in any order. */
const matcher = new uFuzzy({ intraMode: 1 });
const OUT_OF_ORDER = 2;

/** Returns the pages, actions, operations, requests and webhooks that match a text, the best first. All pages for none. */
export function placesFor(text: string): readonly Option[] {
  if (text === '') return [...pages(), ...actions()];
  return [
    ...matching([...pages(), ...actions()], text),
    ...matching(operationOptions(), text),
    ...matching(traffic(), text),
  ];
}

function matching(options: readonly Option[], text: string): readonly Option[] {
  const texts = options.map(({ label, detail }) => `${label} ${detail}`);
  const [found, info, order] = matcher.search(texts, text, OUT_OF_ORDER);
  const indexes = order?.map(each => info?.idx[each] ?? 0) ?? found ?? [];
  return indexes.slice(0, MAX_OF_GROUP).flatMap(index => options[index] ?? []);
}

function pages(): Option[] {
  const presenter = { name: 'present', title: 'Presenter', icon: 'present' as const };
  return [...VIEWS, presenter].map(({ name, title, icon }) => ({
    id: `page ${name}`,
    label: title,
    detail: '',
    group: 'Pages',
    icon,
    run: () => go(name),
  }));
}

function actions(): Option[] {
  const isFrozen = clock.data.value?.mode === 'frozen';
  const all = [
    ['Mint a share token', 'plus', openShareTokenForm],
    ['Create a cardholder', 'plus', () => openCardholderForm()],
    [isFrozen ? 'Resume the clock' : 'Freeze the clock', 'clock', () => void toggleClock()],
    ['Change the theme', 'auto', nextTheme],
  ] as const;
  return all.map(([label, icon, run]) => ({
    id: `action ${label}`,
    label,
    detail: '',
    group: 'Actions',
    icon,
    run,
  }));
}

function operationOptions(): Option[] {
  return operations.value.map(({ id, method, path, summary }) => ({
    id: `operation ${id}`,
    label: id,
    detail: `${method} ${path} · ${summary}`,
    group: 'Operations',
    icon: 'send',
    run: () => go('console', id),
  }));
}

function traffic(): Option[] {
  const requests = (journal.rows.value ?? []).map(({ id, method, path, status }) => ({
    id: `request ${id}`,
    label: `${method} ${path}`,
    detail: `${status} · ${id}`,
    icon: 'request' as const,
    run: () => go('requests', id),
  }));
  const webhooks = (deliveries.rows.value ?? []).map(({ id, eventType, status, resourceId }) => ({
    id: `delivery ${id}`,
    label: eventType,
    detail: `${status} · ${resourceId} · ${id}`,
    icon: 'webhook' as const,
    run: () => go('deliveries', id),
  }));
  return [...requests, ...webhooks].map(each => ({ ...each, group: 'Traffic' }));
}
