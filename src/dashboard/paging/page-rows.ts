/** Rows on one page of a list. */
export const PAGE_ROWS = 50;
