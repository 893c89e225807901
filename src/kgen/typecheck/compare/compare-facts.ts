/** Compares constants: the properties of resource descriptors. */

import type { Fact } from '../read/tree.ts';
import type { TypeChange } from './change.ts';
import { changeAt, type Spot } from './compare-types.ts';

/** Properties on which no request and no type depends. */
const informal: ReadonlySet<string> = new Set(['singular', 'shortNames', 'categories']);

/** Properties that are internal to the runtime. */
const hidden: ReadonlySet<string> = new Set(['protobuf', 'schema']);

/** Lists and sets of strings may grow. Any other change of a property is breaking. */
export function compareFacts(
  spot: Spot,
  before: ReadonlyMap<string, Fact>,
  after: ReadonlyMap<string, Fact>,
): readonly TypeChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const was = before.get(name);
    const is = after.get(name);
    if (was?.text === is?.text || hidden.has(name)) return [];
    return [
      changeAt(name === '' ? spot : { ...spot, path: [name] }, {
        change: 'value',
        ...(was === undefined ? {} : { before: was.text }),
        ...(is === undefined ? {} : { after: is.text }),
        breaking: !informal.has(name) && !hasGrown(was, is),
      }),
    ];
  });
}

function hasGrown(before: Fact | undefined, after: Fact | undefined): boolean {
  if (after?.items === undefined || (before !== undefined && before.items === undefined)) return false;
  const now = new Set(after.items);
  return (before?.items ?? []).every((item) => now.has(item));
}
