/** Lines that allocate what stays on the heap, which the check `memory` names. */
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { usedHeap } from '../../src/testing/operators/simulate/endurance/heap.ts';
import { keptLine } from '../../src/testing/operators/simulate/endurance/kept-line.ts';

const texts = new Map<string, readonly string[]>();
const names = new Set<string>();
const calls: (() => unknown)[] = [];
const responses: unknown[] = [];
const emitter = new EventEmitter().setMaxListeners(0);

/** Functions that keep something with each call, with a part of the line that allocates it. */
const leaks: readonly (readonly [string, string, (call: number) => void | Promise<void>])[] = [
  [
    'objects in a map of the module',
    'numbers.map((number) => `',
    async (call) => {
      const numbers = Array.from({ length: 1_000 }, (_, number) => number);
      await turn();
      const other = numbers.map((number) => ({ number }));
      texts.set(
        `${other.length} ${call}`,
        numbers.map((number) => `${call} ${number}`),
      );
      await turn();
    },
  ],
  [
    'closures',
    'calls.push(() => number)',
    (call) => {
      for (let number = 0; number < 300; number += 1) {
        const temporary = { call, number };
        if (temporary.number >= 0) calls.push(() => number);
      }
    },
  ],
  [
    'listeners',
    "emitter.on('change'",
    async (call) => {
      await turn();
      const numbers = Array.from({ length: 300 }, (_, number) => number + call);
      for (const number of numbers) emitter.on('change', () => void number);
    },
  ],
  [
    'members of a set, which grows within a built-in function',
    'names.add(',
    (call) => {
      const prefix = `${call}`.padStart(200, '-');
      for (let number = 0; number < 300; number += 1) names.add(prefix + number);
    },
  ],
  [
    'objects that Node.js has parsed',
    'JSON.parse(',
    (call) => {
      const text = JSON.stringify(Array.from({ length: 300 }, (_, number) => ({ call, number })));
      responses.push(JSON.parse(text));
    },
  ],
];

it.each(leaks)('%s have the line %s', { timeout: 120_000 }, async (_, code, leak) => {
  let call = 0;
  const kept = await keptLine(async (times) => {
    for (let left = times; left > 0; left -= 1) {
      call += 1;
      await leak(call);
    }
    await usedHeap();
  });
  const [file = '', line = ''] = kept?.site.split(/:(?=\d+$)/) ?? [];
  expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]).toContain(code);
  expect(kept?.bytes).toBeGreaterThan(4_096);
});

it('nothing stays of a function that keeps nothing, but for its code', { timeout: 120_000 }, async () => {
  const kept = await keptLine(async (times) => {
    for (let left = times; left > 0; left -= 1) Array.from({ length: 1_000 }, (_, number) => ({ number }));
    await usedHeap();
  });
  expect(kept?.bytes ?? 0).toBeLessThan(2_048);
});
