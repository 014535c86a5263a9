/** Returns a path, or a pattern without the names of its parameters, which do not matter for a match. */
export function withoutNames(pattern: string): string {
  return pattern.replace(/\{[^{}/]*\}/g, '{}');
}
