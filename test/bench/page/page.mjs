// The page of benchmarks from the figures of a run. Pure.
import { budgetText, judged } from '../verdicts.mjs';
import { areas } from './areas.mjs';
import { chartOf } from './chart.mjs';

const verdicts = {
  met: 'met',
  noise: 'met in the best run',
  short: '**missed**',
  missed: '**missed, fails `--check`**',
  noted: '',
};

/**
 * Returns the files of the page by path below `docs`: `benchmarks.md`, and a chart of the ratios of each area
 * in light and in dark. `figures` are runs by part: machine, date and rows; `budgets` are those of today.
 */
export function pageOf(figures, budgets) {
  const files = new Map();
  const all = [];
  const sections = areas.flatMap((area) => {
    const runs = area.parts.flatMap((part) => figures[part] ?? []);
    if (runs.length === 0) return [];
    const tables = new Map();
    for (const { machine, date, rows } of runs) {
      const title = `Measured on ${machine}, ${date.slice(0, 10)}.`;
      tables.set(title, [...(tables.get(title) ?? []), ...rows.map((row) => judged(row, budgets))]);
    }
    const own = [...tables.values()].flat();
    all.push(...own);
    const bars = own.filter(({ unit }) => unit === '×').map(barOf);
    for (const theme of bars.length > 0 ? ['light', 'dark'] : [])
      files.set(`pictures/bench-${area.id}-${theme}.svg`, chartOf(area.title, bars, theme));
    return [
      ...[`## ${area.title}`, '', area.text, ''],
      ...(bars.length > 0 ? [pictureOf(area), ''] : []),
      ...[...tables].flatMap(([title, rows]) => [title, '', ...tableOf(rows), '']),
    ];
  });
  const count = (isCounted) => all.filter(({ verdict }) => isCounted(verdict)).length;
  const head = [
    '# Benchmarks',
    '',
    'Figures of `npm run bench`. Each ratio compares programs of one run, which take turns in fresh processes.',
    '`test/bench/page/write.mjs` writes this page and its charts from the results of runs, with all rows:',
    `${count((verdict) => verdict !== 'noted')} of ${all.length} have a budget (\`test/bench/budgets.mjs\`), which ${count((verdict) => verdict === 'missed' || verdict === 'short')} miss.`,
    'A budget that is not reached has a limit in parentheses, beyond which `npm run bench -- --check` fails.',
    '',
    'Ratios are kgen over the peer. Bars in green are better than the peer: to the left of 1 for costs, to the right for rates.',
    'Programs, peers and their versions are in `test/bench`. The machine may have had other work: ratios of memory and of processor',
    'time depend on it less than rates, delays and times until an end.',
    '',
  ];
  files.set('benchmarks.md', `${[...head, ...sections].join('\n').trimEnd()}\n`);
  return files;
}

/** More is better if the budget is a lower limit. */
function barOf({ what, median, budget }) {
  return { label: what, ratio: median, isBetter: budget.least === undefined ? median <= 1 : median >= 1 };
}

function pictureOf({ id, title }) {
  const [light, dark] = ['light', 'dark'].map((theme) => `pictures/bench-${id}-${theme}.svg`);
  const source = `<source media="(prefers-color-scheme: dark)" srcset="${dark}">`;
  return `<picture>${source}<img alt="Ratios of ${title}, as in the table below" src="${light}"></picture>`;
}

function tableOf(rows) {
  const cells = rows.map(({ what, median, unit, budget, verdict }) => [
    // Names of types have brackets, which the site would read as elements.
    what.replaceAll('|', '\\|').replaceAll('<', '&lt;'),
    `${figure(median)} ${unit}`.trimEnd(),
    budgetText(budget, figure),
    verdicts[verdict],
  ]);
  const lines = cells.map((row) => `|${row.map((cell) => (cell === '' ? ' |' : ` ${cell} |`)).join('')}`);
  return ['| Figure | Median | Budget | |', '|---|---|---|---|', ...lines];
}

function figure(value) {
  return Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en-US')
    : String(Number(value.toPrecision(3)));
}
