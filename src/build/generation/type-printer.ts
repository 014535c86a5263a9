import type { Type } from './types.ts';

/** Prints a type, read-only at every depth. `nameOf` returns the name of a nested type, or undefined to spell it out. */
export function print(type: Type, nameOf: (type: Type) => string | undefined): string {
  const nested = (part: Type) => nameOf(part) ?? print(part, nameOf);
  if (type.kind === 'text') return type.text;
  if (type.kind === 'array') {
    const items = nested(type.items);
    return `readonly ${/^[\w<>]+$/.test(items) ? items : `(${items})`}[]`;
  }
  if (type.kind === 'record') return `Readonly<Record<string, ${nested(type.values)}>>`;
  if (type.kind === 'union') return type.variants.map(nested).join(' | ');
  const members = type.members.map(({ name, isOptional, description, type: member }) => {
    const comment = description === undefined ? '' : `/** ${description} */\n`;
    return `${comment}readonly ${name}${isOptional ? '?' : ''}: ${nested(member)};\n`;
  });
  return `{\n${members.join('')}}`;
}
