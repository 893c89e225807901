/** Rules about the members of an object that exist together: counts, and CEL rules about `has()`. */
import { check } from '@kgen/schema/cel/check/checker';
import { dyn } from '@kgen/schema/cel/check/types';
import { compileProgram, type Program } from '@kgen/schema/cel/eval/interpreter';
import { baseFunctions } from '@kgen/schema/cel/library/base';
import { copyOf, type Expr } from '@kgen/schema/cel/syntax/ast';
import { CompileError } from '@kgen/schema/cel/syntax/issues';
import { parseExpression } from '@kgen/schema/cel/syntax/parser';
import { escapeName } from '@kgen/schema/cel/syntax/reserved';
import { CelObject, EvaluationError } from '@kgen/schema/cel/values/value';
import { array, isObject, type JsonObject, text } from '@kgen/schema/values/json';
import { countBounds } from './merge.ts';

/** Returns the number of rules that are violated if exactly these members exist. */
export type Violations = (names: ReadonlySet<string>) => number;

/** Returns the violations of the rules of a schema about existence, or `undefined` if it has none. */
export function presenceRules(flat: JsonObject, count: number): Violations | undefined {
  const { min, max } = countBounds(flat, 'Properties');
  const isCounted = min > 0 || max < count;
  const tests = array(flat, 'x-kubernetes-validations').flatMap((rule) => {
    const test = isObject(rule) ? testOf(rule) : undefined;
    return test === undefined ? [] : [test];
  });
  if (!isCounted && tests.length === 0) return undefined;
  return (names) => {
    const beyond = Math.max(0, min - names.size, names.size - max);
    return tests.reduce((sum, test) => sum + (test(names) ? 0 : 1), beyond);
  };
}

/** Members among which a set is chosen, in the order of preference. */
export interface Candidates {
  /** Members that always exist. */
  readonly required: readonly string[];
  /** Members that should exist. The first one exists if `isFirstFixed`. */
  readonly chosen: readonly string[];
  readonly isFirstFixed: boolean;
  /** Members that exist if a rule requires them. */
  readonly others: readonly string[];
}

/**
 * Returns the members that exist: those that are chosen, as long as they violate no rule, and others
 * that the rules require.
 */
export function settledMembers(violations: Violations, candidates: Candidates): ReadonlySet<string> {
  const { required, chosen, isFirstFixed, others } = candidates;
  const fixed = new Set([...required, ...(isFirstFixed ? chosen.slice(0, 1) : [])]);
  let names = new Set(fixed);
  let cost = violations(names);
  for (const name of chosen) {
    const more = new Set([...names, name]);
    const next = violations(more);
    if (next <= cost) [names, cost] = [more, next];
  }
  const flips = [...chosen, ...others].filter((name) => !fixed.has(name));
  while (cost > 0) {
    const better = flips.map((name) => flipped(names, name)).find((each) => violations(each) < cost);
    if (better === undefined) break;
    [names, cost] = [better, violations(better)];
  }
  return names;
}

function flipped(names: ReadonlySet<string>, name: string): Set<string> {
  const changed = new Set(names);
  if (!changed.delete(name)) changed.add(name);
  return changed;
}

/** Returns whether a rule that is only about the existence of members allows a set of them. */
type Test = (names: ReadonlySet<string>) => boolean;

const tests = new WeakMap<JsonObject, { readonly test: Test | undefined }>();

function testOf(rule: JsonObject): Test | undefined {
  const known = tests.get(rule);
  if (known !== undefined) return known.test;
  const test = compiled(text(rule, 'rule'));
  tests.set(rule, { test });
  return test;
}

/** Undeclared name that takes the place of `self` in a rule about values, which is left out therefore. */
const unknown = 'unknownSelf';

function compiled(source: string): Test | undefined {
  if (!/\bhas\(|\bhasValue\(/.test(source)) return undefined;
  const program = programOf(source);
  if (program === undefined) return undefined;
  return (names) => {
    const escaped = new Set([...names].map((name) => escapeName(name)));
    const self = new CelObject(
      '',
      () => [],
      (name) => (escaped.has(name) ? true : undefined),
    );
    return program((name) => (name === 'self' ? self : undefined)).result !== false;
  };
}

function programOf(source: string): Program | undefined {
  const variables = new Map([['self', dyn]]);
  try {
    const tree = copyOf(parseExpression(source), withoutValues);
    return compileProgram(
      check(source, tree, { functions: baseFunctions, variables, structs: new Map() }),
      baseFunctions,
    );
  } catch (error) {
    if (error instanceof CompileError || error instanceof EvaluationError) return undefined;
    throw error;
  }
}

/** Keeps `self` where only the existence of its members is tested: `has(self.a)`, `self.?a.hasValue()`. */
function withoutValues(expr: Expr): Expr | undefined {
  if (expr.kind === 'ident') return expr.name === 'self' ? { ...expr, name: unknown } : undefined;
  if (expr.kind === 'select')
    return expr.isTest && isSelf(expr.operand) ? { ...expr, operand: { ...expr.operand } } : undefined;
  if (expr.kind !== 'call' || expr.name !== 'hasValue' || expr.target?.kind !== 'call') return undefined;
  const [operand] = expr.target.args;
  const isMember = expr.target.name === '_?._' && operand !== undefined && isSelf(operand);
  return isMember ? copyOf(expr) : undefined;
}

function isSelf(expr: Expr): boolean {
  return expr.kind === 'ident' && expr.name === 'self';
}
