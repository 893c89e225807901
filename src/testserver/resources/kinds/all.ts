/** Rules of all built-in kinds. */
import { claimRules } from './claims.ts';
import { clusterRules } from './cluster.ts';
import { configRules } from './config.ts';
import { deviceRules } from './devices.ts';
import { admissionRules } from './extensions/admission.ts';
import { controlPlaneRules } from './extensions/control-plane.ts';
import { storageRules } from './extensions/storage.ts';
import { networkingRules } from './networking.ts';
import { podRules } from './pods/pods.ts';
import { rbacRules } from './rbac.ts';
import { scalingRules } from './scaling.ts';
import { serviceRules } from './services/services.ts';
import type { KindRules } from './support/rules.ts';
import { jobRules } from './workloads/jobs.ts';
import { workloadRules } from './workloads/workloads.ts';

const rules: ReadonlyMap<string, KindRules> = new Map(
  [
    admissionRules,
    claimRules,
    clusterRules,
    configRules,
    controlPlaneRules,
    deviceRules,
    jobRules,
    networkingRules,
    podRules,
    rbacRules,
    scalingRules,
    serviceRules,
    storageRules,
    workloadRules,
  ].flatMap((group) => Object.entries(group)),
);

/** Returns the rules of a kind by its storage key. A kind without own rules has generic ones. */
export function rulesOf(storage: string): KindRules {
  return rules.get(storage) ?? {};
}
