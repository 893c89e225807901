/** Servers, clients and programs for the tests of this folder, all closed after each test. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { RESTClient, type RESTClientOptions } from '@kgen/runtime';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';
import type { ClusterConfig } from '../../src/runtime/exports/index.ts';

/** Starts to listen on loopback until the end of the test, and returns the port. */
export async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return portOf(server);
}

/** Returns the port of a listening server. */
export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** Creates a client that is closed at the end of the test. */
export function open(config: ClusterConfig, options?: RESTClientOptions): RESTClient {
  const rest = new RESTClient(config, options);
  onTestFinished(() => rest.close());
  return rest;
}

/** Returns the rejection of a promise. */
export async function failure(promise: Promise<unknown>): Promise<Error> {
  const error: unknown = await promise.then(
    (value) => new Error(`did not fail: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof Error) return error;
  throw new TypeError('rejected with a value that is not an Error');
}

/** Forwards data from one stream to the other. */
export function joined(one: Duplex, other: Duplex): void {
  one.pipe(other).on('error', () => one.destroy());
  other.pipe(one).on('error', () => other.destroy());
}

/** Opens a socket to a server on loopback. */
export function reach(port: number): Socket {
  return connect(port, '127.0.0.1');
}

/** Creates a folder that is deleted at the end of the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kgen-transport-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Output and exit of a program. */
export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/**
 * Runs TypeScript source as a separate program, for properties of whole processes. It may import from
 * `@kgen/runtime`; top-level `await` is not supported.
 */
export async function runProgram(text: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const outfile = join(await temporaryFolder(), 'program.cjs');
  await build({
    stdin: { contents: text, loader: 'ts', resolveDir: import.meta.dirname },
    alias: { '@kgen/runtime': join(import.meta.dirname, '../../src/runtime/exports') },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile,
    logLevel: 'error',
  });
  const child = spawn(process.execPath, [outfile], { env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill());
  const stated = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    stated.stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stated.stderr += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { ...stated, code };
}
