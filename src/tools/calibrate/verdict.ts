import { ASSUMPTIONS } from '../../client/generated/assumptions.ts';
import { type Setting, type SettingValue, settingValue } from '../../core/values/setting.ts';
import { type Evidence, evidenceOf } from '../evidence.ts';
import type { Finding } from './probe.ts';

/** What the service does, compared with the decision of an entry. */
export type Verdict = 'observed' | 'contradicted' | 'unknown';

/** A setting with its value. */
export interface SettingOf {
  readonly name: string;
  readonly value: SettingValue;
}

/** The verdict on an entry of the register. */
export interface Result {
  readonly id: string;
  readonly verdict: Verdict;
  /** The setting with which the sandbox does what the service does. Missing unless it is contradicted and there is one. */
  readonly setting?: SettingOf;
  readonly evidence: {
    /** Time of the observation, ISO 8601; missing when there is none. */
    readonly at?: string;
    /** What was seen, in words. */
    readonly seen?: string;
    /** What it would take to find out. */
    readonly needs?: string;
    /** Requests and responses, without secrets. */
    readonly exchanges: readonly Evidence[];
  };
}

/** The settings of the register, by the ids of their entries. */
const SETTINGS: ReadonlyMap<string, Setting> = new Map(
  ASSUMPTIONS.flatMap(({ id, setting }) => (setting === undefined ? [] : [[id, setting] as const])),
);

/** Turns a finding into the verdict on an entry. */
export function toResult(id: string, found: Finding, at: string): Result {
  const evidence = { at, seen: found.seen, exchanges: found.exchanges.map(evidenceOf) };
  if ('holds' in found) return { id, verdict: found.holds ? 'observed' : 'contradicted', evidence };
  const setting = SETTINGS.get(id);
  if (setting !== undefined && String(found.measured) === String(setting.default)) {
    return { id, verdict: 'observed', evidence };
  }
  const value = setting === undefined ? null : settingValue(setting, found.measured);
  return { id, verdict: 'contradicted', ...(value !== null && { setting: { name: id, value } }), evidence };
}
