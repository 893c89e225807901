import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ControlPlane, controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeApi } from '../../src/kgen/openapi/describe.ts';
import { loadOpenApi } from '../../src/kgen/openapi/load.ts';
import type { ApiDocument } from '../../src/kgen/openapi/types.ts';
import { corpus } from '../support/emitted.ts';
import { randomOf } from '../support/random.ts';
import { agreement, type Comparison, seed } from './agreement-tests.ts';
import { type ComparedProbe, compare, unexpectedResult } from './comparison.ts';
import { definitionsOf, type JsonObject } from './definitions.ts';
import { publishedBy } from './published-documents.ts';
import { partsOf, unexpectedParts } from './stored-parts.ts';
import { anyFaults, breakAll, enumFaults, type Fault } from './type-faults.ts';

describe.skipIf(corpus === undefined)('the whole API as it is published (KGEN_CORPUS)', () => {
  const path = join(corpus ?? '', 'openapi/kubernetes-v2.json');
  const current = agreement(2, async () => {
    // seam: JSON.parse returns no types
    const document = JSON.parse(readFileSync(path, 'utf8')) as JsonObject;
    const { value, problems } = await loadOpenApi({ paths: [path], cwd: '/' });
    expect(problems).toEqual([]);
    return { definitions: definitionsOf(2, [document]), input: value };
  });

  faultTests(anyFaults, current);
});

/** Registers a test for each fault: the comparison must detect it, and must find no difference without it. */
function faultTests(faults: readonly Fault[], current: () => Comparison): void {
  describe('types that are invalid on purpose', () => {
    let broken: readonly ComparedProbe[] = [];
    beforeAll(() => {
      broken = compareBroken(current(), faults);
    });

    test.each(faults)('$definition: $from $to', ({ definition }) => {
      const found = (compared: readonly ComparedProbe[]): readonly string[] =>
        compared.filter(({ probe }) => probe.definition === definition).flatMap(unexpectedResult);
      expect(found(current().compared)).toEqual([]);
      expect(found(broken)).not.toEqual([]);
    });
  });
}

/** Compares the types with all faults at once, in a separate folder. */
function compareBroken(
  { project, kgen, openapi }: Comparison,
  faults: readonly Fault[],
): readonly ComparedProbe[] {
  project.write(breakAll(kgen.files, faults), 'broken');
  const types = faults.map(({ definition }) => {
    const expression = kgen.types.get(definition) ?? '';
    return [definition, expression.replace('./out/', './broken/')] as const;
  });
  return compare(project, openapi, new Map(types), randomOf(seed));
}

const availability = controlPlaneAvailability();

describe.skipIf(!availability.available && process.env['KGEN_NOTHING_SKIPPED'] === undefined)(
  'the whole API of a real server',
  () => {
    let plane: ControlPlane | undefined;
    afterAll(() => plane?.stop());

    const current = agreement(3, async () => {
      plane = await startControlPlane({ apiServerFlags: ['--runtime-config=api/all=true'] });
      const published = await publishedBy(plane);
      const documents = [...published].map(([file, value]): ApiDocument => ({ dialect: 3, value, file }));
      const { value, problems } = describeApi({ documents, discovery: [], crds: [] });
      expect(problems).toEqual([]);
      return { definitions: definitionsOf(3, [...published.values()]), input: value };
    });

    faultTests(enumFaults, current);

    test('requires spec and status if the server always sets them', () => {
      const { definitions } = current().openapi;
      const parts = partsOf(definitions);
      expect(parts.length).toBeGreaterThan(50);
      expect(unexpectedParts(current(), parts)).toEqual([]);
    });
  },
);
