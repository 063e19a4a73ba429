/** What operators may read and change of the configuration, the same over HTTP and at the command line. */
export { listSources, type PullDeps, type SourceView, showSource, sourceKinds } from "../pull/index.ts";
export { adminRoutes } from "./admin-routes.ts";
export {
  type Alert,
  type AlertTarget,
  alertTargetChanges,
  newAlertTarget,
} from "./alerts/alert-shape.ts";
export { addAlertTarget, changeAlertTarget, removeAlertTarget } from "./alerts/change-alert-targets.ts";
export { alertPage, alertTargetPage, readAlertTarget } from "./alerts/read-alerts.ts";
export { testAlertTarget } from "./alerts/try-target.ts";
export { addChannel, changeChannel, deleteChannel } from "./channels/change-channels.ts";
export { type Channel, channelChanges, newChannel, type OperationReport } from "./channels/channel-shape.ts";
export type { MessengerDeps } from "./channels/find-chat.ts";
export {
  disableChannel,
  disableGroup,
  enableChannel,
  enableGroup,
  pauseChannel,
} from "./channels/operate-channels.ts";
export { channelPage, channelsCalled, readChannel } from "./channels/read-channels.ts";
export { longestWaitSeconds, rotateChannel } from "./channels/rotate-channel.ts";
export type { ChannelTest } from "./channels/test/channel-test-shape.ts";
export { languages } from "./channels/test/channel-test-words.ts";
export { testChannel } from "./channels/test/test-channel.ts";
export type { Credential } from "./credentials/credential-shape.ts";
export { credentialPage, type StoredCredential, setCredential } from "./credentials/credentials.ts";
export { type GivenCredential, secretOf } from "./credentials/given-secret.ts";
export { type ListedPlace, listPlaces } from "./credentials/places.ts";
export {
  addEndpoint,
  addSigning,
  changeEndpoint,
  deleteEndpoint,
  rotateEndpoint,
} from "./endpoints/change-endpoints.ts";
export {
  type Endpoint,
  type EndpointWithSecret,
  endpointChanges,
  endpointSecret,
  newEndpoint,
} from "./endpoints/endpoint-shape.ts";
export { endpointsWithPublishedSecrets, type PublishedEndpoint } from "./endpoints/published-endpoints.ts";
export { endpointPage } from "./endpoints/read-endpoints.ts";
export { key as keySchema, platform as platformSchema } from "./fields.ts";
export { type Limit, limitChange } from "./limits/limit-shape.ts";
export { deleteLimit, limitPage, setLimit } from "./limits/limits.ts";
export { monitorRoutes } from "./monitor/monitor-routes.ts";
export { readMonitorSettings, setMonitorSettings } from "./monitor/monitor-settings.ts";
export { type MonitorSettings, monitorSettingsChanges } from "./monitor/monitor-shape.ts";
export { addSource, changeSource, removeSource } from "./sources/change-sources.ts";
export { runSource, type SourceRun } from "./sources/run-source.ts";
export { newSource, sourceChanges } from "./sources/source-shape.ts";
export { givenItems, takeItems } from "./sources/take-items.ts";
export { activateVersion, removeTemplate, saveTemplateVersion } from "./templates/change-templates.ts";
export { readTemplate, templatePage, templateVersions } from "./templates/read-templates.ts";
export { newVersion, type Template } from "./templates/template-shape.ts";
