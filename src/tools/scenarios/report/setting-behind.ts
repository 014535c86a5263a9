import { assumptions } from '../../../service/assumptions/register.ts';
import type { Step } from '../file/schema.ts';
import type { Difference } from '../play/matching.ts';
import type { StatedRule } from './report.ts';

type SettingId = Extract<(typeof assumptions)[number], { readonly setting: unknown }>['id'];

/** How a server shows that it has decided otherwise than a sandbox without `--assume`. */
interface Sign {
  readonly setting: SettingId;
  /** The value with which a sandbox decides as that server does; any other name for the name of a parameter. */
  readonly value?: string;
  readonly request?: RegExp;
  readonly path: RegExp;
  readonly expected: RegExp;
  readonly got: RegExp;
}

const ANY = /^/;
const STATUS = /^status$/;
const SUCCESS = /^(?:2\d\d|success)$/;
const TOO_LONG = { path: /^body(?:\.data)?$/, expected: /^a list of/, got: /^a list of/ };

const SIGNS: readonly Sign[] = [
  { setting: 'invalid-input-status', value: '422', path: STATUS, expected: /^400$/, got: /^422/ },
  { setting: 'allow-list-status', value: '403', path: STATUS, expected: /^401$/, got: /^403.*\bIP\b/i },
  {
    setting: 'email-comparison',
    value: 'sensitive',
    request: /^POST \/partner\/cardholders$/,
    path: STATUS,
    expected: /^409$/,
    got: /^2/,
  },
  {
    setting: 'magic-tokens',
    value: 'off',
    request: /^POST \/partner\/cardholders$/,
    path: STATUS,
    expected: SUCCESS,
    got: /^4\d\d.*share ?token/i,
  },
  {
    setting: 'kyc-after-rejection',
    value: 'refused',
    request: /^POST \/partner\/cardholders\/[^/]+\/kyc$/,
    path: STATUS,
    expected: SUCCESS,
    got: /^4\d\d.*reject/i,
  },
  {
    setting: 'stylesheet-url',
    value: 'required',
    path: STATUS,
    expected: SUCCESS,
    got: /^4\d\d.*stylesheetUrl/,
  },
  {
    setting: 'card-initial-status',
    value: 'active',
    path: /\.status$/,
    expected: /^"created"$/,
    got: /^"active"$/,
  },
  {
    setting: 'unset-config',
    value: 'omitted',
    request: / \/partner\/webhooks\/config$/,
    path: /^body\./,
    expected: /^null$/,
    got: /^nothing$/,
  },
  {
    setting: 'patch-config',
    value: 'replace',
    request: /^PATCH \/partner\/webhooks\/config$/,
    path: /^body\./,
    expected: /^[^n]/,
    got: /^(?:null|nothing|\[\]|a list of 0)$/,
  },
  {
    setting: 'webhook-envelope',
    value: 'data',
    path: /^webhook\.data/,
    expected: ANY,
    got: /^nothing$/,
  },
  { setting: 'event-history', value: 'twelve', request: /^GET \/partner\/webhooks\/events/, ...TOO_LONG },
  { setting: 'card-status-parameter', request: /^GET \/partner\/cards\?.*\bstatus=/, ...TOO_LONG },
  { setting: 'usage-from-parameter', request: /^GET \/partner\/usage\/records\?.*\bfrom=/, ...TOO_LONG },
  { setting: 'usage-to-parameter', request: /^GET \/partner\/usage\/records\?.*\bto=/, ...TOO_LONG },
  {
    setting: 'usage-period-parameter',
    request: /^GET \/partner\/usage\/records\?.*\bbillingPeriod=/,
    ...TOO_LONG,
  },
  { setting: 'usage-type-parameter', request: /^GET \/partner\/usage\/records\?.*\btype=/, ...TOO_LONG },
  {
    setting: 'list-order',
    value: 'oldest',
    request: /^GET /,
    path: /^body\.data\[\d+\]\.(?:\w*[iI]d|createdAt|email)$/,
    expected: ANY,
    got: /^"/,
  },
];

/**
 * Adds to each difference the settings that may decide as the server did, and returns the register's entry of the first
 * of them; null where no setting is known to decide so.
 */
export function withSettings(
  found: readonly Difference[],
  { request = '' }: Step,
): { readonly differences: readonly Difference[]; readonly rule: StatedRule | null } {
  const behind = found.map(each => signsOf(each, request));
  const differences = found.map((each, index) => {
    const settings = behind[index]?.map(({ setting, value = 'NAME' }) => `${setting}=${value}`) ?? [];
    return settings.length === 0 ? each : { ...each, setting: settings.join(' or ') };
  });
  const first = behind.flat()[0]?.setting;
  const entry = assumptions.find(({ id }) => id === first);
  const rule = entry && { section: entry.section, assumption: entry.id, decision: entry.decision };
  return { differences, rule: rule ?? null };
}

function signsOf(
  { path, expected, got }: Difference,
  request: string,
): readonly Pick<Sign, 'setting' | 'value'>[] {
  if (!STATUS.test(path) && isHundredfold(expected, got)) return [{ setting: 'amount-unit', value: 'minor' }];
  return SIGNS.filter(
    sign =>
      (sign.request ?? ANY).test(request) &&
      sign.path.test(path) &&
      sign.expected.test(expected) &&
      sign.got.test(got),
  );
}

function isHundredfold(expected: string, got: string): boolean {
  const amount = Number(expected);
  return amount !== 0 && Number(got) === Math.round(amount * 100);
}
