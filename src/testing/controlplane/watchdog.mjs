// Runs servers as long as its standard input is open, in the folder of its only argument.
//
// Each line of standard input is a JSON object: { files?: { name: content }, server?: { name, command, args }
// } or { end: name }. The first form writes files and starts a server with its output in `<name>.log`; the
// second form stops a server. Each line of standard output is a JSON object: { name, code, signal, error? }
// for a server that ended on its own, { name, requested: true } for a server that was stopped. When standard
// input closes, on purpose or because the parent process was killed, the servers are stopped, the folder is
// removed and this process ends.
//
// Plain JavaScript without dependencies: it has to start before, and outlive, the process that loads the rest
// of this package.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

// Long enough for a graceful end, short enough for tests: an API server with open watches would wait for a
// minute.
const graceMs = 2_000;
const folder = process.argv[2];

/** Running servers in the order of their start. */
const running = new Map();
/** Servers that are being stopped. */
const requested = new Set();
let ending = false;

makeFolder();

function makeFolder() {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    process.stderr.write(error.message);
    process.exit(1);
  }
}
// The reader of standard output may be gone; standard input decides.
process.stdout.on('error', () => {});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void end());

/** Servers that need others were started later, so they are stopped first. */
async function end() {
  if (ending) return;
  ending = true;
  const killAll = setTimeout(() => {
    for (const child of running.values()) child.kill('SIGKILL');
  }, graceMs);
  for (const child of [...running.values()].reverse()) {
    await new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once('ended', resolve);
      child.kill('SIGTERM');
    });
  }
  clearTimeout(killAll);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.exit();
}
createInterface({ input: process.stdin })
  .on('line', obey)
  .once('close', () => void end());

function obey(line) {
  const { files = {}, server, end: name } = JSON.parse(line);
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), content, { mode: 0o600 });
  if (server) start(server);
  if (name !== undefined) endOne(name);
}

function endOne(name) {
  const child = running.get(name);
  if (!child) return report({ name, requested: true });
  requested.add(name);
  const kill = setTimeout(() => child.kill('SIGKILL'), graceMs);
  child.once('ended', () => clearTimeout(kill));
  child.kill('SIGTERM');
}

function report(event) {
  if (!ending) process.stdout.write(`${JSON.stringify(event)}\n`);
}

function start({ name, command, args }) {
  const log = openSync(join(folder, `${name}.log`), 'a', 0o600);
  // The environment does not configure a server; etcd, for example, reads ETCD_… variables.
  const env = { PATH: process.env.PATH, TMPDIR: folder };
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', log, log] });
  closeSync(log);
  running.set(name, child);
  child.once('error', (error) => ended(name, { error: error.message }));
  child.once('exit', (code, signal) => ended(name, { code, signal }));
}

function ended(name, how) {
  const child = running.get(name);
  if (!child) return;
  running.delete(name);
  child.emit('ended');
  report(requested.delete(name) ? { name, requested: true } : { name, ...how });
}
