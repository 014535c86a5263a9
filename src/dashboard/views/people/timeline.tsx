import { dateTime } from '../../ui/format.ts';
import type { TimelineEntry } from './timeline-entries.ts';

/** A list of timeline entries. */
export function Timeline({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  return (
    <ol class="timeline">
      {entries.map(({ key, at, tone, title, note, href }) => (
        <li key={key} class={tone}>
          <time dateTime={at}>{dateTime(at)}</time>
          <p>{href === undefined ? title : <a href={href}>{title}</a>}</p>
          {note !== undefined && <p class="note">{note}</p>}
        </li>
      ))}
    </ol>
  );
}
