/** etcd and kube-apiserver are missing and cannot be built. The message contains the solution. */
export class ControlPlaneUnavailableError extends Error {
  override readonly name = 'ControlPlaneUnavailableError';
}

/**
 * A server of the control plane ended early or was not ready in time. The message ends with the last lines of
 * the servers' logs.
 */
export class ControlPlaneStartError extends Error {
  override readonly name = 'ControlPlaneStartError';
}
