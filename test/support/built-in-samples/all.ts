import { admissionSamples } from './admission.ts';
import { clusterSamples } from './cluster.ts';
import { coreSamples } from './core.ts';
import { deviceSamples } from './devices.ts';
import { extensionSamples } from './extensions.ts';
import type { Samples } from './types.ts';
import { workloadSamples } from './workloads.ts';

/** One object of every kind that any version of the server from 1.33 to 1.37 stores. */
export const samples: Samples = {
  ...coreSamples,
  ...workloadSamples,
  ...clusterSamples,
  ...deviceSamples,
  ...admissionSamples,
  ...extensionSamples,
};
