/** Keys that a mapping of YAML has more than once. */
import { FAILSAFE_SCHEMA, load, YAMLException } from 'js-yaml';

/** A key as it is written: quoted, or plain up to its colon. */
const writtenKey = /"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s:](?:[^\s:]|[^\S\n]+(?=[^\s:]))*(?=\s*:)/y;

/** The colon of a key, and the space before its value. */
const beforeValue = /\s*:(?:\s|#.*)*/y;

/** Duplicate keys beyond this number are not reported: each one takes the time of parsing the document. */
const limit = 50;

/**
 * Returns a message about each duplicate key with the line of its value, in the words and the order of Go's
 * parser. Empty for a document that cannot be parsed.
 */
export function duplicateYamlKeys(content: string): readonly string[] {
  const found: string[] = [];
  let rest = content;
  for (let mark = duplicateIn(rest); mark !== undefined && found.length < limit; mark = duplicateIn(rest)) {
    writtenKey.lastIndex = mark.position;
    const [written] = writtenKey.exec(rest) ?? [];
    if (written === undefined) break;
    beforeValue.lastIndex = mark.position + written.length;
    const lines = (beforeValue.exec(rest)?.[0] ?? '').split('\n').length;
    const key = written.replace(/^(["'])(.*)\1$/s, '$2').trimEnd();
    found.push(`line ${mark.line + lines}: key ${JSON.stringify(key)} already set in map`);
    // With another key in its place, the parser continues to the next one.
    const other = `"duplicate ${found.length}"`;
    rest = rest.slice(0, mark.position) + other + rest.slice(mark.position + written.length);
  }
  return found;
}

interface Position {
  /** Counted from 0. */
  readonly line: number;
  readonly position: number;
}

function duplicateIn(content: string): Position | undefined {
  try {
    load(content, { schema: FAILSAFE_SCHEMA });
  } catch (error) {
    if (error instanceof YAMLException && error.reason === 'duplicated mapping key') return error.mark;
  }
  return undefined;
}
