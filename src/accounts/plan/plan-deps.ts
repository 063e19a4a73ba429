import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { Governor } from "../work/governor-contract.ts";
import type { Chance } from "./modes.ts";

export interface PlanDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly governor: Governor;
  readonly chance?: Chance;
}
