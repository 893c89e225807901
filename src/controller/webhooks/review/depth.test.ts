/** Objects with many levels, which functions of Node and of handlers cannot follow. */
import { defineResource } from '@kgen/runtime/client';
import { jsonOf } from '@kgen/runtime/objects';
import { describe, expect, it } from 'vitest';
import { defaults, validates } from '../declarations/admission.ts';
import type { Operation } from '../declarations/context.ts';
import { converts, keptPrefix } from '../declarations/conversion.ts';
import { admissionReview, Reviewer, type Ring, ring, rings } from './reviews.fixture.ts';

const reason = 'more than 1,000 levels of objects and lists';

/** Returns the JSON of an object with that many levels, which `JSON.stringify` could not write. */
const nested = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;

/** Returns the JSON of a review in which the object has that many levels. */
const body = (review: object, levels: number): Buffer =>
  Buffer.from(jsonOf(review).replaceAll('"deep"', nested(levels - 1)));

// The member is replaced by an object.
const deepRing = { ...ring(), spec: 'deep' };

describe('admission of an object with many levels', () => {
  const webhooks = {
    defaults: defaults(rings, { handle: () => ({ metadata: { labels: { a: 'b' } } }) }),
    validates: validates(rings, { operations: ['CREATE', 'UPDATE', 'DELETE'], handle: () => undefined }),
  };
  const review = (operation: Operation) => admissionReview(operation, deepRing);

  it.each(['defaults', 'validates'] as const)(
    'succeeds up to 1,000, and is denied above: %s',
    async (type) => {
      const reviewer = new Reviewer(webhooks[type]);
      expect((await reviewer.send(body(review('UPDATE'), 1_000))).response['allowed']).toBe(true);
      for (const levels of [1_001, 4_000, 6_000, 10_000, 100_000]) {
        const { status, response } = await reviewer.send(body(review('CREATE'), levels));
        expect(status).toBe(200);
        expect(response).toMatchObject({
          allowed: false,
          status: { code: 400, reason: 'BadRequest', message: `Ring "one" has ${reason}` },
        });
      }
      const outcomes = reviewer.records.map(({ outcome }) => outcome);
      expect(outcomes).toEqual(['allowed', ...Array.from({ length: 5 }, () => 'denied')]);
    },
  );

  it('allows its deletion', async () => {
    const { response } = await new Reviewer(webhooks.validates).send(body(review('DELETE'), 10_000));
    expect(response['allowed']).toBe(true);
  });

  it.each([1_001, 10_000])('refuses one that a handler returns: %i', async (levels) => {
    const webhook = defaults(rings, { handle: () => ({ spec: JSON.parse(nested(levels - 1)) }) });
    const { response } = await new Reviewer(webhook).send(admissionReview('CREATE', ring()));
    const message = `defaults of Ring failed: the result is not JSON: ${reason}`;
    expect(response).toMatchObject({ allowed: false, status: { code: 500, message } });
  });
});

describe('conversion of an object with many levels', () => {
  const old = defineResource<typeof rings>({ ...rings, version: 'v1alpha1' });
  const remove = (): object => ({ spec: undefined });
  const webhook = converts(rings, {
    versions: { v1alpha1: { resource: old, toHub: () => ({}), fromHub: remove } },
  });
  const review = (desired: string, object: unknown) => ({
    kind: 'ConversionReview',
    apiVersion: 'apiextensions.k8s.io/v1',
    request: { uid: 'c', desiredAPIVersion: `example.com/${desired}`, objects: [object] },
  });
  const send = async (desired: string, object: unknown, levels = 2): Promise<Ring[]> => {
    const { response } = await new Reviewer(webhook).send(body(review(desired, object), levels));
    expect(response['result']).toMatchObject({ status: 'Success' });
    // The objects of this test.
    return response['convertedObjects'] as Ring[];
  };

  it('loses nothing up to 1,000', async () => {
    const [there] = await send('v1alpha1', deepRing, 1_000);
    expect(there).not.toHaveProperty('spec');
    const [back] = await send('v1', there);
    expect(JSON.stringify(back?.spec)).toBe(nested(999));
  });

  it.each(['v1', 'v1alpha1'])('fails above, and names the object: to %s', async (desired) => {
    for (const levels of [1_001, 6_000, 10_000]) {
      const { response } = await new Reviewer(webhook).send(body(review(desired, deepRing), levels));
      expect(response['result']).toMatchObject({
        status: 'Failure',
        message: expect.stringMatching(`"Ring" "shop/one" of "example.com/v1" .* the object has ${reason}$`),
      });
    }
  });

  it('restores no fields of an annotation that together have more', async () => {
    const fields = Array.from({ length: 60 }, (_, index) => {
      const path = ['spec', ...Array.from({ length: index * 900 }, () => 'a')];
      return `{"path":${jsonOf(path)},"value":${nested(901)}${index === 0 ? '' : `,"was":"{}"`}}`;
    });
    const object = {
      ...ring(),
      apiVersion: 'example.com/v1alpha1',
      metadata: { name: 'one', annotations: { [`${keptPrefix}v1`]: `[${fields.join()}]` } },
      spec: undefined,
    };
    const [converted] = await send('v1', object);
    expect(JSON.stringify(converted?.spec)).toBe(nested(901));
  });
});
