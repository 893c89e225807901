import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { ServerCommand } from './servers.ts';
import { Supervisor } from './supervisor.ts';

const opened: Supervisor[] = [];
const deadline = { timeout: 20_000, interval: 20 };

function supervise(): Supervisor {
  const supervisor = new Supervisor(join(tmpdir(), `kgen-test-${randomUUID()}`));
  opened.push(supervisor);
  return supervisor;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((supervisor) => supervisor.close()));
});

function server(name: string, script: string): ServerCommand {
  return { name, command: process.execPath, args: ['-e', script] };
}

async function logged(supervisor: Supervisor, name: string): Promise<string> {
  const log = join(supervisor.folder, `${name}.log`);
  await expect.poll(() => (existsSync(log) ? readFileSync(log, 'utf8') : ''), deadline).toContain('\n');
  return readFileSync(log, 'utf8').trim();
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // ESRCH: no such process.
  }
}

const stay = 'setInterval(() => {}, 1000); console.log(process.pid);';

it('writes files that only their owner can read', async () => {
  const supervisor = supervise();
  supervisor.run(server('a', stay), { 'secret.key': 'x' });
  await logged(supervisor, 'a');
  expect(statSync(supervisor.folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(supervisor.folder, 'secret.key')).mode & 0o777).toBe(0o600);
});

it('passes no environment variables to servers', async () => {
  process.env['ETCD_NAME'] = 'stray';
  const supervisor = supervise();
  supervisor.run(server('a', 'console.log(process.env.ETCD_NAME ?? "none")'));
  expect(await logged(supervisor, 'a')).toBe('none');
  delete process.env['ETCD_NAME'];
});

it('terminates servers, also one that ignores SIGTERM, and removes their folder', async () => {
  const supervisor = supervise();
  supervisor.run(server('stubborn', `process.on('SIGTERM', () => {}); ${stay}`));
  supervisor.run(server('b', stay));
  const pids = [Number(await logged(supervisor, 'stubborn')), Number(await logged(supervisor, 'b'))];
  expect(pids.map(isAlive)).toEqual([true, true]);

  await supervisor.close();

  expect(pids.map(isAlive)).toEqual([false, false]);
  expect(existsSync(supervisor.folder)).toBe(false);
  expect(supervisor.exits).toEqual([]);
});

it('reports servers that exit on their own, and servers that cannot start', async () => {
  const supervisor = supervise();
  supervisor.run(server('a', 'process.exit(7)'));
  await expect.poll(() => supervisor.exits, deadline).toEqual([{ name: 'a', code: 7, signal: null }]);
  supervisor.run({ name: 'b', command: join(supervisor.folder, 'missing'), args: [] });
  await expect.poll(() => supervisor.exits[1]?.error, deadline).toContain('ENOENT');
});

it('terminates one server, also one that ignores SIGTERM, and allows a restart', async () => {
  const supervisor = supervise();
  const stubborn = server('stubborn', `process.on('SIGTERM', () => {}); ${stay}`);
  supervisor.run(stubborn);
  supervisor.run(server('b', stay));
  const pids = [Number(await logged(supervisor, 'stubborn')), Number(await logged(supervisor, 'b'))];

  await supervisor.end('stubborn');

  expect(pids.map(isAlive)).toEqual([false, true]);
  expect(supervisor.exits).toEqual([]);
  supervisor.run(stubborn);
  await expect.poll(() => logged(supervisor, 'stubborn'), deadline).toMatch(/^\d+\n\d+$/);
});

it('removes the exit status of a server that does not run', async () => {
  const supervisor = supervise();
  supervisor.run(server('a', 'process.exit(7)'));
  await expect.poll(() => supervisor.exits, deadline).toHaveLength(1);
  await supervisor.end('a');
  expect(supervisor.exits).toEqual([]);
  await supervisor.close();
  await supervisor.end('a');
});

it('cleans up after a watchdog that was killed', async () => {
  const supervisor = supervise();
  supervisor.run(server('a', `console.log(process.pid + ' ' + process.ppid); ${stay}`));
  const [pid = 0, watchdog = 0] = (await logged(supervisor, 'a')).split(/\s/).map(Number);

  process.kill(watchdog, 'SIGKILL');

  await expect.poll(() => supervisor.exits, deadline).toMatchObject([{ name: 'watchdog' }]);
  await expect.poll(() => isAlive(pid) || existsSync(supervisor.folder), deadline).toBe(false);
});

it('throws if the folder cannot be created', async () => {
  const folder = join(tmpdir(), `kgen-test-${randomUUID()}`);
  mkdirSync(folder);
  const supervisor = new Supervisor(join(folder, 'no', 'parent'));
  await expect
    .poll(() => supervisor.exits[0]?.error, deadline)
    .toContain('ENOENT: no such file or directory, mkdir');
  await supervisor.close();
  rmSync(folder, { recursive: true });
});
