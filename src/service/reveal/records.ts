import * as z from 'zod';
import {
  defineTable,
  type RowOf,
  rowSchema,
  StoredId,
  StoredTime,
} from '../../core/store/table-definition.ts';
import { timeOf } from '../../core/values/timestamp.ts';
import { HttpUrl } from '../../core/values/url.ts';

/** The id is the token in the link's path. */
const RevealLinkRow = rowSchema(() => ({
  cardId: StoredId,
  stylesheetUrl: HttpUrl.nullable(),
  copyPan: z.boolean(),
  createdAt: StoredTime,
  expiresAt: StoredTime,
  /** When the card was shown; null before that. */
  usedAt: StoredTime.nullable(),
}));

/** A link that shows one card once. */
export type RevealLinkRow = RowOf<typeof RevealLinkRow>;

/** Reveal links, grouped by partner and by use; their time is the expiry. */
export const revealLinks = defineTable({
  kind: 'reveal link',
  row: RevealLinkRow,
  groups: {
    used: row => (row.usedAt === null ? null : row.partnerId),
    unused: row => (row.usedAt === null ? row.partnerId : null),
  },
  timeOf: row => timeOf(row.expiresAt),
});
