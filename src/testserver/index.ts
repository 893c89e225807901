export type {
  ForbiddenRequest,
  PermissionReport,
  PermissionRule,
  PermissionTarget,
  UnusedRule,
} from './access/permissions.ts';
export type {
  AdmissionDecision,
  AdmissionRequest,
  TestWebhook,
  WebhookRule,
} from './admission/hooks.ts';
export type {
  AttachHandler,
  AttachRequest,
  ExecHandler,
  ExecRequest,
  ExecResult,
  LogHandler,
  LogLine,
  LogRequest,
  PortForwardHandler,
  PortForwardRequest,
} from './call/stream-handlers.ts';
export type { ControllerName } from './controllers/controller.ts';
export type {
  ActionHandler,
  ContainerAction,
  ContainerExit,
  ContainerFile,
  ContainerProgram,
  ProgramContainer,
} from './controllers/kubelet/programs.ts';
export type { PodMatch, PodRule } from './controllers/kubelet/rules.ts';
export type { BuiltInControllers } from './controllers/start.ts';
export type { FaultInjector, FaultOptions } from './http/faults.ts';
export type { LoggedRequest, RequestLog, RequestMatch, RequestProperties } from './http/request-log.ts';
export { kubeconfigOf } from './http/tls/kubeconfig.ts';
export type { WatchHold } from './http/watches.ts';
export type { AccountSource } from './server/account.ts';
export type { CrdSource } from './server/crds.ts';
export type { NodeTaint, TestNode } from './server/nodes.ts';
export { parseSnapshot, type ServerSnapshot, serializeSnapshot } from './server/snapshot.ts';
export type { ObjectSource } from './server/sources.ts';
export {
  type PodControl,
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from './server/testserver.ts';
export type { TestUser } from './server/users.ts';
export type { ServerTime } from './server/virtual-time.ts';
export type { WebhookServices } from './webhooks/client.ts';
