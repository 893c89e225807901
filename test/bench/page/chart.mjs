// A chart of ratios: one bar for each, on a logarithmic scale around 1. Pure.

const colors = {
  light: { text: '#1f2328', muted: '#59636e', better: '#1a7f37', worse: '#bc4c00', axis: '#d1d9e0' },
  dark: { text: '#f0f6fc', muted: '#9198a1', better: '#3fb950', worse: '#f0883e', axis: '#3d444d' },
};

const width = 760;
const rowHeight = 38;
const margin = { left: 24, right: 80, top: 34 };
/** Ratios beyond it end at the edge. */
const most = 64;

/** Returns the SVG of rows, `{ label, ratio, isBetter }`, in the colors of a theme, `light` or `dark`. */
export function chartOf(title, rows, theme) {
  const { text, muted, better, worse, axis } = colors[theme];
  const height = margin.top + rows.length * rowHeight + 8;
  const span = width - margin.left - margin.right;
  const x = (ratio) => {
    const bounded = Math.min(most, Math.max(1 / most, ratio));
    return margin.left + (span * (Math.log2(bounded) + Math.log2(most))) / (2 * Math.log2(most));
  };
  const ticks = [1 / 16, 1 / 4, 1, 4, 16].map((ratio) => {
    const at = x(ratio).toFixed(1);
    const label = ratio < 1 ? `1/${1 / ratio}` : String(ratio);
    return (
      `<line x1="${at}" x2="${at}" y1="${margin.top - 6}" y2="${height - 8}" stroke="${ratio === 1 ? muted : axis}"/>` +
      `<text x="${at}" y="${margin.top - 12}" text-anchor="middle" fill="${muted}" font-size="11">${label} ×</text>`
    );
  });
  const bars = rows.map(({ label, ratio, isBetter }, index) => {
    const y = margin.top + index * rowHeight;
    const [from, to] = [x(1), x(ratio)].sort((a, b) => a - b);
    const color = isBetter ? better : worse;
    return (
      `<text x="${margin.left}" y="${y + 12}" fill="${text}" font-size="12">${escaped(label)}</text>` +
      `<rect x="${from.toFixed(1)}" y="${y + 18}" width="${Math.max(1, to - from).toFixed(1)}" height="12" rx="2" fill="${color}"/>` +
      `<text x="${(to + 6).toFixed(1)}" y="${y + 28}" fill="${color}" font-size="12">${Number(ratio.toPrecision(3))}</text>`
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="system-ui, sans-serif">`,
    `<title>${escaped(title)}</title>`,
    ...ticks,
    ...bars,
    '</svg>',
    '',
  ].join('\n');
}

function escaped(value) {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
