/** A control plane with controllers, a kubelet and one operator of `examples` with its own permissions. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Clientset as Kubernetes, type rbacV1 } from '@kgen/kubernetes';
import { type ControlPlane, startControlPlane } from '@kgen/testing';
import { kubeconfigOf } from '@kgen/testserver';
import { loadAll } from 'js-yaml';
import { afterAll, beforeAll, expect, onTestFailed } from 'vitest';
import { Clientset } from '../../generated/crds/clientset.ts';
import { type AuditLog, auditLog, type SeenRequest } from '../support/audit.ts';
import { deadline, unique } from '../support/cluster-tests.ts';
import { repository } from '../support/emitted.ts';
import { rulesOfServers } from '../support/operator-roles.ts';
import { installDefinitions } from '../support/sample-definitions.ts';
import { bundleOperator } from './bundle.ts';
import { startFakeKubelet } from './fake-kubelet.ts';
import { OperatorProcess } from './process.ts';

const writes = ['create', 'update', 'patch', 'delete', 'deletecollection'];
const allVerbs = [...writes, 'get', 'list', 'watch'];

/** Environment of the tests of one operator; usable once it runs. */
export interface Env {
  readonly plane: ControlPlane;
  /** Clients of an administrator. */
  readonly kubernetes: Kubernetes;
  readonly crds: Clientset;
  readonly operator: OperatorProcess;
  /** Folder of the operator in `examples`. */
  readonly folder: string;
  /** Creates a namespace for one test and returns its name. */
  namespace(): Promise<string>;
  /** Requests of the operator besides those of its election. */
  requests(): readonly SeenRequest[];
  /** Writes of the operator in a namespace. */
  writesIn(namespace: string): readonly SeenRequest[];
  /** Waits until the operator sends nothing but watches and renewals for a few renewals of its lease. */
  rest(): Promise<void>;
  /** Requests of the operator that were refused for a missing permission, and never allowed. */
  denials(): readonly SeenRequest[];
  /** Verbs of the rules in `rbac` that no request needed, such as `delete pods`. */
  unusedRules(): readonly string[];
  /** Kills the operator. Its lease is deleted, so that the next process leads at once. */
  kill(): Promise<void>;
}

interface Running {
  readonly env: Env;
  stop(): Promise<void>;
}

/** Starts everything before the tests of the current block, and stops it afterwards. */
export function useOperator(name: string): () => Env {
  let running: Running | undefined;
  // The first start builds the servers.
  beforeAll(async () => {
    running = await open(name);
  }, 1_200_000);
  afterAll(async () => {
    const [denials, unused] = [running?.env.denials(), running?.env.unusedRules()];
    await running?.stop();
    expect({ denials, unused }).toEqual({ denials: [], unused: [] });
  });
  return () => {
    if (running === undefined) throw new Error('the server does not run yet: use this inside a test');
    const { env } = running;
    onTestFailed(() => console.log(env.operator.output.slice(-10_000)));
    return env;
  };
}

async function open(name: string): Promise<Running> {
  const log = await auditLog({ verbs: allVerbs });
  const [plane, bundle] = await Promise.all([
    startControlPlane({ controllerManager: true, apiServerFlags: log.flags }),
    bundleOperator(name),
  ]);
  const kubernetes = new Kubernetes(plane.config);
  const crds = new Clientset(kubernetes.rest);
  await installDefinitions(kubernetes.rest);
  const kubelet = await startFakeKubelet(plane.config);
  const kubeconfig = await operatorKubeconfig(name, plane);
  const operator = new OperatorProcess(bundle.folder, kubeconfig);
  operator.start();
  return {
    env: envOf(name, { plane, kubernetes, crds, operator }, log),
    stop: async () => {
      await operator.kill();
      await kubelet.stop();
      await kubernetes.close();
      await plane.stop();
      await bundle.remove();
      await log.remove();
    },
  };
}

/** Writes a kubeconfig with a token of the operator's service account, with the permissions of `rbac`. */
async function operatorKubeconfig(name: string, plane: ControlPlane): Promise<string> {
  const config = await plane.addServiceAccount(join(repository, `examples/operators/${name}/config/rbac`));
  const path = join(plane.folder, 'operator.kubeconfig');
  await writeFile(path, kubeconfigOf(config));
  return path;
}

