/** Resources that pods request, and nodes have. */

import { array, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { quantityNanos } from '../../../resources/builtin/quantity.ts';

/** Amounts in billionths by resource. */
export type Amounts = ReadonlyMap<string, bigint>;

const podLevel = ['cpu', 'memory'];

/** Returns the requests of a pod: of its containers together, or of an init container if they are higher. */
export function requestsOf(pod: JsonObject): Amounts {
  const spec = object(pod, 'spec');
  let running: Amounts = new Map();
  let highest: Amounts = new Map();
  for (const item of array(spec, 'initContainers')) {
    const own_ = amountsOf(object(item, 'resources', 'requests'));
    if (text(item, 'restartPolicy') === 'Always') {
      running = combined(running, own_, (a, b) => a + b);
      highest = combined(highest, running, larger);
    } else
      highest = combined(
        highest,
        combined(running, own_, (a, b) => a + b),
        larger,
      );
  }
  for (const item of array(spec, 'containers'))
    running = combined(running, amountsOf(object(item, 'resources', 'requests')), (a, b) => a + b);
  const level = amountsOf(object(spec, 'resources', 'requests'));
  const total = new Map(combined(highest, running, larger));
  for (const name of podLevel) {
    const amount = level.get(name);
    if (amount !== undefined) total.set(name, amount);
  }
  return combined(total, amountsOf(object(spec, 'overhead')), (a, b) => a + b);
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** Returns the amounts of a list of resources. */
export function amountsOf(list: JsonObject): Amounts {
  return new Map(Object.keys(list).map((name) => [name, amount(own(list, name))]));
}

function amount(value: Json | undefined): bigint {
  return quantityNanos(String(value ?? '0')) ?? 0n;
}

/** Combines two lists of amounts. */
export function combined(a: Amounts, b: Amounts, by: (a: bigint, b: bigint) => bigint): Amounts {
  if (b.size === 0) return a;
  const result = new Map(a);
  for (const [name, each] of b) result.set(name, by(result.get(name) ?? 0n, each));
  return result;
}

const one = 1_000_000_000n;

/** Returns why a node has too few resources, in the words of the scheduler; empty if it has enough. */
export function shortages(
  node: JsonObject,
  used: { readonly count: number; readonly requested: Amounts },
  needs: Amounts,
): readonly string[] {
  const allocatable = object(node, 'status', 'allocatable');
  const pods = own(allocatable, 'pods');
  const full = pods !== undefined && BigInt(used.count + 1) * one > amount(pods) ? ['Too many pods'] : [];
  const lacking = [...needs].filter(([name, need]) => {
    const isOpen = own(allocatable, name) === undefined && !isExtended(name);
    return need > 0n && !isOpen && (used.requested.get(name) ?? 0n) + need > amount(own(allocatable, name));
  });
  return [...full, ...lacking.map(([name]) => `Insufficient ${name}`)];
}

/** A node of a test that declares no `cpu` or `memory` has enough. Other resources must be declared. */
function isExtended(name: string): boolean {
  return name !== 'cpu' && name !== 'memory' && name !== 'ephemeral-storage';
}
