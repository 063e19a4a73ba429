import { z } from "zod";
import { cut } from "../kernel/words/index.ts";
import { type CallDeps, call, type Patience, type Reply, twice } from "./call.ts";
import { limits } from "./limits.ts";

/** Stores the token of our account. It allows changes to every page, so it is a secret. */
export interface TokenKeeper {
  token(): Promise<string | undefined>;
  /**
   * Stores a new token, unless another process has stored one: returns the valid one. `instead` is a token that no longer
   * works and is replaced.
   */
  keep(token: string, instead?: string): Promise<string>;
}

export interface AccountDeps extends CallDeps {
  readonly keeper: TokenKeeper;
  /** The account's name at Telegraph; readers do not see it. */
  readonly shortName: string;
}

export interface OwnAccount {
  readonly token: string;
  /** Just created, so it has no pages. */
  readonly isNew: boolean;
}

const accountShape = z.object({ access_token: z.string().min(1) });

/** The account that creates pages; it is created with the first page. */
export async function ownAccount(deps: AccountDeps, patience: Patience): Promise<Reply<OwnAccount>> {
  const known = await deps.keeper.token();
  if (known !== undefined) return { kind: "ok", result: { token: known, isNew: false } };
  return newAccount(deps, patience);
}

/** Retried once: a second, unused account does no harm. */
export async function newAccount(
  deps: AccountDeps,
  patience: Patience,
  instead?: string,
): Promise<Reply<OwnAccount>> {
  const params = { short_name: cut(deps.shortName, limits.shortName) };
  const made = await twice(() => call(deps, "createAccount", params, accountShape, patience));
  if (made.kind !== "ok") return made;
  const mine = made.result.access_token;
  const token = await deps.keeper.keep(mine, instead);
  return { kind: "ok", result: { token, isNew: token === mine } };
}
