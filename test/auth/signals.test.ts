/** Exec plugins of a program that is terminated by a signal, as with Ctrl-C in a terminal. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isAlive, plugin, usePluginFolder } from '../../src/runtime/auth/exec/plugin.fixture.ts';

usePluginFolder();

const source = join(import.meta.dirname, '../../src/runtime/auth/credentials.ts');

interface Program {
  readonly child: ChildProcess;
  /** Process ids of the plugin and of its child processes. */
  readonly plugins: readonly number[];
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  readonly output: () => string;
}

/** Starts a program in its own process group that waits for a plugin which never exits. */
async function start(setup = '', interactiveMode: 'Never' | 'Always' = 'Never'): Promise<Program> {
  const { exec, file } = await plugin('');
  const script = 'echo $$ > "$1.new"; sleep 1000 & echo $! >> "$1.new"; mv "$1.new" "$1"; wait';
  const args = ['-c', script, 'sh', file('pids')];
  const given = { ...exec, command: '/bin/sh', args, interactiveMode, timeoutMs: 600_000 };
  const text = `
    import { credentialsOf } from ${JSON.stringify(source)};
    ${setup}
    const auth = { exec: ${JSON.stringify(given)} };
    const source = credentialsOf({ server: 'https://a', auth }, { isTerminal: (fd) => fd === 0 });
    source.current().catch((error) => console.log(error.message));`;
  const outfile = file('cjs');
  const stdin = { contents: text, loader: 'ts', resolveDir: import.meta.dirname } as const;
  await build({ stdin, bundle: true, platform: 'node', format: 'cjs', outfile, logLevel: 'error' });
  const child = spawn(process.execPath, [outfile], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const pids = (): Promise<string> => readFile(file('pids'), 'utf8').catch(() => '');
  await expect.poll(pids, { timeout: 20_000 }).not.toBe('');
  const plugins = (await pids()).trim().split('\n').map(Number);
  onTestFinished(() => {
    for (const pid of [...plugins, child.pid ?? 0]) if (pid > 0 && isAlive(pid)) process.kill(pid, 'SIGKILL');
  });
  expect(plugins.filter(isAlive)).toHaveLength(2);
  return { child, plugins, ended, output: () => output };
}

async function gone(plugins: readonly number[]): Promise<void> {
  await expect.poll(() => plugins.filter(isAlive), { timeout: 20_000 }).toEqual([]);
}

describe.runIf(process.platform !== 'win32')('a running exec plugin', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'is terminated with its process on %s',
    async (signal) => {
      const { child, plugins, ended } = await start();
      child.kill(signal);
      expect(await ended).toEqual({ code: null, signal });
      await gone(plugins);
    },
  );

  it('is terminated by a signal that arrives while it starts', async () => {
    const setup = `
      const processes = require('node:child_process');
      const { spawn } = processes;
      processes.spawn = (...given) => {
        const child = spawn(...given);
        // The program is suspended after the plugin has started, until it has received the signal.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
        return child;
      };`;
    const { child, plugins, ended } = await start(setup);
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: null, signal: 'SIGTERM' });
    await gone(plugins);
  });

  it.each(['SIGINT', 'SIGQUIT'] as const)(
    'is in the process group that receives %s from a terminal',
    async (signal) => {
      const { child, plugins, ended } = await start();
      process.kill(-(child.pid ?? 0), signal);
      expect(await ended).toEqual({ code: null, signal });
      // Programs that a shell starts in the background ignore these signals.
      await gone(plugins.slice(0, 1));
    },
  );

  it('is terminated by a signal that the process handles, and the process continues', async () => {
    const setup = `process.on('SIGTERM', () => console.log('handled'));`;
    const { child, plugins, ended, output } = await start(setup);
    child.kill('SIGTERM');
    await gone(plugins);
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(output()).toMatch(/^handled\n.* was terminated by SIGKILL/);
  });

  it('does not prevent a sole listener from raising a signal again', async () => {
    // The package signal-exit decides in this way.
    const setup = `
      const listener = () => {
        if (process.listenerCount('SIGTERM') > 1) return;
        process.off('SIGTERM', listener);
        process.kill(process.pid, 'SIGTERM');
      };
      process.on('SIGTERM', listener);`;
    const { child, plugins, ended } = await start(setup);
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: null, signal: 'SIGTERM' });
    await gone(plugins);
  });

  it('receives the signal itself if it is interactive', async () => {
    const { child, plugins, ended } = await start('', 'Always');
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: null, signal: 'SIGTERM' });
    await gone(plugins.slice(0, 1));
  });
});
