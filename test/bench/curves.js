const [WIDTH, HEIGHT, MARGIN, GAP] = [320, 180, 60, 40];
const LINE = '#0b5fa5';
const TEXT = 'font-family="sans-serif" font-size="11" fill="#333"';

/**
 * Draws curves as an SVG document: a row for each panel, a diagram for each curve. A panel is `{label, points}`, a curve
 * `{name, of}`; `of` returns the value at a point. Both axes are logarithmic, `size` of a point is the horizontal one.
 */
export function drawCurves(panels, curves) {
  const width = curves.length * (WIDTH + GAP) + GAP;
  const height = panels.length * (HEIGHT + GAP) + GAP;
  const diagrams = panels.flatMap(({ label, points }, row) =>
    curves.map(({ name, of }, column) => {
      const [x, y] = [GAP + column * (WIDTH + GAP), GAP + row * (HEIGHT + GAP)];
      const values = points.map(point => ({ size: point.size, value: of(point) }));
      return `<g transform="translate(${x} ${y})">${diagram(`${name}, by ${label}`, values)}</g>`;
    }),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>How speed, memory and the time of a reset grow</title>
<rect width="100%" height="100%" fill="#fff"/>
${diagrams.join('\n')}
</svg>
`;
}

function diagram(title, points) {
  const across = scale(
    points.map(({ size }) => size),
    [MARGIN, WIDTH],
  );
  const up = scale(
    points.map(({ value }) => value),
    [HEIGHT - GAP / 2, GAP / 2],
  );
  const places = points.map(({ size, value }) => [across(size), up(value)]);
  const marks = points.map(({ size, value }, index) => {
    const [x, y] = places[index];
    return [
      `<circle cx="${x}" cy="${y}" r="3" fill="${LINE}"/>`,
      `<text x="${x}" y="${y - 7}" text-anchor="middle" ${TEXT}>${short(value)}</text>`,
      `<text x="${x}" y="${HEIGHT}" text-anchor="middle" ${TEXT}>${size.toLocaleString('en')}</text>`,
    ].join('');
  });
  const line = places.map(place => place.join(',')).join(' ');
  return `<text x="0" y="0" ${TEXT} font-weight="bold">${title}</text>
<polyline points="${line}" fill="none" stroke="${LINE}" stroke-width="2"/>
${marks.join('\n')}`;
}

/** A logarithmic scale from values, widened to at least a decade, to a range of places. */
function scale(values, [start, end]) {
  const logs = values.map(Math.log10);
  const middle = (Math.min(...logs) + Math.max(...logs)) / 2;
  const half = Math.max(0.5, (Math.max(...logs) - Math.min(...logs)) / 2);
  const margin = end > start ? 30 : 0;
  const from = start + (end > start ? 0 : margin);
  return value => {
    const share = (Math.log10(value) - middle + half) / (2 * half);
    return Math.round(from + share * (end - from - margin));
  };
}

function short(value) {
  if (value >= 10_000) return `${Math.round(value / 1_000)}k`;
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(2);
}
