import type { FastifyInstance } from "fastify";
import type { Max } from "../twin.ts";
import { botControls } from "./bots.ts";
import { chatControls } from "./chats.ts";
import { optionControls } from "./options.ts";
import { peopleControls } from "./people.ts";

/** Actions of people and tests, below `/_control/max`. */
export async function controlRoutes(app: FastifyInstance, max: Max): Promise<void> {
  botControls(app, max);
  chatControls(app, max);
  peopleControls(app, max);
  optionControls(app, max);
}
