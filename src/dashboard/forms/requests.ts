import { JOURNAL_HEADER } from '../../client/http.ts';
import { sendToApi } from '../data/http.ts';
import type { JournalEntry } from '../data/response-types.ts';
import { partner, partners } from '../data/store.ts';
import { openCreated } from '../route.ts';
import { apiKeyHeader, MASK, toReplayable } from '../ui/curl.ts';
import { openForm } from '../ui/form.tsx';
import { prettyJson } from '../ui/format.ts';
import { plainChoices } from './fields.ts';

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
/** A browser sends no body with these. */
const WITHOUT_BODY = ['GET', 'HEAD'];

/** Sends a request of the journal again as it was, or edited, with mistakes too. Opens the new request. */
export function openResendForm({ method, path, query, partnerId, request }: JournalEntry): void {
  const caller = partners.data.value?.find(({ id }) => id === partnerId) ?? partner.value;
  const target = path.replace(/^\/v1/, '') + (query === '' ? '' : `?${query}`);
  const body = prettyJson(toReplayable(request.body));
  const headers = caller === null ? {} : { [apiKeyHeader()]: caller.apiKey };
  openForm({
    title: 'Edit and send again',
    intro: `Sent with the key of ${caller?.name}. A share token of the request is replaced by a fresh one.`,
    submit: 'Send',
    fields: values => [
      {
        name: 'method',
        label: 'Method',
        kind: 'choice',
        initial: method,
        choices: plainChoices([...new Set([...METHODS, method])]),
      },
      { name: 'path', label: 'Path below /v1', initial: target },
      ...(WITHOUT_BODY.includes(values.method ?? method)
        ? []
        : [
            {
              name: 'body',
              label: 'Body',
              kind: 'area' as const,
              initial: body,
              isOptional: true,
              ...(body.includes(MASK) ? { hint: `The journal masks secrets as ${MASK}. Replace them.` } : {}),
            },
          ]),
    ],
    async run(input) {
      const path = String(input.path);
      if (!path.startsWith('/'))
        throw new Error('Path below /v1: must begin with a slash, such as /partner/cards.');
      const response = await sendToApi(String(input.method), path, input.body, headers);
      const id = response.headers[JOURNAL_HEADER];
      if (id === undefined)
        throw new Error(`The sandbox answered ${response.status} without a journal entry.`);
      openCreated('activity', id);
    },
  });
}
