import { findExample } from '../../../control/world/coverage.ts';
import { operations } from '../../../sandbox/operations.ts';

/** How the request of a command line differs from any other. */
const WITH: Readonly<Record<string, string>> = {
  'live-keys': ' with a production key',
  'invalid-input': ' with a body that is not JSON',
  400: ' with a body that is not JSON',
};

/** Returns the request that shows a condition, in one line and without secrets. */
export function conditionHint(id: string): string | null {
  const example = findExample(operations, id);
  if (example === undefined) return null;
  const { steps, command, option } = example;
  const [, method = '', path = ''] = /-X (\w+) .*"\$SERVICE_BASE_URL([^"]*)"$/.exec(command ?? '') ?? [];
  const last = steps.flatMap(
    ({ request, control }) => request ?? (control && `${control}, of the control plane`) ?? [],
  );
  const call = command === null ? last.at(-1) : `${method} ${path}${WITH[id.split(' ').at(-1) ?? ''] ?? ''}`;
  return `Shown by ${String(call).replaceAll('${', '{')}${option === null ? '' : `, with ${option}`}`;
}
