import { PassThrough, Writable } from 'node:stream';
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

  /** Starts a process that writes 20,000 lines and ends, and returns its session. */
  async function lines() {
    const text = Array.from({ length: 20_000 }, (_, index) => `line ${index}\n`).join('');
    const url = await startServer(
      accepting(['v5.channel.k8s.io'], (socket) => {
        socket.send(Buffer.concat([Buffer.of(1), Buffer.from(text)]));
        socket.send(exitStatus(3));
        socket.close(1000);
      }),
    );
    const session = await podsOf(url).exec('web-0', { command: 'sh', tty: true });
    return { session, text };
  }

  /** Creates an output that writes each chunk when `next` is called. */
  function slowOutput() {
    const written: Buffer[] = [];
    const pending: ((error?: Error) => void)[] = [];
    const output = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        written.push(chunk);
        pending.push(done);
      },
    });
    const { terminal } = terminalOf();
    // seam: the members of terminals that sessions use
    const connected = { ...terminal, output } as unknown as Terminal;
    return { output, terminal: connected, pending, text: () => Buffer.concat(written).toString() };
  }

  it('resolves when the output has been written, as fast as the output allows', async () => {
    const { session, text } = await lines();
    const slow = slowOutput();
    let isOver = false;
    const exit = session.connectTerminal(slow.terminal).finally(() => {
      isOver = true;
    });
    await session.exit;
    while (slow.text().length < text.length) {
      await expect.poll(() => slow.pending.length).toBe(1);
      expect(isOver).toBe(false);
      slow.pending.shift()?.();
    }
    expect(isOver).toBe(false);
    slow.pending.shift()?.();
    expect((await exit).code).toBe(3);
    expect(slow.text()).toBe(text);
  });

  it.each(['an error', 'a closed output'])('rejects with the error of the output: %s', async (kind) => {
    const url = await startServer(
      accepting(['v5.channel.k8s.io'], (socket) => socket.send(Buffer.from('\u0001endless'))),
    );
    const session = await podsOf(url).exec('web-0', { command: 'yes', tty: true });
    const slow = slowOutput();
    const exit = session.connectTerminal(slow.terminal);
    await expect.poll(() => slow.pending.length).toBe(1);
    if (kind === 'an error') slow.pending[0]?.(Object.assign(new Error('EPIPE'), { code: 'EPIPE' }));
    else slow.output.destroy();
    await expect(exit).rejects.toMatchObject({ code: 'EPIPE' });
    await expect(session.exit).rejects.toThrow(/the session was closed/);
  });

  it('rejects at once if the program closes the session while the output is blocked', async () => {
    const slow = slowOutput();
    const url = await startServer(
      accepting(['v5.channel.k8s.io'], (socket) => socket.send(Buffer.from('\u0001text'))),
    );
    const blocked = await podsOf(url).exec('web-0', { command: 'yes', tty: true });
    const exit = blocked.connectTerminal(slow.terminal);
    await expect.poll(() => slow.pending.length).toBe(1);
    blocked.close();
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
