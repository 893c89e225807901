import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Terminal } from '../../src/runtime/exports/streams.ts';
import { accepting, exitStatus, podsOf, startServer } from './support.ts';

/** Creates a terminal that records its modes. */
function terminalOf() {
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    isRaw: false,
    setRawMode: (mode: boolean) => modes.push(mode),
  });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
  // seam: the members of terminals that sessions use
  return { modes, input, output, terminal: { input, output } as unknown as Terminal };
}

describe('connectTerminal', () => {
  it('sends keys and sizes in raw mode, and restores the mode when the process ends', async () => {
    const received: string[] = [];
    const url = await startServer(
      accepting(['v5.channel.k8s.io'], (socket) => {
        socket.on('message', (data: Buffer) => {
          received.push(`${data[0]} ${data.subarray(1)}`);
          if (data[0] === 0) socket.send(Buffer.concat([Buffer.of(1), data.subarray(1)]));
          if (!received.at(-1)?.includes('100')) return;
          socket.send(exitStatus(2));
          socket.close(1000);
        });
      }),
    );
    const { modes, input, output, terminal } = terminalOf();
    const session = await podsOf(url).exec('web-0', { command: 'sh', stdin: true, tty: true });
    const before = ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP'].map((event) => process.listenerCount(event));
    const exit = session.connectTerminal(terminal);
    input.write('\u0003');
    let shown = '';
    output.on('data', (chunk) => {
      shown += chunk;
    });
    await expect.poll(() => shown).toBe('\u0003');
    expect(modes).toEqual([true]);
    output.columns = 100;
    output.emit('resize');
    expect((await exit).code).toBe(2);
    expect(received).toEqual(['4 {"Width":80,"Height":24}', '0 \u0003', '4 {"Width":100,"Height":24}']);
    expect(modes).toEqual([true, false]);
    expect(input.isPaused()).toBe(true);
    expect(['exit', 'SIGINT', 'SIGTERM', 'SIGHUP'].map((event) => process.listenerCount(event))).toEqual(
      before,
    );
    expect(output.listenerCount('resize')).toBe(0);
  });

  it('restores the mode when the program exits, and when a signal ends it', async () => {
    const url = await startServer(accepting(['v5.channel.k8s.io'], () => undefined));
    const { modes, terminal } = terminalOf();
    const session = await podsOf(url).exec('web-0', { command: 'sh', stdin: true, tty: true });
    const exit = session.connectTerminal(terminal);
    await expect.poll(() => modes).toEqual([true]);
    // The handlers are called without the event, which would end the test run.
    const [handler] = process.listeners('exit').slice(-1);
    handler?.call(process, 0);
    expect(modes).toEqual([true, false]);
    session.close();
    await expect(exit).rejects.toThrow(/the session was closed/);
  });

  it('requires a session with tty', async () => {
    const url = await startServer(accepting(['v5.channel.k8s.io'], () => undefined));
    const session = await podsOf(url).exec('web-0', { command: 'sh' });
    await expect(session.connectTerminal()).rejects.toThrow(TypeError);
    expect(() => session.resize({ width: 1, height: 1 })).toThrow(TypeError);
    session.close();
  });
});
