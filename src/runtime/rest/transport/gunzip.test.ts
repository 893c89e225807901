import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { isDecodeError } from '../../api/errors.ts';
import { gunzipped } from './exchange.ts';
import { type Flow, Incoming } from './response-body.ts';

const operation = { verb: 'list', resource: 'things' };

function flow(): Flow & { aborts: number } {
  return {
    paused: false,
    aborts: 0,
    pause: () => undefined,
    resume: () => undefined,
    abort() {
      this.aborts += 1;
    },
  };
}

interface Given {
  readonly incoming: Incoming;
  readonly events: { aborts: number };
  readonly body: AsyncGenerator<Uint8Array, void>;
}

function start(): Given {
  const events = flow();
  const incoming = new Incoming(events);
  return { incoming, events, body: gunzipped(incoming, operation) };
}

async function read(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of body) text += Buffer.from(chunk).toString();
  return text;
}

const packed = gzipSync('hello, world');

/**
 * Pseudo-random bytes: they are not compressible, so half of the compressed bytes are half of the content.
 */
const noise = Buffer.from(
  Array.from({ length: 200_000 }, (_, at) => (Math.imul(at ^ (at >>> 3), 2654435761) >>> 13) & 255),
);

describe('a gzip body', () => {
  it('is decompressed from chunks of any size', async () => {
    const { incoming, body } = start();
    for (const byte of packed) incoming.push(Uint8Array.of(byte));
    incoming.finish({});
    expect(await read(body)).toBe('hello, world');
  });

  it('throws if it is truncated', async () => {
    const { incoming, body } = start();
    incoming.push(packed.subarray(0, -4));
    incoming.finish({});
    await expect(read(body)).rejects.toSatisfy(isDecodeError);
  });

  it('throws if it is not gzip', async () => {
    const { incoming, body } = start();
    incoming.push(Buffer.from('{}'));
    incoming.finish({});
    await expect(read(body)).rejects.toThrow(/^list things: the response is incomplete, or not gzip$/);
  });

  it('is empty if it has no bytes, as for HEAD', async () => {
    const { incoming, body } = start();
    incoming.finish({});
    expect(await read(body)).toBe('');
  });

  it('throws the error of its connection', async () => {
    const { incoming, body } = start();
    const reason = new Error('broke');
    incoming.push(packed.subarray(0, -4));
    incoming.finish({ error: reason });
    await expect(read(body)).rejects.toBe(reason);
  });

  it.each([
    ['before the first bytes', new Uint8Array()],
    ['in the middle', gzipSync(noise).subarray(0, 100_000)],
  ])('ends if it is cancelled %s', async (_, came) => {
    const { incoming, events, body } = start();
    incoming.push(came);
    const reading = read(body);
    await new Promise((resolve) => setImmediate(resolve));
    incoming.cancel();
    await expect(reading).resolves.toBeTypeOf('string');
    expect(events.aborts).toBe(1);
  });

  it('frees the connection if its reader stops early', async () => {
    const { incoming, events, body } = start();
    incoming.push(gzipSync(noise).subarray(0, 100_000));
    for await (const chunk of body) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    // The abort passes through the streams of the pipeline one after the other.
    while (events.aborts === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(incoming.cancelled).toBe(true);
  });

  it('can be cancelled without a reader', () => {
    const { incoming, events } = start();
    incoming.push(packed);
    incoming.cancel();
    expect(events.aborts).toBe(1);
  });
});
