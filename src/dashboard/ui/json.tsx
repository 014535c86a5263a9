import { NAMES_HEADER } from '../../client/http.ts';
import { Copy } from './copy.tsx';
import { prettyJson } from './format.ts';
import { Facts } from './panel.tsx';

/** Longer texts are shown without colors, to keep the page responsive. */
const MAX_COLORED_LENGTH = 40_000;
const TOKENS = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;

interface JsonProps {
  readonly text: string;
  /** Names of members to highlight. */
  readonly highlight?: readonly string[];
}

/** JSON text, indented and colored by the kind of token. */
export function Json({ text, highlight = [] }: JsonProps) {
  return <code class="json">{colorTokens(prettyJson(text), new Set(highlight))}</code>;
}

function colorTokens(text: string, highlight: ReadonlySet<string>) {
  if (text.length > MAX_COLORED_LENGTH) return text;
  const parts: preact.ComponentChildren[] = [];
  let end = 0;
  let isHighlighted = false;
  for (const match of text.matchAll(TOKENS)) {
    const [all, string, colon, word] = match;
    const start = match.index;
    parts.push(text.slice(end, start));
    end = start + all.length;
    if (string !== undefined && colon !== undefined) {
      isHighlighted = highlight.has(string.slice(1, -1));
      parts.push(<span class={isHighlighted ? 'name highlighted' : 'name'}>{string}</span>, colon);
      continue;
    }
    const kind = string !== undefined ? 'text' : word !== undefined ? 'word' : 'number';
    parts.push(<span class={isHighlighted ? `${kind} highlighted` : kind}>{all}</span>);
    isHighlighted = false;
  }
  return [...parts, text.slice(end)];
}

/** A request or response body under a heading, with a copy button. */
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
          <Json text={text} />
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
