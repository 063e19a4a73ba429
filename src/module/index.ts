/** The manifest of a module: everything it adds to Molva. To add a product, add a folder and a line in `src/modules.ts`. */
import type { Flow, Route, TelegramBot } from "../dialogs/index.ts";
import type { RouteModule } from "../http/index.ts";
import type { NamedFiles } from "../kernel/backup/index.ts";
import type { SettingGroup } from "../kernel/config/index.ts";
import type { CronEntry, RunnableTask } from "../kernel/jobs/index.ts";
import type { MetricSpec } from "../kernel/metrics/index.ts";
import type { SealedStore } from "../kernel/sealed/index.ts";
import type { Service } from "../kernel/service/index.ts";
import type { AddCommand } from "../terminal/index.ts";
import type { Core, PlanSource } from "../workspaces/index.ts";

/** The roles of a process; by default one process has all of them. */
export const roles = ["api", "dispatcher", "monitor", "jobs", "bots", "accounts"] as const;
export type Role = (typeof roles)[number];

export interface Module {
  readonly name: string;
  readonly commands?: readonly AddCommand[];
  /** Read from the environment with the common settings; the module gets its own by `settingsOf`. */
  readonly settings?: SettingGroup | readonly SettingGroup[];
  /** Its Prometheus metrics; `/metrics` and docs/reference/metrics.md list them all. */
  readonly metrics?: readonly MetricSpec[];
  /** What it stores encrypted, for `molva secrets rotate` and `molva doctor`. */
  readonly sealed?: readonly SealedStore[];
  /** Files that its rows name and cannot do without, so that `molva backup` reports those that are missing. */
  readonly files?: readonly NamedFiles[];
  /** The conversations of its bots, for `molva flows`; printing them calls no handler. */
  readonly flows?: readonly Flow<never>[];
  /** The screens of its bots, for the same command. */
  readonly screens?: readonly Route<never>[];
  /** What it will publish at known times, for `molva plan`. */
  readonly planned?: PlanSource;
  /** Creates what runs in a server from the shared dependencies. */
  wire(core: Core): Wiring;
}

/** Whether filling the demo also begins work that its jobs do, such as an article. */
export type SeedBegins = "work" | "nothing";

export interface Wiring {
  /** With the codes of their problems. */
  readonly routes?: readonly RouteModule[];
  /** What runs in the background of a process with the role; `always` in every process. */
  readonly services?: Partial<Record<Exclude<Role, "api"> | "always", () => readonly Service[]>>;
  /** The same for services that need the server to listen already. */
  readonly afterServer?: Partial<Record<Exclude<Role, "api">, () => readonly Service[]>>;
  /** Bots that lead people through flows. */
  readonly bots?: readonly TelegramBot[];
  readonly cron?: readonly CronEntry[];
  /** Long work that is enqueued by `enqueue`; tasks of cron entries need not be repeated here. */
  readonly tasks?: readonly RunnableTask[];
  /** Fills the demo's workspace, in the order of the modules; keeps what exists. Returns lines for a person to read. */
  seed?(roles: readonly Role[], begins: SeedBegins): Promise<readonly string[]>;
  /** Closes resources after the services have stopped. */
  close?(): Promise<void>;
}
