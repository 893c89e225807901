/** Projects as earlier versions of kgen have written them. A release adds a row. */
import type { ProjectRecord } from '../../../src/kgen/project/record.ts';
import { earlierRecord } from './earlier.ts';

/** A project of an earlier version. */
export interface ReleasedProject {
  readonly version: string;
  /** Its record, `.kgen/project.json`, which has the texts of its files. */
  readonly record: ProjectRecord;
}

/** All versions, oldest first. */
export const releasedProjects: readonly ReleasedProject[] = [
  { version: '0.0.1', record: earlierRecord('0.0.1') },
];
