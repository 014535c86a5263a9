const REFERENCE = /\$?\$\{([^}]*)\}/g;

export type Variables = ReadonlyMap<string, unknown>;

export class UndefinedVariableError extends Error {
  override readonly name = 'UndefinedVariableError';
  readonly variable: string;

  constructor(variable: string) {
    super(`\${${variable}} has no value`);
    this.variable = variable;
  }
}

type Path = readonly (string | number)[];

/** Returns every text in a value, with its path. */
export function textsIn(value: unknown, path: Path = []): { text: string; path: Path }[] {
  if (typeof value === 'string') return [{ text: value, path }];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => textsIn(member, [...path, name]));
}

/** Returns the variables that texts in a value refer to, each with the path of the text. `$${` is not a reference. */
export function referencesIn(value: unknown): { name: string; path: Path }[] {
  return textsIn(value).flatMap(({ text, path }) =>
    [...text.matchAll(REFERENCE)]
      .filter(([whole]) => !whole.startsWith('$$'))
      .map(([, name = '']) => ({ name, path })),
  );
}

/** Returns a text for a value in it, as it is to stand there. */
type Insert = (value: string, text: string) => string;

/**
 * Returns a value with every `${name}` in its texts replaced. A text that is only a reference takes the type of the
 * variable. Throws an UndefinedVariableError for the first variable without a value.
 */
export function fill<T>(value: T, variables: Variables): T {
  // The result has the same shape; only texts may become values of other types.
  return fillValue(value, variables, inserted => inserted) as T;
}

/** As `fill`, for an expectation: in a regular expression, a value matches itself. */
export function fillExpected<T>(value: T, variables: Variables): T {
  const insert: Insert = (inserted, text) =>
    /^\/.+\/$/s.test(text) ? inserted.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') : inserted;
  return fillValue(value, variables, insert) as T;
}

function fillValue(value: unknown, variables: Variables, insert: Insert): unknown {
  if (typeof value === 'string') return fillText(value, variables, insert);
  if (Array.isArray(value)) return value.map(item => fillValue(item, variables, insert));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, fillValue(member, variables, insert)]),
  );
}

function fillText(text: string, variables: Variables, insert: Insert): unknown {
  const whole = /^\$\{([^}]*)\}$/.exec(text)?.[1];
  if (whole !== undefined) return getDefined(whole, variables);
  return text.replace(REFERENCE, (reference: string, name: string) => {
    if (reference.startsWith('$$')) return reference.slice(1);
    const value = getDefined(name, variables);
    return insert(typeof value === 'string' ? value : JSON.stringify(value), text);
  });
}

function getDefined(name: string, variables: Variables): unknown {
  if (!variables.has(name)) throw new UndefinedVariableError(name);
  return variables.get(name);
}
