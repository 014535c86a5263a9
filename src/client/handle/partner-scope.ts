import type { Call } from '../call.ts';
import { OPERATIONS } from '../generated/operations.ts';

const SCOPES = OPERATIONS.flatMap(({ method, path, partnerIn }) =>
  partnerIn === undefined ? [] : [{ route: `${method} ${path}`, part: partnerIn }],
)
  // A path without parameters is the operation, even where a pattern matches it too.
  .sort((one, other) => Number(one.route.includes('{')) - Number(other.route.includes('{')))
  .map(({ route, part }) => ({ pattern: new RegExp(`^${route.replace(/\{\w+\}/g, '[^/]+')}$`), part }));

/** The same calls, with the id of a partner wherever an operation takes one and the caller names none. */
export function scopedCall(call: Call, partnerId: string): Call {
  return <T>(method: string, path: string, options: Parameters<Call>[2] = {}): Promise<T> => {
    const part = SCOPES.find(({ pattern }) => pattern.test(`${method} ${path}`))?.part;
    if (part === undefined) return call<T>(method, path, options);
    // The bodies of operations that take a partner are objects.
    const members = (options[part] ?? {}) as { readonly partnerId?: string | undefined };
    const scoped = { ...members, partnerId: members.partnerId ?? partnerId };
    return call<T>(method, path, { ...options, [part]: scoped });
  };
}
