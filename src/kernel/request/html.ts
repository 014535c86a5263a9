/** A piece of HTML that is safe to send as it is. */
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
 * Writes HTML: texts are escaped, so that they can stand between tags and in quoted attributes alike; pieces of HTML
 * and lists of them are put in as they are, null is left out.
 */
export function html(
  strings: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[] | null)[]
): Html {
  const parts = strings.map((text, index) => text + markupOf(values[index] ?? null));
  return { markup: parts.join('') };
}

/** Takes a text of our own for HTML. Never call it with anything that came from outside. */
export function ownMarkup(markup: string): Html {
  return { markup };
}

function markupOf(value: string | Html | readonly Html[] | null): string {
  if (value === null) return '';
  if (typeof value === 'string') return value.replace(/[&<>"']/g, character => ESCAPES[character] ?? '');
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}
