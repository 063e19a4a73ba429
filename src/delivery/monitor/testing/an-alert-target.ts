import type { z } from "zod";
import { systemClock } from "../../../kernel/clock/index.ts";
import type { Vault } from "../../../kernel/crypto/index.ts";
import type { Sql } from "../../../kernel/db/index.ts";
import { noVariables } from "../../../workspaces/testing/variables.ts";
import { newAlertTarget } from "../../admin/alerts/alert-shape.ts";
import { addAlertTarget } from "../../admin/alerts/change-alert-targets.ts";

export type GivenTarget = z.input<typeof newAlertTarget>;

/** Returns the target's id. */
export async function anAlertTarget(
  sql: Sql,
  vault: Vault,
  workspaceId: string,
  given: GivenTarget,
): Promise<string> {
  const deps = { sql, vault, variables: noVariables, clock: systemClock };
  const by = { operator: "test" };
  return (await addAlertTarget(deps, workspaceId, newAlertTarget.parse(given), by)).target_id;
}
