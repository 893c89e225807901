/** Entries of tar archives, and readers of whole archives. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Extraction } from '../../src/runtime/client/streams/copy/extract.ts';
import { firstBlock, readTar, type TarEvent } from '../../src/runtime/client/streams/copy/tar-read.ts';
import { tarEnd, tarHeader, tarPadding } from '../../src/runtime/client/streams/copy/tar-write.ts';

/** Creates a folder until the end of the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kgen-copy-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns the entry of a file. */
export function file(path: string, content = 'x', mode = 0o644): Buffer {
  const size = Buffer.byteLength(content);
  const header = tarHeader({ kind: 'file', path, mode, mtime: 0, size });
  return Buffer.concat([header, Buffer.from(content), tarPadding(size)]);
}

/** Returns the entry of a folder. */
export function folder(path: string): Buffer {
  return Buffer.from(tarHeader({ kind: 'directory', path, mode: 0o755, mtime: 0, size: 0 }));
}

/** Returns the entry of a symbolic link. */
export function link(path: string, target: string): Buffer {
  return Buffer.from(tarHeader({ kind: 'symlink', path, mode: 0o777, mtime: 0, size: 0, target }));
}

/** Returns an entry of another kind, with a valid checksum. */
export function special(path: string, flag: string, target = ''): Buffer {
  const block = link(path, target);
  block.write(flag, 156);
  return sealed(block);
}

/** Sets the checksum of a header. */
export function sealed(block: Buffer): Buffer {
  block.fill(' ', 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

/** Reads bytes in chunks of the lengths that `next` returns. */
export function read(bytes: Uint8Array, next: () => number = () => bytes.length) {
  const events: TarEvent[] = [];
  let state = firstBlock;
  for (let start = 0; start < bytes.length; ) {
    const end = start + Math.max(1, next());
    const step = readTar(state, bytes.subarray(start, end));
    state = step.state;
    events.push(...step.events);
    if (step.failure !== undefined) return { state, events, failure: step.failure };
    start = end;
  }
  return { state, events, failure: undefined };
}

/** Extracts an archive whose root is `src`, and returns the created paths and the reasons of skipped ones. */
export async function extract(target: string, ...entries: readonly Buffer[]) {
  const extraction = new Extraction(target, (path) => {
    const parts = path.split('/').filter((part) => part !== '');
    return parts.shift() === 'src' ? parts : undefined;
  });
  for (const event of read(Buffer.concat([...entries, tarEnd])).events) await extraction.add(event);
  await extraction.close();
  const paths = await readdir(target, { recursive: true });
  return { paths: paths.sort(), ...extraction.result };
}
