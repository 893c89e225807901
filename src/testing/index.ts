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
export type { FaultInjector, FaultOptions, LoggedRequest } from './http/faults.ts';
export type { CrdSource } from './server/crds.ts';
export { startTestServer, type TestServer, type TestServerOptions } from './server/testserver.ts';
