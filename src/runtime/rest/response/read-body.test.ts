import { describe, expect, it } from 'vitest';
import type { APIResponse } from '../../api/transport.ts';
import { discard, readAll, readSome } from './read-body.ts';

function response(
  chunks: readonly (Uint8Array | Error)[],
): APIResponse & { readonly cancelled: () => number } {
  let cancelled = 0;
  async function* body(): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) {
      if (chunk instanceof Error) throw chunk;
      yield chunk;
    }
  }
  const cancel = (): void => {
    cancelled += 1;
  };
  return { status: 200, headers: {}, body: body(), cancel, cancelled: () => cancelled };
}

const abc = Buffer.from('abc');
const def = Buffer.from('def');
const broken = new Error('lost');

describe('the body of a response', () => {
  it.each([
    [[], ''],
    [[abc], 'abc'],
    [[abc, def], 'abcdef'],
  ])('is read to its end: case %#', async (chunks, want) => {
    expect(String(await readAll(response(chunks)))).toBe(want);
  });

  it('of one chunk is not copied', async () => {
    expect(await readAll(response([abc]))).toBe(abc);
  });

  it.each<[chunks: readonly (Uint8Array | Error)[], limit: number, want: string]>([
    [[abc, def], 7, 'abcdef'],
    [[abc, def], 5, 'abcde'],
    [[abc, broken], 3, 'abc'],
    [[abc, broken], 4, 'abc'],
    [[abc, broken], 2, 'ab'],
  ])('is read up to a limit: case %#', async (chunks, limit, want) => {
    expect(String(await readSome(response(chunks), limit))).toBe(want);
  });

  it('of which nothing came is the failure itself', async () => {
    await expect(readSome(response([broken]), 5)).rejects.toBe(broken);
    const lost = response([broken]);
    expect(await discard(lost)).toHaveLength(0);
    expect(lost.cancelled()).toBe(1);
  });

  it('that is discarded is read where it is short', async () => {
    const short = response([abc, def]);
    expect(String(await discard(short))).toBe('abcdef');
    expect(short.cancelled()).toBe(0);
    expect(await discard(response([Buffer.alloc(3000)]))).toHaveLength(2048);
  });
});
