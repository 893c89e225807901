import { RESTClient } from '@kgen/runtime';
import { eventLoopTurn } from '@kgen/runtime/queue';
import type { RESTRequest } from '@kgen/runtime/rest';
import { expect, it } from 'vitest';
import { pacedWrites } from './paced-writes.ts';

const path = '/api/v1/namespaces/shop/configmaps/web';

/** A client without IO, and the number of its requests. */
function world() {
  let isOver = false;
  let count = 0;
  let resume = (): void => undefined;
  const turn = {
    get isOver() {
      return isOver;
    },
    next: () =>
      new Promise<void>((resolve) => {
        resume = resolve;
      }),
  };
  const rest = new RESTClient(
    { server: 'http://stub.invalid' },
    { transport: () => Promise.reject(new Error()) },
  );
  const request = async ({ method }: RESTRequest): Promise<unknown> => {
    count += 1;
    return method;
  };
  return {
    rest: (own = turn) => pacedWrites(Object.assign(rest, { request }), own),
    count: () => count,
    end: () => {
      isOver = true;
    },
    next: () => resume(),
  };
}

it('begins a write at once in a turn that is not over, and a read in any', async () => {
  const { rest, end, count } = world();
  const client = rest();
  const write = client.request({ method: 'PATCH', path });
  expect(count()).toBe(1);
  end();
  const read = client.request({ path });
  expect(count()).toBe(2);
  expect(await Promise.all([write, read])).toEqual(['PATCH', undefined]);
});

it.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
  'decides about a %s in the next turn if one is over',
  async (method) => {
    const { rest, end, next, count } = world();
    const client = rest();
    end();
    const write = client.request({ method, path });
    await Promise.resolve();
    expect(count()).toBe(0);
    next();
    expect(await write).toBe(method);
  },
);

it('leaves turns to others during thousands of writes', async () => {
  const { rest, count } = world();
  const client = rest(eventLoopTurn({ now: () => 0 }));
  let isEnded = false;
  const work = async (): Promise<void> => {
    for (let index = 0; index < 2000; index += 1) await client.request({ method: 'PATCH', path });
    isEnded = true;
  };
  void work();
  const seen: number[] = [];
  while (!isEnded) {
    const before = count();
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(count() - before);
  }
  expect(Math.max(...seen)).toBeLessThanOrEqual(400);
});
