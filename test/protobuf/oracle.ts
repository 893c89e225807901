/** The Go program of this folder: what the API server's own code makes of objects. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A kind that Go registers. */
export interface GoKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** The Go type, by package and name. */
  readonly type: string;
  /** Of lists: what their items are; empty where they can be of any kind. */
  readonly item?: { readonly apiVersion?: string; readonly kind?: string };
  /** Why it cannot be written in protobuf. */
  readonly noProtobuf?: string;
}

/** Which random objects: they follow from this alone. */
export interface Which {
  readonly seed: number;
  readonly apiVersion: string;
  readonly kind: string;
  readonly from: number;
  readonly count: number;
}

/** A random object. */
export interface GoObject {
  /** How it was filled: `zero`, `hollow`, `empty`, `full`, `plain` or `hostile`. */
  readonly shape: string;
  /** It has integers that no double can hold. */
  readonly wide: boolean;
  /** JSON texts within it. */
  readonly raw: readonly string[];
  /** JSON texts that say which fields somebody manages. */
  readonly fields: readonly string[];
  readonly protobuf: Buffer;
  /** After a round trip through protobuf. */
  readonly json: string;
  /** What Go writes when it reads that JSON. */
  readonly again: Buffer;
}

/** What Go says about bytes that should mean an object. */
export interface Verdict {
  readonly error?: string;
  /** The first place that is different. */
  readonly path?: string;
  readonly want?: string;
  readonly got?: string;
  /** They mean what JSON leaves of the object: a pointer to a zero time becomes none, for example. */
  readonly throughJSON?: boolean;
  /** Equal for API machinery's own comparison. */
  readonly semantic: boolean;
  /** The same bytes. */
  readonly bytes: boolean;
}

/** What came out, or why nothing did. */
export type Outcome = { readonly value: Buffer } | { readonly error: string };

/** Path of the program, built if need be; `undefined` where there is no Go. */
export async function oraclePath(): Promise<string | undefined> {
  const script = fileURLToPath(new URL('./build.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--optional']);
  return stdout.trim() || undefined;
}

/** A running program; questions are answered in their order. */
export class Oracle {
  readonly #child: ChildProcess;
  readonly #waiting: {
    readonly resolve: (parts: Buffer[]) => void;
    readonly reject: (why: Error) => void;
  }[] = [];
  #chunks: Buffer[] = [];
  #length = 0;
  #wanted = 4;
  #last = '';

  constructor(path: string) {
    this.#child = spawn(path, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#last = (this.#last + text).slice(0, 4000);
    });
    this.#child.once('error', (error) => this.#fail(error));
    this.#child.once('close', (code) =>
      this.#fail(new Error(`the Go program ended (${code}): ${this.#last}`)),
    );
    // What could not be written is seen in the answer that does not come.
    this.#child.stdin?.on('error', (error) => this.#fail(error));
  }

  /** Every kind that Go registers. */
  async kinds(): Promise<readonly GoKind[]> {
    const [part] = await this.#ask('kinds');
    // seam: the program's own JSON
    return JSON.parse(String(part)) as readonly GoKind[];
  }

  /** Random objects of a kind. */
  async make(which: Which): Promise<readonly GoObject[]> {
    const parts = await this.#ask('make', JSON.stringify(which));
    return Array.from({ length: which.count }, (_, index) => objectOf(parts.slice(4 * index, 4 * index + 4)));
  }

  /** Whether these bytes mean what the random objects mean, one by one. */
  async check(which: Which, bytes: readonly Uint8Array[]): Promise<readonly Verdict[]> {
    const parts = await this.#ask('check', JSON.stringify(which), ...bytes);
    // seam: the program's own JSON
    return parts.map((part) => JSON.parse(String(part)) as Verdict);
  }

  /** The JSON that Go makes of protobuf. */
  async decode(bytes: Uint8Array): Promise<Outcome> {
    return outcomeOf(await this.#ask('decode', bytes));
  }

  /** The protobuf that Go makes of JSON. */
  async encode(json: string): Promise<Outcome> {
    return outcomeOf(await this.#ask('encode', json));
  }

  /** Ends the program. */
  close(): void {
    this.#child.stdin?.end();
  }

  #ask(...parts: readonly (string | Uint8Array)[]): Promise<Buffer[]> {
    const bytes = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
    this.#child.stdin?.write(numberOf(parts.length));
    for (const part of bytes) {
      this.#child.stdin?.write(numberOf(part.length));
      this.#child.stdin?.write(part);
    }
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  /** Looks at what came only when the length that is known to be missing is there. */
  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length < this.#wanted) return;
    let bytes = Buffer.concat(this.#chunks);
    for (let record = recordOf(bytes); ; record = recordOf(bytes)) {
      if ('wanted' in record) {
        this.#wanted = record.wanted;
        break;
      }
      bytes = bytes.subarray(record.end);
      this.#waiting.shift()?.resolve(record.parts);
    }
    this.#chunks = [bytes];
    this.#length = bytes.length;
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

function numberOf(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}

/** The first record of the bytes, or how many must be there before it is worth looking again. */
function recordOf(bytes: Buffer): { parts: Buffer[]; end: number } | { wanted: number } {
  if (bytes.length < 4) return { wanted: 4 };
  const parts: Buffer[] = [];
  let at = 4;
  for (let left = bytes.readUInt32BE(0); left > 0; left -= 1) {
    if (bytes.length < at + 4) return { wanted: at + 4 };
    const end = at + 4 + bytes.readUInt32BE(at);
    if (bytes.length < end) return { wanted: end };
    parts.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return { parts, end: at };
}

function objectOf([facts, protobuf, json, again]: readonly Buffer[]): GoObject {
  if (facts === undefined || protobuf === undefined || again === undefined)
    throw new Error('a part is missing');
  // seam: the program's own JSON
  const { unreadable, raw, fields, ...others } = JSON.parse(String(facts)) as Partial<GoObject> & Facts;
  if (unreadable !== undefined) throw new Error(`Go cannot read its own JSON: ${unreadable}\n${json}`);
  return { ...others, raw: raw ?? [], fields: fields ?? [], protobuf, json: String(json), again };
}

/** What Go says beside the object. */
interface Facts {
  readonly shape: string;
  readonly wide: boolean;
  /** Why its JSON cannot be read back. */
  readonly unreadable?: string;
}

function outcomeOf([error, value]: readonly Buffer[]): Outcome {
  return error?.length === 0 && value !== undefined ? { value } : { error: String(error) };
}
