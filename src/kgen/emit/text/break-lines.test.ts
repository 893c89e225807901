import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { Seeded } from '../../../../test/support/runtime/random.ts';
import { breakLines, lineWidth } from './break-lines.ts';

const long = (letter: string): string => letter.toUpperCase().repeat(45);
const [a, b, c] = [long('a'), long('b'), long('c')];

describe('breakLines', () => {
  it('leaves short lines and comments unchanged', () => {
    const text = `const a = 1;\n/** ${a} = ${b} ${c} */\n/**\n * ${a} = ${b} ${c}\n${a} = ${b} ${c}\n */\n`;
    expect(breakLines(text)).toBe(text);
  });

  it.each([
    {
      of: 'an assignment after its operator',
      text: `  const ${a} = ${b}(${c}, 1);`,
      want: [`  const ${a} =`, `    ${b}(${c}, 1);`],
    },
    {
      of: 'a function after its arrow',
      text: `  readonly '${a}': () => Promise<typeof import('${b}').a>;`,
      want: [`  readonly '${a}': () =>`, `    Promise<typeof import('${b}').a>;`],
    },
    {
      of: 'type arguments, without a comma after the last one',
      text: `export const x: Foo<${a}, ${b}, ${c}> =`,
      want: ['export const x: Foo<', `  ${a},`, `  ${b},`, `  ${c}`, '> ='],
    },
    {
      of: 'a list, with a comma after the last item',
      text: `    fields: ['${a}', '${b}', '${c}'],`,
      want: ['    fields: [', `      '${a}',`, `      '${b}',`, `      '${c}',`, '    ],'],
    },
    {
      of: 'a union',
      text: `  a?: '${a}' | '${b}' | '${c}';`,
      want: ['  a?:', `    | '${a}'`, `    | '${b}'`, `    | '${c}';`],
    },
    {
      of: 'a conditional expression',
      text: `  ${a} === 1 ? ${b} : ${c};`,
      want: [`  ${a} === 1`, `    ? ${b}`, `    : ${c};`],
    },
    {
      of: 'members that are separated by semicolons',
      text: `type A<{ ${a}: Pick<X, 'y'>; ${b}: ${c} }>;`,
      want: ['type A<', '  {', `    ${a}: Pick<X, 'y'>;`, `    ${b}: ${c};`, '  }', '>;'],
    },
    {
      of: 'a property with an indexed type after its colon',
      text: `  "${a}${b}": c["d"]["${c}"];`,
      want: [`  "${a}${b}":`, `    c["d"]["${c}"];`],
    },
    {
      of: 'a property without brackets after its colon',
      text: `  ${a}${b}?: ${c};`,
      want: [`  ${a}${b}?:`, `    ${c};`],
    },
  ])('breaks $of', ({ text, want }) => {
    expect(breakLines(text).split('\n')).toEqual(want);
  });

  it('does not take operators and brackets in strings for code', () => {
    const text = `const x = ['${a} = (', '\\' | ${b}', ' ? : => ${c}'];`;
    expect(breakLines(text).split('\n')).toEqual([
      'const x =',
      '  [',
      `    '${a} = (',`,
      `    '\\' | ${b}',`,
      `    ' ? : => ${c}',`,
      '  ];',
    ]);
  });

  it('leaves a single token unchanged', () => {
    const text = `'${a}${b}${c}'`;
    expect(breakLines(text)).toBe(text);
  });

  it('keeps the tokens of random types', () => {
    for (let seed = 0; seed < 300; seed += 1) {
      const text = `export type X = ${anyType(new Seeded(seed), 5)};`;
      const broken = breakLines(text);
      expect(tokens(broken), `seed ${seed}`).toEqual(tokens(text));
      expect(Math.max(...broken.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(lineWidth);
    }
  });
});

function anyType(random: Seeded, depth: number): string {
  const part = (): string => anyType(random, depth - 1);
  const kind = depth === 0 ? 0 : random.below(6);
  if (kind === 0) return random.chance(0.5) ? `'${'x'.repeat(random.below(30))}'` : `T${random.below(1e9)}`;
  if (kind === 1) return `ListMap<${part()}, ${part()}>`;
  if (kind === 2) return `(${part()} | ${part()})[]`;
  if (kind === 3) return `{ [key: string]: ${part()} }`;
  if (kind === 4) return `{ a: ${part()}; b?: ${part()} }`;
  return `((key: ${part()}) => ${part()})`;
}

/**
 * Returns the tokens of a type without the ones that may be added: leading bars, and separators at the end.
 */
function tokens(code: string): readonly string[] {
  const file = ts.createSourceFile('x.ts', code, ts.ScriptTarget.Latest, true);
  expect(ts.getParseTreeNode(file)).toBeDefined();
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (node.getChildCount(file) === 0) found.push(node.getText(file));
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  return found.filter((text) => text !== '' && text !== '|' && text !== ';' && text !== ',');
}
