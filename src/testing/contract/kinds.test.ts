/** Built-in kinds, discovery and OpenAPI documents equal those of a real API server with all APIs enabled. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { startTestServer } from '../../testserver/server/testserver.ts';
import {
  type ControlPlane,
  controlPlaneAvailability,
  startControlPlane,
} from '../controlplane/controlplane.ts';
import { chaptersOf } from './chapters.fixture.ts';
import { compareChapter, type Outcomes, playOnBoth } from './comparison.fixture.ts';
import { documentSteps, withoutDescriptions } from './documents.fixture.ts';
import type { Step } from './exchange.fixture.ts';
import { kindSteps } from './kinds/all.fixture.ts';
import { minimalSteps } from './kinds/minimal.fixture.ts';

const availability = controlPlaneAvailability();
if (!availability.available) console.log(`kinds on a real API server: skipped, ${availability.reason}`);

describe.skipIf(!availability.available)('the responses equal those of a real API server', () => {
  const servers: { real?: ControlPlane } = {};

  beforeAll(async () => {
    servers.real = await startControlPlane({ apiServerFlags: ['--runtime-config=api/all=true'] });
  });

  afterAll(async () => {
    await servers.real?.stop();
  });

  const tables: Readonly<Record<string, readonly Step[]>> = {
    ...kindSteps,
    'the smallest object of every kind': minimalSteps,
    'discovery and OpenAPI documents': documentSteps,
  };

  describe.each(Object.entries(tables))('%s', (_, steps) => {
    let outcomes: Outcomes = [];

    beforeAll(async () => {
      const memory = await startTestServer({ controllers: false, apiVersions: 'all' });
      try {
        outcomes = await playOnBoth(memory.config, servers.real?.config, steps);
      } finally {
        await memory.stop();
      }
    }, 120_000);

    test.each(chaptersOf(steps))('%s', (chapter) =>
      compareChapter(outcomes, chapter, steps === documentSteps ? withoutDescriptions : undefined),
    );
  });
});
