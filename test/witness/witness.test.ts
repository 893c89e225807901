import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ControlPlane, controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeApi } from '../../src/kgen/openapi/describe.ts';
import { loadOpenApi } from '../../src/kgen/openapi/load.ts';
import type { ApiDocument } from '../../src/kgen/openapi/types.ts';
import { randomOf } from '../fuzz/random.ts';
import { corpus } from '../support/emitted.ts';
import { agreement, type Hearing, seed } from './agreement.ts';
import { anyFaults, breakAll, enumFaults, type Fault } from './broken.ts';
import { definitionsOf, type JsonObject } from './document.ts';
import { type Judged, judge, surprise } from './judgement.ts';
import { publishedBy } from './server.ts';
import { partsOf, surprises } from './stored.ts';

describe.skipIf(corpus === undefined)('the whole API as it is published (KGEN_CORPUS)', () => {
  const path = join(corpus ?? '', 'openapi/kubernetes-v2.json');
  const held = agreement(2, async () => {
    // seam: JSON.parse returns no types
    const document = JSON.parse(readFileSync(path, 'utf8')) as JsonObject;
    const { value, problems } = await loadOpenApi({ paths: [path], cwd: '/' });
    expect(problems).toEqual([]);
    return { definitions: definitionsOf(2, [document]), input: value };
  });

  noticed(anyFaults, held);
});

/** Registers a test for each fault: the comparison must detect it, and must find no difference without it. */
function noticed(faults: readonly Fault[], held: () => Hearing): void {
  describe('types that are invalid on purpose', () => {
    let broken: readonly Judged[] = [];
    beforeAll(() => {
      broken = judgeBroken(held(), faults);
    });

    test.each(faults)('$definition: $from $to', ({ definition }) => {
      const found = (judged: readonly Judged[]): readonly string[] =>
        judged.filter(({ probe }) => probe.definition === definition).flatMap(surprise);
      expect(found(held().judged)).toEqual([]);
      expect(found(broken)).not.toEqual([]);
    });
  });
}

/** Compares the types with all faults at once, in a separate folder. */
function judgeBroken({ project, ours, witness }: Hearing, faults: readonly Fault[]): readonly Judged[] {
  project.write(breakAll(ours.files, faults), 'broken');
  const types = faults.map(({ definition }) => {
    const expression = ours.types.get(definition) ?? '';
    return [definition, expression.replace('./out/', './broken/')] as const;
  });
  return judge(project, witness, new Map(types), randomOf(seed));
}

const availability = controlPlaneAvailability();

describe.skipIf(!availability.available && process.env['KGEN_NOTHING_SKIPPED'] === undefined)(
  'the whole API of a real server',
  () => {
    let plane: ControlPlane | undefined;
    afterAll(() => plane?.stop());

    const held = agreement(3, async () => {
      plane = await startControlPlane({ apiServerFlags: ['--runtime-config=api/all=true'] });
      const published = await publishedBy(plane);
      const documents = [...published].map(
        ([file, value]): ApiDocument => ({ dialect: 3, value, file, source: { name: file, hash: '' } }),
      );
      const { value, problems } = describeApi({ documents, discovery: [], crds: [] });
      expect(problems).toEqual([]);
      return { definitions: definitionsOf(3, [...published.values()]), input: value };
    });

    noticed(enumFaults, held);

    test('requires spec and status if the server always sets them', () => {
      const { definitions } = held().witness;
      const parts = partsOf(definitions);
      expect(parts.length).toBeGreaterThan(50);
      expect(surprises(held(), parts)).toEqual([]);
    });
  },
);
