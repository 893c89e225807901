export {
  type ControlPlane,
  type ControlPlaneAvailability,
  type ControlPlaneOptions,
  ControlPlaneStartError,
  ControlPlaneUnavailableError,
  controlPlaneAvailability,
  kubeconfigOf,
  startControlPlane,
} from './controlplane/controlplane.ts';
export type { FaultOptions, FaultInjector, LoggedRequest } from './http/faults.ts';
export type { CrdSource } from './server/crds.ts';
export { startTestServer, type TestServer, type TestServerOptions } from './server/testserver.ts';
