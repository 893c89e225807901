import { Clientset } from '@kgen/kubernetes';
import { checkContract, controlPlaneAvailability } from '@kgen/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SharedPlane, sharedPlane } from '../support/shared-plane.ts';
import { changeTests } from './suite.ts';

const { available } = controlPlaneAvailability();

describe.skipIf(!available && process.env['KGEN_NOTHING_SKIPPED'] === undefined)('a real API server', () => {
  let plane: SharedPlane | undefined;
  beforeAll(async () => {
    plane = await sharedPlane();
  });
  afterAll(() => plane?.stop());

  test('has every stable resource of @kgen/kubernetes, without drifts', async () => {
    const { server, resources, drifts } = await checkContract(Clientset, plane?.config ?? { server: '' });
    expect(server).toMatch(/^v1\.36\./);
    expect(resources).toBeGreaterThan(80);
    const stable = drifts.filter(({ resource }) => /(?:^|\/)v\d+ /.test(resource));
    expect(stable.filter(({ kind }) => kind !== 'deprecated')).toEqual([]);
    expect(stable.map(({ resource, since }) => `${resource} ${since}`)).toEqual([
      'v1 componentstatuses v1.19',
      'v1 endpoints v1.33',
    ]);
  });

  changeTests('drifts on a real API server', () => plane?.config ?? { server: '' });
});
