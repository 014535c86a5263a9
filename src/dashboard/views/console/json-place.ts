/** Where a cursor is in JSON text, which may be incomplete. */
export interface Place {
  /** The names of the members that lead there; `[]` for an item of an array. */
  readonly path: readonly string[];
  /** Whether the name of a member is written there, or a value. */
  readonly kind: 'name' | 'value';
  /** Where the token at the cursor begins. */
  readonly from: number;
  /** The names that the object has before the cursor, for a name. */
  readonly present: readonly string[];
}

interface Level {
  readonly isArray: boolean;
  readonly names: string[];
  name: string | null;
}

/** A string, perhaps cut off, a bracket, a separator, or another token. */
const TOKEN = /"(?:[^"\\]|\\.)*"?|[{}[\]:,]|[^\s"{}[\]:,]+/g;

/** Returns the place at the end of a text, or null where nothing can be written but punctuation. */
export function placeAtEnd(text: string): Place | null {
  const levels: Level[] = [];
  let last = '';
  let lastAt = 0;
  let before = '';
  for (const match of text.matchAll(TOKEN)) {
    before = last;
    last = match[0];
    lastAt = match.index;
    const level = levels.at(-1);
    if (last === '{' || last === '[') levels.push({ isArray: last === '[', names: [], name: null });
    else if (last === '}' || last === ']') levels.pop();
    else if (last === ',' && level !== undefined) level.name = null;
    else if (last === ':' && level !== undefined && before.startsWith('"')) {
      level.name = before.replace(/^"|"$/g, '');
      level.names.push(level.name);
    }
  }
  const level = levels.at(-1);
  if (level === undefined) return null;
  const isToken = !/^[{}[\]:,]?$/.test(last);
  const isInToken = isToken && (isOpenString(last) || (!last.startsWith('"') && /\S$/.test(text)));
  if (isToken && !isInToken) return null;
  const previous = isInToken ? before : last;
  if (previous === '}' || previous === ']') return null;
  const isName = !level.isArray && level.name === null;
  const path = levels.slice(0, -1).map(each => (each.isArray ? '[]' : (each.name ?? '')));
  return {
    path: isName ? path : [...path, level.isArray ? '[]' : (level.name ?? '')],
    kind: isName ? 'name' : 'value',
    from: isInToken ? lastAt : text.length,
    present: level.names,
  };
}

function isOpenString(token: string): boolean {
  return token.startsWith('"') && !/^"(?:[^"\\]|\\.)*"$/.test(token);
}
