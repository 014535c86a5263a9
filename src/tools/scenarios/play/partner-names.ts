import { createNameTranslator, type Names } from '../../../core/values/names.ts';

/** Replaces the neutral names in all texts of a JSON value with a partner's own. */
export function inNames<T>(value: T, names: Names): T {
  const translator = createNameTranslator(names);
  // Names are letters, digits and hyphens, so that the result is JSON of the same shape.
  return translator === null ? value : (JSON.parse(translator.text(JSON.stringify(value))) as T);
}

/** Returns a function that translates the name of a header to a partner's own. */
export function headerNames(names: Names): (header: string) => string {
  const translator = createNameTranslator(names);
  return name => translator?.text(name) ?? name;
}
