export { bindCredential, type Credentials, createCredentials } from "./credentials.ts";
export { demo } from "./demo/names.ts";
export { type SeedDeps, type SeedReport, seedDemo } from "./demo/seed.ts";
export { createDispatcher, type DispatcherDeps } from "./dispatch/dispatcher.ts";
export { forgetReceipts, prepareEventPartitions } from "./maintenance.ts";
export { createMediaSource } from "./media-source.ts";
export { createLeaseMonitor, type LeaseMonitorDeps } from "./monitor/lease-monitor.ts";
export { listWorkspaces, type WorkspaceName } from "./read/workspaces.ts";
export { deliveryRoutes } from "./routes.ts";
