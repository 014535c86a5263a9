/** Returns a random text of `length` letters and digits. */
export function randomText(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, byte => (byte % 36).toString(36)).join('');
}
