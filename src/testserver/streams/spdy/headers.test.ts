import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { emptyBlock, HeaderReader } from './headers.ts';

/** Blocks of one connection, as Go's clients compress them with the dictionary. */
const blocks = [
  '78f9e3c6a7c202256f060606ce2248fc6482d22da30196e28513ee4b70b22c294a4dcc854ab1a682e205528a1781523c938501000000ffff',
  '829a8baa1054442562a823c56e00000000ffff',
].map((hex) => Buffer.from(hex, 'hex'));

describe('HeaderReader', () => {
  test('reads the blocks of a client in Go in order', async () => {
    const reader = new HeaderReader();
    const common = { port: '80', requestid: '0', 'content-type': 'text/html' };
    for (const [index, streamtype] of ['error', 'data'].entries()) {
      const headers = await reader.read(blocks[index] ?? Buffer.alloc(0));
      expect(Object.fromEntries(headers)).toEqual({ ...common, streamtype });
    }
    reader.close();
  });

  test('reads many blocks without a warning about listeners', async () => {
    const warnings: string[] = [];
    const warn = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', warn);
    onTestFinished(() => void process.off('warning', warn));
    const reader = new HeaderReader();
    await reader.read(emptyBlock(true));
    for (let count = 0; count < 20; count += 1) await reader.read(emptyBlock(false));
    await setImmediate();
    reader.close();
    expect(warnings).toEqual([]);
  });

  test('rejects blocks that are not compressed', async () => {
    await expect(new HeaderReader().read(Buffer.alloc(20))).rejects.toThrow('unknown compression method');
  });
});
