import type { TypeChange } from './compare/change.ts';
import { typeChanges } from './compare/changes.ts';

/** A change as a row of a table: name and member, change, whether it is breaking, type before, type after. */
export type ReportedChange = readonly [
  name: string,
  change: string,
  breaking: 'breaking' | 'compatible',
  ...texts: (string | undefined)[],
];

function reported({ name, member, change, breaking, before, after }: TypeChange): ReportedChange {
  const place = member === undefined ? name : `${name} ${member}`;
  return [place, change, breaking ? 'breaking' : 'compatible', before, after];
}

/** Compares two versions of `apps/v1/types.ts`. */
export async function compare(
  before: string,
  after: string,
  path = 'apps/v1/types.ts',
): Promise<readonly ReportedChange[]> {
  return (await typeChanges(new Map([[path, before]]), new Map([[path, after]]))).map(reported);
}
