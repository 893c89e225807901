/** Selection and start of the built-in controllers of a server. */
import type { CertificateAuthority } from '@kgen/certificates/authority';
import { aggregateRoles } from '../access/aggregation.ts';
import { roleStorage } from '../access/roles.ts';
import type { ServerState } from '../call/context.ts';
import { definitions } from '../resources/builtin.ts';
import type { Controller, ControllerName } from './controller.ts';
import { cleanDefinitions, establishDefinitions } from './definitions.ts';
import { garbageCollector } from './garbage.ts';
import { ignoreEvent, recordEvent } from './kubelet/events.ts';
import { kubelet } from './kubelet/kubelet.ts';
import type { PodRules } from './kubelet/rules.ts';
import { namespaceController } from './namespaces.ts';
import { ControllerRunner } from './runner.ts';
import { certificateController } from './security/certificates.ts';
import { flowSchemaController } from './security/flow-schemas.ts';
import { policyStatusController } from './security/policies.ts';
import { autoscalerController } from './services/autoscaler.ts';
import { disruptionBudgetController } from './services/disruption-budgets.ts';
import { endpointMirrorsController } from './services/endpoint-mirrors.ts';
import { endpointsController } from './services/endpoints.ts';
import { rootCertificateController, serviceAccountController } from './services/namespace-defaults.ts';
import { resourceQuotaController } from './services/resource-quotas.ts';
import { serviceAddressesController } from './services/service-addresses.ts';
import { volumeController } from './storage/binding.ts';
import { ephemeralVolumeController } from './storage/consumers.ts';
import { storageProtectionController } from './storage/protection.ts';
import { provisioner } from './storage/provisioner.ts';
import { daemonSetController } from './workloads/daemon-set.ts';
import { deploymentController } from './workloads/deployment.ts';
import { cronJobController } from './workloads/jobs/cron-job.ts';
import { jobController } from './workloads/jobs/job.ts';
import { replicaSetController, replicationController } from './workloads/replica-set.ts';
import { statefulSetController } from './workloads/stateful-set.ts';

/**
 * Controllers of a server: `false` for none, a list of names for only these, or an object that switches
 * single ones off.
 */
export type BuiltInControllers =
  | boolean
  | readonly ControllerName[]
  | { readonly [name in ControllerName]?: boolean };

/** Parts of the controllers that the server supplies. */
export interface ControllerParts {
  readonly options: BuiltInControllers;
  readonly rules: PodRules;
  /** Number of replicas that metrics demand of autoscaled workloads. Default: there are no metrics. */
  readonly load?: number;
  /** Whether controllers, the scheduler and the kubelets record events. */
  readonly events?: boolean;
  /** The authority of the server. Default: none, and certificates are not signed. */
  readonly authority?: CertificateAuthority;
}

/** The controller of the API server itself that establishes definitions and deletes their objects. */
const definitionController: Controller = {
  name: 'definitions',
  keys: ({ resource, type }, { state: { store } }) => {
    if (resource === definitions.storage) return ['all'];
    return type === 'DELETED' && store.get(definitions.storage, resource) !== undefined ? ['all'] : [];
  },
  // biome-ignore lint/correctness/useYield: it calls no webhooks.
  *reconcile(_, { state }) {
    establishDefinitions(state);
    cleanDefinitions(state);
  },
};

/** Completes the rules of aggregated cluster roles. */
const roleAggregationController: Controller = {
  name: 'clusterRoleAggregation',
  keys: ({ resource }) => (resource === roleStorage.clusterRoles ? ['all'] : []),
  // biome-ignore lint/correctness/useYield: it calls no webhooks.
  *reconcile(_, { state }) {
    aggregateRoles(state);
  },
};

/** Establishes definitions and deletes those without objects, while the server starts. */
export function settleDefinitions(state: ServerState): void {
  const runner = new ControllerRunner(state, [definitionController]);
  runner.settle();
  runner.stop();
}

/** Starts the controllers of a server. */
export function startControllers(state: ServerState, parts: ControllerParts): ControllerRunner {
  const { authority } = parts;
  const all: readonly Controller[] = [
    definitionController,
    flowSchemaController,
    namespaceController,
    garbageCollector,
    serviceAccountController,
    rootCertificateController(authority?.cert ?? ''),
    deploymentController,
    statefulSetController,
    daemonSetController,
    jobController,
    cronJobController,
    replicaSetController,
    replicationController,
    kubelet(parts.rules, parts.events === true ? recordEvent : ignoreEvent),
    endpointsController,
    endpointMirrorsController,
    serviceAddressesController,
    disruptionBudgetController,
    autoscalerController(parts.load),
    storageProtectionController,
    ephemeralVolumeController,
    volumeController,
    provisioner,
    resourceQuotaController,
    roleAggregationController,
    policyStatusController,
    ...(authority === undefined ? [] : [certificateController(authority)]),
  ];
  const chosen = all.filter(({ name }) => isOfServer(name) || isOn(parts.options, name));
  const runner = new ControllerRunner(state, chosen, parts.events);
  parts.rules.onChange(() => runner.resync('pods'));
  return runner;
}

function isOfServer(name: Controller['name']): name is 'definitions' | 'flowSchemas' {
  return name === 'definitions' || name === 'flowSchemas';
}

/** Returns whether options switch a controller on. */
export function isOn(options: BuiltInControllers, name: ControllerName): boolean {
  if (typeof options === 'boolean') return options;
  return isList(options) ? options.includes(name) : options[name] !== false;
}

function isList(options: BuiltInControllers): options is readonly ControllerName[] {
  return Array.isArray(options);
}
