/**
 * Clients against servers and proxies with random responses, at any speed, over every wire. `KGEN_FUZZ_SEED`
 * and `KGEN_FUZZ_ROUNDS` select the exchanges; `KGEN_SEED=7 npx vitest run test/faults/random.test.ts` runs
 * one of them.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createCertificates } from '../support/certificates.ts';
import { runProgram } from '../support/program.ts';
import { campaign } from '../support/random.ts';

/** For a thousand exchanges on a busy machine. */
const timeoutMs = 1_800_000;
/** Repetitions of a single exchange, because its timing varies. */
const repeats = 20;
/** Number of exchanges that covers everything. */
const many = 300;

const replayed = process.env['KGEN_SEED'];
const seeds =
  replayed === undefined
    ? campaign('servers with random responses', {
        rounds: 1_000,
        few: process.env['CI'] === undefined ? 30 : many,
      })
    : Array.from({ length: repeats }, () => Number(replayed));

interface Report {
  readonly failures: readonly string[];
  /** Wires, calls and ends that did not occur. */
  readonly unmet: readonly string[];
  /** Number of occurrences per wire, call and end. */
  readonly met: Readonly<Record<string, number>>;
}

async function played(): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'kgen-random-'));
  try {
    const { trusted, other, server, oldServer } = await createCertificates();
    const others = [await other.issueServer('api', { names: [], addresses: ['127.0.0.1'] }), oldServer];
    const file = join(folder, 'certificates.json');
    const ca = join(folder, 'ca.pem');
    await writeFile(file, JSON.stringify({ ca: trusted.cert, trusted: server, others }));
    await writeFile(ca, trusted.cert);
    const { stdout, stderr } = await runProgram("import './test/faults/random/program.ts';", {
      // Certificates of proxies are verified with the roots of the system.
      env: { NODE_EXTRA_CA_CERTS: ca, NODE_NO_WARNINGS: '1' },
      args: [file, seeds.join(',')],
      timeout: timeoutMs,
    });
    expect(stderr).toBe('');
    // The output of the program.
    return JSON.parse(stdout) as Report;
  } finally {
    await rm(folder, { recursive: true });
  }
}

it(
  'settles every promise in time, with a named error, and leaves nothing open',
  async () => {
    const { failures, unmet, met } = await played();
    if (process.env['KGEN_DEBUG'] !== undefined) console.log(met);
    expect(failures).toEqual([]);
    if (seeds.length >= many && replayed === undefined) expect(unmet).toEqual([]);
  },
  timeoutMs,
);
