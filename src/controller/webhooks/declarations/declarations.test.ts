import type { Scale, Stored } from '@kgen/runtime';
import { defineResource, type NamespacedResource } from '@kgen/runtime/client';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { defaults, validates } from './admission.ts';
import { converts } from './conversion.ts';
import { pathOf } from './webhook.ts';

interface Ring {
  apiVersion?: 'example.com/v1' | undefined;
  kind?: 'Ring' | undefined;
  metadata?:
    | { name?: string | undefined; namespace?: string | undefined; uid?: string | undefined }
    | undefined;
  spec?: { size?: number };
}
interface OldRing extends Omit<Ring, 'apiVersion' | 'spec'> {
  spec?: { count?: number };
}

const facts = { kind: 'Ring', listKind: 'RingList', plural: 'rings', singular: 'ring' };
const rest = { ...facts, group: 'example.com', scope: 'Namespaced', verbs: [] } as const;
const rings = defineResource<NamespacedResource<Ring, unknown, unknown>>({ ...rest, version: 'v1' });
const oldRings = defineResource<NamespacedResource<OldRing, unknown, unknown>>({
  ...rest,
  version: 'v1alpha1',
});

describe('types of handlers', () => {
  it('have the metadata that API servers guarantee', () => {
    validates(rings, {
      handle: (ring, { operation, old }) => {
        expectTypeOf(ring.metadata.name).toEqualTypeOf<string>();
        expectTypeOf(ring.metadata.namespace).toEqualTypeOf<string>();
        expectTypeOf(ring.metadata.uid).toEqualTypeOf<string>();
        expectTypeOf(operation).toEqualTypeOf<'CREATE' | 'UPDATE'>();
        expectTypeOf(old).toEqualTypeOf<Stored<Ring> | undefined>();
        // @ts-expect-error created objects have no resource version.
        void ring.metadata.resourceVersion;
      },
    });
    validates(rings, {
      operations: ['UPDATE', 'DELETE'],
      handle: (ring, { old }) => {
        expectTypeOf(ring).toEqualTypeOf<Stored<Ring>>();
        expectTypeOf(old).toEqualTypeOf<Stored<Ring>>();
      },
    });
    defaults(rings, {
      handle: (ring) => {
        expectTypeOf(ring.metadata.namespace).toEqualTypeOf<string>();
        expectTypeOf(ring.metadata.name).toEqualTypeOf<string | undefined>();
        expectTypeOf(ring.kind).toEqualTypeOf<'Ring'>();
        return { spec: { ...ring.spec, size: 1 } };
      },
    });
    defaults(rings, {
      operations: ['UPDATE'],
      handle: (ring) => {
        expectTypeOf(ring.metadata.name).toEqualTypeOf<string>();
        expectTypeOf(ring.metadata.uid).toEqualTypeOf<string | undefined>();
      },
    });
  });

  it('narrow `old` by the operation', () => {
    validates(rings, {
      operations: ['CREATE', 'UPDATE', 'DELETE'],
      handle: (_, context) => {
        if (context.operation === 'CREATE') expectTypeOf(context.old).toEqualTypeOf<undefined>();
        else expectTypeOf(context.old).toEqualTypeOf<Stored<Ring>>();
      },
    });
  });

  it('are those of the bodies of subresources', () => {
    validates(rings, {
      operations: ['UPDATE'],
      subresource: 'scale',
      handle: (scale, { old }) => {
        expectTypeOf(scale).toEqualTypeOf<Stored<Scale>>();
        expectTypeOf(old).toEqualTypeOf<Stored<Scale>>();
      },
    });
    validates(rings, {
      operations: ['CONNECT'],
      subresource: 'exec',
      handle: (options, { old }) => {
        expectTypeOf(options.command).toEqualTypeOf<string[] | undefined>();
        expectTypeOf(options.kind).toEqualTypeOf<string>();
        expectTypeOf(old).toEqualTypeOf<undefined>();
      },
    });
    validates(rings, {
      operations: ['UPDATE'],
      subresource: 'resize',
      handle: (ring) => expectTypeOf(ring).toEqualTypeOf<Stored<Ring>>() && undefined,
    });
  });

  it('refuse results of another type', () => {
    // @ts-expect-error the size is a number.
    defaults(rings, { handle: () => ({ spec: { size: 'x' } }) });
    // @ts-expect-error a list of field errors.
    validates(rings, { handle: () => true });
    // @ts-expect-error the server refuses changes of objects that are deleted.
    defaults(rings, { operations: ['DELETE'], handle: () => undefined });
  });

  it('are those of both versions in conversions', () => {
    converts(rings, {
      versions: {
        v1alpha1: {
          resource: oldRings,
          toHub: (old) => {
            expectTypeOf(old).toEqualTypeOf<OldRing>();
            return { spec: { size: old.spec?.count ?? 0 } };
          },
          fromHub: (ring) => {
            expectTypeOf(ring).toEqualTypeOf<Ring>();
            return { spec: { count: ring.spec?.size ?? 0 } };
          },
        },
      },
    });
  });
});

it.each([
  [validates(rings, { handle: () => [] }), '/validates/example.com/v1/rings'],
  [
    defaults(rings, { subresource: 'scale', handle: () => undefined }),
    '/defaults/example.com/v1/rings/scale',
  ],
  [
    validates(rings, { name: 'size.example.com', subresource: 'scale', handle: () => [] }),
    '/validates/example.com/v1/rings/scale/size.example.com',
  ],
  [converts(rings, { versions: {} }), '/convert/example.com/rings'],
])('has the path %s %s', (webhook, path) => {
  expect(pathOf(webhook)).toBe(path);
});
