import type { MediaFor } from "../../delivery/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { AccountDriver } from "../../platforms/index.ts";
import type { AccountRefDeps } from "../account-ref.ts";
import type { Chance } from "../plan/modes.ts";
import type { Governor } from "./governor-contract.ts";
import type { WorkTimes } from "./work-times.ts";

export interface WorkDeps extends AccountRefDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly driver: AccountDriver;
  readonly media: MediaFor;
  readonly governor: Governor;
  readonly chance?: Chance;
  readonly times?: Partial<WorkTimes>;
}
