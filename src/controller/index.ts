/** Controllers, manager, events and metrics for Kubernetes operators. */

export type { EventObject, EventToRecord, EventType } from './events/event.ts';
export type { EventRecorderOptions, EventRecorderStats, FlushOptions } from './events/recorder.ts';
export { EventRecorder } from './events/recorder.ts';
export type { CertificateFiles } from './health/certificate-files.ts';
export type { Endpoint, EndpointRequest, EndpointResponse } from './health/endpoint.ts';
export type { EndpointServerOptions } from './health/endpoint-server.ts';
export { EndpointServer, EndpointStartError } from './health/endpoint-server.ts';
export type { HealthCheck, HealthChecksOptions, HealthEndpointOptions } from './health/health-checks.ts';
export { HealthChecks, healthEndpoint } from './health/health-checks.ts';
export type { MetricsEndpointOptions } from './health/metrics-endpoint.ts';
export { metricsEndpoint } from './health/metrics-endpoint.ts';
export type { ScrapeAccessOptions } from './health/scrape-access.ts';
export { ScrapeAccess } from './health/scrape-access.ts';
export type { ConsoleMethods, Logger, LogMethod } from './log.ts';
export { consoleLogger } from './log.ts';
export type { ControllerMetrics, FinishedRun, ReconcileResult } from './metrics/controller-metrics.ts';
export type { InformerLabels, InformerMetrics, InformerState } from './metrics/informer-metrics.ts';
export type { ElectionMetrics, ManagerMetricsOptions } from './metrics/manager-metrics.ts';
export { ManagerMetrics } from './metrics/manager-metrics.ts';
export type { QueueMetrics, QueueState } from './metrics/queue-metrics.ts';
