/**
 * Streams through real API servers to two kubelets, beside kubectl: one in Node.js, which receives the
 * WebSockets of clients, and one on Kubernetes' streaming library, to which the servers translate them to
 * SPDY.
 */
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createAuthority } from '@kgen/certificates/authority';
import { Clientset } from '@kgen/kubernetes';
import { isForbidden, isNotFound, withImpersonation } from '@kgen/runtime';
import { copyFrom, copyTo, streamLogs } from '@kgen/runtime/streams';
import {
  type ControlPlane,
  type ControlPlaneOptions,
  controlPlaneAvailability,
  startControlPlane,
} from '@kgen/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findKubectl } from '../support/kubectl.ts';
import { queryPostgres, startPostgres } from './postgres.ts';
import { processes } from './processes.ts';
import { type ServerStream, serveTunnel } from './spdy-server.ts';
import { accepting, startLasting } from './support.ts';

const availability = controlPlaneAvailability();
const isRequired = process.env['KGEN_NOTHING_SKIPPED'] !== undefined;
const startTimeout = 1_200_000;

const tunnel = 'SPDY/3.1+portforward.k8s.io';

/** Forwards the connections of a tunnel to ports of this machine. */
const forwarding = accepting([tunnel], (socket) => {
  const errors = new Map<string, ServerStream>();
  const sockets = new Map<number, ReturnType<typeof connect>>();
  serveTunnel(socket, {
    opened: (stream) => {
      const { streamtype, port, requestid = '' } = stream.headers;
      if (streamtype === 'error') return void errors.set(requestid, stream);
      const local = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
      sockets.set(stream.id, local);
      local.on('data', (chunk) => stream.send(chunk));
      local.on('end', () => {
        errors.get(requestid)?.send('', true);
        stream.send('', true);
      });
      local.on('error', (error) => {
        errors.get(requestid)?.send(`failed to connect: ${error.message}`, true);
        stream.send('', true);
      });
    },
    data: (stream, bytes, last) => {
      const local = sockets.get(stream.id);
      if (last) local?.end(bytes);
      else local?.write(bytes);
    },
    reset: (id) => void sockets.get(id)?.destroy(),
  });
});

const hasGo = spawnSync('go', ['version']).status === 0;

