import type { Sample, Samples } from './types.ts';

const group = 'resource.k8s.io';
const selectors = [{ cel: { expression: "device.driver == 'gpu.example.com'" } }];
const opaque = { driver: 'gpu.example.com', parameters: { kind: 'Config', deep: [1, { a: null }] } };

const deviceClass: Sample = () => ({ spec: { selectors, config: [{ opaque }] } });
const exactly = { deviceClassName: 'gpu', selectors, allocationMode: 'ExactCount', count: 2 };
const alternatives = {
  name: 'either',
  firstAvailable: [
    { name: 'big', deviceClassName: 'gpu', count: 1 },
    { name: 'many', deviceClassName: 'gpu', allocationMode: 'All' },
  ],
};

/** Returns a claim; the form of its requests differs between versions. */
function claim(request: Readonly<Record<string, unknown>>): Sample {
  return () => ({
    spec: {
      devices: {
        requests: [{ name: 'gpu', ...request }, alternatives],
        constraints: [{ requests: ['gpu'], matchAttribute: 'example.com/numa' }],
        config: [{ requests: ['gpu'], opaque }],
      },
    },
  });
}

function claimTemplate(request: Readonly<Record<string, unknown>>): Sample {
  return (place) => ({ spec: { metadata: { labels: { of: 'template' } }, ...claim(request)(place) } });
}

/** Returns a slice; the form of its devices differs between versions. */
function slice(
  device: (is: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
  memory: unknown,
): Sample {
  return ({ name }) => ({
    spec: {
      driver: `${name}.example.com`,
      nodeName: 'n1',
      pool: { name: 'n1', generation: 1, resourceSliceCount: 1 },
      devices: [
        {
          name: 'gpu-0',
          ...device({
            attributes: {
              model: { string: '' },
              numa: { int: 0 },
              many: { int: 9_007_199_254_740_991 },
              virtual: { bool: false },
              release: { version: '1.2.3' },
            },
            capacity: { memory },
          }),
        },
      ],
    },
  });
}

const itself = (is: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => is;
const basic = (is: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({ basic: is });
const taintRule: Sample = () => ({
  spec: {
    deviceSelector: { driver: 'gpu.example.com', pool: 'n1', device: 'gpu-0' },
    taint: { key: 'example.com/broken', value: '', effect: 'NoSchedule', timeAdded: '2026-01-02T03:04:05Z' },
  },
});

/** Samples of devices that pods claim. */
export const deviceSamples: Samples = {
  ...Object.fromEntries(
    ['v1', 'v1beta2'].flatMap((version) => [
      [`${group}/${version}/DeviceClass`, deviceClass],
      [`${group}/${version}/ResourceClaim`, claim({ exactly })],
      [`${group}/${version}/ResourceClaimTemplate`, claimTemplate({ exactly })],
      [`${group}/${version}/ResourceSlice`, slice(itself, { value: '0.5Gi' })],
      [`${group}/${version}/DeviceTaintRule`, taintRule],
    ]),
  ),
  [`${group}/v1beta1/DeviceClass`]: deviceClass,
  [`${group}/v1beta1/ResourceClaim`]: claim(exactly),
  [`${group}/v1beta1/ResourceClaimTemplate`]: claimTemplate(exactly),
  [`${group}/v1beta1/ResourceSlice`]: slice(basic, { value: '1e9' }),
  [`${group}/v1alpha3/DeviceClass`]: deviceClass,
  [`${group}/v1alpha3/ResourceClaim`]: claim(exactly),
  [`${group}/v1alpha3/ResourceClaimTemplate`]: claimTemplate(exactly),
  [`${group}/v1alpha3/ResourceSlice`]: slice(basic, '1000m'),
  [`${group}/v1alpha3/DeviceTaintRule`]: taintRule,
  [`${group}/v1alpha3/ResourcePoolStatusRequest`]: () => ({
    spec: { driver: 'gpu.example.com', poolName: 'n1', limit: 10 },
  }),
};
