/** kubectl exec, cp, attach and port-forward on the server in memory. */
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { controlPlaneAvailability } from '@kgen/testing';
import { startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTimeoutMs, findKubectl } from '../support/kubectl.ts';
import { sharedPlane } from '../support/shared-plane.ts';

const { available } = controlPlaneAvailability();
const isRequired = process.env['KGEN_NOTHING_SKIPPED'] !== undefined;

const pod = {
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'default' } },
  spec: { containers: [{ name: 'main', image: 'a', stdin: true, tty: false }] },
};

interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe.skipIf(!available && !isRequired)('kubectl', { timeout: 60_000 }, () => {
  let server: TestServer;
  let folder: string;
  let kubectl: string;
  let archive: Buffer = Buffer.alloc(0);

  beforeAll(async () => {
    kubectl = findKubectl((await sharedPlane()).assets, true) ?? '';
    server = await startTestServer({ objects: [pod] });
    folder = await mkdtemp(join(tmpdir(), 'kgen-kubectl-'));
    await writeFile(join(folder, 'config'), server.kubeconfig, { mode: 0o600 });
    server.onExec(async ({ command: [program = '', flags = ''], stdin, stdout, stderr }) => {
      if (program === 'fail') stderr.write('it failed\n');
      else if (program === 'throw') throw new Error('no such program');
      else if (program === 'tar' && flags.startsWith('c')) stdout.write(archive);
      else if (program === 'tar') archive = Buffer.concat(await stdin.toArray());
      else if (program !== 'test') await pipeline(stdin, stdout);
      return { code: program === 'fail' ? 42 : program === 'test' ? 1 : 0 };
    });
    server.onAttach(({ container, stdout }) => {
      stdout.write(`output of ${container}\n`);
      return { code: 0 };
    });
    server.onPortForward(({ port, stream }) => {
      if (port === 81) throw new Error('refused');
      stream.write(`${port} `);
      stream.pipe(stream);
    });
  }, buildTimeoutMs);
  afterAll(async () => {
    await Promise.all([server.stop(), rm(folder, { recursive: true })]);
  });

  const args = (words: readonly string[]): readonly string[] => [
    `--kubeconfig=${join(folder, 'config')}`,
    `--cache-dir=${join(folder, 'cache')}`,
    ...words,
  ];

  function run(words: readonly string[], input = ''): Promise<Output> {
    return new Promise((resolve) => {
      const child = execFile(
        kubectl,
        args(words),
        { timeout: 30_000, env: { HOME: folder } },
        (error, stdout, stderr) => {
          resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr });
        },
      );
      child.stdin?.end(input);
    });
  }

  it.each<[string, string, Output]>([
    ['exec -i web -- cat', 'input', { code: 0, stdout: 'input', stderr: '' }],
    [
      'exec web -- fail',
      '',
      { code: 42, stdout: '', stderr: 'it failed\ncommand terminated with exit code 42\n' },
    ],
  ])('%s', async (command, input, want) => {
    expect(await run(command.split(' '), input)).toEqual(want);
  });

  it.each<[string, string]>([
    ['exec web -- throw', 'error executing command in container: no such program'],
    ['exec web --as=jane -- cat', 'User "jane" cannot'],
    ['exec none -- cat', 'pods "none" not found'],
    ['exec web -c none -- cat', 'container none is not valid'],
  ])('%s fails with "%s"', async (command, message) => {
    const { code, stderr } = await run(command.split(' '));
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  });

  it('attach prints the output of the process', async () => {
    expect(await run(['attach', 'web'])).toMatchObject({ code: 0, stdout: 'output of main\n' });
  });

  it('cp copies a file in both directions', async () => {
    const [from, to] = [join(folder, 'one.bin'), join(folder, 'two.bin')];
    const content = Buffer.alloc(2 ** 20, 'abcdefg');
    await writeFile(from, content);
    expect(await run(['cp', from, 'web:/srv/one.bin'])).toMatchObject({ code: 0, stderr: '' });
    expect(await run(['cp', 'web:one.bin', to])).toMatchObject({ code: 0 });
    expect((await readFile(to)).equals(content)).toBe(true);
  });

  it('port-forward forwards several connections on one tunnel', async () => {
    const child = spawn(kubectl, args(['port-forward', 'web', ':80', ':81']), { env: { HOME: folder } });
    try {
      const [first, second] = await forwarded(child.stdout, 2);
      let errors = '';
      child.stderr.on('data', (chunk: Buffer) => {
        errors += chunk;
      });
      expect([await exchange(first, 'a'), await exchange(first, 'b')]).toEqual(['80 a', '80 b']);
      await exchange(second, 'c').catch(() => undefined);
      await expect.poll(() => errors).toContain('error forwarding port 81: refused');
      server.requests.expect({ subresource: 'portforward', status: 101 }, 1);
    } finally {
      child.kill();
    }
  });
});

/** Returns the local ports that kubectl prints, for IPv4. */
function forwarded(output: Readable, count: number): Promise<readonly number[]> {
  let text = '';
  return new Promise((resolve, reject) => {
    // kubectl ends if nobody reads what it prints later.
    output.on('data', (chunk: Buffer) => {
      text += chunk;
      const ports = [...text.matchAll(/127\.0\.0\.1:(\d+) ->/g)].map(([, port]) => Number(port));
      if (ports.length === count) resolve(ports);
    });
    output.on('end', () => reject(new Error(`kubectl printed ${text}`)));
  });
}

async function exchange(port: number | undefined, content: string): Promise<string> {
  const socket = connect({ port: port ?? 0, host: '127.0.0.1', allowHalfOpen: true });
  socket.end(content);
  return Buffer.concat(await socket.toArray()).toString();
}
