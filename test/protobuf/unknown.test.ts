/**
 * Fields that the table does not contain, added to every message of an object: decoding and encoding returns
 * all of them.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { fieldTable } from '../../src/kgen/protobuf/table.ts';
import { type Random, randomOf } from '../support/random.ts';
import { decode, encode } from './codec.ts';
import { unknownField } from './damage.ts';
import { difference } from './difference.ts';
import { hasUnwritable, parsed } from './expected.ts';
import { hasCodec } from './kinds.ts';
import { changed, messageOf } from './message-changes.ts';
import { Oracle, oraclePath } from './oracle.ts';
import { definition, pod } from './seeds.ts';
import { announce, seed } from './settings.ts';
import { bytesOf, closed, opened, type WireField } from './wire.ts';

/** First of the numbers that no message uses. */
const firstUnknown = 90;

/** Appends one to three unknown fields to each message. */
function withUnknown(message: string, bytes: Buffer, random: Random): Buffer {
  return changed(message, bytes, (fields) => [
    ...fields,
    ...Array.from({ length: 1 + random.int(3) }, () => unknownField(random)),
  ]);
}

interface Sorted {
  /** Unknown fields, each preceded by the place of its message, sorted. */
  readonly unknown: readonly string[];
  /** The message without them. */
  readonly known: Buffer;
}

function sorted(message: string, bytes: Buffer): Sorted {
  const unknown: string[] = [];
  const known = changed(message, bytes, (fields, path) => {
    const isUnknown = ({ number }: WireField): boolean => number >= firstUnknown;
    unknown.push(...fields.filter(isUnknown).map((field) => `${path} ${bytesOf([field]).toString('hex')}`));
    return fields.filter((field) => !isUnknown(field));
  });
  return { unknown: unknown.sort(), known };
}

/** Verifies an object whose properties are not read, and one whose properties are all read. */
async function expectAllBack(message: string, original: Buffer, random: Random): Promise<void> {
  const { type, message: bytes } = opened(original);
  const more = closed({ type, message: withUnknown(message, bytes, random) });
  const sent = sorted(message, opened(more).message);
  expect(sent.unknown.length).toBeGreaterThan(0);
  const untouched = sorted(message, await rewritten(await decode(more)));
  expect(untouched.unknown).toEqual(sent.unknown);
  const [read, plain] = [await decode(more), await decode(original)];
  expect(difference(read, plain), 'the object has nothing more').toBeUndefined();
  const back = sorted(message, await rewritten(read));
  expect(back.unknown).toEqual(sent.unknown);
  expect(back.known.toString('latin1')).toBe((await rewritten(plain)).toString('latin1'));
}

/** Returns the message of an encoded object. */
async function rewritten(object: Parameters<typeof encode>[0]): Promise<Buffer> {
  return opened(Buffer.from(await encode(object))).message;
}

describe('unknown protobuf fields', () => {
  it('have unused numbers', () => {
    const numbers = [...fieldTable().messages.values()].flatMap(({ fields }) =>
      fields.map(({ number }) => number),
    );
    expect(Math.max(...numbers)).toBeLessThan(firstUnknown);
  });

  it.each([
    ['v1', 'Pod', pod],
    ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', definition],
  ])('round-trip in %s %s', async (apiVersion, kind, bytes) => {
    for (let round = 0; round < 200; round += 1) {
      await expectAllBack(messageOf(apiVersion, kind), bytes, randomOf(seed * 1000 + round));
    }
  });

  it('are dropped with the part that contained them', async () => {
    const bytes = withUnknown(messageOf('v1', 'Pod'), opened(pod).message, randomOf(seed));
    const decoded = await decode(closed({ ...opened(pod), message: bytes }));
    const copied = parsed(JSON.stringify(decoded));
    // seam: JSON of a pod
    const written = Buffer.from(await encode(copied as unknown as typeof decoded));
    expect(sorted(messageOf('v1', 'Pod'), opened(written).message).unknown).toEqual([]);
    expect(difference(await decode(written), await decode(pod))).toBeUndefined();
  });

  it('round-trip twice', async () => {
    const bytes = withUnknown(messageOf('v1', 'Pod'), opened(pod).message, randomOf(seed));
    const once = Buffer.from(await encode(await decode(closed({ ...opened(pod), message: bytes }))));
    expect(Buffer.from(await encode(await decode(once))).equals(once)).toBe(true);
  });
});

const path = await oraclePath();

if (path === undefined) {
  describe.skip('unknown fields in every kind: no `go` is on the PATH', () => {
    it('requires Go', () => undefined);
  });
} else {
  announce('unknown fields');
  const oracle = new Oracle(path);
  afterAll(() => oracle.close());
  const kinds = (await oracle.kinds()).filter(hasCodec);

  it.each(kinds)('unknown protobuf fields in $apiVersion $kind', async ({ apiVersion, kind }) => {
    for (const { protobuf, json } of await oracle.make({ seed, apiVersion, kind, from: 1, count: 5 })) {
      if (!hasUnwritable(parsed(json)))
        await expectAllBack(messageOf(apiVersion, kind), protobuf, randomOf(seed));
    }
  });
}
