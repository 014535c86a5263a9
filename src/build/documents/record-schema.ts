import * as z from 'zod';
import { Header, LINES } from '../../control/history/record/format.ts';

export function recordJsonSchema(): Record<string, unknown> {
  const later = Object.entries(LINES).map(([name, line]) => z.strictObject({ [name]: line }));
  const schema = z.toJSONSchema(z.union([Header, ...later]), { unrepresentable: 'any' });
  return { ...schema, title: 'A line of a card-sandbox record' };
}
