import { describe, expect, it } from 'vitest';
import { Glob } from './glob.ts';

function isMatch(pattern: string, path: string): boolean {
  const glob = new Glob(pattern);
  return glob.isMatch(glob.advance(glob.begin(), path));
}

describe('a glob pattern', () => {
  it.each<[pattern: string, matches: readonly string[], others: readonly string[]]>([
    ['a.yaml', ['a.yaml'], ['b.yaml', 'aayaml', 'a.yaml2', 'x/a.yaml', '']],
    ['*.yaml', ['a.yaml', 'a.b.yaml'], ['x/a.yaml', '.yaml', '.a.yaml', 'a.yml']],
    ['*', ['a', 'a.b'], ['.a', 'a/b']],
    ['?', ['a', '😀'], ['', 'ab', '.', '/']],
    ['a*b*c', ['abc', 'a1b2c', 'abbcc'], ['ab', 'a/bc', 'acb']],
    ['.*', ['.a'], ['a']],
    ['.config/*', ['.config/a'], ['config/a', '.config/.a']],
    ['*/.a', ['x/.a'], ['.a', '.x/.a']],
    ['**', ['a', 'a/b', 'a/b/c.yaml'], ['.a', 'a/.b', '.a/b']],
    ['**/*.yaml', ['a.yaml', 'x/a.yaml', 'x/y/a.yaml'], ['a.yml', '.x/a.yaml', 'x/.a.yaml']],
    ['a/**', ['a/b', 'a/b/c'], ['a', 'b/a']],
    ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['ab', 'a/xb', 'a/x/bb']],
    ['a**b', ['ab', 'axb'], ['a/b']],
    ['***', ['a'], ['a/b']],
    ['{a,b}', ['a', 'b'], ['{a,b}', 'c', 'ab']],
    ['{a,}x', ['ax', 'x'], ['a']],
    ['*.{yaml,yml}', ['a.yaml', 'a.yml'], ['a.json']],
    ['{a/b,c}/*.x', ['a/b/1.x', 'c/1.x'], ['a/1.x']],
    ['{a,{b,c}d}', ['a', 'bd', 'cd'], ['b', 'ad']],
    ['{**,x}/a', ['p/a', 'p/q/a', 'x/a'], ['a']],
    ['{a}', ['{a}'], ['a']],
    ['{a,b', ['{a,b'], ['a']],
    ['a}', ['a}'], ['a']],
    ['[ab]', ['a', 'b'], ['c', 'ab']],
    ['[a-c0]', ['b', '0'], ['d', '-']],
    ['[!a-c]', ['d', '-'], ['b', '/', '.']],
    ['[^a]', ['b'], ['a']],
    ['[]]', [']'], ['[]]']],
    ['[a-]', ['a', '-'], ['b']],
    ['[a', ['[a'], ['a']],
    ['\\*', ['*'], ['a', '\\*']],
    ['\\{a,b\\}', ['{a,b}'], ['a']],
    ['{a\\,b,c}', ['a,b', 'c'], ['a', 'b,c']],
    ['a\\', ['a\\'], ['a']],
    ['(a|b)+$^.', ['(a|b)+$^.'], ['a']],
  ])('%s', (pattern, matches, others) => {
    expect(matches.filter((path) => !isMatch(pattern, path))).toEqual([]);
    expect(others.filter((path) => isMatch(pattern, path))).toEqual([]);
  });

  it.each([
    ['stars', '*a'.repeat(500)],
    ['folders', '**/'.repeat(1000)],
    ['alternatives', '{a,b}'.repeat(500)],
    ['nested alternatives', `${'{a,'.repeat(1000)}b${'}'.repeat(1000)}`],
    ['braces that are not closed', '{'.repeat(4096)],
    ['sets that are not closed', '[!'.repeat(2000)],
  ])('takes linear time for %s', (_, pattern) => {
    const glob = new Glob(pattern);
    const { states } = glob.advance(glob.begin(), 'a'.repeat(1000));
    // Each character costs at most one step per state, of which each character of the pattern adds a few.
    expect(states.size).toBeLessThan(4 * pattern.length);
  });

  it('has at most 4096 characters', () => {
    expect(() => new Glob('a'.repeat(4097))).toThrow(TypeError);
  });
});
