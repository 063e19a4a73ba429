import { advisorBotFlows } from "../advisorbot/index.ts";
import type { Flow } from "../dialogs/index.ts";

/** Every bot's flows, for `molva flows`; printing a graph calls none of their handlers. */
export const registeredFlows: readonly Flow<never>[] = advisorBotFlows;
