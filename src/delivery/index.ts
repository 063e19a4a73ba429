export * from "./admin/index.ts";
export { bindCredential, type Credentials, createCredentials } from "./credentials.ts";
export * from "./deliveries/index.ts";
export { demo } from "./demo/names.ts";
export { type PlayReport, playDemo, type StageDeps } from "./demo/play/play.ts";
export { type SeedDeps, type SeedReport, seedDemo } from "./demo/seed.ts";
export { createDispatcher, type DispatcherDeps } from "./dispatch/dispatcher.ts";
export { type EventAction, eventActions } from "./events.ts";
export { prepareEventPartitions } from "./maintenance.ts";
export { createMediaSource } from "./media-source.ts";
export {
  type AlertTarget,
  addAlertTarget,
  listAlertTargets,
  type NewAlertTarget,
  newAlertTarget,
  removeAlertTarget,
} from "./monitor/alert-targets.ts";
export { type HealthSnapshot, healthSnapshot, healthSnapshotSchema } from "./monitor/health.ts";
export { exposeHealth } from "./monitor/health-metrics.ts";
export { createMonitor } from "./monitor/monitor.ts";
export { type MonitorDeps, type MonitorRun, runMonitor } from "./monitor/run-monitor.ts";
export { createMailer, type Mailer } from "./monitor/targets/email.ts";
export { createPayloadStore, type PayloadKind, type PayloadStore } from "./payloads/payload-store.ts";
export { payloadRoutes } from "./payloads/routes.ts";
export { createPuller, forgetPullReceipts, ingestItems, previewPull, pullNow } from "./pull/index.ts";
export { listWorkspaces, type WorkspaceName } from "./read/workspaces.ts";
export { runRetention } from "./retention/run-retention.ts";
export { deliveryRoutes } from "./routes.ts";
