import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { sources } from './sources.ts';

/**
 * Size of the inputs: an expression that takes quadratic time on one of them exceeds the time limit of a
 * test.
 */
const bytes = 32_768;

/** Characters that expressions repeat. Each is tried alone, in a run that nothing matches after its end. */
const repeated = [...' \n0aA-_./"\'\\=,(<:'];

interface Expression {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

const expressions: readonly Expression[] = sources.flatMap(({ path, file }) => {
  const found: Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
      found.push({ place: `${path}:${line + 1}`, source, flags });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
});

describe('regular expressions take linear time on long runs of a character', () => {
  test('finds every regular expression', () => {
    expect(expressions.length).toBeGreaterThan(300);
  });

  test.each(expressions)('$place /$source/$flags', ({ source, flags }) => {
    for (const character of repeated) {
      const expression = new RegExp(source, flags);
      const run = `${character.repeat(bytes)}\0`;
      if (expression.global) run.replace(expression, '');
      else expression.test(run);
    }
  });
});
