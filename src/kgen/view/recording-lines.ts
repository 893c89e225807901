/** Lines of recordings of the flight recorder, whose format `docs/replay.md` describes. */
import { isRecord, type Record } from './secrets.ts';

/** A line of a recording. */
export interface Line {
  readonly type: string;
  readonly at: number;
  readonly entry: Record;
}

/**
 * Returns the lines of a recording. An incomplete last line is left out.
 * @throws {Error} for an invalid line; `line N: …`
 */
export function linesOf(text: string): readonly Line[] {
  const texts = text.split('\n');
  return texts.flatMap((each, index) => {
    if (each.trim() === '') return [];
    const entry = parsed(each);
    // The last line of an interrupted write is incomplete.
    if (!isRecord(entry) && index === texts.length - 1 && index > 0) return [];
    if (!isRecord(entry)) throw new Error(`line ${index + 1}: this is not an entry in JSON`);
    return [{ type: textOf(entry['type']), at: Number(entry['at']) || 0, entry }];
  });
}

/** Returns a value in JSON; `undefined` for another text. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Callers treat it as text, or name the line.
  }
}

/** Returns the objects of a list. */
export function recordsIn(value: unknown): readonly Record[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Returns a string or a number as text; empty for other values. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
