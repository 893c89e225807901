import { expect, it } from 'vitest';
import { RESTClient } from './client.ts';

const body = (text: string) => ({
  headers: { 'content-type': 'application/json' },
  body: (async function* () {
    yield Buffer.from(text);
  })(),
  cancel: () => undefined,
});

it('is called before each attempt, and its error ends the call without another attempt', async () => {
  const attempts: string[] = [];
  const checks: string[] = [];
  const failure = new Error('closed');
  const rest = new RESTClient(
    { server: 'http://127.0.0.1:1' },
    {
      beforeSend: ({ method }) => {
        checks.push(method);
        if (checks.length === 3) throw failure;
        return () => checks.push(`${method} at its connection`);
      },
      transport: async ({ method, beforeWrite }) => {
        beforeWrite?.();
        attempts.push(method);
        return { status: 429, ...body('{}'), headers: { 'retry-after': '0' } };
      },
    },
  );
  await expect(rest.get('/version')).rejects.toBe(failure);
  expect({ attempts, checks }).toEqual({
    attempts: ['GET'],
    checks: ['GET', 'GET at its connection', 'GET'],
  });
});
