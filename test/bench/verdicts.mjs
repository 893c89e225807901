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
 * Judges the values of a row in several runs. Only the best value can miss the budget, as load of the machine
 * explains the others: with the median alone beyond it, the verdict is `noise`. A budget that is not reached
 * yet has a limit, too: between both the verdict is `short`, beyond it `missed`. Without a budget it is
 * `noted`.
 */
export function judge(values, budget = {}) {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  const best = (budget.least === undefined ? sorted[0] : sorted.at(-1)) ?? Number.NaN;
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return { best, median, budget, verdict: verdictOf({ best, median }, budget) };
}

function verdictOf({ best, median }, { most, least, limit }) {
  if (most === undefined && least === undefined) return 'noted';
  const isWithin = (value, bound) => (least === undefined ? value <= bound : value >= bound);
  const goal = most ?? least;
  if (isWithin(best, goal)) return isWithin(median, goal) ? 'met' : 'noise';
  return limit !== undefined && isWithin(best, limit) ? 'short' : 'missed';
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
    budgetText(budget, text),
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

/** Returns a budget with its limit in parentheses: `≤ 1.4 (2.6)`. */
export function budgetText({ most, least, limit }, text) {
  const goal = most ?? least;
  if (goal === undefined) return '';
  const bound = `${least === undefined ? '≤' : '≥'} ${text(goal)}`;
  return limit === undefined ? bound : `${bound} (${text(limit)})`;
}

/** A number with three significant digits, or all those before the point. */
function text(value) {
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
