import { broadcast, broadcastReport, openBroadcast, stop } from "./broadcast.ts";
import { noticeSwitches, switchNotice } from "./notice-switches.ts";
import { costs, errors, monitoring, panel } from "./panel-screens.ts";
import { adjustment, card, lookup, openAdjust, openLookup } from "./person.ts";

export const adminFlows = [lookup, adjustment, broadcast] as const;
export const adminScreens = [
  ...[panel, monitoring, costs, errors, openLookup, card, openAdjust],
  ...[openBroadcast, broadcastReport, stop, noticeSwitches, switchNotice],
] as const;
