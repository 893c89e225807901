/** Table tests: one reconcile for given objects and a change, with its expected effects. */
import type { KubernetesObject } from '@kgen/runtime';
import type { JsonObject } from '@kgen/schema/values/json';
import { copyOf } from '@kgen/schema/values/wire';
import type { PermissionReport } from '@kgen/testserver/internal/access/permissions';
import type { AccountSource } from '@kgen/testserver/internal/server/account';
import type { CrdSource } from '@kgen/testserver/internal/server/crds';
import type { ObjectSource } from '@kgen/testserver/internal/server/sources';
import { type ClusterBase, clusterBase, idOf, permissionsOf } from '../cluster.ts';
import { framesAbove } from '../process/call-site.ts';
import type { ReviewedRequest, TableAdmission } from './admission.ts';
import type { TableChange } from './changes.ts';
import { check, type TableExpectation } from './expectation.ts';
import type { TableOperator, TableReconcile } from './operator.ts';
import { type Plan, type Played, playTable, type TableWrite } from './play.ts';

/** Content of the cluster of each test, as in `startTestServer`. */
export interface TableTestOptions {
  readonly crds?: readonly CrdSource[];
  /** Objects that exist in the cluster of each test, in addition to those passed to `given`. */
  readonly objects?: readonly ObjectSource[];
  /**
   * Manifests of the service account as which the operator runs. A test fails if no rule of its roles allows
   * a request. Default: the operator is an administrator.
   */
  readonly as?: AccountSource;
}

/** Runs of reconcile functions, and their effects. */
export interface TableResult {
  /** Runs of reconcile functions; empty if the changes put no key in a queue. */
  readonly runs: readonly TableReconcile[];
  /** Writes in their order, except for events and leases. */
  readonly writes: readonly TableWrite[];
  /** Events in their order, as objects of the core API. */
  readonly events: readonly object[];
}

/** A table test that is not complete yet. `T` is the type of the first given object. */
export interface TableTest<T> {
  /**
   * Reconciles the given objects until nothing changes any more, before the changes: the objects of the
   * operator then exist as it has created them.
   */
  reconciled(): TableTest<T>;
  /**
   * Changes after which one reconcile runs for each affected object. Without a change of an object, such as
   * for faults alone, all given objects are reconciled.
   */
  when(...changes: readonly TableChange[]): TableTest<T>;
  /**
   * Runs the test, and compares the effects of the reconcile.
   * @throws {AssertionError} with a line for each field that differs, and both values for test runners
   * @throws {Error} if the cluster refuses a given object or a change
   */
  expect(expectation: TableExpectation<T>): Promise<void>;
  /**
   * Sends a request of a user as a dry run, after the changes, and returns the response of the server: the
   * webhooks of the operator review it, if `objects` of the options contain their configurations, such as the
   * files of `kgen manifests`. Nothing is reconciled.
   * @throws {Error} if the cluster refuses a given object or a change
   */
  admission<O extends KubernetesObject>(
    request: { readonly create: O } | { readonly update: O } | { readonly delete: O },
  ): Promise<TableAdmission<O>>;
  /**
   * Runs the test without an expectation.
   * @throws {Error} if the cluster refuses a given object or a change
   */
  run(): Promise<TableResult>;
}

/** Table tests of one operator, as returned by `tableTests`. */
export interface TableTests {
  /**
   * Begins a test with objects that exist before the reconcile, with their status; see `stored`. Objects
   * with a `deletionTimestamp` and a finalizer are being deleted.
   */
  given<T extends KubernetesObject>(first: T, ...others: readonly KubernetesObject[]): TableTest<T>;
  /** Begins a test in an empty cluster. */
  given(): TableTest<unknown>;
  /**
   * Compares the requests of all tests so far with the rules of the service account of the option `as`.
   * Leases do not occur in table tests.
   * @throws {TypeError} without the option `as`
   */
  permissions(): Promise<PermissionReport>;
}

