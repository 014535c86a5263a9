/** A fenced block of a document. */
export interface Block {
  /** The first word after the fence, such as `sh`; empty without one. */
  readonly language: string;
  /** The name of the file that the block is: the word after the language, or a comment in its first line. */
  readonly file: string | undefined;
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
  let open: { language: string; file: string | undefined; line: number; lines: string[] } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^```(\w*)(?: (\S+))?/.exec(line);
    if (open !== undefined && fence !== null) {
      const file = open.file ?? /^(?:\/\/|#) (\S+\.\w+)/.exec(open.lines[0] ?? '')?.[1]?.replace(/,$/, '');
      sections.at(-1)?.blocks.push({ ...open, file, text: `${open.lines.join('\n')}\n` });
      open = undefined;
    } else if (open !== undefined) open.lines.push(line);
    else if (fence !== null) open = { language: fence[1] ?? '', file: fence[2], line: index + 1, lines: [] };
    else if (/^#+ /.test(line)) sections.push({ heading: line.replace(/^#+ /, ''), blocks: [] });
  }
  return sections;
}

/** Returns all blocks of a document. */
export function blocksOf(text: string): Block[] {
  return sectionsOf(text).flatMap(({ blocks }) => blocks);
}
