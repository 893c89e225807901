// Verdicts about the figures of benches. Pure.

/**
 * Returns the budget of a row, `{ most }` or `{ least }`, by the first name of the table that matches;
 * `undefined` without one.
 */
export function budgetOf(what, table) {
  return table.find(([name]) => matches(name, what))?.[1];
}

/** A `*` is any text. */
function matches(name, what) {
  const [start, ...parts] = name.split('*');
  if (parts.length === 0) return what === name;
  const end = parts.pop();
  if (!what.startsWith(start) || !what.endsWith(end)) return false;
  let at = start.length;
  for (const part of parts) {
    const found = what.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at + end.length <= what.length;
}

/**
 * Judges the values of a row in several runs. It is `missed` only if the best value misses the budget, too,
 * as load of the machine explains the others: with the median alone beyond it, the verdict is `noise`.
 * Without a budget it is `noted`.
 */
export function judge(values, budget = {}) {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  const isWithin = (value) =>
    value <= (budget.most ?? Number.POSITIVE_INFINITY) && value >= (budget.least ?? Number.NEGATIVE_INFINITY);
  const best = (budget.least === undefined ? sorted[0] : sorted.at(-1)) ?? Number.NaN;
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const hasBudget = budget.most !== undefined || budget.least !== undefined;
  const verdict = !hasBudget ? 'noted' : !isWithin(best) ? 'missed' : isWithin(median) ? 'met' : 'noise';
  return { best, median, budget, verdict };
}

/** Returns one row for each name, with its values in all runs and the verdict. */
export function judgeRuns(runs, table) {
  const rows = new Map();
  for (const { part, what, unit, value } of runs.flat()) {
    const values = [...(rows.get(what)?.values ?? []), value];
    rows.set(what, { part, what, unit, values });
  }
  return [...rows.values()].map((row) => judged(row, table));
}

/** Returns a row of `what` and `values` with its budget and verdict. */
export function judged(row, table) {
  return { ...row, ...judge(row.values, budgetOf(row.what, table)) };
}

/** Returns the lines of a table of judged rows. */
export function tableOf(rows) {
  const cells = rows.map(({ what, unit, budget, best, median, verdict }) => [
    verdict === 'missed' ? 'MISSED' : verdict,
    budgetText(budget),
    text(best),
    text(median),
    unit,
    what,
  ]);
  const all = [['verdict', 'budget', 'best', 'median', 'unit', 'row'], ...cells];
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
}

function budgetText({ most, least }) {
  if (most !== undefined) return `≤ ${text(most)}`;
  return least === undefined ? '' : `≥ ${text(least)}`;
}

/** A number with three significant digits, or all those before the point. */
function text(value) {
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
