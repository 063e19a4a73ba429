/** Keeps people's accounts from being banned: warm-up, a pace that heeds warnings, slow modes, repeated texts, a breaker. */
export { chooseForToday } from "./choose.ts";
export { createGovernor, type GovernorDeps, type PaceGovernor } from "./governor.ts";
export type { AccountPace, PaceWarning } from "./pace-of.ts";
export { holdReasons, paceReasons } from "./reasons.ts";
export {
  type PaceChanges,
  type PaceSettings,
  paceChangesShape,
  paceSettingsShape,
  type WorkspacePace,
  type WorkspacePaceChanges,
  workspacePaceChanges,
  workspacePaceShape,
} from "./settings.ts";