type Clients = Pick<Env, 'plane' | 'kubernetes' | 'crds' | 'operator'>;

function envOf(name: string, clients: Clients, log: AuditLog): Env {
  const account = `${name}-operator`;
  const { kubernetes, operator } = clients;
  const all = (): readonly SeenRequest[] => log.requestsOf(`system:serviceaccount:${account}:${account}`);
  const isElection = ({ path }: SeenRequest): boolean => path.includes('/leases');
  const requests = (): readonly SeenRequest[] => all().filter((request) => !isElection(request));
  return {
    ...clients,
    folder: join(repository, 'examples/operators', name),
    requests,
    denials: () => denied(all()),
    unusedRules: () => unusedRules(name, all()),
    writesIn: (namespace) =>
      requests().filter(({ verb, path }) => writes.includes(verb) && path.includes(`/${namespace}/`)),
    namespace: async () => {
      const { metadata } = await kubernetes.coreV1.namespaces().create({ metadata: { name: unique('op') } });
      return metadata.name;
    },
    rest: () => atRest(all, isElection),
    kill: async () => {
      await operator.kill();
      await kubernetes.coordinationV1.leases(account).delete(account);
    },
  };
}

/** A server that has just started refuses requests until it has read the roles. */
function denied(requests: readonly SeenRequest[]): readonly SeenRequest[] {
  const keyOf = ({ verb, path }: SeenRequest): string => `${verb} ${path}`;
  const allowed = new Set(requests.filter(({ denial }) => denial === undefined).map(keyOf));
  return requests.filter((request) => request.denial !== undefined && !allowed.has(keyOf(request)));
}

function unusedRules(name: string, requests: readonly SeenRequest[]): readonly string[] {
  const needed = new Set(requests.flatMap(neededBy));
  const text = readFileSync(join(repository, `examples/operators/${name}/config/rbac/role.yaml`), 'utf8');
  const roles = loadAll(text) as readonly { readonly rules: readonly rbacV1.PolicyRule[] }[];
  const granted = roles.flatMap(({ rules }) =>
    rules.flatMap(({ apiGroups = [], resources = [], verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource} ${group}`)),
      ),
    ),
  );
  // An admission plugin checks finalizers of owners, which sends no request. Everyone may read metrics
  // here, and `webhooks.test.ts` serves the webhooks, with their certificates and reviews.
  const isOther = (rule: string): boolean =>
    /^update \S+\/finalizers /.test(rule) || rulesOfServers[name]?.includes(rule) === true;
  return [...new Set(granted)].filter((rule) => !needed.has(rule) && !isOther(rule));
}

/**
 * An apply that creates an object needs the permission to create it, too, and a watch that begins with a list
 * the one to list.
 */
function neededBy({ verb, path, query, status }: SeenRequest): readonly string[] {
  const [, group = '', rest = ''] =
    /^\/apis?(?:\/([^/]*\.[^/]*|apps|batch))?\/v[^/]+\/(.*)$/.exec(path) ?? [];
  const [resource, , ...subresource] = rest.replace(/^namespaces\/[^/]+\/(?=.)/, '').split('/');
  const verbs = [
    verb,
    ...(verb === 'patch' && status === 201 ? ['create'] : []),
    ...(query.get('sendInitialEvents') === 'true' ? ['list'] : []),
  ];
  return verbs.map((each) => `${each} ${[resource, ...subresource].join('/')} ${group}`);
}

/** Renewals of the lease, every two seconds, in which nothing else may be sent. */
const restRenewals = 2;

async function atRest(
  requests: () => readonly SeenRequest[],
  isRenewal: (request: SeenRequest) => boolean,
): Promise<void> {
  const quiet = (): boolean => {
    const last = requests().filter(({ verb }) => verb !== 'watch');
    return last.length > restRenewals && last.slice(-restRenewals).every(isRenewal);
  };
  await expect.poll(quiet, { ...deadline, timeout: 40_000 }).toBe(true);
}
