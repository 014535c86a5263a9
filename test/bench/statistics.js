/** The median of some numbers. */
export function median(numbers) {
  return sorted(numbers)[numbers.length >> 1];
}

/** The value that the given percentage of some numbers does not exceed. */
export function percentile(numbers, percent) {
  return sorted(numbers)[Math.ceil((numbers.length * percent) / 100) - 1];
}

/** The median of some ratios and their range. */
export function spread(numbers) {
  const all = sorted(numbers);
  return { median: all[all.length >> 1], least: all[0], most: all.at(-1) };
}

function sorted(numbers) {
  return numbers.toSorted((a, b) => a - b);
}
