/** Streams of JSON values, compact or indented, which kubectl reads beside streams of YAML documents. */

/** A part of a text whose documents are parsed on their own. */
export interface Part {
  readonly text: string;
  /** Offset in the whole text. */
  readonly start: number;
  /** `malformed`: a part that is not JSON, in a text that must be JSON. */
  readonly format: 'yaml' | 'malformed';
}

/**
 * Splits a text that begins with several JSON values into these values, as kubectl does: after one value the
 * rest may be YAML, after two it must be JSON. Any other text is one part. JSON is YAML, too.
 */
export function partsOf(text: string): readonly Part[] {
  const whole: Part = { text, start: 0, format: 'yaml' };
  if (!/^\ufeff?\s*\{/.test(text)) return [whole];
  const values = new Values(text);
  const first = values.next();
  // One value, or documents that are separated as in YAML.
  if (first === undefined || values.following === undefined || values.following === '-') return [whole];
  const parts = [first];
  for (let part = values.next(); part !== undefined; part = values.next()) parts.push(part);
  if (values.following === undefined) return parts;
  return [...parts, { ...values.rest, format: parts.length > 1 ? 'malformed' : 'yaml' }];
}

/** JSON objects of a text, one after the other. */
class Values {
  readonly #text: string;
  #at: number;

  constructor(text: string) {
    this.#text = text;
    this.#at = afterSpace(text, text.startsWith('\ufeff') ? 1 : 0);
  }

  /** First character of the rest; `undefined` at the end. */
  get following(): string | undefined {
    return this.#text[this.#at];
  }

  get rest(): Pick<Part, 'text' | 'start'> {
    return { text: this.#text.slice(this.#at), start: this.#at };
  }

  /** Returns the next object; `undefined` if no complete one follows. */
  next(): Part | undefined {
    const start = this.#at;
    const end = objectEnd(this.#text, start);
    if (end === undefined) return undefined;
    const text = this.#text.slice(start, end);
    if (!isJson(text)) return undefined;
    this.#at = afterSpace(this.#text, end);
    return { text, start, format: 'yaml' };
  }
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1;
  return at;
}

/** Matches the characters that open and close objects, and strings, to their ends. */
const structure = /[{}]|"(?:[^"\\]+|\\.)*"?/gs;

/** Returns the position after the object at `start`; `undefined` without one, or if it does not end. */
function objectEnd(text: string, start: number): number | undefined {
  if (text[start] !== '{') return undefined;
  let depth = 0;
  structure.lastIndex = start;
  for (let found = structure.exec(text); found !== null; found = structure.exec(text)) {
    if (found[0] === '{') depth += 1;
    else if (found[0] === '}') depth -= 1;
    if (depth === 0) return structure.lastIndex;
  }
  return undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
