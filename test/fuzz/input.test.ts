/**
 * Damaged files: each is read to its end, each problem has a place, and intact documents are not affected.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GenerateResult, generate } from '../../src/kgen/index.ts';
import { crd } from '../support/crd.ts';
import { campaign, randomOf } from '../support/random.ts';
import { corrupted, injured } from './damage.ts';
import { anyDefinitions } from './definitions.ts';
import { notation } from './notation.ts';

/** Damaged definitions in each round. */
const victims = 30;

const before = JSON.stringify(crd({ kind: 'Alpha', group: 'neighbours.example.com' }), undefined, 2);
const after = JSON.stringify(crd({ kind: 'Omega', group: 'neighbours.example.com' }));

const seeds = campaign('input', { rounds: 12 });

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kgen-fuzz-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Generates from strings as if they came through a pipe, and from files in the folder; nothing is written.
 */
function read(text: string, files: readonly string[] = []): Promise<GenerateResult> {
  const stdin = Readable.from([Buffer.from(text)]);
  return generate({ input: [...files, '-'], cwd: folder, out: 'out', mode: 'dry-run', stdin });
}

/** Returns the generated kinds of the intact documents. */
function survivors({ groupVersions }: GenerateResult): readonly string[] {
  const found = groupVersions.find(({ group }) => group === 'neighbours.example.com');
  return (found?.kinds ?? []).filter((kind) => kind === 'Alpha' || kind === 'Omega');
}

/** Returns the problems without a place. */
function lost({ problems }: GenerateResult): readonly object[] {
  return problems.filter(({ where }) => where?.line === undefined || where.column === undefined);
}

describe.each(seeds)('corrupted input, seed %i', (seed) => {
  test('keeps documents beside a corrupted document', async () => {
    const random = randomOf(seed);
    for (const victim of anyDefinitions(random, victims)) {
      const text = injured(notation(victim, random), random);
      const result = await read(`${before}\n---\n${text}\n---\n${after}\n`);
      expect({ text, survivors: survivors(result) }).toEqual({ text, survivors: ['Alpha', 'Omega'] });
      expect({ text, lost: lost(result) }).toEqual({ text, lost: [] });
      expect(result.ok).toBe(!result.problems.some(({ severity }) => severity === 'error'));
    }
  });

  test('keeps files beside a corrupted file', async () => {
    const random = randomOf(seed);
    for (const victim of anyDefinitions(random, victims)) {
      const bytes = corrupted(Buffer.from(notation(victim, random)), random);
      writeFileSync(join(folder, 'damaged.yaml'), bytes);
      const result = await read(`${before}\n---\n${after}`, ['damaged.yaml']);
      const hex = Buffer.from(bytes).toString('base64');
      expect({ hex, survivors: survivors(result) }).toEqual({ hex, survivors: ['Alpha', 'Omega'] });
      expect({ hex, lost: lost(result) }).toEqual({ hex, lost: [] });
    }
  });
});

test('does not reach a prototype', () => {
  expect('polluted' in {}).toBe(false);
});
