/** `exec` and `attach`: requests, choice of the protocol, and collected output. */
import type { Readable } from 'node:stream';
import { TimeoutError, TransportError } from '../../../api/errors.ts';
import type { RequestOperation } from '../../../api/operation.ts';
import type { RequestOptions } from '../../../api/options.ts';
import type { APIRequest } from '../../../api/transport.ts';
import type { ExecSession, ExecText, ExecTextOptions, SessionOptions } from '../../../api/verbs/exec.ts';
import { withinLimits } from '../../../rest/abort/deadline.ts';
import type { RESTClient } from '../../../rest/client.ts';
import { operationOf, type RequestTarget } from '../../requests/build-request.ts';
import { defaultContainer } from '../../requests/default-container.ts';
import { textRequest } from '../../requests/subresource-requests.ts';
import { isProtocolFailure, type OpenedSocket, openWebSocket } from '../websocket/open.ts';
import { ProcessSession, sessionProtocols } from './session.ts';

/** A process to run, or the main process of a container. */
export interface SessionCall {
  /** Method of the client, for messages. */
  readonly verb: string;
  readonly subresource: 'exec' | 'attach';
  readonly name: string;
  readonly command?: string | readonly string[] | undefined;
}

/** Opens a session. */
export async function openSession<Options extends SessionOptions>(
  rest: RESTClient,
  target: RequestTarget,
  call: SessionCall,
  given: Options | undefined,
): Promise<ExecSession<Options>> {
  const command = commandOf(call);
  const options: SessionOptions = { ...given, ...(await defaultContainer(rest, target, call.name, given)) };
  const { stdin = false, stdout = true, tty = false, signal } = options;
  const streams = { stdin, stdout, tty, stderr: !tty && options.stderr !== false };
  const request = connectionRequest(target, call, { ...options, ...streams, command });
  const { connection, protocol } = await openEither(rest, request);
  const { operation } = request;
  const known = sessionProtocols.find((one) => one === protocol) ?? 'v4.channel.k8s.io';
  const session = new ProcessSession(connection, { ...streams, operation, protocol: known, signal });
  // seam: the options determine which of its streams a session has
  return session as object as ExecSession<Options>;
}

/** @throws {TypeError} without a command, or with an empty one */
function commandOf({ subresource, command }: SessionCall): readonly string[] {
  if (subresource === 'attach') return [];
  const words = typeof command === 'string' ? [command] : command;
  if (Array.isArray(words) && words.length > 0 && words.every((word) => typeof word === 'string'))
    return words;
  throw new TypeError('exec: command must be a string or a list of at least one string');
}

/** Returns the request of a connection to a pod. */
export function connectionRequest(
  target: RequestTarget,
  { verb, subresource, name }: Pick<SessionCall, 'name' | 'verb'> & { readonly subresource: string },
  options: RequestOptions & Readonly<Record<string, unknown>>,
): APIRequest {
  const request = textRequest(target, name, { subresource, options });
  return { ...request, operation: { ...request.operation, verb } };
}

/** The second attempt is for servers that do not select a protocol from a list. */
async function openEither(rest: RESTClient, request: APIRequest): Promise<OpenedSocket> {
  try {
    return await openWebSocket(rest, request, sessionProtocols);
  } catch (error) {
    if (!isProtocolFailure(error)) throw error;
    return openWebSocket(rest, request, sessionProtocols.slice(1));
  }
}

/** Runs a command and collects its output. */
export async function execText(
  rest: RESTClient,
  target: RequestTarget,
  call: SessionCall,
  { timeoutMs, signal, stdin, maxOutputBytes = 64 * 1024 * 1024, ...options }: ExecTextOptions,
): Promise<ExecText> {
  const operation = operationOf(target, call);
  const expired = (): TimeoutError =>
    new TimeoutError(`timed out after ${timeoutMs} ms: the command had not ended`, operation);
  return withinLimits({ timeoutMs, signal, expired }, operation, async (within) => {
    const all = { ...options, signal: within };
    const opening =
      stdin === undefined
        ? openSession(rest, target, call, all)
        : openWithInput(rest, target, call, { ...all, stdin });
    const session: ExecSession = await opening;
    try {
      const [stdout, stderr, { code }] = await Promise.all([
        collect(session.stdout, maxOutputBytes, operation),
        collect(session.stderr, maxOutputBytes, operation),
        session.exit,
      ]);
      return { stdout, stderr, code };
    } finally {
      session.close();
    }
  });
}

/** Opens a session whose input is the content of `stdin`. */
async function openWithInput(
  rest: RESTClient,
  target: RequestTarget,
  call: SessionCall,
  { stdin, ...options }: Omit<SessionOptions, 'stdin'> & { readonly stdin: string | Uint8Array },
): Promise<ExecSession> {
  const session = await openSession(rest, target, call, { ...options, stdin: true as const });
  if (session.protocol === 'v4.channel.k8s.io') {
    session.close();
    const message = `the server cannot end stdin, as it supports only ${session.protocol}`;
    throw new TransportError(message, operationOf(target, call));
  }
  session.stdin.end(stdin);
  return session;
}

async function collect(stream: Readable, most: number, operation: RequestOperation): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > most) {
      throw new TransportError(`the output exceeds ${most} bytes (maxOutputBytes)`, operation);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
