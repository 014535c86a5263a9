import truncatedWidth from 'fast-string-truncated-width';

const ELLIPSIS = '…';

/** Returns how many columns a text takes in a terminal: characters of East Asian scripts and emoji take two. */
export function widthOf(text: string): number {
  return truncatedWidth(text).width;
}

/** Cuts a text to a number of columns, with an ellipsis in place of what is left out. */
export function cutTo(text: string, width: number): string {
  const { index, ellipsed } = truncatedWidth(text, { limit: width, ellipsis: ELLIPSIS });
  return text.slice(0, index) + (ellipsed ? ELLIPSIS : '');
}

/** Breaks a text into pieces of at most `width` columns, and never within a character. */
export function piecesOf(text: string, width: number): string[] {
  const pieces: string[] = [];
  for (let rest = text; rest !== ''; ) {
    const { index } = truncatedWidth(rest, { limit: width });
    // A character that is wider than a line has one of its own.
    const end = index > 0 ? index : ([...rest][0]?.length ?? rest.length);
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return pieces;
}
