import { describe, expect, it } from 'vitest';
import { Incoming } from './response-body.ts';

class RecordedFlow {
  readonly acts: string[] = [];
  paused = false;

  pause(): void {
    this.paused = true;
    this.acts.push('pause');
  }

  resume(): void {
    this.paused = false;
    this.acts.push('resume');
  }

  abort(): void {
    this.acts.push('abort');
  }
}

function start(): { flow: RecordedFlow; body: Incoming } {
  const flow = new RecordedFlow();
  return { flow, body: new Incoming(flow) };
}

const chunk = new Uint8Array(200 * 1024);
const done = { done: true, value: undefined };

describe('a body', () => {
  it('pauses once per 192 KiB of small chunks', async () => {
    const { flow, body } = start();
    const small = new Uint8Array(512);
    let left = 20 * 1024;
    const fill = (): void => {
      for (; left > 0 && !flow.paused; left -= 1) body.push(small);
    };
    for (fill(); left > 0; fill()) await body.next();
    const pauses = flow.acts.filter((act) => act === 'pause').length;
    expect(pauses).toBeGreaterThan(40);
    expect(pauses).toBeLessThanOrEqual((20 * 1024 * 512) / (192 * 1024));
  });

  it('pauses the connection above 256 KiB that wait, and resumes it at 64 KiB', async () => {
    const { flow, body } = start();
    body.push(new Uint8Array(256 * 1024));
    expect(flow.acts).toEqual([]);
    body.push(new Uint8Array(1));
    expect(flow.acts).toEqual(['pause']);
    body.push(new Uint8Array(64 * 1024));
    await body.next();
    expect(flow.acts).toEqual(['pause']);
    await body.next();
    expect(flow.acts).toEqual(['pause', 'resume']);
  });

  it('that is cancelled drops all that waits', async () => {
    const { flow, body } = start();
    for (const byte of [1, 2, 3]) body.push(Uint8Array.of(byte));
    body.cancel();
    expect(await body.next()).toEqual(done);
    expect(body.cancelled).toBe(true);
    expect(flow.acts).toEqual(['abort']);
  });

  it('gives what came, and waits for what comes', async () => {
    const { body } = start();
    body.push(Uint8Array.of(1));
    expect(await body.next()).toEqual({ done: false, value: Uint8Array.of(1) });
    const next = body.next();
    body.push(Uint8Array.of(2));
    expect(await next).toEqual({ done: false, value: Uint8Array.of(2) });
    const last = body.next();
    body.finish({});
    expect(await last).toEqual(done);
    expect(await body.next()).toEqual(done);
  });

  it('pauses the connection once while too many bytes are queued', async () => {
    const { flow, body } = start();
    body.push(chunk);
    expect(flow.acts).toEqual([]);
    body.push(chunk);
    expect(flow.acts).toEqual(['pause']);
    await body.next();
    await body.next();
    expect(flow.acts).toEqual(['pause', 'resume']);
  });

  it('throws its error after the received bytes, repeatedly', async () => {
    const { body } = start();
    const error = new Error('broke');
    body.push(Uint8Array.of(1));
    body.finish({ error });
    body.finish({});
    expect((await body.next()).done).toBe(false);
    await expect(body.next()).rejects.toBe(error);
    await expect(body.next()).rejects.toBe(error);
  });

  it('ends when it is cancelled, and aborts the exchange', async () => {
    const { flow, body } = start();
    body.push(chunk);
    const ended = (async () => {
      for await (const one of body) {
        expect(one.length).toBe(chunk.length);
        body.cancel();
        body.push(chunk);
      }
    })();
    await ended;
    expect(flow.acts).toEqual(['abort']);
    expect(body.cancelled).toBe(true);
  });

  it('does not abort a reused connection after its end', async () => {
    const { flow, body } = start();
    body.push(chunk);
    body.finish({});
    body.cancel();
    expect(flow.acts).toEqual([]);
    expect(body.cancelled).toBe(false);
    expect(await body.next()).toEqual(done);
  });
});
