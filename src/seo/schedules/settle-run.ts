/** Follows the runs that schedules began: each change of theirs changes its slot, in the same transaction. */
import type { Transaction } from "../../kernel/db/index.ts";
import type { TellOfRun } from "../runs/create-runs.ts";
import type { RunStatus } from "../runs/run-row.ts";
import type { Said } from "../said.ts";
import { lockUnended, slotOfKey, waitForDelivery } from "./autopublications.ts";
import { concludeCross } from "./conclude-cross.ts";
import { type ConcludeDeps, concludeLead, concludeWithout } from "./conclude-slot.ts";
import { endOfCode } from "./ends.ts";

interface EndedRun {
  readonly status: RunStatus;
  readonly origin: "person" | "schedule";
  readonly request_key: string | null;
  readonly error: { readonly code: string; readonly message: Said } | null;
}

/** For runs of schedules; all others go to `otherwise`. */
export function followRuns(deps: ConcludeDeps, otherwise: TellOfRun): TellOfRun {
  return async (tx, key) => {
    const [run] = await tx<EndedRun[]>`
      select r.status, r.origin, r.request_key, r.error from seo.runs r
      where r.workspace_id = ${key.workspaceId} and r.id = ${key.runId}`;
    if (run?.origin !== "schedule") return otherwise(tx, key);
    await follow(deps, tx, key.workspaceId, run);
  };
}

async function follow(deps: ConcludeDeps, tx: Transaction, workspaceId: string, run: EndedRun) {
  const found = slotOfKey(workspaceId, run.request_key ?? "");
  const slot = found && (await lockUnended(tx, found.slot));
  // Gone with its project, or an attempt that was given up.
  if (!found || !slot || slot.attempt !== found.attempt) return;
  if (found.isCross) return concludeCross(deps, tx, slot);
  if (slot.phase === "cross") return;
  switch (run.status) {
    case "publishing":
      return waitForDelivery(tx, slot);
    case "done":
      return concludeLead(deps, tx, slot);
    case "failed": {
      const { code, message: said } = run.error ?? { code: "internal", message: undefined };
      return concludeWithout(deps, tx, slot, endOfCode(code), { said, isReturned: true });
    }
    case "cancelled":
    case "expired":
      return concludeWithout(deps, tx, slot, "stopped");
    default:
      return;
  }
}
