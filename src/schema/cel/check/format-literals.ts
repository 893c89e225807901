/** Checks of calls of `format` with a constant format and a list of arguments. */
import type { CallExpr, Expr } from '../syntax/ast.ts';
import type { Issue } from '../syntax/issues.ts';
import type { Checked } from './checker.ts';
import { dyn } from './types.ts';

/** Returns the issues of a call, in the words of the function itself. */
export function formatIssues(expr: CallExpr, checked: Checked): readonly Issue[] {
  const [list] = expr.args;
  const isConstant = expr.target?.kind === 'literal' && typeof expr.target.value === 'string';
  if (expr.name !== 'format' || !isConstant || list?.kind !== 'list') return [];
  const clauses = [...String(expr.target.value).matchAll(/%%|%(?:\.\d+)?([\s\S]?)/gu)].filter(
    ([match]) => match !== '%%',
  );
  for (const [index, [, clause = '']] of clauses.entries()) {
    const arg = list.elements[index];
    if (arg === undefined) return [{ at: expr.at, message: `index ${index} out of range` }];
    const issue = clauseIssue(clause, arg, expr.at, checked);
    if (issue !== undefined) return [issue];
  }
  const [expected, given] = [clauses.length, list.elements.length];
  if (given <= expected) return [];
  const message = `too many arguments supplied to string.format (expected ${expected}, got ${given})`;
  return [{ at: expr.at, message }];
}

const scalars = ['bool', 'bytes', 'double', 'duration', 'int', 'null', 'string', 'timestamp', 'type', 'uint'];

const expectedTypes: Readonly<Record<string, readonly [message: string, types: readonly string[]]>> = {
  s: [
    'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
    [...scalars, 'list', 'map'],
  ],
  d: ['decimal clause can only be used on integers', ['int', 'uint']],
  f: ['fixed-point clause can only be used on doubles', ['double']],
  e: ['scientific clause can only be used on doubles', ['double']],
  b: ['only integers and bools can be formatted as binary', ['int', 'uint', 'bool']],
  x: ['only integers, byte buffers, and strings can be formatted as hex', ['int', 'uint', 'string', 'bytes']],
  o: ['octal clause can only be used on integers', ['int', 'uint']],
};

function clauseIssue(clause: string, arg: Expr, at: number, checked: Checked): Issue | undefined {
  if (clause === '') return { at, message: 'unexpected end of string' };
  const expected = expectedTypes[clause === 'X' ? 'x' : clause];
  if (expected === undefined)
    return {
      at,
      message: `could not parse formatting clause: unrecognized formatting clause "${clause}"`,
    };
  const [message, types] = expected;
  const type = checked.types.get(arg) ?? dyn;
  if (type.kind === 'dyn' || types.includes(type.kind)) return undefined;
  return { at: arg.at, message: `error during formatting: ${message}, was given ${type.name}` };
}
