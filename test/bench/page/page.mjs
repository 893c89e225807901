// The page of benchmarks from the figures of a run. Pure.
import { areas } from './areas.mjs';
import { chartOf } from './chart.mjs';

const verdicts = { met: 'met', noise: 'met in the best run', missed: '**missed**', noted: '' };

/**
 * Returns the files of the page by path below `docs`: `benchmarks.md`, and a chart of the ratios of each
 * area in light and in dark. `figures` is what `--json` writes.
 */
export function pageOf({ machine, date, rows }) {
  const files = new Map();
  const sections = areas.flatMap((area) => {
    const own = rows.filter(({ part }) => area.parts.includes(part));
    if (own.length === 0) return [];
    const bars = own.filter(({ unit }) => unit === '×').map(barOf);
    for (const theme of bars.length > 0 ? ['light', 'dark'] : [])
      files.set(`pictures/bench-${area.id}-${theme}.svg`, chartOf(area.title, bars, theme));
    const picture = bars.length > 0 ? [pictureOf(area), ''] : [];
    return [`## ${area.title}`, '', area.text, '', ...picture, ...tableOf(own), ''];
  });
  const missed = rows.filter(({ verdict }) => verdict === 'missed').length;
  const judged = rows.filter(({ verdict }) => verdict !== 'noted').length;
  const head = [
    '# Benchmarks',
    '',
    `Figures of \`npm run bench\` on one machine: ${machine}, ${date.slice(0, 10)}. Each ratio compares programs of one run, which`,
    'take turns in fresh processes. `test/bench/page/write.mjs` writes this page and its charts from the results of the run,',
    `with all rows: ${judged} of them have a budget (\`test/bench/budgets.mjs\`), which ${missed} miss.`,
    '',
    'Ratios are kgen over the peer. Bars in green are better than the peer: to the left of 1 for costs, to the right for rates.',
    'Programs, peers and their versions are in `test/bench`.',
    '',
  ];
  files.set('benchmarks.md', `${[...head, ...sections].join('\n').trimEnd()}\n`);
  return files;
}

function barOf({ what, median, budget }) {
  const isRate = budget.least !== undefined || /: (rate|throughput) of /.test(what);
  return { label: what, ratio: median, isBetter: isRate ? median >= 1 : median <= 1 };
}

function pictureOf({ id, title }) {
  const [light, dark] = ['light', 'dark'].map((theme) => `pictures/bench-${id}-${theme}.svg`);
  const source = `<source media="(prefers-color-scheme: dark)" srcset="${dark}">`;
  return `<picture>${source}<img alt="Ratios of ${title}, as in the table below" src="${light}"></picture>`;
}

function tableOf(rows) {
  const lines = rows.map(
    ({ what, median, unit, budget, verdict }) =>
      `| ${what.replaceAll('|', '\\|')} | ${figure(median)} ${unit} | ${budgetOf(budget)} | ${verdicts[verdict]} |`,
  );
  return [
    '| Figure | Median | Budget | |',
    '|---|---|---|---|',
    ...lines.map((line) => line.replaceAll('  ', ' ')),
  ];
}

function budgetOf({ most, least }) {
  if (most !== undefined) return `≤ ${figure(most)}`;
  return least === undefined ? '' : `≥ ${figure(least)}`;
}

function figure(value) {
  return Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en-US')
    : String(Number(value.toPrecision(3)));
}
