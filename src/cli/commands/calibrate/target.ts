import { InvalidArgumentError } from 'commander';
import { ASSUMPTIONS } from '../../../client/generated/assumptions.ts';
import { LIVE_KEY_PREFIX } from '../../../core/redaction/redact.ts';
import { suggestion } from '../../../core/values/nearest.ts';
import { VARIABLES, type VariableName, type Variables } from '../../../tools/calibrate/lab/lab.ts';
import { probes } from '../../../tools/calibrate/probes/catalogue.ts';
import { UsageError } from '../../errors.ts';
import { collect, visibleText } from '../../flags.ts';

const PRODUCTION = /(?:^|[.\-_/])(?:prod|production|live)(?=$|[.\-_/])/i;
const NOT_PRODUCTION = /sandbox|test|staging/i;

/** Parses the base URL of a service. Refuses one that names production. */
export function baseUrlOf(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new InvalidArgumentError('It must be an absolute http:// or https:// URL.');
  }
  const { hostname, pathname, search, username } = new URL(text);
  if (search !== '' || username !== '') {
    throw new InvalidArgumentError('It must have no query and no user name.');
  }
  const isProduction = [hostname, pathname].some(each => PRODUCTION.test(each));
  if (isProduction && !NOT_PRODUCTION.test(hostname + pathname)) {
    throw new InvalidArgumentError(
      'It names production, whose cards are real; use the sandbox of the service.',
    );
  }
  return text.replace(/\/+$/, '');
}

/** Parses an API key. Throws a UsageError for those of production. */
export function testKeyOf(text: string): string {
  if (isLiveKey(text)) {
    // Not an InvalidArgumentError, whose message contains the key.
    throw new UsageError('--api-key is a production key, and probes would create real records with it');
  }
  return visibleText(text);
}

/** Parses `NAME=VALUE` for a repeatable flag. Refuses unknown names, and production keys. */
export function variableOf(text: string, previous: Variables = {}): Variables {
  const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? [];
  if (!isVariable(name)) {
    const names = Object.keys(VARIABLES);
    const hint = suggestion(name, names) || `; the names are ${names.join(', ')}`;
    throw new InvalidArgumentError(
      `It must be a known name and a value, such as cardProgramId=prog_1${hint}.`,
    );
  }
  if (isLiveKey(value)) throw new UsageError(`--var ${name} is a production key`);
  return { ...previous, [name]: value };
}

function isVariable(name: string): name is VariableName {
  return Object.hasOwn(VARIABLES, name);
}

function isLiveKey(text: string): boolean {
  return text.trim().toLowerCase().startsWith(LIVE_KEY_PREFIX);
}

/** Parses the id of an entry for a repeatable flag. Refuses unknown ones. */
export function entryOf(text: string, previous: unknown): readonly string[] {
  const ids = [...ASSUMPTIONS, ...probes].map(({ id }) => id);
  if (ids.some(id => id === text)) return collect(text, previous);
  const hint = suggestion(text, ids) || '; docs/fidelity.md lists the entries';
  throw new InvalidArgumentError(`It must be the id of an entry of the register${hint}.`);
}
