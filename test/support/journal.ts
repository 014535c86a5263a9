import type { TestSandbox } from './sandbox.ts';

/** The events, changes and hints of the last API request, from the journal. */
export async function lastRequest({ control }: TestSandbox) {
  const { body } = await control('GET', '/requests');
  const [{ events, changes, hints }] = body;
  return {
    events: events.map(({ eventType, resourceId }: Record<string, string>) => `${eventType} ${resourceId}`),
    changes: changes.map(({ action, kind }: Record<string, string>) => `${action} ${kind}`),
    hints,
  };
}
