/** Publishing from people's own Telegram accounts: paced, within daily limits, once each. */
export { type AccountRefDeps, accountRefOf } from "./account-ref.ts";
export type { Who } from "./admin/access.ts";
export {
  type Account,
  accountChanges,
  changeAccount,
  deleteAccount,
  listAccounts,
  readAccount,
} from "./admin/accounts.ts";
export {
  type AutopublishDeps,
  removeAutopublish,
  type SavedAutopublish,
  saveAutopublish,
} from "./admin/autopublish.ts";
export { adjustPace, readPace } from "./admin/pace.ts";
export { readRate } from "./admin/rate.ts";
export type { AccountRoutesDeps } from "./admin/routes/deps.ts";
export { changeSettings, settingsChanges } from "./admin/settings.ts";
export { resetStuck } from "./admin/stuck.ts";
export { sendTest } from "./admin/test-message.ts";
export { postDueObjects } from "./bots/post-due.ts";
export type { BotStreamDeps } from "./bots/post-object.ts";
export { botPublication, publishThroughBots } from "./bots/publish-by-hand.ts";
export {
  addBotChat,
  type Chat,
  changeChat,
  chatChanges,
  chatPage,
  linkChat,
  newBotChat,
  readChat,
  unlinkChat,
} from "./chats/chats.ts";
export { loadChats } from "./chats/load.ts";
export { deleteConfig, readConfig, type SavedConfig, saveConfig } from "./config/save-config.ts";
export { type Config, type ConfigChanges, configChanges, configSchema } from "./config/shape.ts";
export { demoClock, startDemoClock } from "./demo/clock.ts";
export { demoAccounts } from "./demo/names.ts";
export { seedAccounts } from "./demo/seed.ts";
export {
  type AccountPace,
  createGovernor,
  type PaceChanges,
  type PaceGovernor,
  paceChangesShape,
} from "./governor/index.ts";
export { accountIdColumns } from "./id-columns.ts";
export { createJoiner } from "./joins/joiner.ts";
export {
  addChatList,
  type ChatListSummary,
  changeChatList,
  chatListChanges,
  listChatLists,
  newChatList,
  readChatList,
  removeChatList,
} from "./joins/lists.ts";
export {
  beginJoining,
  type JoinSummary,
  type JoinTask,
  joinActions,
  joinPage,
  newJoin,
  readJoin,
  steerJoin,
} from "./joins/tasks.ts";
export {
  cancelLogin,
  changeProxy,
  enterCode,
  enterPassword,
  forgetOldLogins,
  importSession,
  type LoginDeps,
  type LoginView,
  loginRoutes,
  logOut,
  lookAtLogin,
  phone,
  proxyAddress,
  proxyOf,
  resendCode,
  shownProxyOf,
  startByPhone,
  startByQr,
} from "./login/index.ts";
export {
  type ManuallyPlanned,
  type ManualPublication,
  manualPublication,
  publishManually,
} from "./manual/publish-manually.ts";
export { accounts } from "./module.ts";
export { archiveObject } from "./objects/archive.ts";
export { addObject, changeObject, importObjects, objectPage, readObject } from "./objects/objects.ts";
export { importedObjects, newObject, objectChanges, type PublishedObject } from "./objects/shape.ts";
export { accountParts } from "./parts.ts";
export type { PlanDeps } from "./plan/deps.ts";
export { type Mode, modes } from "./plan/modes.ts";
export { type PlanReport, planDue } from "./plan/plan-due.ts";
export { type Cancellation, cancelTasks } from "./queue/cancel.ts";
export { type Reactivated, reactivate } from "./queue/reactivate.ts";
export { recoverStuck, type StuckReset, type StuckRule } from "./queue/recover.ts";
export {
  accountsCalled,
  type Called,
  chatListsCalled,
  chatsCalled,
  joinsCalled,
  objectsCalled,
} from "./read/called.ts";
export { historyPage, markDeleted, type Publication } from "./read/history.ts";
export { type Life, objectLife } from "./read/life.ts";
export { type Overview, overview, stuckTasks } from "./read/overview.ts";
export { readPhone } from "./read/phone.ts";
export { objectReadiness, type Readiness, systemReadiness } from "./read/readiness.ts";
export { type AccountStatus, accountStatuses, localTime } from "./read/status.ts";
export { type Task, taskPage, taskStatuses } from "./read/tasks.ts";
export { type Timeline, timeline } from "./read/timeline.ts";
export { isReason, type Reason, reasons, wordsOf } from "./reasons/reasons.ts";
export { accountsRoutes } from "./routes.ts";
export { createSessionStore } from "./sessions/session-store.ts";
export {
  changeSetting,
  readSettings,
  type SettingKey,
  type Settings,
  settingShapes,
} from "./settings/settings.ts";
export { forgetOldPublications } from "./upkeep.ts";
export { createUseAccount, type UseAccount } from "./use-account.ts";
export type { WorkDeps } from "./work/deps.ts";
export { type AccountKey, type Governor, noGovernor } from "./work/governor.ts";
export { type WorkTimes, workTimes } from "./work/times.ts";
export { type AccountWorker, createAccountWorker } from "./work/worker.ts";
