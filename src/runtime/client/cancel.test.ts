/** A transport of the caller whose `cancel` throws: a call settles with its own error or value. */
import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest';
import { isDecodeError } from '../api/errors.ts';
import type { APIResponse } from '../api/transport.ts';
import { RESTClient } from '../rest/client.ts';
import { configMaps } from './protobuf.fixture.ts';
import { ResourceClient } from './resource-client.ts';

let warnings: MockInstance<typeof process.emitWarning>;
beforeEach(() => {
  warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());

function clientOf(type: string, bytes: string, options: { readonly maxResponseBytes?: number } = {}) {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(bytes);
  }
  const response = (): APIResponse => ({
    status: 200,
    headers: { 'content-type': type },
    body: body(),
    cancel: () => {
      throw new Error('oops');
    },
  });
  const rest = new RESTClient({ server: 'http://unused' }, { ...options, transport: async () => response() });
  return new ResourceClient(rest, { ...configMaps(), namespace: 'shop' });
}

const json = 'application/json';
const protobuf = 'application/vnd.kubernetes.protobuf';
const long = `{"kind":"ConfigMapList","items":[${'{"metadata":{}},'.repeat(50_000)}`;

it.each([
  ['a long list that is cut off', () => clientOf(json, long).list()],
  ['bytes that are not protobuf', () => clientOf(protobuf, 'k8s\0\xff\xff').list()],
  ['a response beyond the limit', () => clientOf(json, long, { maxResponseBytes: 10 }).list()],
])('the error of %s is not replaced', async (_, call) => {
  await expect(call()).rejects.toSatisfy(isDecodeError);
  expect(warnings).toHaveBeenCalledWith('cancel() of a response failed: oops', 'ResponseWarning');
});

it('a log ends in order', async () => {
  const lines: unknown[] = [];
  for await (const line of clientOf('text/plain', 'a\nb\n').streamLog('web')) lines.push(line);
  expect(lines).toEqual(['a', 'b']);
});
