/** The configuration: what operators may see and change of it, the same over HTTP and at the command line. */
export { listSources, type PullDeps, type SourceView, showSource, sourceKinds } from "../pull/index.ts";
export { alertPage, alertTargetPage, readAlertTarget } from "./alerts/read.ts";
export {
  type Alert,
  type AlertTarget,
  alertTargetChanges,
  newAlertTarget,
} from "./alerts/shape.ts";
export { testAlertTarget } from "./alerts/try-target.ts";
export { addAlertTarget, changeAlertTarget, removeAlertTarget } from "./alerts/write.ts";
export type { MessengerDeps } from "./channels/find-chat.ts";
export {
  disableChannel,
  disableGroup,
  enableChannel,
  enableGroup,
  pauseChannel,
} from "./channels/operate.ts";
export { channelPage, channelsCalled, readChannel } from "./channels/read.ts";
export { longestWaitSeconds, rotateChannel } from "./channels/rotate.ts";
export { type Channel, channelChanges, newChannel, type OperationReport } from "./channels/shape.ts";
export type { ChannelTest } from "./channels/test/shape.ts";
export { testChannel } from "./channels/test/test-channel.ts";
export { languages } from "./channels/test/words.ts";
export { addChannel, changeChannel, deleteChannel } from "./channels/write.ts";
export { credentialPage, type StoredCredential, setCredential } from "./credentials/credentials.ts";
export type { Credential } from "./credentials/shape.ts";
export { endpointsWithPublishedSecrets, type PublishedEndpoint } from "./endpoints/published.ts";
export { endpointPage } from "./endpoints/read.ts";
export { type Endpoint, endpointChanges, endpointSecret, newEndpoint } from "./endpoints/shape.ts";
export { addEndpoint, changeEndpoint, deleteEndpoint, rotateEndpoint } from "./endpoints/write.ts";
export { key as keySchema, platform as platformSchema } from "./fields.ts";
export { deleteLimit, limitPage, setLimit } from "./limits/limits.ts";
export { type Limit, limitChange } from "./limits/shape.ts";
export { monitorRoutes } from "./monitor/routes.ts";
export { readMonitorSettings, setMonitorSettings } from "./monitor/settings.ts";
export { type MonitorSettings, monitorSettingsChanges } from "./monitor/shape.ts";
export { adminRoutes } from "./routes.ts";
export { givenItems, takeItems } from "./sources/items.ts";
export { runSource, type SourceRun } from "./sources/run.ts";
export { newSource, sourceChanges } from "./sources/shape.ts";
export { addSource, changeSource, removeSource } from "./sources/write.ts";
export { readTemplate, templatePage, templateVersions } from "./templates/read.ts";
export { newVersion, type Template } from "./templates/shape.ts";
export { activateVersion, removeTemplate, saveTemplateVersion } from "./templates/write.ts";
