import type { assumptions } from '../../../service/assumptions/register.ts';
import type { Step } from '../file/schema.ts';
import type { Difference } from '../play/matching.ts';
import { ruleOfAssumption, type StatedRule } from './report.ts';

type SettingId = Extract<(typeof assumptions)[number], { readonly setting: unknown }>['id'];

/**
 * How a server shows that it has decided otherwise than a sandbox without `--assume`: the setting with the value that
 * decides so (NAME stands for any other name of a parameter), the request with its body in the next line, and a difference.
 */
type Sign = readonly [`${SettingId}=${string}`, request: RegExp, path: RegExp, expected: RegExp, got: RegExp];

const ANY = /^/;
const STATUS = /^status$/;
const SUCCESS = /^(?:2\d\d|success)$/;
const CONFIG = / \/partner\/webhooks\/config\n/;
/** Only what has a query or a body can have invalid input. Other refusals are because of the state of a record. */
const WITH_INPUT = /\?|\n./;
const CASED_EMAIL = /^POST \/partner\/cardholders\n.*"email":"[^"]*[A-Z]/;
const MAGIC_TOKEN = /^POST \/partner\/cardholders\n.*ShareToken":"idp[12]_test_/;
/** A magic token that was used or has expired is known to the server. */
const UNKNOWN_TOKEN = /^4\d\d(?!.*\b(?:used|expired)\b).*share ?token/i;
const TOO_LONG = [/^body(?:\.data)?$/, /^a list of/, /^a list of/] as const;
const usageBy = (name: string) => new RegExp(`^GET /partner/usage/records\\?.*\\b${name}=`);

const SIGNS: readonly Sign[] = [
  ['invalid-input-status=422', WITH_INPUT, STATUS, /^400$/, /^422/],
  ['allow-list-status=403', ANY, STATUS, /^401$/, /^403.*\bIP\b/i],
  ['email-comparison=sensitive', CASED_EMAIL, STATUS, /^409$/, /^2/],
  ['magic-tokens=off', MAGIC_TOKEN, STATUS, SUCCESS, UNKNOWN_TOKEN],
  ['kyc-after-rejection=refused', /^POST .*\/kyc\n/, STATUS, SUCCESS, /^4\d\d.*reject/i],
  ['stylesheet-url=required', ANY, STATUS, SUCCESS, /^4\d\d.*stylesheetUrl/],
  ['card-initial-status=active', ANY, /\.status$/, /^"created"$/, /^"active"$/],
  ['unset-config=omitted', CONFIG, /^body\./, /^null$/, /^nothing$/],
  ['patch-config=replace', CONFIG, /^body\./, /^[^n]/, /^(?:null|nothing|\[\]|a list of 0)$/],
  ['webhook-envelope=data', ANY, /^webhook\.data/, ANY, /^nothing$/],
  ['event-history=twelve', /^GET \/partner\/webhooks\/events/, ...TOO_LONG],
  ['card-status-parameter=NAME', /^GET \/partner\/cards\?.*\bstatus=/, ...TOO_LONG],
  ['usage-from-parameter=NAME', usageBy('from'), ...TOO_LONG],
  ['usage-to-parameter=NAME', usageBy('to'), ...TOO_LONG],
  ['usage-period-parameter=NAME', usageBy('billingPeriod'), ...TOO_LONG],
  ['usage-type-parameter=NAME', usageBy('type'), ...TOO_LONG],
  ['list-order=oldest', /^GET /, /^body\.data\[\d+\]\.(?:\w*[iI]d|createdAt|email)$/, ANY, /^"/],
];

/**
 * Adds to each difference the settings that may decide as the server did, and returns the register's entry of the first
 * of them; null where no setting is known to decide so.
 */
export function withSettings(
  found: readonly Difference[],
  { request = '', body }: Step,
): { readonly differences: readonly Difference[]; readonly rule: StatedRule | null } {
  const behind = found.map(each =>
    settingsBehind(each, `${request}\n${body === undefined ? '' : JSON.stringify(body)}`),
  );
  const differences = found.map((each, index) => {
    const settings = behind[index] ?? [];
    return settings.length === 0 ? each : { ...each, setting: settings.join(' or ') };
  });
  return { differences, rule: ruleOfAssumption(behind.flat()[0]?.split('=')[0]) };
}

function settingsBehind({ path, expected, got }: Difference, request: string): readonly Sign[0][] {
  if (!STATUS.test(path) && isHundredfold(expected, got)) return ['amount-unit=minor'];
  const fitting = SIGNS.filter(([, call, where, wanted, sent]) => {
    return call.test(request) && where.test(path) && wanted.test(expected) && sent.test(got);
  });
  return fitting.map(([setting]) => setting);
}

function isHundredfold(expected: string, got: string): boolean {
  const amount = Number(expected);
  return amount !== 0 && Number(got) === Math.round(amount * 100);
}
