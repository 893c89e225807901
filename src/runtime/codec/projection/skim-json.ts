/**
 * Copies the selected members of an object from its JSON, and passes over the bytes of the others. A pass is
 * several times as fast as a parse, and creates nothing.
 *
 * Bytes that are passed over have to be balanced: every string and bracket is closed. Their other contents
 * are not examined, and need not be valid JSON. The copy has to be parsed, and is valid JSON only if the
 * selected members are.
 */
import { skipSpace } from '../json-scan.ts';
import { afterString, afterValue, guessEndOfList, sameBytes } from '../member-scan.ts';
import type { Branch, FieldBranch } from './branches.ts';

const quoteByte = 0x22;
const commaByte = 0x2c;
const colonByte = 0x3a;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Lists in lists deeper than this are not skimmed, so that they cannot exhaust the stack. */
const deepest = 100;
/** Shorter ranges are copied faster one byte at a time. */
const shortRange = 48;
/** Initial capacity of a copy, in bytes. */
const firstCapacity = 16 * 1024;

/** Beginnings of events with an object of the resource, as servers write them. */
const eventStarts: readonly Buffer[] = ['ADDED', 'MODIFIED', 'DELETED'].map((type) =>
  Buffer.from(`{"type":"${type}","object":`),
);

/**
 * Treatment of a value: copied or passed over as a whole, or member by member. The end of a value that is
 * leapt over may be guessed.
 */
type Treatment = 'copy' | 'pass' | 'leap' | Members;

interface Members {
  /** Keys with their quotes, in UTF-8. */
  readonly keys: readonly Uint8Array[];
  /** Treatments by the positions of the keys. */
  readonly values: readonly Treatment[];
  readonly byName: ReadonlyMap<string, Treatment>;
  readonly others: Treatment;
  /** Whether a list in place of the object, which only a faulty server sends, has to be parsed. */
  readonly isNeverList?: boolean;
}

/** Copies objects of one selection. A copy is valid until the next call. */
export class JsonSkimmer {
  readonly #object: Members;
  #bytes: Buffer = Buffer.alloc(0);
  #end = 0;
  #copy: Buffer = Buffer.allocUnsafeSlow(firstCapacity);
  #length = 0;
  /** A range of bytes that is not copied yet. */
  #from = 0;
  #to = 0;
  #mayGuess = false;
  #hasGuessed = false;

  constructor(branch: FieldBranch, keepManagedFields: boolean) {
    this.#object = objectMembers(branch, keepManagedFields);
  }

  /**
   * Returns the JSON of the object at `start` with its selected members. Returns `undefined` if `end` is not
   * the end of the object, or the bytes are not regular: they have to be parsed as a whole.
   */
  object(bytes: Buffer, start: number, end: number): string | undefined {
    this.#open(bytes, start, end, false);
    const object = skipSpace(bytes, start, end);
    const after = bytes[object] === openObject ? this.#members(object, this.#object, 0) : -1;
    if (after === -1 || skipSpace(bytes, after, end) !== end) return undefined;
    this.#flush();
    return this.#copy.toString('utf8', 0, this.#length);
  }

  /** Returns the JSON of an event, which starts with its type, with the selected members of its object. */
  event(line: Buffer): string | undefined {
    const start = eventStarts.find((bytes) => sameBytes(line, 0, bytes.length, bytes))?.length;
    if (start === undefined || line[start] !== openObject) return undefined;
    this.#open(line, 0, line.length, true);
    this.#keep(0, start);
    const after = this.#members(start, this.#object, 0);
    if (after === -1) return undefined;
    // Further members are parsed, and show that the end of the line is that of the event.
    this.#keep(after, line.length);
    this.#flush();
    return this.#copy.toString('utf8', 0, this.#length);
  }

