/** Neither etcd and kube-apiserver nor the means to build them are there. The message says what to do about it. */
export class ControlPlaneUnavailableError extends Error {
  override readonly name = 'ControlPlaneUnavailableError';
}

/** A server of the control plane ended early or was not ready in time. The message ends with what the servers logged last. */
export class ControlPlaneStartError extends Error {
  override readonly name = 'ControlPlaneStartError';
}
