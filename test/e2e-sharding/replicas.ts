/** Replicas of a ring, and the log of their events. */
import { join } from 'node:path';
import { unique } from '../support/cluster-tests.ts';
import { EventProcess } from '../support/event-process.ts';
import type { ReplicaArguments, ReplicaEvent } from './protocol.ts';

/** A write, and the process that printed it. */
export type LoggedWrite = Extract<ReplicaEvent, { type: 'write' }> & { readonly identity: string };

/** One process. */
export class Replica extends EventProcess<ReplicaEvent, ReplicaArguments> {
  readonly identity: string;

  constructor(folder: string, options: Omit<ReplicaArguments, 'identity'>) {
    const identity = unique('replica');
    super(join(folder, 'replica.js'), { ...options, identity });
    this.identity = identity;
  }

  get writes(): readonly LoggedWrite[] {
    return this.of('write').map((write) => ({ ...write, identity: this.identity }));
  }
}
