/** Modules whose versions have a schema of Zod and of ArkType, with equal fields. */
const zodModule = `import * as z from 'zod';
import { api, version } from 'kgen/api';

const shop = z.object({
  spec: z.object({
    title: z.string().min(1).max(63).describe('Name of the shop.'),
    replicas: z.int32().min(1).max(9).default(3),
    mode: z.enum(['small', 'large']),
    note: z.string().max(99).nullable().optional(),
    labels: z.record(z.string(), z.string()).optional(),
    ports: z.array(z.object({ name: z.string(), number: z.int32() })).max(16).optional().meta({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    }),
    backup: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('disk'), path: z.string() }),
      z.object({ kind: z.literal('s3'), bucket: z.string() }),
    ]).optional(),
  }).meta({ 'x-kubernetes-validations': [{ rule: "self.mode != 'small' || self.replicas <= 3", message: 'small' }] }),
  status: z.object({ replicas: z.int32(), selector: z.string().optional() }).optional(),
});

export default api({
  group: 'zod.example.com',
  kind: 'Shop',
  versions: {
    v1: version(shop)({
      columns: [{ name: 'Mode', path: 'spec.mode' }],
      scale: { replicas: 'spec.replicas', statusReplicas: 'status.replicas', selector: 'status.selector' },
      selectable: ['spec.title'],
    }),
  },
});
`;

const arkModule = `import { type } from 'arktype';
import { api, version } from 'kgen/api';

const shop = type({
  spec: {
    title: '1 <= string <= 63',
    'replicas?': '1 <= number.integer <= 9',
    mode: "'small' | 'large'",
    'note?': 'string <= 99 | null',
    'labels?': { '[string]': 'string' },
    'ports?': type({ name: 'string', number: 'number.integer' }).array().atMostLength(16),
    'backup?': type({ kind: "'disk'", path: 'string' }).or({ kind: "'s3'", bucket: 'string' }),
  },
  'status?': { replicas: 'number.integer', 'selector?': 'string' },
});

export default api({
  group: 'arktype.example.com',
  kind: 'Shop',
  versions: {
    v1: version(shop)({
      columns: [{ name: 'Mode', path: 'spec.mode' }],
      scale: { replicas: 'spec.replicas', statusReplicas: 'status.replicas', selector: 'status.selector' },
      selectable: ['spec.title'],
    }),
  },
});
`;

/** By path. */
export const schemaModules = { 'api/zod.ts': zodModule, 'api/ark.ts': arkModule };

/** Whether this version of Node runs modules of TypeScript. */
export const runsTypeScript = Number(process.versions.node.split('.')[0]) >= 24;
