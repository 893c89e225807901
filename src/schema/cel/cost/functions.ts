/** Costs of the functions of Kubernetes' libraries before an evaluation, as library/cost.go. */
import { isSameType } from '../check/types.ts';
import {
  add,
  type CallEstimate,
  type EstimateCost,
  fixed,
  multiply,
  type Range,
  regexFactor,
  type SizedNode,
  scale,
  stringFactor,
  unlimited,
} from './costs.ts';

type Rule = (
  sizeOf: (node: SizedNode) => Range,
  target: SizedNode | undefined,
  args: readonly SizedNode[],
  overload: string,
) => CallEstimate | undefined;

/** Returns the cost of a call without that of its arguments. `undefined` for other functions. */
export function estimateFunction(
  name: string,
  overload: string,
  sizeOf: (node: SizedNode) => Range,
  target: SizedNode | undefined,
  args: readonly SizedNode[],
): ReturnType<EstimateCost> {
  if (nominal.has(name)) return { cost: fixed(1) };
  return rules.get(name)?.(sizeOf, target, args, overload);
}

/** Functions that only read a part of a value. */
export const nominal: ReadonlySet<string> = new Set([
  ...['serviceAccount', 'path', 'group', 'resource', 'subresource', 'namespace', 'name', 'allowed'],
  ...['reason', 'error', 'errored', 'masked', 'prefixLength', 'family', 'isUnspecified', 'isLoopback'],
  ...['isLinkLocalMulticast', 'isLinkLocalUnicast', 'isGlobalUnicast', 'format.named', 'sign'],
  ...['asInteger', 'isInteger', 'asApproximateFloat', 'isGreaterThan', 'isLessThan', 'compareTo'],
  ...['add', 'sub', 'major', 'minor', 'patch', 'getScheme', 'getHostname', 'getHost', 'getPort'],
  ...['getEscapedPath', 'getQuery'],
]);

/** Cost of an authorization check: two of them fit in an expression. */
export const checkCost = 350_000;

const traverseList: Rule = (sizeOf, target) => {
  if (target === undefined) return undefined;
  const element = elementOf(target);
  const size = sizeOf(target);
  if (element === undefined) return { cost: scale(size, stringFactor) };
  const isText = element.type.kind === 'string' || element.type.kind === 'bytes';
  const each = isText ? add([fixed(1), scale(sizeOf(element), stringFactor)]) : fixed(1);
  return { cost: multiply(size, each) };
};

function elementOf({ type, path }: SizedNode): SizedNode | undefined {
  const [element] = type.params;
  if (element === undefined) return undefined;
  return {
    expr: undefined,
    type: element,
    path: path === undefined ? undefined : [...path, '@items'],
    size: undefined,
  };
}

const traverseTarget: Rule = (sizeOf, target) => {
  if (target === undefined) return undefined;
  const size = sizeOf(target);
  return { cost: scale(size, stringFactor), size };
};

const replace: Rule = (sizeOf, target, [from, to]) => {
  if (target === undefined || from === undefined || to === undefined) return undefined;
  const [size, old, next] = [sizeOf(target), sizeOf(from), sizeOf(to)];
  const most = longest(size.max, old.min, next.max);
  const least = shortest(size.min, old.max, next.min);
  const count: Range = { min: least.count, max: most.count };
  const kept: Range = { min: least.kept, max: most.kept };
  return { cost: scale(size, 2 * stringFactor), size: add([multiply(count, next), kept]) };
};

interface Replacement {
  readonly count: number;
  readonly kept: number;
}

function longest(size: number, old: number, next: number): Replacement {
  if (old === 0) return { count: size < unlimited ? size + 1 : size, kept: size };
  return next <= old ? { count: 0, kept: size } : { count: Math.ceil(size / old), kept: 0 };
}

function shortest(size: number, old: number, next: number): Replacement {
  if (old === 0) return { count: size < unlimited ? size + 1 : size, kept: size };
  return old <= next ? { count: 0, kept: size } : { count: Math.ceil(size / old), kept: 0 };
}

const split: Rule = (sizeOf, target, args) => {
  if (target === undefined) return undefined;
  const size = sizeOf(target);
  const limit = args[1]?.expr;
  const isLimited = limit?.kind === 'literal' && typeof limit.value === 'bigint';
  const max = isLimited ? Number(BigInt.asUintN(64, BigInt(String(limit.value)))) : size.max;
  return { cost: scale(size, 2 * stringFactor), size: { min: 0, max } };
};

