/**
 * Commands in containers and attached processes, which handlers of a test run.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/
 */

import type { Context } from '../call/context.ts';
import type { AttachRequest, ExecResult } from '../call/stream-handlers.ts';
import { badRequest, notImplemented } from '../errors/failures.ts';
import { boolean } from '../request/query.ts';
import type { ApiResponse } from '../request/request.ts';
import type { MessageSocket } from '../request/socket.ts';
import { checkConnect, checkScheduled, containerOf, onDeleted, podOf } from './pods.ts';
import { ProcessSession, type SessionStreams } from './session.ts';

/** Handles `pods/exec`. */
export function exec(context: Context): ApiResponse {
  const container = targetOf(context);
  const handler = context.streams.get('exec');
  if (handler === undefined) throw notImplemented('exec without a handler: call server.onExec()');
  const command = context.request.query.getAll('command');
  return session(context, container, {
    action: 'error executing command in container',
    run: (request) => handler({ ...request, command }),
  });
}

/** Handles `pods/attach`. */
export function attach(context: Context): ApiResponse {
  const container = targetOf(context);
  const handler = context.streams.get('attach');
  if (handler === undefined) throw notImplemented('attach without a handler: call server.onAttach()');
  return session(context, container, { action: 'error attaching to container', run: handler });
}

/** @throws {Failure} 400, 403, 404 or 405 */
function targetOf(context: Context): string {
  checkConnect(context);
  const pod = podOf(context);
  const container = containerOf(pod, context.request.query.get('container') ?? '');
  checkScheduled(pod);
  return container;
}

/** A handler of processes. */
interface ProcessHandler {
  /** Beginning of the message of an error. */
  readonly action: string;
  readonly run: (request: AttachRequest) => ExecResult | Promise<ExecResult>;
}

/** Exit code of a process that SIGKILL ended. */
const killed = 137;

function session(context: Context, container: string, { action, run }: ProcessHandler): ApiResponse {
  const { namespace, name, request } = context;
  const streams = streamsOf(request.query);
  return {
    kind: 'upgrade',
    protocols: ['v5.channel.k8s.io', 'v4.channel.k8s.io', 'channel.k8s.io'],
    connected: (socket: MessageSocket, protocol: string) => {
      const opened = new ProcessSession(socket, streams, protocol);
      const { stdin, stdout, stderr, resizes, signal } = opened;
      const user = request.user.name;
      const target = { namespace, pod: name, container, tty: streams.tty, user };
      socket.onClose(onDeleted(context, () => opened.finish({ code: killed })));
      void opened.run(action, () => run({ ...target, stdin, stdout, stderr, resizes, signal }));
    },
  };
}

/** @throws {Failure} 400 without a stream */
function streamsOf(query: URLSearchParams): SessionStreams {
  const tty = boolean(query, 'tty') ?? false;
  const [stdin, stdout] = [boolean(query, 'stdin') ?? false, boolean(query, 'stdout') ?? false];
  const stderr = !tty && (boolean(query, 'stderr') ?? false);
  if (stdin || stdout || stderr) return { stdin, stdout, stderr, tty };
  throw badRequest('you must specify at least 1 of stdin, stdout, stderr');
}
