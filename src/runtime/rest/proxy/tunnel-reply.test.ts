import { describe, expect, it } from 'vitest';
import { ScriptedSocket } from '../../../../test/support/runtime/scripted-socket.ts';
import { parseProxy } from './proxy.ts';
import { readReply, untilEvent } from './tunnel-reply.ts';

const proxy = parseProxy('http://proxy.test:3128', 'the test');

function listeners(socket: ScriptedSocket, names: readonly string[]): number[] {
  return names.map((name) => socket.listenerCount(name));
}

describe('readReply', () => {
  const line = (bytes: Buffer): { value: string; length: number } | undefined => {
    const end = bytes.indexOf('\n');
    return end < 0 ? undefined : { value: bytes.toString('latin1', 0, end), length: end + 1 };
  };

  it('returns a reply that arrives byte by byte, and leaves the bytes after it to be read', async () => {
    const socket = new ScriptedSocket();
    const reply = readReply(socket, proxy, line);
    for (const byte of Buffer.from('ab')) {
      socket.receive(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    socket.receive('c\nrest');
    expect(await reply).toBe('abc');
    expect(String(socket.read())).toBe('rest');
  });

  it('leaves nothing to be read after a reply that ends with the received bytes', async () => {
    const socket = new ScriptedSocket();
    socket.receive('abc\n');
    expect(await readReply(socket, proxy, line)).toBe('abc');
    expect(socket.read()).toBe(null);
  });
});

describe('untilEvent', () => {
  const names = ['ready-for-test', 'error', 'close', 'end'];

  it.each<[event: string, act: (socket: ScriptedSocket) => void, code: string | undefined]>([
    ['ready-for-test', (socket) => socket.emit('ready-for-test'), undefined],
    ['ready-for-test', (socket) => socket.destroy(), 'PROXY_CLOSED'],
    ['ready-for-test', (socket) => socket.destroy(new Error('lost')), 'PROXY_UNREACHABLE'],
    ['ready-for-test', (socket) => socket.emit('end'), 'PROXY_CLOSED'],
  ])('waits for %s, and removes its listeners: case %#', async (event, act, code) => {
    const socket = new ScriptedSocket();
    const before = listeners(socket, names);
    const over = untilEvent(socket, proxy, event).then(
      () => undefined,
      (error: unknown) => error,
    );
    act(socket);
    expect(await over).toEqual(code === undefined ? undefined : expect.objectContaining({ code }));
    expect(listeners(socket, names)).toEqual(before);
  });

  it('rejects at once where the socket is closed already', async () => {
    const socket = new ScriptedSocket();
    socket.on('error', () => undefined).destroy();
    await expect(untilEvent(socket, proxy, 'connect')).rejects.toMatchObject({ code: 'PROXY_CLOSED' });
    const broken = new ScriptedSocket();
    broken.on('error', () => undefined).destroy(new Error('lost'));
    await expect(untilEvent(broken, proxy, 'connect')).rejects.toMatchObject({
      code: 'PROXY_UNREACHABLE',
      message: expect.stringContaining('lost'),
    });
  });
});