const join: Rule = (sizeOf, target, [separator]) => {
  if (target === undefined) return undefined;
  const count = sizeOf(target);
  const element = elementOf(target);
  const items = element === undefined ? fixed(0) : multiply(count, sizeOf(element));
  const gaps: Range = { min: Math.max(count.min - 1, 0), max: Math.max(count.max - 1, 0) };
  const size = separator === undefined ? items : add([items, multiply(sizeOf(separator), gaps)]);
  return { cost: scale(size, stringFactor), size };
};

const find: Rule = (sizeOf, target, [pattern]) => {
  if (target === undefined || pattern === undefined) return undefined;
  const size = sizeOf(target);
  const text = scale(add([size, fixed(1)]), stringFactor);
  return {
    cost: multiply(text, scale(sizeOf(pattern), regexFactor)),
    size: { min: 0, max: size.max },
  };
};

const addressSize: Range = { min: 4, max: 16 };

const validate: Rule = (sizeOf, _target, [arg]) =>
  arg === undefined ? undefined : { cost: scale(scale(sizeOf(arg), stringFactor), 128 * regexFactor) };

const selector: Rule = (sizeOf, _target, args) => {
  const [arg] = args;
  if (arg === undefined || args.length !== 1) return undefined;
  return { cost: selectorCost(sizeOf(arg)) };
};

/** Returns the cost of parsing a selector. */
export function selectorCost(length: Range): Range {
  return add([fixed(10), scale(length, stringFactor), scale(scale(length, 0.5), 50)]);
}

const constantEquality: ReadonlySet<string> = new Set([
  'net.IP',
  'net.CIDR',
  'kubernetes.Quantity',
  'kubernetes.Semver',
  'kubernetes.authorization.Authorizer',
  'kubernetes.authorization.PathCheck',
  'kubernetes.authorization.GroupCheck',
  'kubernetes.authorization.ResourceCheck',
  'kubernetes.authorization.Decision',
]);

const equals: Rule = (_sizeOf, _target, [left, right]) => {
  if (left === undefined || right === undefined || !isSameType(left.type, right.type)) return undefined;
  const { name } = left.type;
  if (constantEquality.has(name)) return { cost: fixed(1) };
  if (name === 'kubernetes.NamedFormat') return { cost: scale({ min: 1, max: 64 }, stringFactor) };
  if (name !== 'kubernetes.URL') return undefined;
  return { cost: scale({ min: 1, max: right.size?.max ?? 1 }, stringFactor) };
};

const ip: Rule = (sizeOf, target, args, overload) =>
  overload === 'cidr_ip' ? { cost: fixed(1) } : traverseArg(1, false)(sizeOf, target, args, overload);

/** Traverses the first argument as a string. */
function traverseArg(factor: number, keepsSize: boolean): Rule {
  return (sizeOf, _target, [arg]) => {
    if (arg === undefined) return undefined;
    const size = sizeOf(arg);
    return { cost: scale(size, factor * stringFactor), ...(keepsSize ? { size } : {}) };
  };
}

const maskCost = add([scale(addressSize, stringFactor), fixed(1)]);

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['check', (): CallEstimate => ({ cost: fixed(checkCost) })],
  ['fieldSelector', selector],
  ['labelSelector', selector],
  ...['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'].map((name): [string, Rule] => [
    name,
    traverseList,
  ]),
  ['url', traverseArg(1, true)],
  ['jsonpatch.escapeKey', traverseArg(1, true)],
  ...['lowerAscii', 'upperAscii', 'substring', 'trim'].map((name): [string, Rule] => [name, traverseTarget]),
  ['replace', replace],
  ['split', split],
  ['join', join],
  ['find', find],
  ['findAll', find],
  ...['cidr', 'isIP', 'isCIDR', 'quantity', 'isQuantity', 'semver', 'isSemver'].map(
    (name): [string, Rule] => [name, traverseArg(1, false)],
  ),
  ['ip', ip],
  ['ip.isCanonical', traverseArg(2, false)],
  ['containsIP', contains(fixed(0), 'cidr_contains_ip_string')],
  ['containsCIDR', contains(maskCost, 'cidr_contains_cidr_string')],
  ['validate', validate],
  ['_==_', equals],
]);

function contains(extra: Range, textOverload: string): Rule {
  return (sizeOf, _target, [arg], overload) => {
    if (arg === undefined) return undefined;
    const compared = scale(add([addressSize, addressSize]), stringFactor);
    const parsed = overload === textOverload ? scale(sizeOf(arg), stringFactor) : fixed(0);
    return { cost: add([compared, extra, parsed]) };
  };
}
