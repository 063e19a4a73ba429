/** Publishing from people's own Telegram accounts: paced, within daily limits, once each. */
export { type AccountRefDeps, accountRefOf } from "./account-ref.ts";
export { deleteConfig, readConfig, type SavedConfig, saveConfig } from "./config/save-config.ts";
export { type Config, type ConfigChanges, configChanges, configSchema } from "./config/shape.ts";
export {
  type AccountPace,
  createGovernor,
  type PaceChanges,
  type PaceGovernor,
  paceChangesShape,
} from "./governor/index.ts";
export {
  type ManuallyPlanned,
  type ManualPublication,
  manualPublication,
  publishManually,
} from "./manual/publish-manually.ts";
export type { PlanDeps } from "./plan/deps.ts";
export { type Mode, modes } from "./plan/modes.ts";
export { type PlanReport, planDue } from "./plan/plan-due.ts";
export { type Cancellation, cancelTasks } from "./queue/cancel.ts";
export { type Reactivated, reactivate } from "./queue/reactivate.ts";
export { recoverStuck, type StuckReset, type StuckRule } from "./queue/recover.ts";
export { isReason, type Reason, reasons, wordsOf } from "./reasons/reasons.ts";
export {
  changeSetting,
  readSettings,
  type SettingKey,
  type Settings,
  settingShapes,
} from "./settings/settings.ts";
export { forgetOldPublications } from "./upkeep.ts";
export type { WorkDeps } from "./work/deps.ts";
export { type AccountKey, type Governor, noGovernor } from "./work/governor.ts";
export { type WorkTimes, workTimes } from "./work/times.ts";
export { type AccountWorker, createAccountWorker } from "./work/worker.ts";
