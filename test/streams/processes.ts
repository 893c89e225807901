/** A server of sessions that runs local processes, in place of those of a container. */
import { spawn } from 'node:child_process';
import type { WebSocket } from 'ws';
import { accepting, exitStatus, type OnUpgrade, success } from './support.ts';

/** Options of a server of processes. */
export interface ProcessOptions {
  /** Cuts the connection after this number of bytes of output, in the first sessions. */
  readonly cutAfter?: readonly number[];
  /** `PATH` of the processes. Default: that of this process. */
  readonly path?: string | undefined;
}

/** Returns a handler of upgrades that runs the requested commands in a folder. */
export function processes(cwd: string, { cutAfter = [], path }: ProcessOptions = {}): OnUpgrade {
  const cuts = [...cutAfter];
  return accepting(['v5.channel.k8s.io'], (socket, request) => {
    const query = new URL(request.url ?? '', 'http://server').searchParams;
    runOne(socket, query.getAll('command'), { cwd, cut: cuts.shift(), path });
  });
}

function runOne(
  socket: WebSocket,
  [program = '', ...args]: readonly string[],
  {
    cwd,
    cut,
    path,
  }: { readonly cwd: string; readonly cut: number | undefined; readonly path: string | undefined },
): void {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...(path !== undefined && { PATH: path }) },
  });
  let left = cut ?? Number.POSITIVE_INFINITY;
  const send = (channel: number, chunk: Buffer): void => {
    if (left <= 0) return;
    const part = chunk.subarray(0, left);
    left -= chunk.length;
    socket.send(Buffer.concat([Buffer.of(channel), part]), () => {
      if (left <= 0) socket.terminate();
    });
  };
  const end = (status: Buffer): void => {
    if (left <= 0) return;
    socket.send(status);
    socket.close(1000);
  };
  child.stdout.on('data', (chunk: Buffer) => send(1, chunk));
  child.stderr.on('data', (chunk: Buffer) => send(2, chunk));
  child.stdin.on('error', () => undefined);
  child.on('error', () => {
    const message = `exec: "${program}": executable file not found in $PATH`;
    end(
      Buffer.from(
        `\u0003${JSON.stringify({ kind: 'Status', status: 'Failure', code: 500, reason: 'InternalError', message })}`,
      ),
    );
  });
  child.on('close', (code) => end(code === 0 ? success : exitStatus(code ?? 137)));
  socket.on('message', (data: Buffer) => {
    if (data[0] === 0 && data.length > 1) child.stdin.write(data.subarray(1));
    if (data[0] === 255 && data[1] === 0) child.stdin.end();
  });
  socket.on('close', () => child.kill());
}
