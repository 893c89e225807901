import { expect, it } from 'vitest';
import {
  asReconcile,
  type BegunRequest,
  beginRequest,
  currentCall,
  outsideReconcile,
} from './reconcile-call.ts';

const begin = { controller: 'apps', startMs: 0 };

interface Row {
  readonly title: string;
  /** Reconciles, and passes its request on. */
  readonly reconcile: (sent: (request: BegunRequest) => void) => unknown;
  readonly isFailed?: boolean;
  readonly isFloating: boolean;
}

it.each<Row>([
  {
    title: 'a request after the end',
    reconcile: (sent) => sent(beginRequest()),
    isFloating: true,
  },
  {
    title: 'a request of a function that is not awaited',
    reconcile: (sent) => void Promise.resolve().then(() => sent(beginRequest())),
    isFloating: true,
  },
  {
    title: 'a request that fails',
    reconcile: (sent) => sent(beginRequest()),
    isFailed: true,
    isFloating: false,
  },
  {
    title: 'a request beside one that has failed',
    reconcile: (sent) => {
      beginRequest().ended(true);
      sent(beginRequest());
    },
    isFloating: false,
  },
  {
    title: 'a request of a reconcile that has failed',
    reconcile: (sent) => {
      sent(beginRequest());
      throw new Error('failed');
    },
    isFloating: false,
  },
  {
    title: 'a request of a timer',
    reconcile: (sent) => outsideReconcile(() => sent(beginRequest())),
    isFloating: false,
  },
])('$title', async ({ reconcile, isFailed = false, isFloating }) => {
  let request: BegunRequest | undefined;
  await asReconcile(() => reconcile((sent) => (request = sent)), begin).catch(() => undefined);
  await Promise.resolve();
  expect(request?.ended(isFailed)).toBe(isFloating);
});

it('returns the result, and throws the error', async () => {
  expect(await asReconcile(() => 1, begin)).toBe(1);
  await expect(
    asReconcile(() => {
      throw new Error('failed');
    }, begin),
  ).rejects.toThrow('failed');
});

it('a request that ends within its reconcile does not float', async () => {
  await asReconcile(async () => {
    const request = beginRequest();
    await Promise.resolve();
    expect(request.ended(false)).toBe(false);
    expect(currentCall()).toMatchObject(begin);
  }, begin);
  expect(currentCall()).toBeUndefined();
  expect(beginRequest().ended(false)).toBe(false);
});
