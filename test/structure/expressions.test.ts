import { createContext, Script } from 'node:vm';
import { analyse } from 'scslre';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { sources } from './sources.ts';

interface Expression {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

const expressions: readonly Expression[] = sources.flatMap(({ path, file }) => {
  const found: Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push({ place: `${path}:${line + 1}`, ...partsOf(node.text) });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
});

function partsOf(literal: string): Pick<Expression, 'source' | 'flags'> {
  const end = literal.lastIndexOf('/');
  return { source: literal.slice(1, end), flags: literal.slice(end + 1) };
}

/**
 * Returns the kinds of repetitions that take more than linear time: `Move` if each start of the search reads
 * the same characters, `Trade` if two repetitions read them, `Self` if one does in several ways. They follow
 * from the automata of the expression. Nothing is measured, so that the result does not depend on the load.
 */
function slowIn({ source, flags }: Pick<Expression, 'source' | 'flags'>): readonly string[] {
  return analyse({ source, flags }).reports.map(
    ({ type, character }) => `${type} ${character.literal.source}`,
  );
}

/** Characters that expressions repeat. Each is tried alone, in a run that nothing matches after its end. */
const runs = [...' \n0aA-_./"\'\\=,(<:[*?'].map((character) => `${character.repeat(64)}\0`);

const context = createContext({ runs });
const search = new Script('for (const run of runs) expression.test(run)');

/**
 * Searches short runs, for the analysis does not see that alternatives overlap as in `(?:a|a)*$`. A search
 * takes microseconds, or years if its time is exponential.
 * @throws {Error} the searches do not end within the limit
 */
function searchRuns({ source, flags }: Pick<Expression, 'source' | 'flags'>, limitMs = 10_000): void {
  context['expression'] = new RegExp(source, flags);
  search.runInContext(context, { timeout: limitMs });
}

describe('regular expressions take linear time', () => {
  test('finds every regular expression', () => {
    expect(expressions.length).toBeGreaterThan(300);
  });

  test.each(expressions)('$place /$source/$flags', (expression) => {
    expect(slowIn(expression)).toEqual([]);
    searchRuns(expression);
  });
});

test.each([
  [/=+$/, ['Move =']],
  [/(?<!=)=+$/, []],
  [/[[]([^\]]*)\]/g, ['Move \\[']],
  [/[[]([^\]]*)\]?/g, []],
  [/^(?:(.*)\/)?(.*) /, ['Trade \\/']],
  [/^(?:(.*)\/)?([^/]*) /, []],
  [/\B(?=(\d{3})+$)/g, ['Move \\d']],
  [/^(?:a+)+$/, ['Self a']],
])('%s is slow in %j', (expression, slow) => {
  expect(slowIn(expression)).toEqual(slow);
});

test('finds exponential time of alternatives that overlap', () => {
  expect(() => searchRuns(/^(?:a|a)*$/, 200)).toThrow('timed out');
});
