import { Facts } from '../../ui/panel.tsx';

/** The headers of a request or a response, closed until one opens them. */
export function HeaderList({
  title,
  headers,
}: {
  readonly title: string;
  readonly headers: Readonly<Record<string, string>> | undefined;
}) {
  const all = Object.entries(headers ?? {});
  return (
    <details class="header-list">
      <summary>
        {title} <span class="tally">{all.length}</span>
      </summary>
      <Facts of={all.map(([name, value]) => [name, <code key={name}>{value}</code>] as const)} />
    </details>
  );
}
