/** A PostgreSQL server for tests, if its programs are installed. */
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A running server, which accepts connections without a password. */
export interface PostgresServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts a server. Returns `undefined` if PostgreSQL, or its client psql, is not installed. */
export async function startPostgres(): Promise<PostgresServer | undefined> {
  const path = spawnSync('sh', ['-c', 'command -v psql && command -v postgres'], { encoding: 'utf8' });
  const [, postgres] = path.stdout.split('\n');
  if (path.status !== 0 || postgres === undefined) return undefined;
  const programs = dirname(realpathSync(postgres));
  const folder = mkdtempSync(join(tmpdir(), 'kgen-postgres-'));
  chmodSync(folder, 0o777);
  // The server refuses to run as root: 65534 is the user without permissions.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const options = { cwd: folder, ...user };
  const data = join(folder, 'data');
  const control = join(programs, 'pg_ctl');
  await run(join(programs, 'initdb'), ['-D', data, '-U', 'test', '-A', 'trust', '--no-sync'], options);
  const port = await freePort();
  const own = `-p ${port} -h 127.0.0.1 -k ${folder} -F`;
  await run(control, ['start', '-w', '-D', data, '-l', join(folder, 'log'), '-o', own], options);
  return {
    port,
    stop: async () => {
      await run(control, ['stop', '-m', 'immediate', '-D', data], options);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the output of a statement that psql sends to a port of this machine. */
export async function queryPostgres(port: number, statement: string): Promise<string> {
  const args = ['-h', '127.0.0.1', '-p', String(port), '-U', 'test', '-d', 'postgres', '-Atc', statement];
  const { stdout } = await run('psql', args, { maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
