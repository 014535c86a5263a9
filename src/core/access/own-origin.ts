/** Whether an `Origin` is that of the sandbox, for a request with this `Host`. `isSecure`: it serves https. */
export function isOwnOrigin(origin: string, host: string | undefined, isSecure: boolean): boolean {
  return origin.toLowerCase() === `${isSecure ? 'https' : 'http'}://${host?.toLowerCase()}`;
}
