import { describe, expect, it } from 'vitest';
import { enveloped, listBytes } from '../../../../test/support/runtime/protobuf-bytes.ts';
import { thingBytes, things } from '../../../../test/support/runtime/protobuf-things.ts';
import { heldResponse } from '../../rest/response/buffered-response.ts';
import { decodeResponse } from '../response/response.ts';
import type { Codecs, KindCodec } from '../types.ts';

const operation = { verb: 'list', resource: 'things', namespace: 'shop' };
const { apiVersion } = things;
const wrong = {
  read: (): never => {
    throw new TypeError('a secret cannot be read');
  },
  write: () => 0,
};
const codecs: Codecs = new Map<string, KindCodec>([
  ['Thing', wrong],
  ['ThingList', { ...wrong, item: wrong }],
]);

const one = thingBytes({ name: 'one', namespace: 'shop' });
const list = enveloped(apiVersion, 'ThingList', listBytes('9', [one]));

function decode(bytes: Uint8Array, options: { readonly itemErrors?: boolean } = {}): Promise<unknown> {
  const response = heldResponse({ status: 200, headers: {} }, bytes);
  return decodeResponse(response, operation, { ...things, codecs, ...options });
}

describe('a codec that is wrong', () => {
  it.each<{ name: string; given: Uint8Array; what: string }>([
    { name: 'an object', given: enveloped(apiVersion, 'Thing', one), what: 'Thing' },
    { name: 'a list', given: list, what: 'ThingList items[0]' },
  ])('makes $name one that cannot be read', async ({ given, what }) => {
    const error: unknown = await decode(given).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      name: 'DecodeError',
      message: `list things in namespace shop: protobuf: ${what}: the codec failed on these bytes`,
      cause: { name: 'TypeError' },
    });
  });

  it('harms no other item', async () => {
    const { items } = Object(await decode(list, { itemErrors: true }));
    expect(items).toEqual([{ unread: expect.any(Error), metadata: { name: 'one', namespace: 'shop' } }]);
  });
});
