/** Controllers, manager, events and metrics for Kubernetes operators. */

export {};
