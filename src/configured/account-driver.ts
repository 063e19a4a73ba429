import { type AccountDriver, createTwinDriver, type TwinDriverDeps } from "../platforms/index.ts";

/** Who speaks with Telegram for people's own accounts. */
export function accountDriverOf(
  deps: Pick<TwinDriverDeps, "sql" | "vault" | "http">,
  twinsUrl: string | undefined,
): AccountDriver | undefined {
  return twinsUrl ? createTwinDriver({ ...deps, root: `${twinsUrl}/telegram-account` }) : undefined;
}
