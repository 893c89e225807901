/** Outputs of `kgen view`: a page that is served, or a file. */
import { rmSync, writeFileSync } from 'node:fs';
import type { ServedPage } from '../../view/server.ts';
import type { Console } from '../console.ts';

/** Prints the address of a page, and serves it until a signal. */
export async function serveUntilSignal({ url, close }: ServedPage, console: Console): Promise<void> {
  console.stdout.write(`${url}\n`);
  // Listeners of signals, and the servers of live pages, do not keep the process running.
  const running = setInterval(() => undefined, 2 ** 30);
  // Without it, signals end the process.
  await new Promise<void>((end) => console.onSignal?.(() => end()));
  clearInterval(running);
  await close();
}

/** Writes a file that its owner alone can read, as recordings are; a file that exists would keep its mode. */
export function writeForOwner(file: string, text: string): void {
  rmSync(file, { force: true });
  writeFileSync(file, text, { mode: 0o600 });
}
