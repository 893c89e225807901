/** Program of the worker thread of elections, so that an operator needs no file beside its bundle. */
import { brotliDecompressSync } from 'node:zlib';

/** The program, compressed, in base64. `scripts/election-worker.mjs` writes it into the built module. */
const compressed: string = '';

/** Returns the program; `undefined` if this module runs from its source. */
export function electionWorker(): string | undefined {
  if (compressed === '') return undefined;
  return brotliDecompressSync(Buffer.from(compressed, 'base64')).toString();
}
