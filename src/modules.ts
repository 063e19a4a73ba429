import { accounts } from "./accounts/index.ts";
import { advisor, advisorToken } from "./advisor/index.ts";
import { advisorbot } from "./advisorbot/index.ts";
import { delivery } from "./delivery/index.ts";
import { http } from "./http/index.ts";
import { llm } from "./llm/index.ts";
import type { Module } from "./module/index.ts";
import { shopbot } from "./shopbot/index.ts";
import { workspaces } from "./workspaces/index.ts";

/** Everything Molva consists of, each after what it stands on. */
export const modules: readonly Module[] = [
  http,
  workspaces,
  delivery,
  llm,
  shopbot,
  advisor,
  advisorbot(advisorToken),
  accounts,
];
