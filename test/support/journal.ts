import type { TestSandbox } from './sandbox.ts';

/** What the last API request did, as the journal tells it: its events and changes, in order, and its hints. */
export async function lastRequest({ control }: TestSandbox) {
  const { body } = await control('GET', '/requests');
  const [{ events, changes, hints }] = body;
  return {
    events: events.map(({ eventType, resourceId }: Record<string, string>) => `${eventType} ${resourceId}`),
    changes: changes.map(({ action, kind }: Record<string, string>) => `${action} ${kind}`),
    hints,
  };
}
