import type { CallExpr } from '../syntax/ast.ts';
import {
  add,
  type CallEstimate,
  fixed,
  multiply,
  type Range,
  regexFactor,
  type SizedNode,
  scale,
  stringFactor,
  union,
  unionEntries,
} from './costs.ts';
import type { Estimator } from './estimate.ts';

const comparisons: ReadonlySet<string> = new Set([
  'less_string',
  'greater_string',
  'less_equals_string',
  'greater_equals_string',
  'less_bytes',
  'greater_bytes',
  'less_equals_bytes',
  'greater_equals_bytes',
  'equals',
  'not_equals',
]);

/** Returns the cost of a call of a standard function, with that of its arguments. */
export function estimateStandard(
  estimator: Estimator,
  expr: CallExpr,
  overload: string,
  target: SizedNode | undefined,
  args: readonly SizedNode[],
  argCosts: readonly Range[],
): CallEstimate {
  if (overload === 'conditional') return conditional(estimator, expr, argCosts);
  if (overload === 'logical_and' || overload === 'logical_or') {
    const [left = fixed(0), right = fixed(0)] = argCosts;
    return { cost: { min: left.min, max: add([left, right]).max } };
  }
  const size = (node: SizedNode | undefined): Range => node?.size ?? { min: 0, max: 2 ** 64 };
  const estimate = ['add_string', 'add_bytes', 'add_list'].includes(overload)
    ? concatenation(estimator, expr, overload)
    : traversal(overload, size, target, args);
  return { ...estimate, cost: add([estimate.cost, ...argCosts]) };
}

function conditional(estimator: Estimator, expr: CallExpr, argCosts: readonly Range[]): CallEstimate {
  const [, truthy, falsy] = expr.args;
  const [test = fixed(0), left = fixed(0), right = fixed(0)] = argCosts;
  const size = union(estimator.sizeOrUnknown(truthy), estimator.sizeOrUnknown(falsy));
  estimator.setEntries(expr, unionEntries(estimator.entriesOf(truthy), estimator.entriesOf(falsy)));
  return { cost: add([test, union(left, right)]), size };
}

function concatenation(estimator: Estimator, expr: CallExpr, overload: string): CallEstimate {
  const [left, right] = expr.args;
  const size = add([estimator.sizeOrUnknown(left), estimator.sizeOrUnknown(right)]);
  estimator.setEntries(expr, unionEntries(estimator.entriesOf(left), estimator.entriesOf(right)));
  return { cost: overload === 'add_list' ? fixed(1) : scale(size, stringFactor), size };
}

function traversal(
  overload: string,
  size: (node: SizedNode | undefined) => Range,
  target: SizedNode | undefined,
  [first, second]: readonly SizedNode[],
): CallEstimate {
  const traversed = (range: Range): Range => scale(range, stringFactor);
  const sized = size(first);
  switch (overload) {
    case 'string_format':
      return { cost: traversed(size(target)) };
    case 'string_to_bytes':
      return { cost: traversed(sized), size: { min: sized.min, max: sized.max * 4 } };
    case 'bytes_to_string':
      return { cost: traversed(sized), size: { min: Math.floor(sized.min / 4), max: sized.max } };
    case 'strings_quote':
      return { cost: traversed(sized), size: { min: sized.min + 2, max: sized.max * 2 + 2 } };
    case 'starts_with_string':
    case 'ends_with_string':
      return { cost: traversed(sized) };
    case 'in_list':
      return { cost: size(second) };
    case 'matches_string':
      return { cost: multiply(traversed(add([size(target), fixed(1)])), scale(sized, regexFactor)) };
    case 'contains_string':
      return { cost: multiply(traversed(size(target)), traversed(sized)) };
    default:
      return { cost: comparisons.has(overload) ? comparison(sized, size(second)) : fixed(1) };
  }
}

function comparison(left: Range, right: Range): Range {
  const max = Math.min(left.max, right.max);
  return scale({ min: max > 0 ? 1 : 0, max }, stringFactor);
}
