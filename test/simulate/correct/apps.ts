/** Common parts of the correct operators: each one has MyApps as its primary objects. */
import { anyChange, Controller, Manager, type ReconcileContext } from '@kgen/controller';
import { type ClusterConfig, InformerFactory, type RESTClient, resource, type Stored } from '@kgen/runtime';
import { setCondition } from '@kgen/runtime/objects';
import { type Operator, type SimulatedOptions, type SimulateOptions, samplesOf } from '@kgen/testing';
import { type MyApp, type MyAppStatus, myApps } from '../../../generated/crds/my.domain/v1/index.ts';

/** An operator without bugs. */
export interface CorrectOperator {
  readonly operator: Operator;
  /** Reason why it is correct. */
  readonly because: string;
  readonly options: SimulateOptions;
}

export type App = Stored<MyApp>;

/** Parts from which an operator builds its controller. */
export interface Parts {
  readonly rest: RESTClient;
  readonly informers: InformerFactory;
}

/** Functions of a controller of MyApps. */
export interface AppController {
  readonly owns: NonNullable<ConstructorParameters<typeof Controller<App>>[0]['owns']>;
  readonly reconcile: (app: App, context: ReconcileContext) => Promise<unknown>;
  readonly finalize?: (
    app: App,
    context: ReconcileContext,
  ) => Promise<{ requeueAfterMs: number } | undefined>;
  readonly watches?: ConstructorParameters<typeof Controller<App>>[0]['watches'];
}

export const options: SimulateOptions = { crds: ['crds/myapp.yaml'], samples: samplesOf(myApps) };

/** Returns an operator of MyApps. */
export function operatorOf(build: (parts: Parts) => AppController): Operator {
  return (config: ClusterConfig, simulated: SimulatedOptions): Manager => {
    const manager = new Manager(config, { name: 'correct', ...simulated });
    const informers = new InformerFactory(manager);
    const { reconcile, ...rest } = build({ rest: manager.rest, informers });
    const informer = informers.of(myApps);
    return manager.add(
      new Controller({
        name: 'apps',
        for: { informer, predicate: anyChange },
        ...rest,
        reconcile: async (app, context) => {
          if (app.metadata.deletionTimestamp === undefined) await reconcile(app, context);
        },
      }),
    );
  };
}

/** Updates the status of an app, unless it has the status. */
export async function writeStatus(rest: RESTClient, app: App, status: MyAppStatus): Promise<void> {
  if (JSON.stringify({ ...app.status, ...status }) === JSON.stringify(app.status)) return;
  const { namespace } = app.metadata;
  await resource(rest, myApps)
    .in(namespace)
    .updateStatus({ ...app, status: { ...app.status, ...status } });
}

/** Returns the conditions of an app with a message. */
export function withMessage(app: App, message: string, isReady = true): MyAppStatus {
  const condition = {
    type: 'Ready',
    status: isReady ? 'True' : 'False',
    reason: 'Reconciled',
    message,
  } as const;
  return { conditions: setCondition(app.status?.conditions, condition) };
}

export function labelsOf({ metadata: { name } }: App): Record<string, string> {
  return { 'app.kubernetes.io/instance': name };
}
