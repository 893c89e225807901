import { describe, expect, test } from 'vitest';
import { entryPoints } from './entry-points.ts';
import { exportsOf, isDocumented, silentMethods } from './exported-symbols.ts';

describe.each(entryPoints)('the exports of %s', (door) => {
  test('have doc comments', () => {
    const exported = exportsOf(door);
    expect(exported.length).toBeGreaterThan(0);
    expect(exported.filter((symbol) => !isDocumented(symbol)).map(({ name }) => name)).toEqual([]);
  });

  test('have doc comments on each method', () => {
    expect(exportsOf(door).flatMap(silentMethods)).toEqual([]);
  });

  test('mention no type of undici', () => {
    const own = exportsOf(door).flatMap(({ declarations = [] }) => declarations);
    const foreign = own.filter((declaration) =>
      /node_modules\/(undici|ws)\//.test(declaration.getSourceFile().fileName),
    );
    expect(foreign.map((declaration) => declaration.getText().slice(0, 80))).toEqual([]);
  });
});
