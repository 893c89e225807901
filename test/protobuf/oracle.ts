/** The Go program of this folder, with the API server's own code for objects. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A kind that Go registers. */
export interface GoKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** Go type, by package and name. */
  readonly type: string;
  /** Item type of lists; empty if items may be of any kind. */
  readonly item?: { readonly apiVersion?: string; readonly kind?: string };
  /** Reason why it has no protobuf encoding. */
  readonly noProtobuf?: string;
}

/** Selection of random objects, which depend on nothing else. */
export interface Which {
  readonly seed: number;
  readonly apiVersion: string;
  readonly kind: string;
  readonly from: number;
  readonly count: number;
}

/** A random object. */
export interface GoObject {
  /** Form of the content: `zero`, `hollow`, `empty`, `full`, `plain` or `hostile`. */
  readonly shape: string;
  /** Whether it has integers that a double cannot represent. */
  readonly wide: boolean;
  /** Raw JSON values in the object. */
  readonly raw: readonly string[];
  /** JSON of managed fields in the object. */
  readonly fields: readonly string[];
  readonly protobuf: Buffer;
  /** JSON after a round trip through protobuf. */
  readonly json: string;
  /** Bytes that Go writes after reading that JSON. */
  readonly again: Buffer;
}

/** Go's comparison of bytes with the original object. */
export interface Verdict {
  readonly error?: string;
  /** Path of the first difference. */
  readonly path?: string;
  readonly want?: string;
  readonly got?: string;
  /**
   * Equal to the object after a round trip through JSON: a pointer to a zero time becomes nil, for example.
   */
  readonly throughJSON?: boolean;
  /** Equal by API machinery's semantic comparison. */
  readonly semantic: boolean;
  /** Identical bytes. */
  readonly bytes: boolean;
}

/** Result, or the error. */
export type Outcome = { readonly value: Buffer } | { readonly error: string };

/** Returns the path of the program, which is built if necessary; `undefined` if Go is not installed. */
export async function oraclePath(): Promise<string | undefined> {
  const script = fileURLToPath(new URL('./build.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--optional']);
  return stdout.trim() || undefined;
}

/** A running program, which processes requests in order. */
export class Oracle {
  readonly #child: ChildProcess;
  readonly #waiting: {
    readonly resolve: (parts: Buffer[]) => void;
    readonly reject: (why: Error) => void;
  }[] = [];
  #chunks: Buffer[] = [];
  #length = 0;
  #requested = 4;
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
    // A failed write is detected by the missing response.
    this.#child.stdin?.on('error', (error) => this.#fail(error));
  }

  /** Returns every kind that Go registers. */
  async kinds(): Promise<readonly GoKind[]> {
    const [part] = await this.#request('kinds');
    // seam: the program's own JSON
    return JSON.parse(String(part)) as readonly GoKind[];
  }

  /** Returns random objects of a kind. */
  async make(which: Which): Promise<readonly GoObject[]> {
    const parts = await this.#request('make', JSON.stringify(which));
    return Array.from({ length: which.count }, (_, index) => objectOf(parts.slice(4 * index, 4 * index + 4)));
  }

  /** Compares bytes with the random objects, one by one. */
  async check(which: Which, bytes: readonly Uint8Array[]): Promise<readonly Verdict[]> {
    const parts = await this.#request('check', JSON.stringify(which), ...bytes);
    // seam: the program's own JSON
    return parts.map((part) => JSON.parse(String(part)) as Verdict);
  }

  /** Returns the JSON that Go writes for protobuf. */
  async decode(bytes: Uint8Array): Promise<Outcome> {
    return outcomeOf(await this.#request('decode', bytes));
  }

  /** Returns the protobuf that Go writes for JSON. */
  async encode(json: string): Promise<Outcome> {
    return outcomeOf(await this.#request('encode', json));
  }

  /** Terminates the program. */
  close(): void {
    this.#child.stdin?.end();
  }

  #request(...parts: readonly (string | Uint8Array)[]): Promise<Buffer[]> {
    const bytes = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
    this.#child.stdin?.write(numberOf(parts.length));
    for (const part of bytes) {
      this.#child.stdin?.write(numberOf(part.length));
      this.#child.stdin?.write(part);
    }
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  /** Parses received bytes once the missing length has arrived. */
  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length < this.#requested) return;
    let bytes = Buffer.concat(this.#chunks);
    for (let record = recordOf(bytes); ; record = recordOf(bytes)) {
      if ('expected' in record) {
        this.#requested = record.expected;
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

/** Returns the first record of the bytes, or the number of bytes that it needs. */
function recordOf(bytes: Buffer): { parts: Buffer[]; end: number } | { expected: number } {
  if (bytes.length < 4) return { expected: 4 };
  const parts: Buffer[] = [];
  let at = 4;
  for (let left = bytes.readUInt32BE(0); left > 0; left -= 1) {
    if (bytes.length < at + 4) return { expected: at + 4 };
    const end = at + 4 + bytes.readUInt32BE(at);
    if (bytes.length < end) return { expected: end };
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

/** Properties of an object that Go reports. */
interface Facts {
  readonly shape: string;
  readonly wide: boolean;
  /** Reason why Go cannot read its JSON. */
  readonly unreadable?: string;
}

function outcomeOf([error, value]: readonly Buffer[]): Outcome {
  return error?.length === 0 && value !== undefined ? { value } : { error: String(error) };
}
