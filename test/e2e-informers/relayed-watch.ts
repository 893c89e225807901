import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Lie } from './steps.ts';

/** How many events a watch remembers to tell them again. */
const REMEMBERED = 50;

/** The answer to a watch on its way to the client, line by line. */
export class RelayedWatch {
  readonly #answer: ServerResponse;
  readonly #told: string[] = [];
  readonly #lies: Lie[] = [];
  #cutInLine = false;
  #over = false;

  constructor(response: IncomingMessage, answer: ServerResponse) {
    this.#answer = answer;
    let rest = '';
    response.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#pass(line);
    });
    response.on('end', () => answer.end());
    // The server's connection was lost, or the client's.
    response.on('error', () => answer.destroy());
  }

  /** Ends it in order. */
  end(): void {
    this.#answer.end();
  }

  /** Cuts the connection in the middle of the next line. */
  cutInLine(): void {
    this.#cutInLine = true;
  }

  /** Says something wrong behind the next event. */
  say(what: Lie): void {
    this.#lies.push(what);
  }

  endIn(ms: number): void {
    const timer = setTimeout(() => this.end(), ms);
    this.#answer.on('close', () => clearTimeout(timer));
  }

  #pass(line: string): void {
    if (this.#over || this.#answer.writableEnded || this.#answer.destroyed) return;
    if (this.#cutInLine) this.#passHalf(line);
    else this.#passWhole(line);
  }

  #passWhole(line: string): void {
    this.#answer.write(`${line}\n`);
    const isEvent = !line.startsWith('{"type":"BOOKMARK"');
    if (!isEvent) return;
    for (const lie of this.#lies.splice(0)) this.#answer.write(`${this.#lie(lie, line)}\n`);
    this.#told.push(line);
    if (this.#told.length > REMEMBERED) this.#told.shift();
  }

  #passHalf(line: string): void {
    this.#answer.write(line.slice(0, Math.ceil(line.length / 2)), () => this.#answer.destroy());
    this.#over = true;
  }

  #lie(lie: Lie, line: string): string {
    switch (lie) {
      case 'repeated':
        return line;
      case 'stale':
        return this.#told[0] ?? line;
      case 'garbage':
        return '{"type":"MODIFIED","object":{"met';
      case 'undecodable':
        return '{"type":"MODIFIED","object":{"kind":"ConfigMap","apiVersion":"v1","data":{}}}';
      case 'expired':
        return expired;
    }
  }
}

const expired = JSON.stringify({
  type: 'ERROR',
  object: {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'too old resource version',
    reason: 'Expired',
    code: 410,
  },
});
