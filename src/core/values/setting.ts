import { parseDuration } from './duration.ts';

export type SettingValue = string | number | boolean;

export interface Setting {
  /** `name`: of a query parameter. `choice`: one of `choices`. `duration`: a duration, or one of `choices`. */
  readonly type: 'name' | 'choice' | 'duration';
  readonly choices?: readonly SettingValue[];
  readonly default: SettingValue;
}

/** Schemas of queries skip a parameter of the name `__proto__`. */
export const PARAMETER_NAME = /^(?!__proto__$)[A-Za-z_][\w.[\]-]{0,63}$/;

/** Returns the value of a setting that a text or a value means, or null when the setting cannot have it. */
export function settingValue({ type, choices }: Setting, value: SettingValue): SettingValue | null {
  const text = String(value);
  const choice = choices?.find(each => String(each) === text);
  if (choice !== undefined) return choice;
  if (type === 'name') return PARAMETER_NAME.test(text) ? text : null;
  return type === 'duration' && (parseDuration(text) ?? 0) > 0 ? text : null;
}

export function settingRule({ type, choices = [] }: Setting): string {
  if (type === 'choice') return `must be one of ${choices.join(', ')}`;
  if (type === 'name') {
    return 'must be a parameter name of up to 64 letters, digits and _ . - [ ], starting with a letter or _, and not __proto__';
  }
  return ['must be a duration above 0 such as 500ms, 90s, 30m, 2h or 1d', ...choices].join(', or ');
}

/** The values of the settable assumptions, by their ids. The register adds them by module augmentation (`src/service/assumptions/settings.ts`). */
/* biome-ignore lint/suspicious/noEmptyInterface: the register fills it; core does not import the register. */
export interface AssumptionValues {}
