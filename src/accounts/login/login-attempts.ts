import { z } from "zod";
import { rowOf } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { uuidv7 } from "../../kernel/ids/index.ts";
import type { AccountRef, DeviceParameters } from "../../platforms/index.ts";
import { foundOwn, type Who } from "../admin/access.ts";
import { maskedPhone } from "../read/account-phone.ts";
import { proxyOf } from "./account-proxies.ts";
import type { LoginDeps } from "./login-deps.ts";
import { loginProblem } from "./login-problems.ts";

export const openSteps = ["code", "password", "qr"] as const;
export const steps = [...openSteps, "done", "cancelled"] as const;
export type Step = (typeof steps)[number];

/** A row of accounts.login_attempts. */
export interface Attempt {
  readonly id: string;
  readonly account_id: string;
  readonly owner: string;
  readonly method: "phone" | "qr";
  readonly phone: string | null;
  readonly step: Step;
  readonly code_hash: string | null;
  readonly sent_to: string | null;
  readonly hint: string | null;
  readonly device: DeviceParameters;
  readonly expires_at: Date;
}

/** Time a person has for each step. Telegram's codes expire after some minutes. */
const stepMinutes = { code: 15, password: 15, qr: 10 } as const satisfies Record<
  (typeof openSteps)[number],
  number
>;

export const loginSchema = z.object({
  id: z.uuid().nullable().describe("Id for the next steps; null when no step is left"),
  step: z.enum(steps).describe("The next step: enter `code` or `password`, scan `qr`; `done`: signed in"),
  phone: z.string().nullable(),
  account_id: z.uuid().nullable().describe("The account, once it is signed in"),
  already_connected: z.boolean().describe("It already was signed in"),
  sent_to: z
    .enum(["app", "sms", "call", "email", "other"])
    .nullable()
    .describe("Where the code was sent; `app` is Telegram on another device"),
  hint: z.string().nullable().describe("The password hint its owner has set"),
  qr: z
    .object({ url: z.string(), expires_at: z.date() })
    .nullable()
    .describe("Show as a QR code and scan it with Telegram on a phone: Settings, Devices"),
  expires_at: z.date().nullable().describe("Deadline of the next step"),
});
export type LoginView = z.output<typeof loginSchema>;

export function viewOf(attempt: Attempt, more: Partial<LoginView> = {}): LoginView {
  const sentTo = loginSchema.shape.sent_to.catch(null).parse(attempt.sent_to);
  return {
    id: attempt.id,
    step: attempt.step,
    phone: maskedPhone(attempt.phone),
    account_id: attempt.step === "done" ? attempt.account_id : null,
    already_connected: false,
    sent_to: attempt.step === "code" ? sentTo : null,
    hint: attempt.step === "password" ? attempt.hint : null,
    qr: null,
    expires_at: attempt.step === "done" || attempt.step === "cancelled" ? null : attempt.expires_at,
    ...more,
  };
}

/** The answer when the account is signed in without further steps. */
export function connectedView(accountId: string, phone: string | null, already = true): LoginView {
  return {
    ...{
      id: null,
      step: "done",
      phone: maskedPhone(phone),
      account_id: accountId,
      already_connected: already,
    },
    ...{ sent_to: null, hint: null, qr: null, expires_at: null },
  };
}

/** The vault's context for the code hash of an attempt. */
export function placeOfCode(workspaceId: string, attemptId: string): string {
  return rowOf("accounts.login_attempts", workspaceId, attemptId);
}

type NewAttempt = Pick<Attempt, "account_id" | "owner" | "method" | "phone" | "device"> &
  Partial<Pick<Attempt, "sent_to" | "hint">> & { step: (typeof openSteps)[number]; codeHash?: string };

/** Starts an attempt and cancels an open one for the same account. */
export async function addAttempt(
  { sql, vault, clock }: LoginDeps,
  workspaceId: string,
  { codeHash, ...given }: NewAttempt,
): Promise<Attempt> {
  const now = clock.now();
  const id = uuidv7({ now: () => now });
  return sql.begin(async (tx) => {
    await tx`
      update accounts.login_attempts set step = 'cancelled', code_hash = null, updated_at = ${now}
      where workspace_id = ${workspaceId} and account_id = ${given.account_id} and step in ${tx(openSteps)}`;
    const [row] = await tx<[Attempt]>`
      insert into accounts.login_attempts ${tx({
        workspace_id: workspaceId,
        id,
        ...given,
        device: tx.json({ ...given.device }),
        code_hash: codeHash === undefined ? null : vault.encrypt(codeHash, placeOfCode(workspaceId, id)),
        created_at: now,
        updated_at: now,
        expires_at: expiryOf(given.step, now),
      })} returning *`;
    return row;
  });
}

/** Moves the attempt to another step; undefined if it has moved on meanwhile. */
export async function moveAttempt(
  { sql, clock, vault }: LoginDeps,
  workspaceId: string,
  { id, step }: Pick<Attempt, "id" | "step">,
  to: { step: Step; sent_to?: string; hint?: string | null; codeHash?: string; account_id?: string },
): Promise<Attempt | undefined> {
  const now = clock.now();
  const { codeHash, ...fields } = to;
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const hash =
    codeHash === undefined ? {} : { code_hash: vault.encrypt(codeHash, placeOfCode(workspaceId, id)) };
  const ended = to.step === "done" || to.step === "cancelled" ? { code_hash: null } : hash;
  const [row] = await sql<Attempt[]>`
    update accounts.login_attempts
    set ${sql({ ...given, ...ended, updated_at: now, expires_at: expiryOf(to.step, now) })}
    where workspace_id = ${workspaceId} and id = ${id} and step = ${step} returning *`;
  return row;
}

export async function noteWrongTry({ sql }: LoginDeps, workspaceId: string, id: string): Promise<void> {
  await sql`
    update accounts.login_attempts set tries = tries + 1 where workspace_id = ${workspaceId} and id = ${id}`;
}

/** Reads an attempt in any state that the caller may see. */
export async function readAttempt(sql: Sql, workspaceId: string, id: string, who: Who): Promise<Attempt> {
  const [row] = await sql<Attempt[]>`
    select * from accounts.login_attempts where workspace_id = ${workspaceId} and id = ${id}`;
  return foundOwn(who, row, "sign-in", id);
}

/** Reads an attempt that waits for one of these steps, or throws. */
export async function attemptAt(
  { sql, clock }: LoginDeps,
  workspaceId: string,
  id: string,
  awaited: readonly Step[],
  who: Who,
): Promise<Attempt> {
  const attempt = await readAttempt(sql, workspaceId, id, who);
  if (attempt.step === "done" || attempt.step === "cancelled" || attempt.expires_at <= clock.now())
    throw loginProblem("login_expired");
  if (!awaited.includes(attempt.step))
    throw loginProblem("login_other_step", { detail: `The attempt waits for: ${attempt.step}.` });
  return attempt;
}

export async function refOf(
  deps: LoginDeps,
  workspaceId: string,
  { account_id, device }: Pick<Attempt, "account_id" | "device">,
): Promise<AccountRef> {
  const proxy = await proxyOf(deps, { workspaceId, accountId: account_id });
  return { workspaceId, accountId: account_id, device, ...(proxy !== undefined && { proxy }) };
}

function expiryOf(step: Step, now: Date): Date {
  const minutes = step === "done" || step === "cancelled" ? 0 : stepMinutes[step];
  return new Date(now.getTime() + minutes * 60_000);
}
