/** The contract of one kind of fault: everything that a simulation knows about it. */
import type { LoggedRequest } from '@kgen/testserver/internal/http/request-log';
import type { Change, StoreContent } from '@kgen/testserver/internal/store/store';
import type { SimulatedCluster } from '../cluster.ts';
import type { SimulatedWrite } from '../coverage.ts';
import type { SimulatedProcess } from '../process/process.ts';
import type { WriteGate } from '../process/sent-request.ts';
import type { Action, FaultClass, SingleFault } from '../schedule/actions.ts';
import type { Dice } from '../schedule/dice.ts';
import type { ScheduleScope } from '../schedule/schedule.ts';
import type { ForeignEdits } from './foreign-edits.ts';
import type { SentFields } from './sent-fields.ts';

/** A kind of fault with the actions `A`: a file with such a value, and its rows in `schedule/actions.ts`. */
export interface Fault<A extends Action> {
  /** The classes with which the report of coverage counts it at a write. */
  readonly classes: readonly FaultClass[];
  /** The single faults that can be left out. */
  readonly singles: readonly SingleFault[];
  /** Returns the single fault of an action. Required if there are some. */
  readonly singleOf?: (action: A) => SingleFault;
  /** The property of an operator without which the classes do not occur. Default: none. */
  readonly needs?: 'watch' | 'election' | 'controllers';
  /** Draws an action at random; `undefined` if none fits to the operator. */
  readonly plan: (draw: Draw) => A | undefined;
  /** Returns the actions that lead to one of `classes` at a write. Required if there are classes. */
  readonly target?: (place: SteeringPlace) => TargetedActions;
  /** Returns an action as a line of a story. */
  readonly text: (action: A) => string;
  /** Simplifications of an action, which return `undefined` if they do not apply. Default: none. */
  readonly simpler?: readonly ((action: A) => A | undefined)[];
  /** Begins a run, which has state of its own. */
  readonly begin: (run: DisturbedRun) => FaultEffect<A>;
}

/** Source of a random action. */
export interface Draw {
  readonly dice: Dice;
  readonly scope: ScheduleScope;
  readonly replicas: number;
}

/** A fault at one of the requests of a write. */
export interface SteeringPlace {
  readonly write: SimulatedWrite;
  readonly fault: FaultClass;
  /** Number of the seeds before with the same write and fault. */
  readonly round: number;
  /** Number of the request; usually an operator sends a write once for each object and change. */
  readonly nth: number;
  readonly replica: number;
  /** A resource that the operator watches; empty without one. */
  readonly watched: string;
  /** Writes of other controllers. */
  readonly others: readonly SimulatedWrite[];
}

/** Actions around an action of a user, to which the operator reacts with the write. */
export interface TargetedActions {
  /** A write to which the action of a user leads that follows soon. Default: any action follows. */
  readonly next?: SimulatedWrite;
  readonly before: readonly Action[];
  readonly after: readonly Action[];
}

/** A fault in one run. */
export interface FaultEffect<A extends Action> extends Partial<WriteGate> {
  /** Performs an action. Returns its result for the history; empty if there is none. */
  readonly perform: (action: A) => string | Promise<string>;
  /** Returns the classes that a process meets now, whatever it writes. Default: none. */
  readonly facing?: (replica: string) => readonly FaultClass[];
  /** Called for each change of an object. */
  readonly changed?: (change: Change) => void;
  /** Returns the revision that a list of a process returns; `undefined` for the latest one. */
  readonly listed?: (replica: string, resource: string) => number | undefined;
  /** Ends the actions that are still in effect. The caller removes the faults in `cluster.faults`. */
  readonly end?: () => void;
}

/** The run that faults disturb. */
export interface DisturbedRun {
  readonly cluster: SimulatedCluster;
  /** Returns the process that runs as a replica. */
  readonly processOf: (replica: number) => SimulatedProcess | undefined;
  /** Sets how long a replica stays down after its next end. */
  readonly setDownMs: (replica: number, ms: number) => void;
  /** Returns the process whose request the server is receiving. */
  readonly sender: () => string;
  /** Whether a line of the operator sends this request; with `undefined`, any line. */
  readonly isFrom: (request: LoggedRequest, site: string | undefined) => boolean;
  /** Called for a request that fails on purpose. */
  readonly onMet: (request: LoggedRequest, fault: FaultClass) => void;
  /** Objects that existed before the run. */
  readonly base: StoreContent;
  /** Storage keys of the resources that the operator has written so far. */
  readonly written: ReadonlySet<string>;
  readonly sampleResources: ReadonlySet<string>;
  /** Fields that the operator has sent. */
  readonly sent: Pick<SentFields, 'of'>;
  /** Fields that depend on chance, as `resource: path`. */
  readonly random: ReadonlySet<string>;
  /** Changes of another client to the operator's objects. */
  readonly edits: ForeignEdits;
}
