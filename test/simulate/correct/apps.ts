/** Common parts of the correct operators: each one has MyApps as its primary objects. */
import { type RESTClient, resource, type Stored } from '@kgen/runtime';
import { setCondition } from '@kgen/runtime/objects';
import { type Operator, type SimulateOptions, samplesOf } from '@kgen/testing';
import { type MyApp, type MyAppStatus, myApps } from '../../../generated/crds/my.domain/v1/index.ts';
import { type ControllerParts, operatorOf as genericOperatorOf, type Parts } from '../operator-of.ts';

/** An operator without bugs. */
export interface CorrectOperator {
  readonly operator: Operator;
  /** Reason why it is correct. */
  readonly because: string;
  readonly options: SimulateOptions;
}

export type App = Stored<MyApp>;

export const options: SimulateOptions = { crds: ['crds/myapp.yaml'], samples: samplesOf(myApps) };

/** Returns an operator of MyApps. */
export function operatorOf(build: (parts: Parts) => ControllerParts<MyApp>): Operator {
  return genericOperatorOf((informers) => informers.of(myApps), build);
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
