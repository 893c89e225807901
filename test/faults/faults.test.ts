/**
 * Servers that misbehave: each call fails with an error that names the cause and the operation, and the
 * client remains usable.
 */
import { Clientset } from '@kgen/kubernetes';
import { isApiError, isDecodeError, isTimeoutError, isTransportError } from '@kgen/runtime';
import { describeOperation, type RequestOperation } from '@kgen/runtime/rest';
import { describe, expect, it } from 'vitest';
import { type Failure, faults } from './cases.ts';
import { longest, patientFailure } from './patient-failure.ts';
import { FaultServer, healthy } from './server.ts';

/** Short, because some servers stall forever, and strings are retried until the time-out. */
const short = 1000;
/** First time-out of calls that do not wait; interrupted reads are retried until it elapses. */
const long = 3000;

type Call = (clientset: Clientset, timeoutMs: number) => Promise<unknown>;

const object = { metadata: { name: 'web' }, spec: { containers: [] } };

async function drained(items: AsyncIterable<unknown>): Promise<void> {
  for await (const item of items) expect(item).toBeTypeOf('string');
}

/** Calls that read one JSON value. */
const calls: Readonly<Record<string, Call>> = {
  get: (clientset, timeoutMs) => clientset.coreV1.pods('shop').get('web', { timeoutMs }),
  list: (clientset, timeoutMs) => clientset.coreV1.pods('shop').list({ timeoutMs }),
  create: (clientset, timeoutMs) => clientset.coreV1.pods('shop').create(object, { timeoutMs }),
  delete: (clientset, timeoutMs) => clientset.coreV1.pods('shop').delete('web', { timeoutMs }),
  'get of any path': (clientset, timeoutMs) =>
    clientset.rest.get('/api/v1/namespaces/shop/pods/web', { timeoutMs }),
};

/** Calls that read a string. */
const texts: Readonly<Record<string, Call>> = {
  'whole log': (clientset, timeoutMs) => clientset.coreV1.pods('shop').getLog('web', { timeoutMs }),
  log: (clientset, timeoutMs) => drained(clientset.coreV1.pods('shop').streamLog('web', { timeoutMs })),
};

const typed = [isApiError, isTransportError, isTimeoutError, isDecodeError];

/** Runs a test with a server and a client, and checks that no connection remains open. */
async function withServer(act: (server: FaultServer, clientset: Clientset) => Promise<void>): Promise<void> {
  const server = await new FaultServer().start();
  try {
    const clientset = new Clientset({ server: server.url });
    try {
      await act(server, clientset);
    } finally {
      await clientset.close();
    }
    await server.emptied();
  } finally {
    await server.stop();
  }
}

type CallError = Error & { readonly operation?: RequestOperation };

/** Returns the error of a call, which `assert` accepts unless the call never fails with such an error. */
async function failureOf(
  call: (timeoutMs: number) => Promise<unknown>,
  firstMs: number,
  assert: (error: CallError) => void,
): Promise<CallError> {
  const error = await patientFailure(
    call,
    firstMs,
    (one) => one instanceof Error && passes(() => assert(one)),
  );
  if (error instanceof Error) return error;
  throw new TypeError('rejected with a value that is not an Error');
}

function passes(assert: () => void): boolean {
  try {
    assert();
    return true;
  } catch {
    return false;
  }
}

/** Checks the class, the operation and the message of an error. */
function check(error: CallError, { is, message }: Failure): void {
  expect(error, error.stack).toSatisfy(is);
  expect(error.operation).toBeDefined();
  const prefix = `${error.operation && describeOperation(error.operation)}: `;
  expect(error.message.slice(0, prefix.length)).toBe(prefix);
  expect(error.message.slice(prefix.length)).toMatch(message);
  expect(`${error.stack}`).not.toContain('sesame');
}

/** Checks the error of a call that is retried until its time-out: it contains the previous error. */
function checkLast(error: CallError, failure: Failure): void {
  const [, stated] =
    /^.*: timed out after \d+ ms; last (?:failure|response): (.*)$/.exec(error.message) ?? [];
  if (stated === undefined) {
    check(error, failure);
    return;
  }
  expect(error).toSatisfy(isTimeoutError);
  expect(error.cause).toSatisfy(failure.is);
  expect(stated).toMatch(failure.message);
}

describe.concurrent.each(Object.entries(faults))(
  '%s',
  { timeout: 300_000 },
  (_, { script, want, ...rest }) => {
    const text = 'text' in rest ? rest.text : want;
    const accepting = ('acceptedBy' in rest ? rest.acceptedBy : undefined) ?? [];
    const failing = Object.entries(calls).filter(([name]) => !accepting.includes(name));

    it.each(failing)('fails a %s, and no later request', (__, call) =>
      withServer(async (server, clientset) => {
        server.script = script;
        const firstMs = want.is === isTimeoutError ? short : long;
        const assert = (error: CallError): void => check(error, want);
        assert(await failureOf((timeoutMs) => call(clientset, timeoutMs), firstMs, assert));
        server.script = healthy;
        expect(await clientset.coreV1.pods('shop').get('web')).toMatchObject({ kind: 'Pod' });
      }),
    );

    it.each(Object.entries(texts))('fails a %s with a visible error', (__, call) =>
      withServer(async (server, clientset) => {
        server.script = script;
        if (text === undefined) await call(clientset, longest);
        else {
          const assert = (error: CallError): void => checkLast(error, text);
          assert(await failureOf((timeoutMs) => call(clientset, timeoutMs), short, assert));
        }
        server.script = healthy;
        expect(await clientset.coreV1.pods('shop').get('web')).toMatchObject({ kind: 'Pod' });
      }),
    );

    it('does not end a watch, which reports visible failures', () =>
      withServer(async (server, clientset) => {
        server.script = script;
        const controller = new AbortController();
        const errors: unknown[] = [];
        await new Promise<void>((resolve) => {
          const onRetry = (error: unknown): void => {
            errors.push(error);
            resolve();
          };
          const options = { signal: controller.signal, onRetry, timeoutMs: short };
          drained(clientset.coreV1.pods('shop').watch(options)).catch(() => resolve());
        });
        for (const error of errors) expect(error).toSatisfy((one) => typed.some((is) => is(one)));
        controller.abort();
      }));
  },
);
