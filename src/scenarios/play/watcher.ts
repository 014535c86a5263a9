import type { StepResult } from '../report/report.ts';
import type { StatedRule } from '../report/rules.ts';
import type { Difference } from './matching.ts';

/** A step that is about to be played. */
export interface Opening {
  readonly number: number;
  readonly of: number;
  readonly heading: string;
  readonly note: string | null;
}

/** What happens in a step, secrets masked, for those who watch. */
export type Scene =
  | {
      readonly kind: 'request';
      readonly plane: 'partner' | 'control';
      readonly method: string;
      /** With the prefix of its plane. */
      readonly path: string;
      /** Whose key was sent; null says that none was, `own` is the partner's. */
      readonly key: 'own' | 'other' | null;
      readonly headers: Readonly<Record<string, string>>;
      /** Undefined where there is none. */
      readonly body: unknown;
      readonly times: number;
    }
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body: unknown;
      /** Paths of the members of the body that the step looks at. */
      readonly looksAt: readonly string[];
      /** The headers that the step looks at. */
      readonly headers: Readonly<Record<string, string>>;
      /** The rule behind a refusal. */
      readonly rule: StatedRule | null;
    }
  | {
      readonly kind: 'webhook';
      readonly eventType: string;
      readonly attempts: number;
      readonly answered: number;
      readonly isSigned: boolean;
      /** Status of the delivery, where the step looks at it. */
      readonly status: string | null;
      readonly data: unknown;
      readonly looksAt: readonly string[];
    }
  | { readonly kind: 'clock'; readonly by: string; readonly now: string }
  | { readonly kind: 'waited'; readonly duration: string }
  | { readonly kind: 'respond'; readonly status: number };

/** Watches a scenario being played. */
export interface Watcher {
  /** Called before each step; the step waits for it. */
  begins?(opening: Opening): Promise<void> | void;
  shows?(scene: Scene): void;
  ends?(result: StepResult): void;
}

/** The paths of all members of an expectation, below its top, in its order. */
export function pathsIn(expected: unknown, prefix = ''): string[] {
  if (Array.isArray(expected) && expected.length > 0) {
    return expected.flatMap((item, index) => pathsIn(item, `${prefix}[${index}]`));
  }
  const isObject = typeof expected === 'object' && expected !== null && !Array.isArray(expected);
  const members = isObject ? Object.entries(expected) : [];
  if (members.length === 0) return prefix === '' ? [] : [prefix];
  return members.flatMap(([name, member]) => pathsIn(member, prefix === '' ? name : `${prefix}.${name}`));
}

/** A difference in one line. */
export function differenceInWords({ path, expected, got }: Difference): string {
  return `${path}: expected ${expected}, got ${got}`;
}
