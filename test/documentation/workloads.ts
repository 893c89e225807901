/** Workloads of the cluster in which programs of the documentation run, and their processes. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ExecRequest, ExecResult, TestServer } from '@kgen/testserver';

const labels = { app: 'web' };
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  },
};
const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: {
    selector: labels,
    ports: [
      { name: 'http', port: 80 },
      { name: 'metrics', port: 9090 },
    ],
  },
};

/** Returns a Pod without a controller, on the node that no program drains. */
const podOf = (name: string, containers: readonly string[]) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels, annotations: { 'kubectl.kubernetes.io/default-container': 'main' } },
  spec: {
    nodeName: 'node-0',
    containers: containers.map((container) => ({ name: container, image: 'web:1' })),
  },
});

/** Nodes of the cluster. */
export const nodes: readonly string[] = ['node-0', 'node-1'];

/** Objects of the namespaces `default` and `shop`. */
export const workloads = ['default', 'shop'].flatMap((namespace) =>
  [
    deployment,
    service,
    podOf('web-0', ['main', 'app']),
    podOf('postgres-0', ['main']),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } },
  ].map((object) => ({ ...object, metadata: { ...object.metadata, namespace } })),
);

/**
 * Runs the processes of Pods as processes of this machine, with the files of containers below a folder: logs
 * end with a line `ready`, processes that are attached to end at once, and ports return their input.
 */
export function runProcesses(server: TestServer, folder: string): void {
  const files = join(folder, 'container');
  for (const path of ['srv', 'var/log']) mkdirSync(join(files, path), { recursive: true });
  writeFileSync(join(files, 'var/log/web.log'), 'started\n');
  server.onLogs(async function* () {
    yield* ['started', 'ready'];
  });
  server.onExec((request) => runCommand(request, files));
  server.onAttach(({ stdout }) => {
    stdout.write('attached\n');
    return { code: 0 };
  });
  server.onPortForward(({ stream }) => pipeline(stream, stream));
}

function runCommand({ command, stdin, stdout, stderr }: ExecRequest, files: string): Promise<ExecResult> {
  const [program = '', ...words] = command.map((word) => word.replaceAll(/\/(?=srv\b|var\b)/g, `${files}/`));
  const child = spawn(program, words);
  // A process may end before it has read its input.
  child.stdin.on('error', () => undefined);
  stdin.pipe(child.stdin);
  child.stdout.pipe(stdout, { end: false });
  child.stderr.pipe(stderr, { end: false });
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code: code ?? 137 }));
  });
}
