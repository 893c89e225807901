/** Processes of an election, and the log of their events. */
import { join } from 'node:path';
import { unique } from '../support/cluster-tests.ts';
import { EventProcess } from '../support/event-process.ts';
import type { MemberArguments, MemberCommand, MemberEvent } from './protocol.ts';

/** An event, and the process that printed it. */
export type LoggedEvent = MemberEvent & { readonly identity: string };

/** One process. */
export class Member extends EventProcess<MemberEvent, MemberArguments> {
  readonly identity: string;

  constructor(folder: string, options: Omit<MemberArguments, 'identity'>) {
    const identity = unique('member');
    super(join(folder, 'member.js'), { ...options, identity });
    this.identity = identity;
  }

  get logged(): readonly LoggedEvent[] {
    return this.events.map((event) => ({ ...event, identity: this.identity }));
  }

  command(command: MemberCommand): void {
    this.send(command);
  }
}
