import { ASSUMPTIONS, type AssumptionId } from '../../client/generated/assumptions.ts';
import { type Setting, type SettingValue, settingValue } from '../../core/values/setting.ts';
import { type Evidence, type Exchange, evidenceOf, safeLine } from '../evidence.ts';
import type { Lab, VariableName } from './lab/lab.ts';

/** The settings of the register, by the ids of their entries. */
const SETTINGS: ReadonlyMap<string, Setting> = new Map(
  ASSUMPTIONS.flatMap(({ id, setting }) => (setting === undefined ? [] : [[id, setting] as const])),
);

/** What a probe found out. */
export type Finding =
  | {
      /** Whether the service does what the decision says. */
      readonly holds: boolean;
      /** What was seen, in words. */
      readonly seen: string;
      readonly exchanges: readonly Exchange[];
    }
  | {
      /** The value of the entry's setting with which the sandbox does the same. */
      readonly measured: SettingValue;
      readonly seen: string;
      readonly exchanges: readonly Exchange[];
    };

/** Finds out from outside whether a service does what an entry of the register says. */
export interface Probe {
  readonly id: AssumptionId;
  /** Whether it creates or changes something. */
  readonly needs: 'read' | 'write';
  /** What it would take to find out, where it could not. */
  readonly takes: string;
  /** The variables of the command line that it uses. */
  readonly variables?: readonly VariableName[];
  /** Resolves with what was found. Rejects with an Undecided error where the service shows nothing that decides. */
  probe(lab: Lab): Promise<Finding>;
}

/** The service shows nothing that decides, or something that the probe needs is missing. */
export class Undecided extends Error {
  override readonly name = 'Undecided';
  /** What was tried. */
  readonly exchanges: readonly Exchange[];

  constructor(reason: string, ...exchanges: readonly Exchange[]) {
    super(reason);
    this.exchanges = exchanges;
  }
}

/** Returns an Undecided error, for `catch`. Throws any other. */
export function keepUndecided(error: unknown): Undecided {
  if (error instanceof Undecided) return error;
  throw error;
}

/** A finding about a decision without a setting. */
export function finding(holds: boolean, seen: string, ...exchanges: readonly Exchange[]): Finding {
  return { holds, seen, exchanges };
}

/** A finding about a decision with a setting. */
export function measurement(value: SettingValue, seen: string, ...exchanges: readonly Exchange[]): Finding {
  return { measured: value, seen, exchanges };
}

/** What the service does, compared with the decision of an entry. */
export type Verdict = 'observed' | 'contradicted' | 'unknown';

/** A setting with its value. */
interface SettingOf {
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

/** Turns a finding into the verdict on an entry. */
export function toResult(id: string, found: Finding, at: string): Result {
  const evidence = { at, seen: safeLine(found.seen), exchanges: found.exchanges.map(evidenceOf) };
  if ('holds' in found) return { id, verdict: found.holds ? 'observed' : 'contradicted', evidence };
  const setting = SETTINGS.get(id);
  if (setting !== undefined && String(found.measured) === String(setting.default)) {
    return { id, verdict: 'observed', evidence };
  }
  const value = setting === undefined ? null : settingValue(setting, found.measured);
  return { id, verdict: 'contradicted', ...(value !== null && { setting: { name: id, value } }), evidence };
}
