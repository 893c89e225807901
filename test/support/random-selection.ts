import type { AnySelection } from '../../src/runtime/api/selected.ts';
import type { Seeded } from './runtime/random.ts';

/** Returns a random selection of fields that an object has, and of some that it has not. */
export function randomSelection(object: unknown, random: Seeded): AnySelection {
  const selection = below(object, random, 0);
  return selection === true ? {} : selection;
}

function below(value: unknown, random: Seeded, depth: number): true | AnySelection {
  const holders = (Array.isArray(value) ? value : [value]).filter(isHolder);
  if (holders.length === 0 || (depth > 0 && random.chance(0.3))) return true;
  const entries = holders.flatMap((holder) => Object.entries(holder));
  const chosen = entries.filter(() => random.chance(0.4));
  const fields = chosen.map(([name, inner]) => [name, below(inner, random, depth + 1)] as const);
  if (random.chance(0.1)) fields.push(['absent', true], ['constructor', true]);
  const any = random.chance(0.15) ? random.pick(entries) : undefined;
  if (any !== undefined) fields.push(['*', below(any[1], random, depth + 1)]);
  return Object.fromEntries(fields);
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
