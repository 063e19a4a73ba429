/** What a module brings to Molva, stated in one place. Adding a product is a folder and a line in `src/modules.ts`. */
import type { Command } from "commander";
import type { Flow, TelegramBot } from "../dialogs/index.ts";
import type { RouteModule } from "../http/index.ts";
import type { CronEntry, RunnableTask } from "../kernel/jobs/index.ts";
import type { Service } from "../kernel/service/index.ts";
import type { Core } from "../workspaces/index.ts";
import type { Terminal } from "./terminal.ts";

export type { Terminal } from "./terminal.ts";

/** The parts a process can play; one process plays all of them unless told otherwise. */
export const roles = ["api", "dispatcher", "monitor", "jobs", "bots", "accounts"] as const;
export type Role = (typeof roles)[number];

/** One command: it adds itself to the program. */
export type AddCommand = (program: Command, terminal: Terminal) => void;

export interface Module {
  readonly name: string;
  readonly commands?: readonly AddCommand[];
  /** The conversations of its bots, for `molva flows`; printing them calls no handler. */
  readonly flows?: readonly Flow<never>[];
  /** What it brings to a server, made from what all modules share. */
  wire(core: Core): Wiring;
}

export interface Wiring {
  /** Each brings the codes of its problems, too. */
  readonly routes?: readonly RouteModule[];
  /** What runs in the background of a process that plays the role; `always` in every process. */
  readonly services?: Partial<Record<Exclude<Role, "api"> | "always", () => readonly Service[]>>;
  /** The same for what has to find the server listening. */
  readonly afterServer?: Partial<Record<Exclude<Role, "api">, () => readonly Service[]>>;
  /** Bots that lead people through flows. */
  readonly bots?: readonly TelegramBot[];
  readonly cron?: readonly CronEntry[];
  /** Long work that is enqueued by `enqueue`; tasks of cron entries need not be repeated here. */
  readonly tasks?: readonly RunnableTask[];
  /** Fills the demo's workspace, in the order of the modules; what is there stays. Answers lines that a person should read. */
  seed?(roles: readonly Role[]): Promise<readonly string[]>;
  /** Ends what was opened, after the services have stopped. */
  close?(): Promise<void>;
}
