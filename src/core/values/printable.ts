/**
 * Makes untrusted text safe to print. Control characters, and invisible characters that reorder or hide text, become
 * JSON escapes, so that JSON keeps its meaning.
 */
export function printable(text: string): string {
  // The fast path for most lines of a log.
  if (/^[ -~]*$/.test(text)) return text;
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, character =>
    character.split('').map(escaped).join(''),
  );
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
