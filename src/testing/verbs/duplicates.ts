/** Matches strings, brackets, colons and commas of JSON; other tokens do not affect the nesting of keys. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** An open object or array with its current key or index, and the keys so far. */
interface Level {
  readonly keys: Set<string> | undefined;
  step: string;
}

/** Returns the paths of duplicate keys in JSON, which JSON.parse does not report. */
export function duplicateFields(body: string): readonly string[] {
  const levels: Level[] = [];
  const found: string[] = [];
  let last = '';
  for (const [token] of body.matchAll(tokens)) {
    const top = levels.at(-1);
    if (token === '{') levels.push({ keys: new Set(), step: '' });
    else if (token === '[') levels.push({ keys: undefined, step: '[0]' });
    else if (token === '}' || token === ']') levels.pop();
    else if (token === ':' && top?.keys !== undefined) {
      // The token before a colon is a key in JSON notation.
      top.step = JSON.parse(last) as string;
      if (top.keys.has(top.step)) found.push(pathOf(levels));
      top.keys.add(top.step);
    } else if (token === ',' && top !== undefined && top.keys === undefined) top.step = nextIndex(top.step);
    last = token;
  }
  return found;
}

function nextIndex(step: string): string {
  return `[${Number(step.slice(1, -1)) + 1}]`;
}

function pathOf(levels: readonly Level[]): string {
  return levels
    .map(({ keys, step }) => (keys === undefined ? step : `.${step}`))
    .join('')
    .slice(1);
}
