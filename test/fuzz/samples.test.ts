/**
 * Random structural schemas: a literal compiles if the server in memory accepts the object, and does not
 * compile if the server refuses it, except for the rules listed here. kgen warns about the definitions that
 * the server refuses.
 */
import { RESTClient } from '@kgen/runtime';
import { startTestServer } from '@kgen/testserver';
import { afterAll, expect, test } from 'vitest';
import { type Line, surprises } from '../support/compiled-lines.ts';
import { createProject } from '../support/project.ts';
import { campaign, randomOf } from '../support/random.ts';
import {
  type Attempt,
  attemptsOf,
  installed,
  type Kind,
  type Verdict,
  verdictOf,
} from '../support/sample-attempts.ts';
import { anyDefinition } from '../support/structural-schemas.ts';
import { modelOf, print } from './pipeline.ts';

/** Messages of rules that types do not state, with the reason. */
const unstated: readonly (readonly [message: RegExp, reason: string])[] = [
  [/should be (?:less|greater) than|multiple of/, 'types have no ranges of numbers'],
  [/in body should match/, 'types have no patterns'],
  [/at least \d+ chars|may not be more than \d+ bytes?/, 'types have no lengths of strings'],
  [/should have at least \d+|must have at most \d+/, 'types have no counts'],
  [/must be of type (?:date-time|duration|ipv4|byte|uuid): (?!"int64")/, 'types have no formats'],
  [/must be of type \S+: "(?:number|float64)"/, 'integers are numbers'],
  [/Checked value must be of type integer/, 'types have no ranges of integers'],
  [/Unsupported value: [[{]/, 'enums of objects and lists are not literal types'],
  [/Duplicate value/, 'types have no unique items'],
  [/must (?:not )?validate/, 'types state alternatives in part'],
  [/must not be empty/, 'types have no strings that are not empty'],
  [/failed rule|is required$/, 'types have no expressions'],
];

/** Kinds of one output. */
const kindsPerRound = 40;

const group = 'samples.example.com';
const seeds = campaign('samples', { rounds: 12, few: 1 });
const project = createProject();
afterAll(() => project.dispose());

test.each(seeds)(
  'accepts equal objects with types and servers, seed %i',
  { timeout: 240_000 },
  async (seed) => {
    const random = randomOf(seed);
    const definitions = Array.from({ length: kindsPerRound }, (_, index) =>
      anyDefinition(`Kind${index}`, group, random),
    );
    const server = await startTestServer({ controllers: false });
    try {
      const rest = new RESTClient(server.config);
      const kinds = await installed(rest, definitions);
      const sources = kinds.map(({ kind, definition }) => ({ file: kind, text: JSON.stringify(definition) }));
      const modelled = modelOf(sources);
      const warned = modelled.problems.flatMap(({ where, what }) =>
        what.includes('API server rejects') ? [where?.file] : [],
      );
      const unlike = kinds.filter(({ kind, refused }) => refused.length > 0 !== warned.includes(kind));
      expect(
        unlike.map(({ refused, definition }) => ({ refused, text: JSON.stringify(definition) })),
      ).toEqual([]);
      project.write(print(modelled), `${seed}`);
      const lines: Line[] = [];
      for (const kind of kinds.filter(({ refused }) => refused.length === 0)) {
        for (const attempt of await attemptsOf(kind.resource, random)) {
          const verdict = await verdictOf(rest, kind.resource, attempt.body);
          lines.push(...lineOf(kind, attempt, verdict, `line${lines.length}`));
        }
      }
      expect(lines.length).toBeGreaterThan(3 * kindsPerRound);
      const prelude = `import type * as kinds from './${seed}/${group}/v1/types.js';`;
      expect(surprises(project, prelude, lines)).toEqual([]);
    } finally {
      await server.stop();
    }
  },
);

function lineOf(
  { kind, definition }: Kind,
  { body, how }: Attempt,
  { messages, hasDroppedNull }: Verdict,
  name: string,
): readonly Line[] {
  if (hasDroppedNull || messages.some((message) => unstated.some(([pattern]) => pattern.test(message))))
    return [];
  const text = JSON.stringify(body);
  const literal = text.replaceAll('"__proto__":', '["__proto__"]:');
  return [
    {
      name: `${how} ${text} of ${JSON.stringify(definition)} (${messages.join('; ') || 'accepted'})`,
      text: `export const ${name}: kinds.${kind} = ${literal};`,
      compiles: messages.length === 0,
    },
  ];
}
