/** HTTP requests to ports of containers with a program. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { array, own } from '@kgen/schema/values/json';
import type { PortForwardRequest } from '../../call/stream-handlers.ts';
import type { ContainerProcess } from './pods/container-process.ts';
import type { PodProcess } from './pods/pod-process.ts';
import type { ActionHandler, ContainerAction } from './programs.ts';

/** Waits on the clock of the server. */
type Delay = (ms: number) => Promise<void>;

/**
 * Serves the HTTP requests of a connection to a port of a pod.
 * @throws Error if no container handles requests
 */
export function serveRequests(
  { port, stream }: PortForwardRequest,
  pod: PodProcess | undefined,
  delay: Delay,
): void {
  const handle = pod?.rule.handle;
  const process = pod && containerOf(pod, port);
  if (handle === undefined || process === undefined) throw new Error('connection refused');
  const server = createServer((message, response) => {
    respond({ process, handle, port, delay }, message, response).catch(() => response.destroy());
  });
  server.emit('connection', stream);
}

/** Returns the running container that declares a port, or else the first one. */
function containerOf({ containers }: PodProcess, port: number): ContainerProcess | undefined {
  const running = containers.filter((each) => each.phase === 'running' && each.container !== undefined);
  const declares = ({ spec }: ContainerProcess): boolean =>
    array(spec, 'ports').some((each) => own(each, 'containerPort') === port);
  const main = running.filter(({ role }) => role === 'main');
  return running.find(declares) ?? main[0] ?? running[0];
}

interface RequestTarget {
  readonly process: ContainerProcess;
  readonly handle: ActionHandler;
  readonly port: number;
  readonly delay: Delay;
}

/** @throws the error of the handler */
async function respond(
  { process, handle, port, delay }: RequestTarget,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/', headers } = message;
  const body = Buffer.concat(await message.toArray()).toString();
  const { container } = process;
  if (container === undefined) throw new Error('connection refused');
  let output = '';
  const write = (text: string): void => {
    output += text;
  };
  const action: ContainerAction = {
    ...{ cause: 'request', type: 'http', command: [] },
    ...{ stdin: () => undefined, stdout: write, stderr: () => undefined },
    spec: { port, method, path: url, headers, body },
  };
  const program = handle(container, action);
  for (;;) {
    const step = program.next();
    if (step.done === true) {
      const code = Number(typeof step.value === 'object' ? step.value.code : step.value);
      send(response, code, output);
      return;
    }
    await delay(step.value);
  }
}

function send(response: ServerResponse, result: number, body: string): void {
  const isStatus = Number.isInteger(result) && result >= 200 && result < 600;
  const code = isStatus ? result : result > 0 ? 500 : 200;
  const isPage = /^\s*<(!doctype|html|a|head|body)\b/i.test(body);
  const type = isPage ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8';
  response.writeHead(code, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