  #open(bytes: Buffer, start: number, end: number, mayGuess: boolean): void {
    this.#mayGuess = mayGuess;
    this.#hasGuessed = false;
    this.#bytes = bytes;
    this.#end = end;
    this.#length = 0;
    this.#from = start;
    this.#to = start;
  }

  /** The bytes of the last copy. */
  get copy(): Buffer {
    return this.#copy.subarray(0, this.#length);
  }

  /** Copies the selected members of an object. Returns the position after it; -1 if it is not regular. */
  #members(object: number, members: Members, depth: number): number {
    const [bytes, end] = [this.#bytes, this.#end];
    this.#keep(object, object + 1);
    let isFirst = true;
    let separator = object;
    for (;;) {
      const name = skipSpace(bytes, separator + 1, end);
      if (separator === object && bytes[name] === closeObject) return this.#close(name);
      const afterName = bytes[name] === quoteByte ? afterString(bytes, name, end) : -1;
      const colon = afterName === -1 ? end : skipSpace(bytes, afterName, end);
      if (colon >= end || bytes[colon] !== colonByte) return -1;
      if (this.#hasGuessed && !isLetter(bytes[name + 1])) return -1;
      const value = skipSpace(bytes, colon + 1, end);
      const treatment = this.#treatmentOf(name, afterName, members);
      if (isKept(treatment)) {
        this.#keep(isFirst ? name : separator, value);
        isFirst = false;
      }
      const leapt = treatment === 'leap' ? this.#leap(separator, value) : -1;
      const after = leapt === -1 ? this.#value(value, treatment, depth) : leapt;
      if (after === -1) return -1;
      const next = skipSpace(bytes, after, end);
      if (bytes[next] === closeObject && next < end) return this.#close(next);
      if (bytes[next] !== commaByte) return -1;
      separator = next;
    }
  }

  #treatmentOf(name: number, afterName: number, { keys, values, byName, others }: Members): Treatment {
    const bytes = this.#bytes;
    for (let index = 0; index < keys.length; index += 1) {
      const key = keys[index];
      if (key !== undefined && sameBytes(bytes, name, afterName, key)) return values[index] ?? 'pass';
    }
    // The same name may be written with escape sequences.
    for (let at = name; at < afterName; at += 1) {
      if (bytes[at] === backslash) return byName.get(nameIn(bytes, name, afterName)) ?? others;
    }
    return others;
  }

  /** Returns the position after a value; -1 if it is not regular. */
  #value(at: number, treatment: Treatment, depth: number): number {
    if (at >= this.#end) return -1;
    const byte = this.#bytes[at];
    if (typeof treatment !== 'string') {
      if (byte === openObject) return this.#members(at, treatment, depth + 1);
      if (byte === openList) {
        const isIrregular = depth > deepest || treatment.isNeverList === true;
        return isIrregular ? -1 : this.#items(at, treatment, depth + 1);
      }
    }
    const after = afterValue(this.#bytes, at, this.#end);
    if (isKept(treatment) && after !== -1) this.#keep(at, after);
    return after;
  }

  /**
   * Guesses the end of a list. A wrong guess is within a string. Then what look like strings are the bytes
   * between strings, which never start with a letter, so that the next name shows it; if none follows, the
   * end of the line cannot be parsed. This does not hold for the prefix of an object.
   */
  #leap(start: number, value: number): number {
    const end = this.#mayGuess ? guessEndOfList(this.#bytes, { start, value }, this.#end) : -1;
    if (end !== -1) this.#hasGuessed = true;
    return end;
  }

  /** Copies a list with the selected members of its items. */
  #items(list: number, members: Members, depth: number): number {
    const [bytes, end] = [this.#bytes, this.#end];
    let separator = list;
    for (;;) {
      const item = skipSpace(bytes, separator + 1, end);
      if (separator === list && bytes[item] === closeList) {
        this.#keep(list, item + 1);
        return item + 1;
      }
      this.#keep(separator, item);
      const after = this.#value(item, members, depth);
      if (after === -1) return -1;
      const next = skipSpace(bytes, after, end);
      if (next >= end) return -1;
      if (bytes[next] === closeList) return this.#close(next);
      if (bytes[next] !== commaByte) return -1;
      separator = next;
    }
  }

  #close(bracket: number): number {
    this.#keep(bracket, bracket + 1);
    return bracket + 1;
  }

  #keep(from: number, to: number): void {
    if (from !== this.#to) {
      this.#flush();
      this.#from = from;
    }
    this.#to = to;
  }

  #flush(): void {
    const [bytes, from, to] = [this.#bytes, this.#from, this.#to];
    const start = this.#length;
    const length = to - from;
    if (start + length > this.#copy.length) this.#grow(start + length);
    const copy = this.#copy;
    if (length > shortRange) copy.set(bytes.subarray(from, to), start);
    else for (let index = 0; index < length; index += 1) copy[start + index] = bytes[from + index] ?? 0;
    this.#length = start + length;
    this.#from = to;
  }

  #grow(length: number): void {
    const wider = Buffer.allocUnsafeSlow(2 * length);
    wider.set(this.#copy.subarray(0, this.#length));
    this.#copy = wider;
  }
}

function isKept(treatment: Treatment): boolean {
  return treatment !== 'pass' && treatment !== 'leap';
}

function isLetter(byte = 0): boolean {
  return (byte > 0x40 && byte < 0x5b) || (byte > 0x60 && byte < 0x7b);
}

/** Returns the name in a key. An invalid one is not a selected name, and the whole has to be parsed. */
function nameIn(bytes: Buffer, start: number, end: number): string {
  return JSON.parse(bytes.toString('utf8', start, end));
}

function objectMembers(branch: FieldBranch, keepManagedFields: boolean): Members {
  const members = membersOf(branch);
  const metadata = members.byName.get('metadata') ?? members.others;
  if (keepManagedFields || !isKept(metadata)) return members;
  const whole: Members = { keys: [], values: [], byName: new Map(), others: 'copy' };
  const inner = typeof metadata === 'string' ? whole : metadata;
  const byName = new Map<string, Treatment>([...inner.byName, ['managedFields', 'leap']]);
  // In a list, `managedFields` would be kept.
  const lean = { ...withMembers(byName, inner.others), isNeverList: true };
  return withMembers(new Map<string, Treatment>([...members.byName, ['metadata', lean]]), members.others);
}

function membersOf({ fields, rest }: FieldBranch): Members {
  const byName = new Map([...fields].map(([name, branch]) => [name, treatmentOf(branch)]));
  return withMembers(byName, rest === undefined ? 'pass' : treatmentOf(rest));
}

function treatmentOf(branch: Branch): Treatment {
  return branch === true ? 'copy' : membersOf(branch);
}

function withMembers(byName: ReadonlyMap<string, Treatment>, others: Treatment): Members {
  const keys = [...byName.keys()].map((name) => Buffer.from(JSON.stringify(name)));
  return { keys, values: [...byName.values()], byName, others };
}
