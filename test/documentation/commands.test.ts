/** Commands of the documentation are valid, and docs/generate.md has every option of kgen. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../src/kgen/cli/arguments.ts';
import { pages, root } from './pages.ts';

/** Arguments of the `npx kgen` commands in the shell blocks of all pages. */
const commands = pages.flatMap(({ path, blocks }) =>
  blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.split('\n'))
    .filter((line) => line.startsWith('npx kgen '))
    .map((line) => ({ path, command: line.replace(/ +#.*/, '') })),
);

function argumentsOf(command: string): readonly string[] {
  const words = command.split(/\s+/).slice(2);
  return words.map((word) => word.replace(/^'(.*)'$/, '$1').replace(/\|.*/, ''));
}

function optionsIn(text: string): readonly string[] {
  return [...new Set(text.match(/(?<![\w-])--[a-z][a-z-]*/g))].sort();
}

describe('commands of the documentation', () => {
  it.each(commands)('$path: $command', ({ command }) => {
    const parsed = parseArguments(argumentsOf(command), '0.0.0');
    expect('exitCode' in parsed ? parsed.stderr : '').toBe('');
  });

  it('docs/generate.md has the options of kgen --help in its table', () => {
    const help = parseArguments(['--help'], '0.0.0');
    const page = readFileSync(join(root, 'docs/generate.md'), 'utf8');
    const table = page.split('\n').filter((line) => line.startsWith('| `-'));
    expect(optionsIn(table.join('\n'))).toEqual(optionsIn('exitCode' in help ? help.stdout : ''));
  });

  it('docs/getting-started.md lists every module of @kgen/runtime', () => {
    const page = readFileSync(join(root, 'docs/getting-started.md'), 'utf8');
    const manifest: { readonly exports: object } = JSON.parse(
      readFileSync(join(root, 'src/runtime/package.json'), 'utf8'),
    );
    const paths = Object.keys(manifest.exports).filter((path) => !/^\.\/(gen\/|package\.json)/.test(path));
    const names = paths.map((path) => `@kgen/runtime${path.slice(1)}`);
    expect(names.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
    expect(names.length).toBeGreaterThan(10);
  });
});