/**
 * Returns table tests of an operator: each runs one reconcile on a server in memory of its own, in virtual
 * time and without the controllers of a cluster. The operator is the function that builds its manager, as for
 * `simulate`.
 * @example
 * ```ts
 * import { Controller, Manager } from '@kgen/controller';
 * import { InformerFactory, resource } from '@kgen/runtime';
 * import { edited, stored, tableTests, wrote } from '@kgen/testing';
 * import { myApps } from './generated/my.domain/v1/index.js';
 *
 * const { given } = tableTests(
 *   (config, options) => {
 *     const manager = new Manager(config, { name: 'versions', ...options });
 *     const client = resource(manager.rest, myApps);
 *     const controller = new Controller({
 *       name: 'versions',
 *       for: new InformerFactory(manager).of(myApps),
 *       reconcile: async ({ metadata: { namespace, name }, spec: { version } }) => {
 *         await client.in(namespace).patch(name, { metadata: { labels: { version } } });
 *       },
 *     });
 *     return manager.add(controller);
 *   },
 *   { crds: ['crds/myapp.yaml'] },
 * );
 * const app = stored(myApps, { metadata: { name: 'a' }, spec: { appName: 'web', version: '1.0' } });
 * const edit = edited(app, ({ spec }) => Object.assign(spec, { version: '2.0' }));
 * await given(app)
 *   .when(edit)
 *   .expect({ writes: [wrote('patch', myApps, { metadata: { labels: { version: '2.0' } } })] });
 * ```
 */
export function tableTests(operator: TableOperator, options: TableTestOptions = {}): TableTests {
  let base: Promise<ClusterBase> | undefined;
  const loadBase = (): Promise<ClusterBase> => {
    base ??= clusterBase({ ...options, controllers: false });
    return base;
  };
  return {
    given: (...objects: readonly KubernetesObject[]) =>
      testOf({ operator, loadBase, given: objects.map(copyOf), isReconciled: false, changes: [] }),
    permissions: async () => {
      const report = permissionsOf(await loadBase());
      if (report === undefined) throw new TypeError('permissions() needs the option `as` of tableTests');
      return report;
    },
  };
}

interface Draft extends Omit<Plan, 'base'> {
  readonly loadBase: () => Promise<ClusterBase>;
}

function testOf(draft: Draft): TableTest<never> {
  const test: TableTest<never> = {
    reconciled: () => testOf({ ...draft, isReconciled: true }),
    when: (...changes) => testOf({ ...draft, changes: [...draft.changes, ...changes] }),
    expect: (expectation) => expectOf(draft, expectation, framesAbove(test.expect)),
    admission: (request) => admissionOf(draft, request, framesAbove(test.admission)),
    run: () => resultOf(draft, framesAbove(test.run)),
  };
  return test;
}

async function expectOf(draft: Draft, expectation: TableExpectation<never>, frames: string): Promise<void> {
  const played = await playDraft(draft, frames);
  check(expectation, played, primaryOf(draft, played), frames);
}

async function resultOf(draft: Draft, frames: string): Promise<TableResult> {
  const { runs, writes, events } = await playDraft(draft, frames);
  return { runs, writes, events };
}

async function admissionOf(
  draft: Draft,
  request: ReviewedRequest,
  frames: string,
): Promise<TableAdmission<never>> {
  let result: TableAdmission<never> | undefined;
  const done = (admission: TableAdmission<never>): void => {
    result = admission;
  };
  await playDraft({ ...draft, changes: [...draft.changes, { type: 'reviewed', request, done }] }, frames);
  if (result === undefined) throw new Error('the operator has ended before the request was sent');
  return result;
}

/** Errors have the stack of the test below their own, which ends in this package. */
async function playDraft({ loadBase, ...plan }: Draft, frames: string): Promise<Played> {
  try {
    return await playTable({ ...plan, base: await loadBase() });
  } catch (error) {
    // Not an assignment, which throws for a frozen error.
    if (error instanceof Error) Reflect.set(error, 'stack', `${error.stack}\n${frames}`);
    throw error;
  }
}

/** Returns the first given or created object after the reconcile. */
function primaryOf({ given, changes }: Draft, { cluster }: Played): JsonObject | undefined {
  const created = changes.flatMap((change) =>
    typeof change !== 'function' && change.type === 'created' ? [change.target] : [],
  );
  const [first] = [...given.map(idOf), ...created];
  return first === undefined ? undefined : cluster.find(cluster.placed(first));
}
