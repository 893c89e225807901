/** Position of the first syntax error of a JSON string. */
export interface JsonFault {
  /** In UTF-16 units. The length of the string if it is truncated. */
  readonly offset: number;
  /** Whether the string is valid but truncated. */
  readonly cutOff: boolean;
}

/**
 * Token that may follow: a value, a key, or the continuation of a list or an object. `first` also permits its
 * end.
 */
type Expected = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'next' | 'end';

const token =
  /[ \t\r\n]*(?:([{}[\],:])|("[^"\\\n\r\t]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\n\r\t]*)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)))/y;

/** Matches the end of a string that may be the beginning of a token. */
const unfinished =
  /^[ \t\r\n]*(?:"(?:[^"\\\n\r\t]|\\[^\n\r\t])*\\?|-?[\d.eE+-]*|t|tr|tru|f|fa|fal|fals|n|nu|nul)$/;

/** Number of characters at the end of a string that are searched for a truncated token. */
const maxTail = 5_000;

/**
 * Returns the position that `JSON.parse` does not always report, or `undefined` if the string is JSON. Takes
 * time linear in its length.
 */
export function jsonFault(text: string): JsonFault | undefined {
  const open: string[] = [];
  let expected: Expected = 'value';
  let offset = 0;
  while (expected !== 'end') {
    token.lastIndex = offset;
    const match = token.exec(text);
    if (match === null) return stopped(text, offset);
    const after = advance(expected, match[1] ?? (match[2] === undefined ? '0' : '"'), open);
    if (after === undefined) return { offset: start(text, offset), cutOff: false };
    expected = after;
    offset = token.lastIndex;
  }
  const rest = start(text, offset);
  return rest === text.length ? undefined : { offset: rest, cutOff: false };
}

function stopped(text: string, offset: number): JsonFault {
  const at = start(text, offset);
  const tail = text.slice(at, at + maxTail);
  const isLong = text.length - at > maxTail;
  const cutOff = isLong
    ? tail.startsWith('"') && !/["\n\r\t]/.test(text.slice(at + 1))
    : unfinished.test(tail);
  return { offset: cutOff ? text.length : at, cutOff };
}

/**
 * Returns the token that may follow, or `undefined` if the token is not permitted here. `open` contains the
 * enclosing brackets.
 */
function advance(expected: Expected, mark: string, open: string[]): Expected | undefined {
  const closes = expected === 'next' || expected.startsWith('first');
  if ((mark === '}' || mark === ']') && closes) return close(expected, mark, open);
  switch (expected) {
    case 'key':
    case 'first key':
      return mark === '"' ? 'colon' : undefined;
    case 'colon':
      return mark === ':' ? 'value' : undefined;
    case 'next':
      return mark === ',' ? (open.at(-1) === '{' ? 'key' : 'value') : undefined;
    default:
      return value(mark, open);
  }
}

function value(mark: string, open: string[]): Expected | undefined {
  if (mark === '{' || mark === '[') {
    open.push(mark);
    return mark === '{' ? 'first key' : 'first value';
  }
  return mark === '0' || mark === '"' ? after(open) : undefined;
}

function close(expected: Expected, mark: string, open: string[]): Expected | undefined {
  const bracket = open.at(-1);
  const isPair =
    mark === '}'
      ? bracket === '{' && expected !== 'first value'
      : bracket === '[' && expected !== 'first key';
  if (!isPair) return undefined;
  open.pop();
  return after(open);
}

function after(open: readonly string[]): Expected {
  return open.length === 0 ? 'end' : 'next';
}

function start(text: string, offset: number): number {
  let at = offset;
  while (' \t\r\n'.includes(text.charAt(at)) && at < text.length) at += 1;
  return at;
}
