/** The middle of some numbers. */
export function median(numbers) {
  return sorted(numbers)[numbers.length >> 1];
}

/** The middle of some ratios, and the least and the greatest of them. */
export function spread(numbers) {
  const all = sorted(numbers);
  return { median: all[all.length >> 1], least: all[0], most: all.at(-1) };
}

function sorted(numbers) {
  return numbers.toSorted((a, b) => a - b);
}
