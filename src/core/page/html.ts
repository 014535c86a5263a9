/** A piece of escaped HTML. */
export interface Html {
  readonly markup: string;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Writes HTML. Strings are escaped for text and quoted attributes alike. Pieces of HTML and lists of them are inserted
 * as they are; null is left out.
 */
export function html(
  strings: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[] | null)[]
): Html {
  const parts = strings.map((text, index) => text + markupOf(values[index] ?? null));
  return { markup: parts.join('') };
}

/** Marks the sandbox's own text as HTML. Never call it with text from outside. */
export function ownMarkup(markup: string): Html {
  return { markup };
}

function markupOf(value: string | Html | readonly Html[] | null): string {
  if (value === null) return '';
  if (typeof value === 'string') return value.replace(/[&<>"']/g, character => ESCAPES[character] ?? '');
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}
