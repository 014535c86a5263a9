import { pretty } from './format.ts';
import { Copy } from './copy.tsx';

const LONGEST_COLOURED = 40_000;
const TOKENS = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;

/** JSON text in colours: names, texts, numbers and words; `marked` names stand out. */
export function Json({ text, marked = [] }: { readonly text: string; readonly marked?: readonly string[] }) {
  return <code class="json">{coloured(pretty(text), new Set(marked))}</code>;
}

function coloured(text: string, marked: ReadonlySet<string>) {
  if (text.length > LONGEST_COLOURED) return text;
  const parts: preact.ComponentChildren[] = [];
  let end = 0;
  let isMarked = false;
  for (const match of text.matchAll(TOKENS)) {
    const [all, string, colon, word] = match;
    const start = match.index;
    parts.push(text.slice(end, start));
    end = start + all.length;
    if (string !== undefined && colon !== undefined) {
      isMarked = marked.has(string.slice(1, -1));
      parts.push(<span class={isMarked ? 'name marked' : 'name'}>{string}</span>, colon);
      continue;
    }
    const kind = string !== undefined ? 'text' : word !== undefined ? 'word' : 'number';
    parts.push(<span class={isMarked ? `${kind} marked` : kind}>{all}</span>);
    isMarked = false;
  }
  return [...parts, text.slice(end)];
}

/** A body as it went over the wire, under a heading, with a copy button; an empty one says so. */
export function Body({ title, text }: { readonly title: string; readonly text: string | null }) {
  return (
    <section class="body">
      <header>
        <h3>{title}</h3>
        {text !== null && text !== '' && <Copy text={pretty(text)} title={`Copy ${title.toLowerCase()}`} />}
      </header>
      {text === null || text === '' ? (
        <p class="nothing">empty</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
        <pre tabIndex={0}>
          <Json text={text} />
        </pre>
      )}
    </section>
  );
}
