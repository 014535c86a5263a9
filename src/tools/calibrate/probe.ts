import type { AssumptionId } from '../../client/generated/assumptions.ts';
import type { SettingValue } from '../../core/values/setting.ts';
import type { Exchange } from '../evidence.ts';
import type { Lab, VariableName } from './lab/lab.ts';

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

/** A finding about a decision without a setting. */
export function finding(holds: boolean, seen: string, ...exchanges: readonly Exchange[]): Finding {
  return { holds, seen, exchanges };
}

/** A finding about a decision with a setting. */
export function measurement(value: SettingValue, seen: string, ...exchanges: readonly Exchange[]): Finding {
  return { measured: value, seen, exchanges };
}
