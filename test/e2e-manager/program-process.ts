/** Processes with a manager, and the log of their events. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { EventProcess } from '../support/event-process.ts';
import type { ProgramArguments, ProgramEvent } from './protocol.ts';

/** One process, which ends with its test. */
export class ProgramProcess extends EventProcess<ProgramEvent, ProgramArguments> {
  constructor(folder: string, args: ProgramArguments) {
    super(join(folder, 'program.js'), args);
    onTestFinished(() => this.kill());
  }
}
