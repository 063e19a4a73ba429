/** The advisor's bot in Telegram: it shows, asks and carries; whatever it knows is the service's, behind HTTP. */
import { ask } from "./flows/ask.ts";
import { me } from "./flows/me.ts";
import { menu } from "./flows/menu.ts";
import { pet } from "./flows/pet.ts";
import { petEdit } from "./flows/pet-edit.ts";

export type { BotServices } from "./flows/services.ts";

export const advisorBotFlows = [menu, ask, pet, petEdit, me] as const;
