import type { RootRow } from './row.ts';

const text = { type: 'string' };

export const roots: readonly RootRow[] = [
  {
    feature: 'no schema at all',
    root: undefined,
    accepts: ['{}', `{ metadata: { name: 'a' }, spec: { any: 1 }, more: true }`],
    rejects: [`{ kind: 'Other' }`, `{ apiVersion: 'v1' }`, '{ metadata: { name: 1 } }'],
  },
  {
    feature: 'preserve-unknown at the root, without a type',
    root: { 'x-kubernetes-preserve-unknown-fields': true },
    accepts: ['{}', `{ metadata: {}, data: { any: 1 } }`],
    rejects: [`{ kind: 'Other' }`, `{ metadata: [] }`],
  },
  {
    feature: 'preserve-unknown at the root beside properties',
    root: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { data: text } },
    accepts: [`{ data: '' }`, `{ data: '', other: 1 }`],
    rejects: ['{ data: 1 }'],
  },
  {
    feature: 'an object without properties',
    root: { type: 'object' },
    accepts: ['{}', `{ metadata: { name: 'a' } }`],
    rejects: [`{ kind: 'Other' }`],
  },
  {
    feature: 'no spec',
    root: { type: 'object', required: ['data'], properties: { data: text } },
    accepts: [
      `{ data: '' }`,
      `{ apiVersion: 'tables.example.com/v1', kind: 'Thing', metadata: {}, data: '' }`,
    ],
    rejects: ['{}', `{ data: '', spec: {} }`],
  },
  {
    feature: 'apiVersion and kind are constants, filled in by the client',
    root: {
      type: 'object',
      properties: { apiVersion: text, kind: text, metadata: { type: 'object' } },
      required: ['apiVersion', 'kind'],
    },
    accepts: ['{}', `{ apiVersion: 'tables.example.com/v1', kind: 'Thing' }`],
    rejects: [`{ apiVersion: 'tables.example.com/v2' }`, `{ kind: 'thing' }`, '{ kind: 1 }'],
  },
  {
    feature: 'metadata is ObjectMeta, regardless of its schema',
    root: {
      type: 'object',
      properties: {
        metadata: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string', maxLength: 3 } },
        },
      },
      required: ['metadata'],
    },
    accepts: [
      `{ metadata: { name: 'a', labels: { b: 'c' }, annotations: {}, ownerReferences: [] } }`,
      `{ metadata: { generateName: 'a-' } }`,
    ],
    rejects: [
      '{}',
      '{ metadata: { name: 1 } }',
      '{ metadata: { labels: { b: 1 } } }',
      '{ metadata: { nmae: 1 } }',
    ],
  },
  {
    feature: 'a namespaced kind may state its namespace',
    root: { type: 'object', properties: { spec: { type: 'object' } } },
    accepts: [`{ metadata: { namespace: 'shop' } }`],
    rejects: ['{ metadata: { namespace: 1 } }'],
  },
  {
    feature: 'a cluster-scoped kind has no namespace',
    scope: 'Cluster',
    root: { type: 'object', properties: { spec: { type: 'object' } } },
    accepts: [`{ metadata: { name: 'a' } }`],
    rejects: [`{ metadata: { name: 'a', namespace: 'shop' } }`],
  },
  {
    feature: 'required spec, optional status',
    root: {
      type: 'object',
      required: ['spec'],
      properties: {
        spec: { type: 'object', required: ['a'], properties: { a: text } },
        status: { type: 'object', properties: { b: text } },
      },
    },
    accepts: [`{ spec: { a: '' } }`, `{ spec: { a: '' }, status: { b: '' } }`],
    rejects: ['{}', '{ spec: {} }', `{ spec: { a: '' }, status: { b: 1 } }`],
  },
];
