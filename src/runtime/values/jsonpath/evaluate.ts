/** Evaluation of JSONPath templates over JSON values. */
import { digitsOf } from '../../codec/integers/digits.ts';
import type { Path, Step } from './types.ts';

/** Treatment of fields that do not exist. */
export interface EvaluateOptions {
  readonly allowMissingKeys: boolean;
}

/** Maximum number of values of a path with several `..`, which select values repeatedly. */
const maxRepeated = 100_000;

/** @throws {TypeError} with the column of the step that cannot be evaluated */
export function evaluate(
  path: Path,
  values: readonly unknown[],
  options: EvaluateOptions,
): readonly unknown[] {
  let current = values;
  let recursions = 0;
  for (const step of path) {
    if (step.kind === 'recursive') recursions += 1;
    current = next(step, current, options, recursions > 1 ? maxRepeated : Number.POSITIVE_INFINITY);
  }
  return current;
}

function next(
  step: Step,
  values: readonly unknown[],
  options: EvaluateOptions,
  limit: number,
): readonly unknown[] {
  const each = (select: (value: unknown) => readonly unknown[]): readonly unknown[] =>
    selected(step, values, select, limit);
  switch (step.kind) {
    case 'field':
      return fields(step.name, step, values, options);
    case 'wildcard':
      return each(childrenOf);
    case 'recursive':
      return each(descendants);
    case 'index':
    case 'slice':
      return each((value) => (isPresent(value) ? sliceOf(step, value) : []));
    case 'filter':
      return each((value) => filtered(step, value, options));
    case 'union':
      return step.paths.flatMap((path) => evaluate(path, values, options));
    case 'literal':
      return typeof step.value === 'string' ? [step.value] : values.map(() => step.value);
  }
}

function selected(
  step: Step,
  values: readonly unknown[],
  select: (value: unknown) => readonly unknown[],
  limit: number,
): readonly unknown[] {
  const found: unknown[] = [];
  for (const value of values) {
    for (const one of select(value)) found.push(one);
    if (found.length > limit) throw problem(step, `the path selects more than ${limit} values`);
  }
  return found;
}

function problem({ at }: Step, text: string): TypeError {
  return new TypeError(`JSONPath template: column ${at}: ${text}`);
}

function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined;
}

/** Returns a member. An integer beyond 2^53 that was read from a server is a `bigint`. */
export function memberOf(holder: object, key: string): unknown {
  const digits = digitsOf(holder, key);
  return digits === undefined ? Reflect.get(holder, key) : BigInt(digits);
}

/** Returns the keys of the members that JSON has. */
export function keysOf(holder: object): readonly string[] {
  return Object.keys(holder).filter((key) => Array.isArray(holder) || Reflect.get(holder, key) !== undefined);
}

function childrenOf(value: unknown): readonly unknown[] {
  return isHolder(value) ? keysOf(value).map((key) => memberOf(value, key)) : [];
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function fields(
  name: string,
  step: Step,
  values: readonly unknown[],
  { allowMissingKeys }: EvaluateOptions,
): readonly unknown[] {
  const found = values.flatMap((value) => {
    if (!isHolder(value) || Array.isArray(value) || !Object.hasOwn(value, name)) return [];
    const member = memberOf(value, name);
    return member === undefined ? [] : [member];
  });
  if (found.length === 0 && values.length > 0 && !allowMissingKeys) {
    throw problem(step, `${name} is not found`);
  }
  return found;
}

/** Returns a value and all values below it, in the order of the document; as in kubectl, without scalars. */
function descendants(value: unknown): readonly unknown[] {
  const found: unknown[] = [];
  const left: unknown[] = [value];
  while (left.length > 0) {
    const current = left.pop();
    const children = childrenOf(current);
    if (children.length > 0 || (typeof current === 'string' && current !== '')) found.push(current);
    for (const child of children.toReversed()) left.push(child);
  }
  return found;
}

type ListStep = Extract<Step, { readonly kind: 'index' | 'slice' }>;

/** Bounds that are not within the list are errors, as in kubectl, except those of an empty slice. */
function sliceOf(step: ListStep, value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw problem(step, `${typeName(value)} is not a list`);
  const { length } = value;
  const fromEnd = (index: number): number => (index < 0 ? index + length : index);
  const start = fromEnd(step.kind === 'index' ? step.index : (step.start ?? 0));
  const end = step.kind === 'index' ? start + 1 : fromEnd(step.end ?? length);
  if (start === end) return [];
  const outside = start < 0 || start >= length ? start : end < 0 || end > length ? end - 1 : undefined;
  if (outside !== undefined) {
    throw problem(step, `array index out of bounds: index ${outside}, length ${length}`);
  }
  if (start > end) throw problem(step, `starting index ${start} is greater than ending index ${end}`);
  const by = step.kind === 'slice' ? step.step : 1;
  const found: unknown[] = [];
  for (let index = start; index < end; index += by) found.push(memberOf(value, String(index)));
  return found;
}

type Filter = Extract<Step, { readonly kind: 'filter' }>;

function filtered(step: Filter, value: unknown, options: EvaluateOptions): readonly unknown[] {
  if (!Array.isArray(value)) throw problem(step, `${typeName(value)} is not a list and cannot be filtered`);
  return childrenOf(value).filter((item) => passes(step, item, options));
}

function passes(step: Filter, item: unknown, options: EvaluateOptions): boolean {
  if (step.operator === 'exists') return evaluate(step.left, [item], { allowMissingKeys: true }).length > 0;
  const left = single(step, evaluate(step.left, [item], options));
  const right = single(step, evaluate(step.right, [item], options));
  return left !== undefined && right !== undefined && compare(step, left, right);
}

/** A filter compares one value. Without a value, it does not pass. */
function single(step: Filter, values: readonly unknown[]): unknown {
  if (values.length > 1) throw problem(step, 'a filter compares one value at a time');
  return values[0];
}

function compare(step: Filter, left: unknown, right: unknown): boolean {
  const [kind, other] = [kindOf(left), kindOf(right)];
  if (kind === undefined || kind !== other) {
    throw problem(step, `${typeName(left)} and ${typeName(right)} cannot be compared`);
  }
  // A number and a bigint are equal if they are the same integer.
  const order = isLess(left, right) ? -1 : isLess(right, left) ? 1 : 0;
  if (step.operator === '==') return order === 0;
  if (step.operator === '!=') return order !== 0;
  if (kind === 'boolean') throw problem(step, 'booleans have no order: use == or !=');
  return step.operator.startsWith('<')
    ? order < 0 || (order === 0 && step.operator === '<=')
    : order > 0 || (order === 0 && step.operator === '>=');
}

type Comparable = string | number | bigint | boolean;

function kindOf(value: unknown): 'string' | 'number' | 'boolean' | undefined {
  const type = typeof value;
  if (type === 'bigint') return 'number';
  return type === 'string' || type === 'number' || type === 'boolean' ? type : undefined;
}

function isLess(left: unknown, right: unknown): boolean {
  // seam: both are of one comparable kind
  return (left as Comparable) < (right as Comparable);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return isHolder(value) ? 'an object' : `a ${kindOf(value) ?? typeof value}`;
}
