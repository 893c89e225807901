/** Logs and commands of containers with a program. */

import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { JsonObject } from '@kgen/schema/values/json';
import type {
  AttachRequest,
  ExecRequest,
  ExecResult,
  LogLine,
  LogRequest,
} from '../../call/stream-handlers.ts';
import type { Cluster } from '../cluster.ts';
import { pods } from '../workloads/paths.ts';
import type { ContainerProcess } from './pods/container-process.ts';
import type { PodProcess } from './pods/pod-process.ts';
import { nextStep, type ReadInput } from './programs.ts';
import { serveRequests } from './requests.ts';

/** Finds the process of a pod. */
type Find = (pod: JsonObject) => PodProcess | undefined;

/** Serves the logs and commands of programs, unless the test has registered a handler. */
export function serveProcesses(cluster: Cluster, find: Find): void {
  const { streams } = cluster.state;
  const containerOf = (namespace: string, name: string, container: string): ContainerProcess | undefined => {
    const pod = cluster.get(pods, `${namespace}/${name}`);
    return pod && find(pod)?.containers.find((each) => each.name === container);
  };
  streams.setDefault('logs', (request) =>
    logOf(cluster, request, () => containerOf(request.namespace, request.pod, request.container)),
  );
  streams.setDefault('exec', (request) =>
    execute(cluster, request, containerOf(request.namespace, request.pod, request.container), find),
  );
  streams.setDefault('attach', (request) =>
    attach(cluster, request, containerOf(request.namespace, request.pod, request.container)),
  );
  streams.setDefault('portForward', (request) => {
    const pod = cluster.get(pods, `${request.namespace}/${request.pod}`);
    serveRequests(request, pod && find(pod), (ms) => delay(cluster, ms));
  });
}

/** Delay between reads of a log that a client follows. */
const followMs = 100;

async function* logOf(
  cluster: Cluster,
  { follow, previous, signal }: LogRequest,
  find: () => ContainerProcess | undefined,
): AsyncGenerator<LogLine> {
  const container = find();
  if (container === undefined) return;
  if (previous) {
    yield* container.previousLines;
    return;
  }
  const run = container.restarts;
  let sent = 0;
  for (;;) {
    const { lines } = container;
    yield* lines.slice(sent);
    sent = lines.length;
    const isOver = container.phase === 'ended' || container.restarts !== run || find() !== container;
    if (!follow || isOver || signal.aborted) return;
    await delay(cluster, followMs);
  }
}

/** Sends the log of a container from now on, and passes the input of the client to its process. */
async function attach(
  cluster: Cluster,
  { stdin, stdout, signal, container: name }: AttachRequest,
  container: ContainerProcess | undefined,
): Promise<ExecResult> {
  if (container?.phase !== 'running') throw new Error(`container ${name} is not running`);
  const read = inputOf(stdin);
  const run = container.restarts;
  let sent = container.lines.length;
  let hasSent = false;
  let isDetached = false;
  for (;;) {
    const input = read();
    container.input.push(input ?? '');
    hasSent ||= input !== undefined && input !== '';
    // A client whose input ends detaches, unless the container waits for the end of the first one.
    if (input === undefined) isDetached = !container.input.detach(container.started) && hasSent;
    const isOver = isDetached || container.phase !== 'running' || container.restarts !== run;
    for (const line of container.lines.slice(sent))
      stdout.write(`${typeof line === 'string' ? line : line.text}\n`);
    sent = container.lines.length;
    if (isOver || signal.aborted) return { code: 0 };
    await delay(cluster, followMs);
  }
}

/** Reads text of a stream without waiting. */
function inputOf(stream: Readable): ReadInput {
  const decoder = new StringDecoder('utf8');
  stream.on('error', () => undefined);
  return () => {
    const chunk: Buffer | null = stream.read();
    if (chunk !== null) return decoder.write(chunk);
    return stream.readableEnded || stream.destroyed ? undefined : '';
  };
}

async function delay(cluster: Cluster, ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    cluster.state.environment.timer(ms, resolve);
  });
}

async function execute(
  cluster: Cluster,
  request: ExecRequest,
  process: ContainerProcess | undefined,
  find: Find,
): Promise<ExecResult> {
  const pod = cluster.get(pods, `${request.namespace}/${request.pod}`);
  const handle = pod && find(pod)?.rule.handle;
  if (handle === undefined || process?.container === undefined || process.phase !== 'running')
    throw new Error(`container ${request.container} does not run a program that handles commands`);
  const action = handle(process.container, {
    cause: 'exec',
    type: 'exec',
    command: request.command,
    spec: { command: request.command },
    stdin: inputOf(request.stdin),
    stdout: (output) => request.stdout.write(output),
    stderr: (output) => request.stderr.write(output),
  });
  let problem: unknown;
  for (;;) {
    const step = nextStep(action, (error) => {
      problem = error;
    });
    if (problem !== undefined) throw problem;
    if ('code' in step) return step;
    if (request.signal.aborted) return { code: 137 };
    await delay(cluster, step.afterMs);
  }
}
