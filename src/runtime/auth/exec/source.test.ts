import { fstatSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { ExecConfig } from '../../config/types.ts';
import { credentialsOf } from '../credentials.ts';
import { apiVersion, plugin, sourceOf, usePluginFolder } from './plugin.fixture.ts';

usePluginFolder();

describe('an exec plugin', () => {
  it('receives its environment, and shows its standard error to the user', async () => {
    const { exec, file } = await plugin(
      `
      const { ONE, TWO, GONE, KUBERNETES_EXEC_INFO } = process.env;
      writeFileSync(home + '.seen', JSON.stringify({ info, ONE, TWO, GONE, args: process.argv.slice(3) }));
      process.stderr.write('hello');
      answer({ token: 'sesame' });`,
      {
        args: ['--flag', 'a b'],
        env: [
          { name: 'ONE', value: 'ours' },
          { name: 'KUBERNETES_EXEC_INFO', value: 'not this' },
        ],
        provideClusterInfo: true,
        clusterConfig: { audience: 'shop' },
      },
    );
    const { source, shown } = sourceOf(exec, {
      config: { tls: { ca: 'PEM', serverName: 'b' }, proxyUrl: 'http://c' },
      environment: { env: { ...process.env, ONE: 'theirs', TWO: '2' } },
    });
    expect(await source.current()).toEqual({ authorization: 'Bearer sesame' });
    expect(shown.join('')).toBe('hello');
    expect(JSON.parse(await readFile(file('seen'), 'utf8'))).toEqual({
      info: {
        kind: 'ExecCredential',
        apiVersion,
        spec: {
          interactive: false,
          cluster: {
            server: 'https://a',
            'tls-server-name': 'b',
            'certificate-authority-data': 'UEVN',
            'proxy-url': 'http://c',
            config: { audience: 'shop' },
          },
        },
      },
      ONE: 'ours',
      TWO: '2',
      args: ['--flag', 'a b'],
    });
  });

  it('may prompt on a terminal without a time-out', async () => {
    const { exec, file } = await plugin(
      `
      const { ino } = fstatSync(0);
      writeFileSync(home + '.seen', JSON.stringify({ ino, spec: info.spec }));
      await new Promise((resolve) => setTimeout(resolve, 50));
      answer({ token: 'sesame' });`,
      { interactiveMode: 'Always', timeoutMs: 1 },
    );
    const { source } = sourceOf(exec, { environment: { isTerminal: (fd) => fd === 0 } });
    expect(await source.current()).toEqual({ authorization: 'Bearer sesame' });
    const want = { ino: fstatSync(0).ino, spec: { interactive: true } };
    expect(JSON.parse(await readFile(file('seen'), 'utf8'))).toEqual(want);
  });

  it('runs once for concurrent calls of many clients', async () => {
    const { exec, runs } = await plugin(`answer({ token: 'run-' + run });`);
    const sources = [sourceOf(exec).source, sourceOf({ ...exec }).source, sourceOf(exec).source];
    const credentials = await Promise.all([...sources, ...sources].map((source) => source.current()));
    expect(new Set(credentials).size).toBe(1);
    expect(credentials[0]).toEqual({ authorization: 'Bearer run-1' });
    expect(sources.map((source) => source.current())).toEqual(credentials.slice(0, 3));
    expect(await runs()).toHaveLength(1);
  });

  it('is not shared between clusters, arguments and environments', async () => {
    const { exec, runs } = await plugin(`answer({ token: 'run-' + run });`);
    await sourceOf(exec).source.current();
    await sourceOf(exec, { config: { server: 'https://b' } }).source.current();
    await sourceOf({ ...exec, args: [...(exec.args ?? []), 'more'] }).source.current();
    await sourceOf({ ...exec, env: [{ name: 'A', value: '1' }] }).source.current();
    expect(await runs()).toHaveLength(4);
  });

  it('runs again after its credential expired', async () => {
    const { exec, runs } = await plugin(
      `answer({ token: 'run-' + run, expirationTimestamp: '2030-01-01T00:00:00Z' });`,
    );
    const state = { now: Date.UTC(2029, 0, 1) };
    const { source } = sourceOf(exec, { environment: { now: () => state.now } });
    await source.current();
    state.now = Date.UTC(2030, 0, 1);
    expect(await source.current()).toEqual({ authorization: 'Bearer run-1' });
    state.now += 1;
    expect(await source.current()).toEqual({ authorization: 'Bearer run-2' });
    expect(await runs()).toHaveLength(2);
  });

  it('runs again after a 401, once for all refused requests', async () => {
    const { exec, runs } = await plugin(`answer({ token: 'run-' + run });`);
    const { source } = sourceOf(exec);
    const refused = await source.current();
    const [first, second] = await Promise.all([source.renew(refused), source.renew(refused)]);
    expect(first).toEqual({ authorization: 'Bearer run-2' });
    expect(second).toBe(first);
    expect(await source.renew(refused)).toBe(first);
    expect(source.current()).toBe(first);
    expect(await runs()).toHaveLength(2);
  });

  it('causes no retry if it returns the same credential after a 401', async () => {
    const { exec, runs } = await plugin(`answer({ token: 'same' });`);
    const { source } = sourceOf(exec);
    const refused = await source.current();
    expect(await source.renew(refused)).toBeUndefined();
    expect(source.current()).toBe(refused);
    expect(await runs()).toHaveLength(2);
  });

  it('fails once for all waiting calls, and runs again for later ones', async () => {
    const { exec, runs } = await plugin(`if (run === 1) process.exit(3); answer({ token: 'sesame' });`);
    const { source } = sourceOf(exec);
    const all = await Promise.allSettled([source.current(), source.current(), source.current()]);
    expect(
      new Set(all.map((result) => (result.status === 'rejected' ? result.reason : undefined))).size,
    ).toBe(1);
    expect(all[0]).toMatchObject({ reason: { name: 'ConfigError' } });
    expect(await source.current()).toEqual({ authorization: 'Bearer sesame' });
    expect(await runs()).toHaveLength(2);
  });

  it('continues for other calls when one is aborted', async () => {
    const { exec, file, runs } = await plugin(`
      while (!existsSync(home + '.go')) await new Promise((resolve) => setTimeout(resolve, 5));
      answer({ token: 'sesame' });`);
    const { source } = sourceOf(exec);
    const controller = new AbortController();
    const ended = source.current(controller.signal);
    const other = source.current();
    controller.abort(new Error('enough'));
    await expect(ended).rejects.toThrow('enough');
    await writeFile(file('go'), '');
    expect(await other).toEqual({ authorization: 'Bearer sesame' });
    expect(await runs()).toHaveLength(1);
  });

  it('passes its certificate on', async () => {
    const { createAuthority } = await import('@kgen/certificates/authority');
    const jane = await (await createAuthority()).issueClient('jane', []);
    const { exec, file } = await plugin(`
      const { cert, key } = JSON.parse(readFileSync(home + '.pair', 'utf8'));
      answer({ clientCertificateData: cert, clientKeyData: key });`);
    await writeFile(file('pair'), JSON.stringify(jane));
    expect(await sourceOf(exec).source.current()).toEqual(jane);
  });

  it('is rejected together with a certificate that is set by hand', () => {
    const exec: ExecConfig = { apiVersion, command: 'not-there', interactiveMode: 'Never' };
    const config = { server: 'https://a', tls: { cert: 'c', key: 'k' }, auth: { exec } };
    expect(() => credentialsOf(config)).toThrow(
      'a client certificate and an exec plugin are set together; remove all but one',
    );
  });

  it('may leave a child process that holds its output open', async () => {
    const { exec, file } = await plugin(`
      const { spawn } = await import('node:child_process');
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit', detached: true });
      writeFileSync(home + '.child', String(child.pid));
      answer({ token: 'sesame' });
      process.exit(0);`);
    expect(await sourceOf(exec).source.current()).toEqual({ authorization: 'Bearer sesame' });
    process.kill(Number(await readFile(file('child'), 'utf8')), 'SIGKILL');
  });
});

it('resolves a relative path below the current folder', async () => {
  const { exec } = await plugin(`answer({ token: 'sesame' });`);
  const command = relative(process.cwd(), process.execPath);
  expect(dirname(command)).not.toBe('.');
  expect(await sourceOf({ ...exec, command }).source.current()).toEqual({ authorization: 'Bearer sesame' });
});

it('sources print without secrets', async () => {
  const { exec } = await plugin(`answer({ token: 'sesame' });`, { env: [{ name: 'A', value: 'sesame' }] });
  const { source } = sourceOf(exec);
  await source.current();
  expect(`${inspect(source, { depth: 9, showHidden: true })}${JSON.stringify(source)}`).not.toContain(
    'sesame',
  );
});
