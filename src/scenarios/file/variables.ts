const CALLED = /\$?\$\{([^}]*)\}/g;

/** Values by the names that `${…}` calls. */
export type Variables = ReadonlyMap<string, unknown>;

/** A variable that has no value at this point. */
export class UndefinedVariableError extends Error {
  override readonly name = 'UndefinedVariableError';
  readonly variable: string;

  constructor(variable: string) {
    super(`\${${variable}} has no value`);
    this.variable = variable;
  }
}

/** The names that texts in a value call, each with the path to the text. `$${` calls nothing. */
export function calledIn(
  value: unknown,
  path: readonly (string | number)[] = [],
): { name: string; path: readonly (string | number)[] }[] {
  if (typeof value === 'string') {
    const calls = [...value.matchAll(CALLED)].filter(([whole]) => !whole.startsWith('$$'));
    return calls.map(([, name = '']) => ({ name, path }));
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => calledIn(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => calledIn(member, [...path, name]));
}

/**
 * A value with every `${name}` in its texts replaced. A text that is nothing else takes the type of what it
 * names. Throws an UndefinedVariableError for the first without a value.
 */
export function fill<T>(value: T, variables: Variables): T {
  // What comes out has the shape of what went in; only texts may become values of other types.
  return filled(value, variables) as T;
}

function filled(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return filledText(value, variables);
  if (Array.isArray(value)) return value.map(item => filled(item, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, variables)]));
}

function filledText(text: string, variables: Variables): unknown {
  const whole = /^\$\{([^}]*)\}$/.exec(text)?.[1];
  if (whole !== undefined) return definedValue(whole, variables);
  return text.replace(CALLED, (called: string, name: string) => {
    if (called.startsWith('$$')) return called.slice(1);
    const value = definedValue(name, variables);
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

function definedValue(name: string, variables: Variables): unknown {
  if (!variables.has(name)) throw new UndefinedVariableError(name);
  return variables.get(name);
}
