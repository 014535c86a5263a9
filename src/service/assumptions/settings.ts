import { parseDuration } from '../../core/values/duration.ts';
import { suggestion } from '../../core/values/nearest.ts';
import type { AssumptionValues } from '../../core/values/setting.ts';
import { type Setting, type SettingValue, settingRule, settingValue } from '../../core/values/setting.ts';
import { shorten } from '../../core/values/text.ts';
import type { Assume } from './assume.ts';
import { assumptions } from './register.ts';

type Settable = Extract<(typeof assumptions)[number], { readonly setting: unknown }>;

/** The value that rules read: a choice, a name, or a duration in milliseconds, where null is `never`. */
type ValueOf<S> = S extends { readonly type: 'duration' }
  ? number | (S extends { readonly choices: unknown } ? null : never)
  : S extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : string;

type Values = { readonly [Entry in Settable as Entry['id']]: ValueOf<Entry['setting']> };

declare module '../../core/values/setting.ts' {
  interface AssumptionValues extends Values {}
}

export interface Settings {
  /** As people write them: a duration is a text. */
  readonly texts: Readonly<Record<string, SettingValue>>;
  readonly values: AssumptionValues;
}

const isSettable = (entry: (typeof assumptions)[number]): entry is Settable => 'setting' in entry;
const SETTABLE: ReadonlyMap<string, Settable> = new Map(
  assumptions.filter(isSettable).map(entry => [entry.id, entry]),
);

const HOW_TO_LIST = 'card-sandbox assumptions list (GET /_sandbox/assumptions) shows the settings';

export interface AssumeProblem {
  readonly name: string;
  readonly rule: string;
}

/** The parameters of one list need different names. */
const PARAMETERS: readonly (readonly string[])[] = [
  ['page', 'limit', 'cardholderId', 'card-status-parameter'],
  [
    'page',
    'limit',
    'usage-from-parameter',
    'usage-to-parameter',
    'usage-period-parameter',
    'usage-type-parameter',
  ],
];

/** Returns what is wrong with the settings of a sandbox. Each rule names the setting and the way out. */
export function assumeProblems(assume: Readonly<Record<string, unknown>>): AssumeProblem[] {
  const problems = Object.entries(assume).flatMap(([name, value]) => {
    const rule = value === undefined ? null : settingProblem(name, value);
    return rule === null ? [] : [{ name, rule }];
  });
  if (problems.length > 0) return problems;
  return PARAMETERS.flatMap(names => {
    const used = names.map(name => String(assume[name] ?? SETTABLE.get(name)?.setting.default ?? name));
    const index = used.findIndex((name, at) => used.indexOf(name) !== at);
    const [name = '', value = ''] = [names[index], used[index]];
    return index === -1
      ? []
      : [{ name, rule: `sets ${name} to ${value}, the name of another parameter of the list` }];
  });
}

function settingProblem(name: string, value: unknown): string | null {
  const entry = SETTABLE.get(name);
  if (entry === undefined) {
    const isKnown = assumptions.some(({ id }) => id === name);
    const reason = `sets ${shorten(name)}, which ${isKnown ? 'cannot be set' : 'is not a setting'}`;
    const near = suggestion(name, SETTABLE.keys());
    return `${reason}${near === '' ? '; what' : `${near} What`} the interface documents cannot be set; ${HOW_TO_LIST}`;
  }
  const setting: Setting = entry.setting;
  // YAML and JSON write the choice null without quotes, too.
  const text = value === null && setting.type === 'choice' ? 'null' : value;
  const isValid = isSettingValue(text) && settingValue(setting, text) !== null;
  return isValid ? null : `sets ${name} to ${shorten(JSON.stringify(value))}, but it ${settingRule(setting)}`;
}

function isSettingValue(value: unknown): value is SettingValue {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Worlds with the same settings share one object, and with it the operations that follow it. */
const cache = new Map<string, Settings>();
const MAX_CACHED = 100;

/** Returns the settings of a sandbox: the values in `assume`, which must be valid, and defaults for the rest. */
export function settingsOf(assume: Assume): Settings {
  if (Object.keys(assume).length === 0) return DEFAULT_SETTINGS;
  const texts = textsOf({ ...assume });
  const key = JSON.stringify(texts);
  if (key === JSON.stringify(DEFAULT_SETTINGS.texts)) return DEFAULT_SETTINGS;
  let settings = cache.get(key);
  if (settings === undefined) {
    settings = freezeSettings(texts);
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(key, settings);
  }
  return settings;
}

function textsOf(assume: Readonly<Record<string, SettingValue | null | undefined>>): Settings['texts'] {
  const entries = [...SETTABLE].map(([name, { setting }]) => {
    const { [name]: value = setting.default } = assume;
    return [name, settingValue(setting, value ?? 'null') ?? setting.default];
  });
  return Object.fromEntries(entries);
}

function freezeSettings(texts: Settings['texts']): Settings {
  const entries = Object.entries(texts).map(([name, text]) => {
    const isDuration = SETTABLE.get(name)?.setting.type === 'duration';
    return [name, isDuration ? parseDuration(String(text)) : text];
  });
  // Each value has the type that its setting declares.
  return { texts, values: Object.freeze(Object.fromEntries(entries)) as AssumptionValues };
}

/** The settings of a sandbox that sets nothing. Only its worlds have these values, which are compared by identity. */
export const DEFAULT_SETTINGS: Settings = freezeSettings(textsOf({}));
