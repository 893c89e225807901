import { existsSync, readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { holdTime, until } from '../../../../test/support/runtime/no-time-passes.ts';
import type { ExecConfig } from '../../config/types.ts';
import type { CredentialSource } from '../types.ts';
import { apiVersion, isAlive, pathOf, plugin, sourceOf, usePluginFolder } from './plugin.fixture.ts';

usePluginFolder();

async function failureOf(source: CredentialSource): Promise<Error> {
  try {
    await source.current();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new TypeError('there was no error');
}

/** Returns everything that printing an error could show. */
function printed(error: Error): string {
  return `${error.message}${error.stack}${inspect(error, { depth: 9, showHidden: true })}${JSON.stringify(error)}`;
}

/** Returns the resources of child processes that keep the process running: handles, pipes, timers. */
function handles(all: readonly string[]): readonly string[] {
  return all.filter((name) => /Process|Pipe/.test(name)).sort();
}

describe('a failing exec plugin', () => {
  const exitListeners = process.listenerCount('exit');
  const signalListeners: Readonly<Record<string, number>> = Object.fromEntries(
    ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => [signal, process.listenerCount(signal)]),
  );
  const node = JSON.stringify(process.execPath);
  const cases: Readonly<Record<string, readonly [script: string, want: RegExp, more?: Partial<ExecConfig>]>> =
    {
      'exit 1': [
        `console.log('sesame'); console.error('no session\\npassword: sesame'); process.exit(1);`,
        /failed with exit code 1; run it by hand to see what it needs; its standard error:\nno session\npassword: \[hidden\]$/,
      ],
      'exit 1 without output': [
        `process.exit(1);`,
        /failed with exit code 1; run it by hand to see what it needs$/,
      ],
      'killed by a signal': [
        `process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000);`,
        /was terminated by SIGTERM/,
      ],
      'invalid JSON on standard output': [
        `console.log('token sesame');`,
        /it is not an object in JSON or YAML/,
      ],
      'nothing on standard output': [``, /it is not an object in JSON or YAML/],
      'too much on standard output': [
        `process.stdout.write('sesame '.repeat(400000)); setInterval(() => {}, 1000);`,
        /wrote more than 1048576 bytes to standard output, and was terminated/,
      ],
      'a secret of its environment': [
        `console.error('cannot log in with', process.env.SECRET, 'and', process.argv.slice(3)); process.exit(1);`,
        /cannot log in with \[hidden\] and/,
        {
          env: [{ name: 'SECRET', value: 'sesame' }],
          args: ['--client-secret', 'sesame2', '--password=sesame3'],
        },
      ],
    };
  it.each(Object.entries(cases))('%s', async (_, [script, want, more]) => {
    const { exec } = await plugin(script, more);
    const error = await failureOf(sourceOf(exec).source);
    expect(error).toMatchObject({ name: 'ConfigError', message: expect.stringMatching(want) });
    expect(error.message).toContain(`the exec plugin ${node} `);
    expect(printed(error)).not.toContain('sesame');
    expect(printed(error)).not.toContain(exec.args?.[0]);
  });

  it('is killed with its descendants when it times out', async () => {
    const { exec, file } = await plugin('');
    const script = 'echo $$ > "$1"; sleep 1000 & echo $! >> "$1"; wait';
    const shell = { ...exec, command: '/bin/sh', args: ['-c', script, 'sh', file('pids')], timeoutMs: 1500 };
    const before = process.getActiveResourcesInfo();
    holdTime();
    const failed = failureOf(sourceOf(shell).source);
    const lines = (): readonly string[] =>
      existsSync(file('pids')) ? readFileSync(file('pids'), 'utf8').split('\n').slice(0, -1) : [];
    await until(() => lines().length === 2);
    vi.advanceTimersByTime(1500);
    vi.useRealTimers();
    const error = await failed;
    expect(error.message).toMatch(/did not finish within 1500 ms, and was terminated; run it by hand/);
    const pids = lines().map(Number);
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
    await expect.poll(() => handles(process.getActiveResourcesInfo())).toEqual(handles(before));
    expect(process.listenerCount('exit')).toBe(exitListeners);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      expect(process.listenerCount(signal)).toBe(signalListeners[signal]);
    }
  });

  it('does not block aborted callers, and ends with this process', async () => {
    const { exec, runs } = await plugin(`setInterval(() => {}, 1000);`);
    const before = handles(process.getActiveResourcesInfo());
    const listeners = process.listeners('exit');
    const controller = new AbortController();
    const call = sourceOf(exec).source.current(controller.signal);
    await expect.poll(runs).toHaveLength(1);
    expect(handles(process.getActiveResourcesInfo())).not.toEqual(before);
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect(handles(process.getActiveResourcesInfo())).toEqual(before);
    for (const listener of process.listeners('exit')) {
      if (!listeners.includes(listener)) listener(0);
    }
    const pids = await runs();
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  });

  it('reports the install hint if it is not found', async () => {
    const exec: ExecConfig = { apiVersion, command: 'kgen-not-there', interactiveMode: 'Never' };
    const hint = 'get it with\n  \u001b[31mbrew install login';
    expect((await failureOf(sourceOf({ ...exec, installHint: hint }).source)).message).toBe(
      'the exec plugin "kgen-not-there" was not found: it is not in any absolute folder of PATH\nget it with\n  brew install login',
    );
    expect((await failureOf(sourceOf(exec).source)).message).toMatch(
      /install it, or set its full path as command$/,
    );
    const path = pathOf('not-there');
    expect((await failureOf(sourceOf({ ...exec, command: path }).source)).message).toMatch(/no such file/);
  });

  it('is reported if it is not executable', async () => {
    const { exec, file } = await plugin('');
    await writeFile(file('sh'), '#!/bin/sh\nexit 0\n');
    await chmod(file('sh'), 0o644);
    const error = await failureOf(sourceOf({ ...exec, command: file('sh') }).source);
    expect(error.message).toMatch(/cannot be run: .*\.sh is not executable for this user$/);
  });

  it('is reported if its interpreter is missing', async () => {
    const { exec, file } = await plugin('');
    await writeFile(file('sh'), '#!/not/there\n');
    await chmod(file('sh'), 0o755);
    const error = await failureOf(sourceOf({ ...exec, command: file('sh') }).source);
    expect(error.message).toMatch(/could not be started: the interpreter .* is missing \(ENOENT\)$/);
    expect(printed(error)).not.toContain(exec.args?.[0]);
  });

  it('is reported if its arguments are too long', async () => {
    const { exec } = await plugin('');
    const error = await failureOf(sourceOf({ ...exec, args: ['sesame'.repeat(1_000_000)] }).source);
    expect(error.message).toMatch(/its arguments and environment are too long.*\(E2BIG\)$/);
    expect(printed(error)).not.toContain('sesame');
  });

  it('is rejected if it requires standard input without a terminal', async () => {
    const { exec, runs } = await plugin(`answer({ token: 'sesame' });`, { interactiveMode: 'Always' });
    expect((await failureOf(sourceOf(exec).source)).message).toMatch(/standard input is not a terminal/);
    expect(await runs()).toEqual([]);
  });
});
