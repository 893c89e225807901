/** Costs of evaluated calls: of standard functions, and of the functions of Kubernetes' libraries. */

import { utf8Length } from '../../values/bytes.ts';
import { CelList, CelMap, CelObject, Opaque, sizeOf, type Value } from '../values/value.ts';
import { fixed, regexFactor, stringFactor } from './costs.ts';
import { checkCost, nominal, selectorCost } from './functions.ts';

type Rule = (args: readonly Value[], result: Value, overload: string) => number;

/** Returns the cost of a call. @param overload empty if it is chosen by the types of the arguments */
export function costOfCall(name: string, overload: string, args: readonly Value[], result: Value): number {
  if (nominal.has(name) && args.length > 0) return 1;
  if (name === '_==_' && args[0] instanceof Opaque) return 1;
  return byFunction.get(name)?.(args, result, overload) ?? standardCost(overload, args);
}

const traverse: Rule = (args) => traversal(args[0] ?? null);

function traversal(value: Value): number {
  if (typeof value === 'string') return Math.floor(utf8Length(value) * stringFactor);
  if (value instanceof Uint8Array) return Math.floor(value.length * stringFactor);
  if (value instanceof CelList) return value.items.reduce<number>((sum, item) => sum + traversal(item), 0);
  if (value instanceof CelMap)
    return [...value.entries.values()].reduce((sum, [k, v]) => sum + traversal(k) + traversal(v), 0);
  if (value instanceof CelObject)
    return value.names().reduce((sum, name) => sum + traversal(name) + traversal(value.get(name) ?? null), 0);
  return 1;
}

const parse: Rule = (args) => text(size(args, 0));

/** Returns the size of an argument. */
function size(args: readonly Value[], index: number): number {
  return sizeOf(args[index] ?? null);
}

function text(length: number, factor = 1): number {
  return Math.ceil(length * factor * stringFactor);
}
const rebuild: Rule = (args) => text(size(args, 0), 2);
const find: Rule = (args) => regex(size(args, 0), size(args, 1));

function regex(length: number, pattern: number): number {
  return Math.ceil((1 + length) * stringFactor) * Math.ceil(pattern * regexFactor);
}
const selector: Rule = (args) => selectorCost(fixed(size(args, 1))).max;

const containsIp: Rule = (args, _result, overload) =>
  text(2 * size(args, 0)) + (overload === 'cidr_contains_ip_string' ? text(size(args, 1)) : 0);

const containsCidr: Rule = (args, _result, overload) =>
  text(2 * size(args, 0)) +
  text(size(args, 0)) +
  1 +
  (overload === 'cidr_contains_cidr_string' ? text(size(args, 1)) : 0);

/** A format, whose pattern has a known length. */
export abstract class PatternFormat extends Opaque {
  abstract readonly patternSize: number;
}

const validate: Rule = (args) => {
  const [format] = args;
  return regex(size(args, 1), format instanceof PatternFormat ? format.patternSize : 0);
};

const byFunction: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['check', () => checkCost],
  ...named(['fieldSelector', 'labelSelector'], selector),
  ...named(['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'], traverse),
  ...named(['url', 'lowerAscii', 'upperAscii', 'substring', 'trim', 'jsonpatch.escapeKey'], parse),
  ...named(['cidr', 'isIP', 'isCIDR', 'quantity', 'isQuantity', 'semver', 'isSemver'], parse),
  ...named(['replace', 'split', 'ip.isCanonical'], rebuild),
  ['join', (_args, result) => text(sizeOf(result), 2)],
  ...named(['find', 'findAll'], find),
  ['ip', (args, _result, overload) => (overload === 'cidr_ip' ? 1 : text(size(args, 0)))],
  ['containsIP', containsIp],
  ['containsCIDR', containsCidr],
  ['validate', validate],
]);

function named(names: readonly string[], rule: Rule): readonly [string, Rule][] {
  return names.map((name) => [name, rule]);
}

function standardCost(overload: string, args: readonly Value[]): number {
  switch (overload) {
    case 'starts_with_string':
    case 'ends_with_string':
    case 'string_to_bytes':
    case 'bytes_to_string':
    case 'strings_quote':
    case 'string_format':
      return text(size(args, 0));
    case 'in_list':
      return size(args, 1);
    case 'add_string':
    case 'add_bytes':
      return text(size(args, 0) + size(args, 1));
    case 'matches_string':
      return regex(size(args, 0), size(args, 1));
    case 'contains_string':
      return text(size(args, 0)) * text(size(args, 1));
    default:
      return /^(?:(?:less|greater)(?:_equals)?_(?:string|bytes)|equals|not_equals)$/.test(overload)
        ? text(Math.min(size(args, 0), size(args, 1)))
        : 1;
  }
}
