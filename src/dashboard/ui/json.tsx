import { NAMES_HEADER } from '../../client/http.ts';
import { Copy } from './copy.tsx';
import { prettyJson } from './format.ts';
import { Facts } from './panel.tsx';

/** Longer texts are shown without colors, to keep the page responsive: the response of a receiver can have 64 KiB. */
const MAX_COLORED_LENGTH = 40_000;
const TOKENS = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;

function colorTokens(text: string) {
  if (text.length > MAX_COLORED_LENGTH) return text;
  const parts: preact.ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    const [all, string, colon, word] = match;
    parts.push(text.slice(end, match.index));
    end = match.index + all.length;
    if (string !== undefined && colon !== undefined) parts.push(<span class="name">{string}</span>, colon);
    else
      parts.push(
        <span class={string !== undefined ? 'text' : word !== undefined ? 'word' : 'number'}>{all}</span>,
      );
  }
  return [...parts, text.slice(end)];
}

export function Body({ title, text }: { readonly title: string; readonly text: string | null }) {
  return (
    <section class="body">
      <header>
        <h3>{title}</h3>
        {text !== null && text !== '' && (
          <Copy text={prettyJson(text)} title={`Copy ${title.toLowerCase()}`} />
        )}
      </header>
      {text === null || text === '' ? (
        <p class="nothing">empty</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
        <pre tabIndex={0}>
          <code class="json">{colorTokens(prettyJson(text))}</code>
        </pre>
      )}
    </section>
  );
}

/** The headers of a request or a response, closed until one opens them. */
export function HeaderList({
  title,
  headers,
}: {
  readonly title: string;
  readonly headers: Readonly<Record<string, string>> | undefined;
}) {
  // An app sends no such header.
  const all = Object.entries(headers ?? {}).filter(([name]) => name !== NAMES_HEADER);
  return (
    <details class="header-list">
      <summary>
        {title} <span class="tally">{all.length}</span>
      </summary>
      <Facts of={all.map(([name, value]) => [name, <code key={name}>{value}</code>] as const)} />
    </details>
  );
}
