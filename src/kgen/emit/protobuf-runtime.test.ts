import { describe, expect, it } from 'vitest';
import { Seeded } from '../../../test/support/runtime/random.ts';
import * as runtime from '../../runtime/exports/gen/v1-protobuf.ts';
import type { MessageCodec } from '../../runtime/protobuf/types.ts';
import { runtimeMessages } from '../protobuf/plan.ts';
import { fieldTable } from '../protobuf/table.ts';
import type { Element, Field, TableMessage } from '../protobuf/types.ts';
import { compile, using } from './protobuf/protobuf-message.fixture.ts';

const { messages } = fieldTable();

function tableMessage(ref: string): TableMessage {
  const found = messages.get(ref);
  if (found === undefined) throw new Error(`the table has no ${ref}`);
  return found;
}

/** Returns the runtime's own functions for a message. The runtime reads its lists with a separate codec. */
function written(name: string): MessageCodec {
  if (name.endsWith('List')) {
    return runtime.listCodec({
      read: runtime.readPartialObjectMetadata,
      write: runtime.writePartialObjectMetadata,
    });
  }
  // seam: the module exports two functions for each of these messages.
  const door = runtime as unknown as Record<string, MessageCodec['read'] & MessageCodec['write']>;
  const [read, write] = [door[`read${name}`], door[`write${name}`]];
  if (read === undefined || write === undefined) throw new Error(`the door has no ${name}`);
  return { read, write };
}

function anyValue(element: Element, random: Seeded): unknown {
  if ('message' in element) return objectOf(tableMessage(element.message), random);
  if ('special' in element) {
    if (element.special === 'Time')
      return new Date(1000 * random.below(2 ** 31)).toISOString().replace('.000', '');
    return { 'f:spec': { [`f:${random.below(9)}`]: {} } };
  }
  if (element.scalar === 'bool') return random.chance(0.5);
  if (element.scalar === 'string') return random.pick(['', 'a', 'ä', 'a longer text']);
  return random.below(1000) - 300;
}

function fieldValue({ shape, element }: Field, random: Seeded): unknown {
  const many = Array.from({ length: random.below(4) }, () => anyValue(element, random));
  if (shape === 'slice') return many;
  if (shape === 'map') return Object.fromEntries(many.map((value, index) => [`key-${index}`, value]));
  return anyValue(element, random);
}

function objectOf({ fields }: TableMessage, random: Seeded): Record<string, unknown> {
  const present = fields.filter(() => random.chance(0.6));
  return Object.fromEntries(present.map((field) => [field.json ?? '', fieldValue(field, random)]));
}

describe.each([...runtimeMessages])('has the message %s of the runtime', (ref) => {
  const others = [...runtimeMessages].filter((other) => other !== ref).map(tableMessage);
  const name = ref.slice(ref.indexOf('.') + 1);
  const generated = compile(tableMessage(ref), ...others);
  const own = using(name, written(name));

  it('reads absent fields as the table defines', () => {
    const items = name.endsWith('List') ? { items: [] } : {};
    expect(own.read([])).toStrictEqual({ ...generated.read([]), ...items });
    expect(own.write({})).toEqual(generated.write({}));
  });

  it.each([1, 2, 3])('writes and reads as the table defines: seed %i', (seed) => {
    const random = new Seeded(seed);
    for (let round = 0; round < 100; round += 1) {
      const object = objectOf(tableMessage(ref), random);
      const bytes = generated.write(object);
      expect(own.write(object), `seed ${seed}, round ${round}`).toEqual(bytes);
      const items = name.endsWith('List') ? { items: [] } : {};
      expect(own.read(bytes, 'refuse')).toStrictEqual({
        ...generated.read(bytes),
        ...(object['items'] === undefined || (object['items'] as unknown[]).length === 0 ? items : {}),
      });
      expect(own.write(own.read(bytes))).toEqual(bytes);
    }
  });

  it('has the field names of the table', () => {
    for (const { number, json } of tableMessage(ref).fields) {
      expect(() => own.read([...tag(number * 8 + 6), 0])).toThrow(
        expect.objectContaining({ name: 'DecodeError', path: expect.stringMatching(new RegExp(`^${json}`)) }),
      );
    }
    expect(() => own.read([...tag(99 * 8), 0], 'refuse')).toThrow(expect.objectContaining({ number: 99 }));
  });
});

function tag(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, value >>> 7];
}
