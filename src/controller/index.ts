/** Controllers, manager, events and metrics for Kubernetes operators. */

export type { EventObject, EventToRecord, EventType } from './events/event.ts';
export type { EventRecorderOptions, EventRecorderStats, FlushOptions } from './events/recorder.ts';
export { EventRecorder } from './events/recorder.ts';
export type { ConsoleMethods, Logger, LogMethod } from './log.ts';
export { consoleLogger } from './log.ts';
