#!/usr/bin/env node
// Runs kubectl's own command tests, in the folder test/cmd of Kubernetes, against a server in memory or a
// real control plane, and prints a line for each function.
// Usage: node test/kubectl-cmd/run.mjs [--real] [--all] [--logs FOLDER] [FUNCTION...]
import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startTestServer } from '@kgen/testserver';
import { copyTests, functionsOf, passingFunctions, sourcesOf } from './copy.mjs';
import { prepare } from './prepare.mjs';

const limitMs = 600_000;

/** Time of a function for its end after a failure. */
const graceMs = 3_000;

/** Runs the functions one after the other, and returns the names of those that fail. */
export async function runFunctions(names, { real = false, logs, print = console.log } = {}) {
  const sources = sourcesOf();
  const kubectl = kubectlPath();
  const folder = logs ?? join(tmpdir(), `kgen-kubectl-cmd-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const failed = [];
  for (const name of names) {
    const server = real ? await realServer() : await memoryServer();
    const started = performance.now();
    const log = join(folder, `${name}.log`);
    const isPassed = await runFunction(name, { sources, kubectl, server, log });
    await server.stop();
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    print(`${isPassed ? 'ok' : 'FAILED'} ${name} (${seconds} s)${isPassed ? '' : `: ${log}`}`);
    if (!isPassed) failed.push(name);
  }
  return failed;
}

function kubectlPath() {
  const script = join(import.meta.dirname, '../envtest/build.mjs');
  return join(execFileSync(process.execPath, [script, 'kubectl'], { encoding: 'utf8' }).trim(), 'kubectl');
}

/** As the control plane for which the tests are written: without a scheduler and without kubelets. */
async function memoryServer() {
  const server = await startTestServer({ https: true, controllers: { pods: false }, apiVersions: 'stable' });
  return connection(server.admin, () => server.stop());
}

async function realServer() {
  const { startControlPlane } = await import('@kgen/testing');
  const plane = await startControlPlane({ controllerManager: true });
  return connection(plane.config, () => plane.stop());
}

async function connection(config, stop) {
  return { url: config.server, ca: config.tls?.ca ?? '', token: await prepare(config), stop };
}

/** Runs one function in a copy of the tests, and returns whether it has passed. */
async function runFunction(name, { sources, kubectl, server, log }) {
  const folder = copyTests(sources);
  mkdirSync(join(folder, '_output/tmp'), { recursive: true });
  writeFileSync(join(folder, '_output/tmp/apiserver.crt'), server.ca);
  const env = {
    PATH: process.env.PATH,
    TERM: 'xterm',
    KUBECTL: kubectl,
    SECURE_API_PORT: new URL(server.url).port,
    TOKEN: server.token,
  };
  const output = createWriteStream(log);
  const script = join(import.meta.dirname, 'function.sh');
  // A group of its own: proxies and watches of a function that fails go on.
  const child = spawn('bash', [script, name], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const receive = (chunk) => {
    output.write(chunk);
    printed = (printed + chunk).slice(-10_000);
    // The trace of a failure. The rest may wait for a proxy that the function has left behind.
    if (/!!! .*function\.sh:\d+ runTests\(/.test(printed)) setTimeout(() => end(child.pid), graceMs).unref();
  };
  child.stdout.on('data', receive);
  child.stderr.on('data', receive);
  const timer = setTimeout(() => end(child.pid), limitMs);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  clearTimeout(timer);
  end(child.pid);
  output.end();
  rmSync(folder, { recursive: true, force: true });
  return code === 0;
}

function end(group) {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { real: { type: 'boolean' }, all: { type: 'boolean' }, logs: { type: 'string' } },
  });
  const listed = () => (values.all ? functionsOf(sourcesOf()) : passingFunctions());
  const names = positionals.length > 0 ? positionals : listed();
  const failed = await runFunctions(names, values);
  console.log(`${names.length - failed.length} passed, ${failed.length} failed`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) await main();
