import { Readable } from 'node:stream';
import { crdText } from '../input/reading.fixture.ts';
import { type Paint, plain } from './colors.ts';
import type { Output } from './console.ts';
import { run } from './run.ts';

/** Output of a run on its streams. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in a folder. Standard input contains the CRD `Piped`. */
export async function runIn(
  cwd: string,
  line: string,
  { isTerminal = false, paint = plain }: { readonly isTerminal?: boolean; readonly paint?: Paint } = {},
): Promise<Ran> {
  const text = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr'): Output => ({
    isTerminal,
    hasCursor: isTerminal,
    paint,
    write: (more) => {
      text[name] += more;
    },
  });
  const code = await run(line.split(' ').filter(Boolean), {
    cwd,
    stdin: Readable.from([Buffer.from(crdText('Piped'))]),
    stdout: output('stdout'),
    stderr: output('stderr'),
    now: () => 0,
  });
  return { code, ...text };
}
