import measure from 'fast-string-truncated-width';
import { once } from '../../core/values/once.ts';

const ELLIPSIS = '…';

const segmenter = once(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));

/** Returns how many columns a text takes in a terminal: characters of East Asian scripts and emoji take two. */
export function widthOf(text: string): number {
  return measure(text).width;
}

/** Cuts a text to a number of columns, with an ellipsis in place of what is left out. */
export function cutTo(text: string, width: number): string {
  // No character takes more than two columns for each of its UTF-16 units.
  if (2 * text.length <= width || widthOf(text) <= width) return text;
  let room = width - widthOf(ELLIPSIS);
  if (room < 0) return '';
  // The package's own cut is wider than its limit for most scripts, so each character is measured.
  for (const { segment, index } of segmenter().segment(text)) {
    room -= widthOf(segment);
    if (room < 0) return text.slice(0, index) + ELLIPSIS;
  }
  return text;
}

/** Breaks a text into pieces of at most `width` columns, and never within a character. */
export function piecesOf(text: string, width: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let used = 0;
  for (const { segment } of segmenter().segment(text)) {
    const own = widthOf(segment);
    // A character that is wider than a line has one of its own.
    if (used > 0 && used + own > width) {
      pieces.push(piece);
      piece = '';
      used = 0;
    }
    piece += segment;
    used += own;
  }
  return piece === '' ? pieces : [...pieces, piece];
}
