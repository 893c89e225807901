// Inserts a switch at every sampled place of a file, so that one transform serves all mutants:
// `globalThis.__kgenMutant(17)` is true while mutant 17 is active.

/**
 * @param {string} text
 * @param {readonly (import('./candidates.mjs').Candidate & { id: number })[]} mutants
 * @returns {string} the file with its switches
 */
export function instrument(text, mutants) {
  const sorted = [...mutants].sort(
    (a, b) => a.start - b.start || b.end - a.end || a.kind.localeCompare(b.kind),
  );
  return render(text, 0, text.length, sorted);
}

function render(text, start, end, mutants) {
  let out = '';
  let at = start;
  for (let i = 0; i < mutants.length; ) {
    const { start: from, end: to } = mutants[i];
    const same = mutants.filter((one) => one.start === from && one.end === to);
    const inner = mutants.filter((one) => one.start >= from && one.end <= to && !same.includes(one));
    out += text.slice(at, from) + switches(same, render(text, from, to, inner));
    at = to;
    i += same.length + inner.length;
  }
  return out + text.slice(at, end);
}

function switches(same, original) {
  const [{ kind }] = same;
  if (kind === 'statement') return `{if(!${same.map(active).join('&&!')}){${original}}}`;
  return `(${same.map((one) => `${active(one)}?(${one.mutated}):`).join('')}(${original}))`;
}

const active = ({ id }) => `globalThis.__kgenMutant(${id})`;
