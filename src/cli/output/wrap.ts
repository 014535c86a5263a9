import { piecesOf, widthOf } from './width.ts';

/** Breaks a text into lines of at most `width` columns between words. A longer word, such as a URL, stays whole. */
export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  let line: string | null = null;
  for (const word of text.split(' ')) {
    if (line !== null && widthOf(line) + 1 + widthOf(word) <= width) {
      line += ` ${word}`;
      continue;
    }
    if (line !== null) lines.push(line);
    line = word;
  }
  return line === null ? lines : [...lines, line];
}

/** Breaks a text into lines of at most `width` columns, between words where possible. */
export function wrapText(text: string, width: number): string[] {
  if (width === Number.POSITIVE_INFINITY) return [text];
  const room = Math.max(1, width);
  return wrapWords(text, room).flatMap(line => (line === '' ? [line] : piecesOf(line, room)));
}

const HANGING_INDENT = '    ';

/** Wraps each line of a text between words. What continues a line is indented more than the line. */
export function wrapLines(text: string, width: number): string {
  if (width === Number.POSITIVE_INFINITY) return text;
  return text
    .split('\n')
    .flatMap(line => {
      const indent = line.slice(0, line.length - line.trimStart().length);
      const [first = '', ...rest] = wrapWords(line.slice(indent.length), width - indent.length);
      const hanging = indent + HANGING_INDENT;
      const others = wrapWords(rest.join(' '), width - hanging.length);
      return [indent + first, ...(rest.length === 0 ? [] : others.map(each => hanging + each))];
    })
    .join('\n');
}

/** Wraps the prose of a Markdown document: paragraphs and list items, not code, tables, headings and front matter. */
export function wrapMarkdown(text: string, width: number): string {
  if (width === Number.POSITIVE_INFINITY) return text;
  const blocks = text.split(/^(---\n[\s\S]*?\n---$|```[\s\S]*?\n```$)/m);
  return blocks.map((block, index) => (index % 2 === 1 ? block : wrapProse(block, width))).join('');
}

function wrapProse(text: string, width: number): string {
  // A line that begins nothing of its own continues the one before it.
  const joined = text.replace(/(?<=[^\n|])\n(?=[^\s#|-])/g, ' ');
  return joined
    .split('\n')
    .map(line => (/^[|#]/.test(line) ? line : wrapItem(line, width)))
    .join('\n');
}

function wrapItem(line: string, width: number): string {
  const indent = line.startsWith('- ') ? '  ' : '';
  return wrapWords(line, width - indent.length).join(`\n${indent}`);
}
