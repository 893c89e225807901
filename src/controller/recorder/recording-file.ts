/** Files that are complete or absent, and that only their owner can read. */

import { randomUUID } from 'node:crypto';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorOf } from '../errors.ts';

/** Characters that are written at once, and milliseconds of work between two turns of the event loop. */
const chunkLength = 256 * 1024;
const sliceMs = 10;

/**
 * Writes lines to a file. Empty lines are skipped: their creation may have taken time. The event loop
 * continues between the lines.
 * @throws {Error} if the file cannot be written; then it is unchanged
 */
export async function writeLines(path: string, lines: Iterable<string>): Promise<void> {
  const part = join(dirname(path), `.${randomUUID()}.part`);
  try {
    const file = await open(part, 'wx', 0o600);
    try {
      // Not `file.write`, which may write a part of a chunk only.
      await writeFile(file, chunksOf(lines));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw new Error(`the recording ${path} was not written: ${errorOf(error).message}`, { cause: error });
  }
}

/** Returns lines as one text, like the file of `writeLines`. */
export async function textOf(lines: Iterable<string>): Promise<string> {
  const chunks: string[] = [];
  for await (const chunk of chunksOf(lines)) chunks.push(chunk);
  return chunks.join('');
}

async function* chunksOf(lines: Iterable<string>): AsyncGenerator<string> {
  let chunk = '';
  let since = performance.now();
  for (const line of lines) {
    if (line !== '') chunk += `${line}\n`;
    if (chunk.length >= chunkLength) {
      yield chunk;
      chunk = '';
    }
    if (performance.now() - since < sliceMs) continue;
    await nextTurn();
    since = performance.now();
  }
  if (chunk !== '') yield chunk;
}
