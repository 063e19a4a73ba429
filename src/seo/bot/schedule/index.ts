import { crossChosen, crossScreen } from "./cross-screen.ts";
import { planScreen } from "./plan-screen.ts";
import { scheduleChosen, scheduleScreen } from "./schedule-screen.ts";
import { scheduleSetup } from "./schedule-setup.ts";
import {
  categoryScheduler,
  categorySchedulerPage,
  projectScheduler,
  projectSchedulerPage,
} from "./scheduler-screens.ts";

export { scheduleOffer } from "./schedule-offer.ts";

export const scheduleFlows = [scheduleSetup] as const;
export const scheduleScreens = [
  ...[projectScheduler, projectSchedulerPage, categoryScheduler, categorySchedulerPage],
  ...[scheduleScreen, scheduleChosen, planScreen, crossScreen, crossChosen],
] as const;
