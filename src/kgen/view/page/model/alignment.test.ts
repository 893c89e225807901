import { expect, test } from 'vitest';
import type { ViewEvent } from '../../format.ts';
import { aligned } from './alignment.ts';
import { eventText } from './texts.ts';

/** Returns events: a name is that of a created object, `!` before it a step, `~` a write. */
function events(...names: readonly string[]): readonly ViewEvent[] {
  return names.map((text, at): ViewEvent => {
    if (text.startsWith('!')) return { kind: 'step', at, text };
    const target = { group: '', resource: 'pods', namespace: '', name: text.replace('~', '') };
    if (!text.startsWith('~')) return { kind: 'change', at, change: 'create', target };
    const request = { process: '', user: '', verb: 'create', subresource: '', faults: [] };
    return { kind: 'request', at, target, isWrite: true, result: 'done', ...request };
  });
}

function nameOf(event: ViewEvent | undefined): string {
  if (event === undefined) return '-';
  return 'target' in event ? event.target.name : eventText(event);
}

test.each([
  ['equal runs', ['a', 'b'], ['a', 'b'], 'a=a b=b', -1],
  ['a fault, which is not an effect', ['!cut', 'a'], ['a'], '!cut=- a=a', -1],
  ['an additional object', ['a', 'b', 'c'], ['a', 'c'], 'a=a b=- c=c', 1],
  ['a missing object', ['a', 'c'], ['a', 'b', 'c'], 'a=a -=b c=c', 1],
  ['two at one place, in the order of their times', ['a', 'x'], ['y', 'z', 'a'], '-=y -=z a=a x=-', 0],
  ['generated names', ['web-x7k2b'], ['web-q4vcd'], 'web-x7k2b=web-q4vcd', -1],
  ['a write and a change of one object', ['~a', 'a'], ['a'], 'a=- a=a', 0],
  ['nothing', [], [], '', -1],
])('aligns %s', (_, one, other, expected, difference) => {
  const result = aligned(events(...one), events(...other));
  expect(result.rows.map((row) => `${nameOf(row.one)}=${nameOf(row.other)}`).join(' ')).toBe(expected);
  expect(result.difference).toBe(difference);
});

test('long runs are aligned up to their first difference', () => {
  const names = Array.from({ length: 3_000 }, (_, index) => `pod${index}`);
  const { rows, difference } = aligned(events(...names), events(...names.slice(0, 2_000), 'other'));
  expect([difference, rows.length]).toEqual([2_000, 3_001]);
});
