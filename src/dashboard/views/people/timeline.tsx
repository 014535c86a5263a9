import { moment } from '../../ui/format.ts';
import type { Moment } from './timeline-entries.ts';

/** Moments under each other, newest first. */
export function Timeline({ moments }: { readonly moments: readonly Moment[] }) {
  return (
    <ol class="timeline">
      {moments.map(({ key, at, tone, title, note, href }) => (
        <li key={key} class={tone}>
          <time dateTime={at}>{moment(at)}</time>
          <p>{href === undefined ? title : <a href={href}>{title}</a>}</p>
          {note !== undefined && <p class="note">{note}</p>}
        </li>
      ))}
    </ol>
  );
}
