/** Bytes designed to be expensive cost no more than others: the operations of the reader are counted. */
import { isDecodeError } from '@kgen/runtime';
import { describe, expect, it, vi } from 'vitest';
import type * as fields from '../../src/runtime/protobuf/wire/field.ts';
import { Reader } from '../../src/runtime/protobuf/wire/reader.ts';
import { codecOfAll } from './codec.ts';
import { pod } from './seeds.ts';
import { block, count, envelope, joined, tag, varint } from './wire.ts';

/** Counts the fields that are skipped without the reader, too. */
const walked = vi.hoisted(() => ({ fields: 0 }));

vi.mock('../../src/runtime/protobuf/wire/field.ts', async (original) => {
  const actual = await original<typeof fields>();
  return {
    ...actual,
    fieldAt: (...args: Parameters<typeof actual.fieldAt>) => {
      walked.fields += 1;
      return actual.fieldAt(...args);
    },
    *fieldsOf(...args: Parameters<typeof actual.fieldsOf>) {
      for (const field of actual.fieldsOf(...args)) {
        walked.fields += 1;
        yield field;
      }
    },
  };
});

const codec = await codecOfAll();

function times(many: number, bytes: Buffer): Buffer {
  return joined(Array.from({ length: many }, () => bytes));
}

function inPod(...spec: readonly Buffer[]): Buffer {
  return envelope('v1', 'Pod', block(1), block(2, ...spec));
}

/** Returns nested fields, many levels deep. */
function deep(number: number, levels: number): Buffer {
  let bytes: Buffer = Buffer.alloc(0);
  for (let left = levels; left > 0; left -= 1) bytes = block(number, bytes);
  return bytes;
}

/** A security context with the field of a seccomp profile. */
const context = block(14, block(2, block(1, 'a')));

const inputs: readonly { readonly name: string; readonly bytes: (many: number) => Buffer }[] = [
  { name: 'an ordinary object', bytes: () => pod },
  { name: 'empty fields', bytes: (many) => inPod(times(many, block(2))) },
  { name: 'unknown fields', bytes: (many) => inPod(times(many, count(900, 1))) },
  { name: 'unknown groups', bytes: (many) => inPod(times(many, joined([tag(900, 3), tag(900, 4)]))) },
  {
    name: 'groups in groups',
    bytes: (many) => inPod(times(many, tag(900, 3)), times(many, tag(900, 4))),
  },
  { name: 'groups that never end', bytes: (many) => inPod(times(many, tag(900, 3))) },
  { name: 'a message in many parts', bytes: (many) => inPod(times(many, context)) },
  {
    name: 'numbers that are longer than need be',
    bytes: (many) => inPod(times(many, Buffer.from('2080808080808080808000', 'hex'))),
  },
  { name: 'the same key again', bytes: (many) => inPod(times(many, block(7, block(1, 'k'), block(2, 'v')))) },
  {
    name: 'other keys',
    bytes: (many) => inPod(...Array.from({ length: many }, (_, index) => block(7, block(1, `k${index}`)))),
  },
  { name: 'an entry with many keys', bytes: (many) => inPod(block(7, times(many, block(1, 'k')))) },
  {
    name: 'schemas in schemas',
    bytes: (many) =>
      envelope(
        'apiextensions.k8s.io/v1',
        'CustomResourceDefinition',
        block(2, times(Math.ceil(many / 300), block(7, block(4, block(1, deep(28, 300)))))),
      ),
  },
  {
    name: 'packed numbers',
    bytes: (many) => envelope('v1', 'PodPortForwardOptions', block(1, times(many, varint(300)))),
  },
];

/** Returns the number of calls of the reader's methods and of skipped fields, regardless of the result. */
function callsFor(bytes: Buffer): number {
  let calls = 0;
  walked.fields = 0;
  const names = Object.getOwnPropertyNames(Reader.prototype).filter((name) => name !== 'constructor');
  for (const name of names) {
    const { value } = Object.getOwnPropertyDescriptor(Reader.prototype, name) ?? {};
    if (typeof value !== 'function') continue;
    const counted = function (this: Reader, ...args: readonly unknown[]): unknown {
      calls += 1;
      return Reflect.apply(value, this, args);
    };
    Object.defineProperty(Reader.prototype, name, { value: counted, configurable: true, writable: true });
    undo.push(() =>
      Object.defineProperty(Reader.prototype, name, { value, configurable: true, writable: true }),
    );
  }
  try {
    codec.decode(bytes);
  } catch (error) {
    if (!isDecodeError(error)) throw error;
  } finally {
    for (const back of undo.splice(0)) back();
  }
  return calls + walked.fields;
}

const undo: (() => void)[] = [];

describe('decoding work is linear in the input', () => {
  it.each(inputs)('$name', ({ bytes }) => {
    for (const many of [100, 3000, 30_000]) {
      const input = bytes(many);
      expect(callsFor(input) / input.length).toBeLessThan(4);
    }
  });
});
