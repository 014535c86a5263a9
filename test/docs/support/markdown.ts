/** A fenced block of a document. */
export interface Block {
  /** The first word after the fence, such as `sh`; empty without one. */
  readonly language: string;
  readonly text: string;
  /** Number of the line of its fence. */
  readonly line: number;
}

/** What stands below a heading of a document, up to the next one. */
export interface Section {
  readonly heading: string;
  readonly blocks: readonly Block[];
}

/** Splits a document at its headings. */
export function sectionsOf(text: string): Section[] {
  const sections: { heading: string; blocks: Block[] }[] = [{ heading: '', blocks: [] }];
  let open: { language: string; line: number; lines: string[] } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^```(\w*)/.exec(line);
    if (open !== undefined && fence !== null) {
      const block = { language: open.language, line: open.line, text: `${open.lines.join('\n')}\n` };
      sections.at(-1)?.blocks.push(block);
      open = undefined;
    } else if (open !== undefined) open.lines.push(line);
    else if (fence !== null) open = { language: fence[1] ?? '', line: index + 1, lines: [] };
    else if (/^#+ /.test(line)) sections.push({ heading: line.replace(/^#+ /, ''), blocks: [] });
  }
  return sections;
}

/** Returns all blocks of a document. */
export function blocksOf(text: string): Block[] {
  return sectionsOf(text).flatMap(({ blocks }) => blocks);
}
