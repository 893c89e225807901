import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { repository } from '../support/emitted.ts';
import { filesBelow } from '../support/files.ts';
import { hasModifier, isAny, isCast, nodesWhere } from './nodes.ts';
import { sources } from './sources.ts';

interface Habit {
  readonly name: string;
  readonly breaks: (node: ts.Node) => boolean;
}

const isArgument = ({ parent }: ts.Node): boolean =>
  ts.isCallExpression(parent) || ts.isNewExpression(parent);

/**
 * Spreads that cannot exceed the maximum number of arguments of a call: forwarded rest parameters, and lists
 * of limited length.
 */
const limited: readonly string[] = [
  // Rest parameters.
  'args',
  'keys',
  'rest',
  'given',
  'except',
  'checks',
  'values',
  // Constant lists of fields, types and annotations.
  'parts',
  'changeable',
  'hostPathTypes',
  'Object.keys(sources)',
  'Object.values(annotations)',
  '(rules.ungenerated ?? [])',
  // Paths of members, which are declared in sources or limited by the depth of an object.
  'path',
  'at',
  // The ten bytes of a varint.
  'bytes',
  // Constant paths of the scale subresource.
  'paths.specReplicas',
  'paths.statusReplicas',
  'paths.labelSelector',
  'pathsOf(context.type).specReplicas',
  // Constant lists of members.
  'systemFields',
];
const isLimited = (expression: ts.Expression): boolean =>
  limited.includes(expression.getText()) || /\.slice\(0, \w+\)/.test(expression.getText());

const habits: readonly Habit[] = [
  { name: 'no any', breaks: isAny },
  {
    name: 'no default exports',
    breaks: (node) => ts.isExportAssignment(node) || hasModifier(node, ts.SyntaxKind.DefaultKeyword),
  },
  {
    name: 'no list of unlimited length as the arguments of a call',
    breaks: (node) => ts.isSpreadElement(node) && isArgument(node) && !isLimited(node.expression),
  },
  { name: 'no enums', breaks: ts.isEnumDeclaration },
  {
    name: 'no namespaces, except those that add to the types of a module',
    breaks: (node) =>
      ts.isModuleDeclaration(node) &&
      (node.flags & ts.NodeFlags.GlobalAugmentation) === 0 &&
      !ts.isStringLiteral(node.name),
  },
  {
    name: 'no parameter properties',
    breaks: (node) => ts.isParameter(node) && ts.isParameterPropertyDeclaration(node, node.parent),
  },
  {
    name: 'no private and no public: private state has #',
    breaks: (node) => [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.PublicKeyword].includes(node.kind),
  },
  { name: 'no non-null assertions', breaks: ts.isNonNullExpression },
  {
    name: 'no empty catch without a comment',
    breaks: (node) =>
      ts.isCatchClause(node) && node.block.statements.length === 0 && !/\/[/*]/.test(node.getText()),
  },
];

/**
 * Returns true if a comment is on a line of the cast's statement, or directly above the statement or the
 * cast.
 */
function isExplained(node: ts.Node): boolean {
  const file = node.getSourceFile();
  const lines = file.text.split('\n');
  const lineOf = (position: number): number => file.getLineAndCharacterOfPosition(position).line;
  let statement = node;
  while (!ts.isStatement(statement) && !ts.isClassElement(statement)) statement = statement.parent;
  const first = lineOf(statement.getStart(file));
  const near = [...lines.slice(first - 1, lineOf(statement.getEnd()) + 1)];
  return near.some((line) => /\/\/|\/\*|^\s*\*/.test(line));
}

describe('style of the sources', () => {
  test.each(habits)('$name', ({ breaks }) => {
    expect(nodesWhere(breaks).map(({ place }) => place)).toEqual([]);
  });

  test('has no open tasks and no disabled checks', () => {
    const marks =
      /\b(TODO|FIXME|XXX|HACK)\b|@ts-(ignore|nocheck|expect-error)|eslint-disable|biome-ignore(?! \S+: \S)/;
    expect(sources.filter(({ file }) => marks.test(file.text)).map(({ path }) => path)).toEqual([]);
  });

  test('has a reason for every cast', () => {
    expect(nodesWhere((node) => isCast(node) && !isExplained(node)).map(({ place }) => place)).toEqual([]);
  });
});

test('helpers of unit tests register hooks in functions alone: files that share a module run it once', () => {
  const helpers = filesBelow(join(repository, 'src'), '.ts').filter((path) =>
    /(\.fixture\.ts$|\/testkit\/)/.test(path),
  );
  const hooks = /^(beforeAll|beforeEach|afterAll|afterEach|onTestFinished)\(/m;
  const text = (path: string): string => readFileSync(join(repository, 'src', path), 'utf8');
  expect(helpers.length).toBeGreaterThan(5);
  expect(helpers.filter((path) => hooks.test(text(path)))).toEqual([]);
});
