/**
 * Streams through a real API server to two kubelets, beside kubectl: one in Node.js, which receives the
 * WebSockets of clients, and one on Kubernetes' streaming library, to which the server translates them to
 * SPDY.
 */
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Clientset } from '@kgen/kubernetes';
import { isForbidden, isNotFound, withImpersonation } from '@kgen/runtime';
import { copyFrom, copyTo, streamLogs } from '@kgen/runtime/streams';
import { type ControlPlane, controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAuthority } from '../../src/testing/controlplane/certificates.ts';
import { findKubectl } from '../support/kubectl.ts';
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

let plane: ControlPlane;
let clients: Clientset;
let folder: string;
let kubectl: string | undefined;

const isAvailable = availability.available || isRequired;

beforeAll(async () => {
  if (!isAvailable) return;
  folder = await mkdtemp(join(tmpdir(), 'kgen-kubelet-'));
  const authority = await createAuthority();
  const pair = await authority.issueServer('kubelet', { names: [], addresses: ['127.0.0.1'] });
  const running = processes(folder);
  const url = await startLasting(
    (request, socket, head) =>
      request.url?.startsWith('/portForward/')
        ? forwarding(request, socket, head)
        : running(request, socket, head),
    pair,
    (request, response) => {
      const time = '2026-01-01T00:00:00.000000001Z ';
      const isTimed = request.url?.includes('timestamps=true');
      response.end(`${isTimed ? time : ''}one\n${isTimed ? time.replace('1Z', '2Z') : ''}two\n`);
    },
  );
  plane = await startControlPlane();
  kubectl = findKubectl(plane.assets, isRequired);
  clients = new Clientset(plane.config);
  await addPod('web', Number(new URL(url).port), { declaredFeatures: ['ExtendWebSocketsToKubelet'] });
  if (hasGo) await addPod('web-go', await startGoKubelet(folder, pair), {});
}, startTimeout);
afterAll(async () => {
  await clients?.close();
  await plane?.stop();
  for (const child of children) child.kill();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

/** Adds a pod on a node of its own, whose kubelet listens on a port of this machine. */
async function addPod(name: string, port: number, status: object): Promise<void> {
  await clients.coreV1.nodes().create({
    metadata: { name: `node-of-${name}` },
    status: {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
      ...status,
    },
  });
  const containers = [{ name: 'main', image: 'none' }];
  const spec = { nodeName: `node-of-${name}`, automountServiceAccountToken: false, containers };
  await clients.coreV1.pods('default').create({ metadata: { name }, spec });
}

describe.skipIf(!isAvailable).each([
  ['in Node.js', 'web', true],
  ["on Kubernetes' streaming library", 'web-go', hasGo],
])('a kubelet %s', { timeout: 120_000 }, (_kubelet, web, exists) => {
  const it = test.skipIf(!exists);

  /** Runs kubectl, and returns its output and exit code; undefined if it is not installed. */
  async function kubectlOf(
    ...args: readonly string[]
  ): Promise<{ stdout: string; stderr: string; code: number } | undefined> {
    if (kubectl === undefined) return undefined;
    const program = kubectl;
    const config = join(folder, '.kubeconfig');
    await writeFile(config, plane.kubeconfig);
    return new Promise((resolve) => {
      execFile(program, ['--kubeconfig', config, ...args], (error, stdout, stderr) => {
        const code = error === null ? 0 : Number(error.code);
        resolve({ stdout, stderr, code });
      });
    });
  }

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
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
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

  it('copies files both ways', async () => {
    const pods = clients.coreV1.pods('default');
    await writeFile(join(folder, 'a'), 'content');
    await copyTo(pods, web, join(folder, 'a'), join(folder, 'b'));
    await copyFrom(pods, web, join(folder, 'b'), join(folder, 'c'));
    expect(await readFile(join(folder, 'c'), 'utf8')).toBe('content');
    const lines: string[] = [];
    for await (const { line } of streamLogs(pods, { pod: 'web' })) lines.push(line);
    expect(lines).toEqual(['one', 'two']);
  });
});

test.skipIf(!isAvailable)('streamLogs reads the log of a kubelet', async () => {
  const lines: string[] = [];
  for await (const { line } of streamLogs(clients.coreV1.pods('default'), { pod: 'web' })) lines.push(line);
  expect(lines).toEqual(['one', 'two']);
});