/** Starts the kubelet of `kubelet/main.go`, and returns its port. */
async function startGoKubelet(
  folder: string,
  pair: { readonly cert: string; readonly key: string },
): Promise<number> {
  const program = join(folder, '.kubelet');
  const source = join(import.meta.dirname, 'kubelet');
  execFileSync('go', ['build', '-o', program, '.'], { cwd: source, stdio: 'ignore', timeout: startTimeout });
  await writeFile(join(folder, '.cert'), pair.cert);
  await writeFile(join(folder, '.key'), pair.key);
  const child = spawn(program, [folder, join(folder, '.cert'), join(folder, '.key')], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  children.push(child);
  const [line] = await once(child.stdout, 'data');
  return Number(String(line));
}

const children: ReturnType<typeof spawn>[] = [];

type Kubelet = 'node' | 'go';

/** Servers: of the version of the other tests, and of others. 1.33 translates every stream to SPDY. */
const servers: readonly (readonly [
  server: string,
  options: ControlPlaneOptions,
  kubelets: readonly Kubelet[],
])[] = [
  ['the API server', {}, ['node', 'go']],
  ['the API server of 1.33', { version: '1.33.13' }, ['go']],
  ['the API server of 1.37', { version: '1.37.1' }, ['node', 'go']],
];
const isAvailable = availability.available || isRequired;

let authority: { readonly cert: string; readonly key: string };
let folder: string;
let kubectl: string | undefined;
/** Ports of the kubelets. */
const ports = { node: 0, go: 0 };

beforeAll(async () => {
  if (!isAvailable) return;
  folder = await mkdtemp(join(tmpdir(), 'kgen-kubelet-'));
  const created = await createAuthority();
  authority = await created.issueServer('kubelet', { names: [], addresses: ['127.0.0.1'] });
  const running = processes(folder);
  const url = await startLasting(
    (request, socket, head) =>
      request.url?.startsWith('/portForward/')
        ? forwarding(request, socket, head)
        : running(request, socket, head),
    authority,
    (request, response) => {
      const time = '2026-01-01T00:00:00.000000001Z ';
      const isTimed = request.url?.includes('timestamps=true');
      response.end(`${isTimed ? time : ''}one\n${isTimed ? time.replace('1Z', '2Z') : ''}two\n`);
    },
  );
  ports.node = Number(new URL(url).port);
  if (hasGo) ports.go = await startGoKubelet(folder, authority);
}, startTimeout);
afterAll(async () => {
  for (const child of children) child.kill();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

describe.skipIf(!isAvailable).each(servers)('%s', { timeout: 120_000 }, (_server, options, kubelets) => {
  let plane: ControlPlane;
  let clients: Clientset;

  beforeAll(async () => {
    plane = await startControlPlane(options);
    clients = new Clientset(plane.config);
    // kubectl works with servers of other versions.
    kubectl ??= findKubectl(plane.assets, isRequired);
    await writeFile(join(folder, '.kubeconfig'), plane.kubeconfig);
    await addPod('node', { declaredFeatures: ['ExtendWebSocketsToKubelet'] });
    if (hasGo) await addPod('go', {});
  }, startTimeout);
  afterAll(async () => {
    await clients?.close();
    await plane?.stop();
  });

  /** Adds a running pod on a node of its own, with the name of its kubelet. */
  async function addPod(name: Kubelet, status: object): Promise<void> {
    await clients.coreV1.nodes().create({
      metadata: { name },
      status: {
        addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
        daemonEndpoints: { kubeletEndpoint: { Port: ports[name] } },
        ...status,
      },
    });
    const containers = [{ name: 'main', image: 'none' }];
    const pods = clients.coreV1.pods('default');
    const spec = { nodeName: name, automountServiceAccountToken: false, containers };
    await pods.create({ metadata: { name }, spec });
    await pods.patchStatus(name, { status: { phase: 'Running' } });
  }

  /** Runs kubectl, and returns its output and exit code; undefined if it is not installed. */
  async function kubectlOf(...args: readonly string[]): Promise<Output | undefined> {
    if (kubectl === undefined) return undefined;
    const program = kubectl;
    return new Promise((resolve) => {
      const config = ['--kubeconfig', join(folder, '.kubeconfig')];
      execFile(program, [...config, ...args], (error, stdout, stderr) => {
        resolve({ stdout, stderr, code: error === null ? 0 : Number(error.code) });
      });
    });
  }

  describe.each(kubelets)('a kubelet: %s', (web) => {
    const it = test.skipIf(web === 'go' && !hasGo);

    it.each<[string, readonly string[]]>([
      ['output and success', ['sh', '-c', 'printf out; printf err >&2']],
      ['an exit code', ['sh', '-c', 'echo x; exit 7']],
      ['arguments with spaces', ['printf', '%s|', 'a b', '', 'c']],
    ])('exec returns %s as kubectl does', async (_, command) => {
      const own = await clients.coreV1.pods('default').execText(web, command);
      const other = await kubectlOf('exec', web, '--', ...command);
      expect(own.stdout + own.code).toMatch(/out0|x\n7|a b\|\|c\|0/);
      if (other === undefined) return;
      expect(own.stdout).toBe(other.stdout);
      expect(own.code).toBe(other.code);
      expect(other.stderr).toContain(own.stderr);
    });

    it('exec sends 20 MB of stdin, half-closes it, and receives the same bytes', async () => {
      const input = Buffer.alloc(20_000_000, 'abcdefg');
      const session = await clients.coreV1.pods('default').exec(web, { command: 'cat', stdin: true });
      session.stdin.end(input);
      const chunks: Uint8Array[] = [];
      for await (const chunk of session.stdout) chunks.push(chunk);
      expect(Buffer.compare(Buffer.concat(chunks), input)).toBe(0);
      expect(await session.exit).toEqual({ code: 0 });
      expect(session.protocol).toBe('v5.channel.k8s.io');
    });

    it('exec reports a missing program, pod, container and permission', async () => {
      const pods = clients.coreV1.pods('default');
      await expect(pods.execText(web, 'no-such-program')).rejects.toThrow(/executable file not found/);
      await expect(pods.execText('absent', 'true')).rejects.toSatisfy(isNotFound);
      await expect(pods.execText(web, 'true', { container: 'other' })).rejects.toThrow(/container other/);
      const jane = new Clientset(withImpersonation(plane.config, { user: 'jane' }));
      await expect(jane.coreV1.pods('default').execText(web, 'true')).rejects.toSatisfy(isForbidden);
      await jane.close();
    });

    it('port-forward reaches a TCP server over one tunnel, and reports a closed port', async () => {
      const server = createServer({ allowHalfOpen: true }, (socket) => void socket.pipe(socket));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const port = portOf(server);
      const pods = clients.coreV1.pods('default');
      const echoes = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const stream = await pods.portForwardStream(web, port);
          stream.end(Buffer.alloc(100_000, String(index % 10)));
          const chunks: Uint8Array[] = [];
          for await (const chunk of stream) chunks.push(chunk);
          return Buffer.concat(chunks).equals(Buffer.alloc(100_000, String(index % 10)));
        }),
      );
      expect(echoes.every(Boolean)).toBe(true);
      server.close();
      const stream = await pods.portForwardStream(web, 1);
      const read = async (): Promise<void> => {
        for await (const _ of stream) break;
      };
      await expect(read()).rejects.toThrow(/ECONNREFUSED|connection refused/);
    });

    it('port-forward connects a client of HTTP/2', async () => {
      const server = createHttp2Server((request, response) => void request.pipe(response));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void server.close());
      const stream = await clients.coreV1.pods('default').portForwardStream(web, portOf(server));
      const session = connectHttp2('http://echo', { createConnection: () => stream });
      const bodies = await Promise.all(
        ['a', 'b', 'c'].map(async (letter) => {
          const request = session.request({ ':method': 'POST' });
          request.end(letter.repeat(100_000));
          return (await buffer(request)).equals(Buffer.alloc(100_000, letter));
        }),
      );
      expect(bodies).toEqual([true, true, true]);
      session.close();
    });

    // The test above has a protocol that is always at hand.
    it('port-forward connects psql to PostgreSQL, if it is installed', async () => {
      const postgres = await startPostgres();
      if (postgres === undefined) return;
      onTestFinished(() => postgres.stop());
      const pods = clients.coreV1.pods('default');
      const forwarding = await pods.portForward(web, { ports: [`:${postgres.port}`] });
      const local = forwarding.ports[0]?.local ?? 0;
      const rows = 'select i, repeat(chr(97 + i % 26), 1000) from generate_series(1, 5000) i';
      const expected = await queryPostgres(postgres.port, rows);
      expect(expected.length).toBeGreaterThan(5_000_000);
      const outputs = await Promise.all([1, 2, 3].map(() => queryPostgres(local, rows)));
      expect(outputs.map((output) => output === expected)).toEqual([true, true, true]);
      await forwarding.close();
    });

    it('copies files both ways', async () => {
      const pods = clients.coreV1.pods('default');
      await writeFile(join(folder, 'a'), 'content');
      await copyTo(pods, web, join(folder, 'a'), join(folder, 'b'));
      await copyFrom(pods, web, join(folder, 'b'), join(folder, 'c'));
      expect(await readFile(join(folder, 'c'), 'utf8')).toBe('content');
      if ((await kubectlOf('cp', `default/${web}:b`, join(folder, 'd'))) === undefined) return;
      expect(await readFile(join(folder, 'd'), 'utf8')).toBe('content');
    });

    // The other kubelet has no logs.
    if (web === 'node') {
      it('logs are those of kubectl', async () => {
        const lines: string[] = [];
        for await (const { line } of streamLogs(clients.coreV1.pods('default'), { pod: web }))
          lines.push(line);
        expect(lines).toEqual(['one', 'two']);
        const other = await kubectlOf('logs', web);
        if (other !== undefined) expect(other.stdout).toBe('one\ntwo\n');
      });
    }

    it('port-forward receives the bytes that kubectl receives', async () => {
      const bytes = Buffer.alloc(1_000_000, 'abcdefg');
      const server = createServer((socket) => void socket.on('error', () => undefined).end(bytes));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void server.close());
      const port = portOf(server);
      const forwarding = await clients.coreV1.pods('default').portForward(web, { ports: [`:${port}`] });
      expect((await readAll(forwarding.ports[0]?.local ?? 0)).equals(bytes)).toBe(true);
      await forwarding.close();
      if (kubectl === undefined) return;
      const args = ['--kubeconfig', join(folder, '.kubeconfig'), 'port-forward', web, `:${port}`];
      const child = spawn(kubectl, args, { stdio: ['ignore', 'pipe', 'ignore'] });
      onTestFinished(() => void child.kill());
      const [line] = await once(child.stdout, 'data');
      const local = /127\.0\.0\.1:(\d+)/.exec(String(line))?.[1];
      expect((await readAll(Number(local))).equals(bytes)).toBe(true);
    });
  });
});

interface Output {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

async function readAll(port: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of connect({ port, host: '127.0.0.1' })) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
