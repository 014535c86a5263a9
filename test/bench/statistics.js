/** The median of some numbers. */
export function median(numbers) {
  return sorted(numbers)[numbers.length >> 1];
}

/** The value that the given percentage of some numbers does not exceed. */
export function percentile(numbers, percent) {
  return sorted(numbers)[Math.ceil((numbers.length * percent) / 100) - 1];
}

/** The median of some numbers, their range, and their swing: how far their middle half extends, as a share of the median. */
export function spread(numbers) {
  const all = sorted(numbers);
  const middle = all[all.length >> 1];
  const swing = (percentile(all, 75) - percentile(all, 25)) / Math.abs(middle);
  return { median: middle, least: all[0], most: all.at(-1), swing };
}

function sorted(numbers) {
  return numbers.toSorted((a, b) => a - b);
}
