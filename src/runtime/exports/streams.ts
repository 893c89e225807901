/** Streams of pods: types of `exec`, `attach`, port-forwarding and logs, and functions around them. */

export type {
  Attach,
  AttachOptions,
  Exec,
  ExecOptions,
  ExecSession,
  ExecText,
  ExecTextOptions,
  ProcessExit,
  SessionOptions,
  Terminal,
  TerminalSize,
  WebStreams,
} from '../api/verbs/exec.ts';
export type {
  ConnectionOptions,
  ForwardedPort,
  PortForward,
  PortForwarding,
  PortForwardOptions,
  PortForwardTarget,
} from '../api/verbs/port-forward.ts';
export { type CopyFromOptions, copyFrom } from '../client/streams/copy/copy-from.ts';
export { type CopiedTo, type CopyToOptions, copyTo } from '../client/streams/copy/copy-to.ts';
export type { Extracted } from '../client/streams/copy/extract.ts';
export type { CopyOptions, CopyPods } from '../client/streams/copy/tar-program.ts';
export type {
  LogEntry,
  LogPod,
  LogPods,
  LogRequestOptions,
  LogSelection,
  StreamLogsOptions,
} from '../client/streams/logs/logs.ts';
export { formatLogEntry, streamLogs } from '../client/streams/logs/logs.ts';
