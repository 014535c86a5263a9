/** Returns `cardProgramId` as `card-program-id` and `card_issuance` as `card-issuance`. */
export function kebab(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}

/** Returns `card-program-id` as `cardProgramId`. */
export function camelCase(name: string): string {
  return name.replace(/-([a-z\d])/g, (_match, letter: string) => letter.toUpperCase());
}
