/** Program of the worker thread of elections, so that a bundle of any program needs no file beside it. */
import { brotliDecompressSync } from 'node:zlib';

/** The program, compressed, in base64. `scripts/election-worker.mjs` writes it into the built module. */
const compressed: string = '';

/** Returns the program in CommonJS; `undefined` if this module runs from its source. */
export function workerProgram(): string | undefined {
  if (compressed === '') return undefined;
  return brotliDecompressSync(Buffer.from(compressed, 'base64')).toString();
}
