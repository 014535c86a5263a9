import type { JournalEntry } from '../../data/response-types.ts';
import { linkTo, viewOfId } from '../../route.ts';
import { Badge } from '../../ui/badge.tsx';
import { changedMembers } from './changed-members.ts';

type Change = JournalEntry['changes'][number];

const TONES = { created: 'good', updated: 'info', deleted: 'bad' } as const;

const SHOWN: ReadonlySet<string> = new Set([
  'cardholder',
  'card',
  'transaction',
  'KYC session',
  'share token',
  'delivery event',
]);

export function ChangeList({ changes }: { readonly changes: readonly Change[] }) {
  return (
    <ul class="changes">
      {changes.map((change, index) => (
        <li key={`${change.kind} ${change.id} ${index}`}>
          <details open={change.action === 'updated'}>
            <summary>
              <Badge tone={TONES[change.action]} text={change.action} />
              <span>{change.kind}</span>
              <code>{change.id}</code>
            </summary>
            <ChangedMembers change={change} />
            {SHOWN.has(change.kind) && change.after !== null && (
              <a href={linkOf(change)}>Open the {change.kind}</a>
            )}
          </details>
        </li>
      ))}
    </ul>
  );
}

/** The address of a record. The id of a share token is not that of its page, but its list finds it. */
function linkOf({ kind, id }: Change): string {
  return kind === 'share token' ? linkTo('share-tokens', null, { q: id }) : linkTo(viewOfId(id), id);
}

function ChangedMembers({ change: { before, after } }: { readonly change: Change }) {
  const members = changedMembers(before, after);
  if (members.length === 0) return <p class="nothing">No field has another value.</p>;
  return (
    <table class="changed-members">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {members.map(member => (
          <tr key={member.path}>
            <th scope="row">{member.path}</th>
            <td>
              <MemberValue value={member.before} />
            </td>
            <td>
              <MemberValue value={member.after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function MemberValue({ value }: { readonly value: unknown }) {
  if (value === undefined) return <span class="nothing">–</span>;
  return <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>;
}
