/** Tests that compare our types of one API with those of openapi-typescript. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelInput } from '../../src/kgen/model/plans.ts';
import { randomOf } from '../fuzz/random.ts';
import { createProject, type Project } from '../support/project.ts';
import type { Definitions } from './document.ts';
import { intended, nameless } from './intended.ts';
import { callWitness, type Judged, judge, surprise, type Witness } from './judgement.ts';
import { type Ours, oursOf } from './ours.ts';

/** Input of both generators: the same documents, each read by its own reader. */
export interface Given {
  readonly definitions: Definitions;
  readonly input: ModelInput;
}

/** Types of both generators, with the results of the comparison. */
export interface Hearing {
  readonly project: Project;
  readonly ours: Ours;
  readonly witness: Witness;
  readonly judged: readonly Judged[];
}

/** Seed of all choices: `KGEN_FUZZ_SEED`, or 1. */
export const seed: number = Number(process.env['KGEN_FUZZ_SEED'] ?? 1);

/**
 * Registers the tests in the current suite and returns access to their input, which is available while they
 * run.
 */
export function agreement(dialect: 2 | 3, read: () => Promise<Given>): () => Hearing {
  let hearing: Hearing | undefined;
  const held = (): Hearing => {
    if (hearing === undefined) throw new Error('the types are not generated yet');
    return hearing;
  };
  beforeAll(async () => {
    console.log(`witness of version ${dialect}: KGEN_FUZZ_SEED=${seed}`);
    hearing = await hear(await read());
  });
  afterAll(() => hearing?.project.dispose());

  test('covers every definition', () => expectAll(held()));

  test('accepts and rejects equal values in types and schemas, except for listed differences', () => {
    const found = held().judged.flatMap(surprise);
    expect({ count: found.length, first: found.slice(0, 20) }).toEqual({ count: 0, first: [] });
  });

  test('lists only differences that occur', () => {
    const used = new Set(held().judged.map(({ rule }) => rule));
    const rules = intended.filter((rule) => (rule.dialect ?? dialect) === dialect && rule.isSeldom !== true);
    expect(rules.filter((rule) => !used.has(rule)).map(({ reason }) => reason)).toEqual([]);
  });
  return held;
}

async function hear({ definitions, input }: Given): Promise<Hearing> {
  const project = createProject();
  const ours = oursOf(input, 'out');
  project.write(ours.files, 'out');
  const witness = await callWitness(project, definitions);
  return { project, ours, witness, judged: judge(project, witness, ours.types, randomOf(seed)) };
}

function expectAll({ judged, witness }: Hearing): void {
  const asked = new Set(judged.map(({ probe }) => probe.definition));
  const others = [...witness.definitions.schemas.keys()].filter((name) => !asked.has(name));
  expect(others).toEqual(nameless);
  const targets = new Set(judged.map(({ probe }) => probe.target));
  expect(nameless.filter((name) => !targets.has(name))).toEqual([expect.stringMatching(/\.Patch$/)]);
  const sound = judged.filter(({ probe }) => probe.isSound).length;
  expect(sound).toBeGreaterThan(5_000);
  expect(judged.length - sound).toBeGreaterThan(10_000);
}
