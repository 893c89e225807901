/** Strings, braces and commas of JSON; everything else does not matter for the nesting of keys. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** An object or array that is open, the key or index it is at, and the keys seen. */
interface Level {
  readonly keys: Set<string> | undefined;
  step: string;
}

/** Paths of the keys that stand twice in one object of a JSON text, which JSON.parse does not tell. */
export function duplicateFields(body: string): readonly string[] {
  const levels: Level[] = [];
  const found: string[] = [];
  let last = '';
  for (const [token] of body.matchAll(TOKENS)) {
    const top = levels.at(-1);
    if (token === '{') levels.push({ keys: new Set(), step: '' });
    else if (token === '[') levels.push({ keys: undefined, step: '[0]' });
    else if (token === '}' || token === ']') levels.pop();
    else if (token === ':' && top?.keys !== undefined) {
      // The token before a colon is a key, in its JSON form.
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
