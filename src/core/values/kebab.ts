/** Returns `cardProgramId` as `card-program-id`. */
export function kebab(name: string): string {
  return name.replace(/([a-z\d])([A-Z])/g, '$1-$2').toLowerCase();
}

/** Returns `card-program-id` as `cardProgramId`. */
export function camelCase(name: string): string {
  return name.replace(/-([a-z\d])/g, (_match, letter: string) => letter.toUpperCase());
}
