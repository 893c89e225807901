import { describe, expect, it } from 'vitest';
import { isDecodeError } from '../../api/errors.ts';
import type { APIRequest, APIResponse } from '../../api/transport.ts';
import { sendLimited } from './limited-body.ts';
import { readAll } from './read-body.ts';

const watch: APIRequest['query'] = [['watch', 'true']];

function request(more: Partial<APIRequest> = {}): APIRequest {
  const operation = { verb: 'list', resource: 'pods' };
  return { method: 'GET', path: '/', query: [], headers: {}, operation, ...more };
}

/** A response of two chunks of three bytes. */
function response(status: number): APIResponse & { readonly cancelled: () => number } {
  let cancelled = 0;
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('abc');
    yield Buffer.from('def');
  }
  const cancel = (): void => {
    cancelled += 1;
  };
  return { status, headers: { a: 'b' }, body: body(), cancel, cancelled: () => cancelled };
}

describe('sendLimited', () => {
  it.each<[status: number, limit: number, want: string]>([
    [200, 7, 'abcdef'],
    [200, 6, 'abcdef'],
    [200, 5, 'too long'],
    [200, 3, 'too long'],
    [200, 1, 'too long'],
    [299, 5, 'too long'],
    [300, 5, 'abcde'],
    [199, 5, 'abcde'],
    [404, 6, 'abcdef'],
    [404, 5, 'abcde'],
    [404, 3, 'abc'],
    [404, 2, 'ab'],
  ])('limits a body of 6 bytes with status %d to %d bytes', async (status, limit, want) => {
    const sent = response(status);
    const limited = await sendLimited(async () => sent, request(), limit);
    const read = await readAll(limited).then(String, (error: unknown) => isDecodeError(error) && 'too long');
    expect(read).toBe(want);
    expect(sent.cancelled()).toBe(want === 'abcdef' ? 0 : 1);
    expect(limited).toMatchObject({ status, headers: { a: 'b' } });
    const before = sent.cancelled();
    limited.cancel();
    expect(sent.cancelled()).toBe(before + 1);
  });

  it.each([0, -1, 0.5, Number.NaN])('rejects a limit of %d', async (limit) => {
    await expect(sendLimited(async () => response(200), request(), limit)).rejects.toThrow(RangeError);
  });

  it.each<[name: string, status: number, more: Partial<APIRequest>, limit: number | undefined]>([
    ['each event of a watch', 200, { stream: true, query: watch }, 2],
    ['no event of another stream', 200, { stream: true, query: [['follow', 'true']] }, undefined],
    ['no event of a failed watch', 404, { stream: true, query: watch }, undefined],
    ['no event of a watch that is read as a whole', 201, { query: watch }, undefined],
  ])('limits %s', async (_, status, more, limit) => {
    const readFrame = (): undefined => undefined;
    const sent = { ...response(status), readFrame };
    const limited = await sendLimited(async () => sent, request(more), 2);
    expect(limited.maxEventBytes).toBe(limit);
    if (limit !== undefined) expect(limited.readFrame).toBe(readFrame);
  });

  it('passes on a stream other than a watch as it is', async () => {
    const sent = response(200);
    expect(await sendLimited(async () => sent, request({ stream: true }), 2)).toBe(sent);
  });
});
