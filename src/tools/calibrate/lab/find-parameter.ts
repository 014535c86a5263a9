import type { Exchange } from '../../evidence.ts';
import { Undecided } from '../probe.ts';
import { isInvalid, isOk, totalOf } from '../service/responses.ts';
import type { Lab } from './lab.ts';
import { type Filter, parameterNames } from './parameter-names.ts';

/** A parameter of a list that filters. */
export interface FoundParameter {
  readonly name: string;
  /** The response without it, or with an unknown name, and the one that shows its effect. */
  readonly exchanges: readonly [Exchange, Exchange];
}

/** A filter, and the values that show which parameter it is. */
export interface Bait {
  readonly filter: Filter;
  /** Values to try in turn. A value that matches nothing shows only in a list that has records. */
  readonly values: readonly string[];
  /** A value that the filter accepts. */
  readonly valid: string;
}

/** More in one request would make its URL too long for some servers. */
const MAX_NAMES = 60;

/**
 * Finds the parameter of a filter by its effect: with a value that cannot match, the service refuses the request or
 * returns no records. Many names are sent in one request, because unknown ones are ignored; a service that refuses
 * unknown ones gets each name alone, with a valid value. Rejects with Undecided when
 * none has an effect.
 */
export async function findParameter(
  lab: Lab,
  path: string,
  { filter, values, valid }: Bait,
): Promise<FoundParameter> {
  const plain = await lab.once(`first of ${path}`, () => lab.service.get(path, { limit: '1' }));
  const total = totalOf(plain);
  const { parameters } = lab.variables;
  const ask = (names: readonly string[], value: string) =>
    lab.service.get(path, { limit: '1', ...Object.fromEntries(names.map(name => [name, value])) });
  const hasEffect = (exchange: Exchange) =>
    isInvalid(exchange) || (total !== null && total > 0 && totalOf(exchange) === 0);
  const control = await ask(['cardSandboxCalibration'], values[0] ?? '');
  const names = parameterNames(filter, parameters?.split(','));
  if (hasEffect(control)) {
    for (const name of names) {
      const exchange = await ask([name], valid);
      if (isOk(exchange)) return { name, exchanges: [control, exchange] };
    }
    throw new Undecided('the name of the filter in --var parameters=…', control);
  }
  for (const value of values) {
    const [usual = ''] = names;
    const alone = await ask([usual], value);
    if (hasEffect(alone)) return { name: usual, exchanges: [plain, alone] };
    for (let at = 0; at < names.length; at += MAX_NAMES) {
      let candidates = names.slice(at, at + MAX_NAMES);
      let shown = await ask(candidates, value);
      if (!hasEffect(shown)) continue;
      while (candidates.length > 1) {
        const half = candidates.slice(0, Math.ceil(candidates.length / 2));
        const exchange = await ask(half, value);
        const isInHalf = hasEffect(exchange);
        if (isInHalf) shown = exchange;
        candidates = isInHalf ? half : candidates.slice(half.length);
      }
      const [name = ''] = candidates;
      shown = await ask([name], value);
      if (hasEffect(shown)) return { name, exchanges: [plain, shown] };
    }
  }
  throw new Undecided(`a name of the filter that has an effect; pass --var parameters=…`, plain);
}
