/** Parts of pods. */
import type { JsonObject } from '../../src/schema/values/json.ts';

/** The smallest specification. */
export const podSpec: JsonObject = { containers: [{ name: 'main', image: 'main:1' }] };

/** Merge patches that are accepted in creates. Updates of most are refused. */
export const podParts: readonly JsonObject[] = [
  { spec: { containers: [{ name: 'main', image: 'main:2' }] } },
  { spec: { activeDeadlineSeconds: 100 } },
  { spec: { tolerations: [{ key: 'a', operator: 'Equal', value: 'b', effect: 'NoSchedule' }] } },
  { spec: { restartPolicy: 'Never', terminationGracePeriodSeconds: 0 } },
  { spec: { initContainers: [{ name: 'init', image: 'init' }] } },
  {
    spec: {
      containers: [
        {
          name: 'main',
          image: 'main:1',
          ports: [{ containerPort: 80 }],
          resources: { requests: { cpu: '100m' }, limits: { cpu: '0.2', memory: '64Mi' } },
          livenessProbe: { httpGet: { port: 80 } },
        },
      ],
    },
  },
  {
    spec: {
      containers: [{ name: 'main', image: 'main:1', volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
      volumes: [{ name: 'v', emptyDir: {} }],
    },
  },
  { spec: { nodeSelector: { a: 'b' } } },
  { spec: { schedulingGates: [{ name: 'example.com/gate' }] } },
  { spec: { hostname: 'h', subdomain: 's' } },
];

/** Merge patches that are refused. */
export const podWrongs: readonly JsonObject[] = [
  { spec: { containers: [] } },
  { spec: { containers: [{ name: 'A_', image: 'x' }] } },
  { spec: { containers: [{ name: 'main' }] } },
  {
    spec: {
      containers: [
        { name: 'main', image: 'a' },
        { name: 'main', image: 'b' },
      ],
    },
  },
  {
    spec: {
      containers: [{ name: 'main', image: 'a', resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }],
    },
  },
  { spec: { containers: [{ name: 'main', image: 'a', volumeMounts: [{ name: 'none', mountPath: '/' }] }] } },
  { spec: { restartPolicy: 'Wrong' } },
  { spec: { terminationGracePeriodSeconds: -1 } },
  { spec: { activeDeadlineSeconds: 0 } },
  { spec: { containers: 'x' } },
  { spec: { nodeSelector: { 'a b': 'c' } } },
  { spec: { containers: [{ name: 'main', image: 'a', ports: [{ containerPort: 0 }] }] } },
  { spec: null },
];
