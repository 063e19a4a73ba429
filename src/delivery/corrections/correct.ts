import { z } from "zod";
import { problem } from "../../http/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { HttpClient } from "../../kernel/outbound/index.ts";
import {
  type CheckContext,
  type Compiled,
  type CorrectionRefusal,
  type Platforms,
  restored,
  sameJson,
  storedForm,
} from "../../platforms/index.ts";
import type { Credentials } from "../../workspaces/index.ts";
import { inOneChange } from "../admin/change.ts";
import type { Act } from "../deliveries/operations.ts";
import { contentErrors, type payload } from "../ingest/body.ts";
import { channelOf, compileFor, type Rendering } from "../ingest/compile-for-channel.ts";
import { parsePostErrors } from "../ingest/post-errors.ts";
import { namedChannelSchema } from "../read/channel-name.ts";
import { postedFrom } from "./posted.ts";
import { editRefusal, removeRefusal } from "./refusals.ts";
import { type Scope, type Target, targetsOf } from "./targets.ts";

export interface CorrectDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly platforms: Platforms;
  readonly credentials: Pick<Credentials, "ofPlatform">;
  /** The HTTP client for providers. */
  readonly providers: HttpClient;
}

/** What happens to a delivery when its post is corrected or taken back. */
export const correctionActions = {
  edit: "its text is replaced where it stands",
  remove: "it is taken back",
  after_sending: "it is being sent this moment, and is corrected afterwards",
  replaced: "it has not been sent yet: it goes out in the new words",
  cancelled: "it has not been sent yet: it is called off",
  none: "nothing is to be done",
  refused: "it cannot be done",
} as const;

const actions = z.enum(["edit", "remove", "after_sending", "replaced", "cancelled", "none", "refused"]);

export const correctedSchema = z.object({
  dry_run: z.boolean(),
  changed: z.int().describe("Channels in which something is done"),
  refused: z.int().describe("Channels in which it cannot be done"),
  items: z.array(
    z.object({
      delivery_id: z.string(),
      correction_id: z.string().nullable().describe("By which its progress is followed"),
      channel: namedChannelSchema,
      action: actions,
      code: z.string().nullable(),
      detail: z.string().nullable().describe("Why, when nothing is done"),
      losses: z.array(z.string()).describe("What of the new post the channel cannot show"),
    }),
  ),
});
export type Corrected = z.infer<typeof correctedSchema>;

type Payload = z.infer<typeof payload>;

/** Replaces the content of a post in every channel of the scope. A dry run returns the same and changes nothing. */
export async function correct(
  deps: CorrectDeps,
  workspaceId: string,
  scope: Scope,
  post: Payload,
  act: Act,
): Promise<Corrected> {
  const errors = contentErrors({ payload: post });
  if (errors[0]) throw problem("invalid_request", { detail: errors[0].detail, errors });
  const normal = await normalised(deps.sql, post);
  const targets = await targetsOf(deps.sql, workspaceId, scope);
  const renderings = new Map<string, Rendering>();
  const account = accountRefusals(workspaceId, deps);
  const items = await inTurns(targets, async (target): Promise<Item> => {
    const known = renderings.get(target.profile_key);
    const rendering = known ?? compileFor(normal, target, deps.platforms);
    renderings.set(target.profile_key, rendering);
    const item = editOf(target, rendering, deps);
    if (item.error || item.unchanged || target.status !== "sent") return item;
    const error = await account(target);
    return error ? { ...item, error } : item;
  });
  return change(deps, workspaceId, { kind: "edit", payload: normal, targets, items }, act);
}

/** Takes a post back. */
export async function withdraw(
  deps: CorrectDeps,
  workspaceId: string,
  scope: Scope,
  act: Act,
): Promise<Corrected> {
  const targets = await targetsOf(deps.sql, workspaceId, scope);
  const account = accountRefusals(workspaceId, deps);
  const items = await inTurns(targets, async (target): Promise<Item> => {
    const { delivery_id, status } = target;
    if (status !== "sent") return { delivery_id };
    const error = (await removalRefusal(target, workspaceId, deps)) ?? (await account(target));
    return { delivery_id, ...(error && { error }) };
  });
  return change(deps, workspaceId, { kind: "remove", payload: null, targets, items }, act);
}

/** The input of `delivery.enqueue_corrections` for each delivery. */
interface Item {
  readonly delivery_id: string;
  readonly text?: string;
  readonly meta?: unknown;
  readonly template_version?: string;
  readonly unchanged?: boolean;
  readonly error?: CorrectionRefusal;
}

async function normalised(sql: Sql, post: Payload): Promise<unknown> {
  const raw = sql.json(JSON.parse(JSON.stringify({ payload: post })));
  const [row] = await sql<[{ fault: string | null; normal: unknown }]>`
    select f.fault, case when f.fault is null then delivery.normalize(${raw}) end as normal
    from delivery.post_fault(${raw}) as f (fault)`;
  if (row.fault === null) return row.normal;
  const errors = parsePostErrors(row.fault);
  throw problem("invalid_request", { detail: errors[0]?.detail ?? row.fault, errors });
}

/** The new post compiled for this channel, or the reason why that is impossible. Pure. */
function editOf(target: Target, rendering: Rendering, { platforms, clock }: CorrectDeps): Item {
  const { delivery_id } = target;
  if (!rendering.ok) {
    const { code, message } = rendering.error;
    return { delivery_id, error: { code, message } };
  }
  const { text, meta, template_version } = rendering;
  const item = { delivery_id, text, meta, ...(template_version !== undefined && { template_version }) };
  if (!target.posted || !target.sent_at) return item;
  const next = restored(meta.compiled, text);
  const posted = postedFrom(target.posted, { sentAt: target.sent_at, targetId: target.target_id });
  const error = editRefusal(platforms.platformOf(target.platform), posted, next, clock.now());
  if (error) return { ...item, error };
  const same = posted && !posted.mayDiffer && sameForm(posted.compiled, next);
  return same ? { ...item, unchanged: true } : item;
}

/** Two posts with the same requests look the same to readers. */
function sameForm(one: Compiled, other: Compiled): boolean {
  return one.plainText === other.plainText && sameJson(storedForm(one).requests, storedForm(other).requests);
}

async function removalRefusal(
  target: Target,
  workspaceId: string,
  deps: CorrectDeps,
): Promise<CorrectionRefusal | undefined> {
  const platform = deps.platforms.platformOf(target.platform);
  const posted =
    target.posted && target.sent_at
      ? postedFrom(target.posted, { sentAt: target.sent_at, targetId: target.target_id })
      : undefined;
  const certain = removeRefusal(platform, posted, deps.clock.now());
  if (certain || !posted || !platform.corrections?.removeCheck) return certain;
  const context = await checkContextOf(target, workspaceId, deps);
  return context && platform.corrections.removeCheck(posted, context);
}

/** What an account can correct is the same in all its channels, so each is asked once. */
function accountRefusals(workspaceId: string, deps: CorrectDeps) {
  const asked = new Map<string, Promise<CorrectionRefusal | undefined>>();
  const ask = async (target: Target) => {
    const rules = deps.platforms.platformOf(target.platform).corrections;
    const context = rules?.accountCheck && (await checkContextOf(target, workspaceId, deps));
    return context && rules?.accountCheck?.(context);
  };
  return (target: Target): Promise<CorrectionRefusal | undefined> => {
    const account = `${target.platform} ${target.secret_ref}`;
    const answer = asked.get(account) ?? ask(target);
    asked.set(account, answer);
    return answer;
  };
}

async function checkContextOf(
  target: Target,
  workspaceId: string,
  { clock, credentials, providers }: CorrectDeps,
): Promise<CheckContext | undefined> {
  if (!target.secret_ref) return undefined;
  const read = await credentials.ofPlatform(workspaceId, target.platform, target.secret_ref);
  if (read.kind !== "ready") return undefined;
  return { channel: channelOf(target), credential: read.credential, http: providers, clock };
}

interface Change {
  readonly kind: "edit" | "remove";
  readonly payload: unknown;
  readonly targets: readonly Target[];
  readonly items: readonly Item[];
}

type Answer = Pick<
  Corrected["items"][number],
  "delivery_id" | "correction_id" | "action" | "code" | "detail"
>;

/** The action for each delivery is chosen under its lock, so a delivery that was sent in the meantime is corrected as sent. */
async function change(
  { sql }: CorrectDeps,
  workspaceId: string,
  { kind, payload: post, targets, items }: Change,
  act: Act,
): Promise<Corrected> {
  const rows = await inOneChange(
    sql,
    (tx: Transaction) => tx<Answer[]>`
      select delivery_id, correction_id, action, code, detail from delivery.enqueue_corrections(
        ${workspaceId}, ${kind}, ${JSON.stringify(post)}::text::jsonb, ${JSON.stringify(items)}::text::jsonb,
        ${act.operator}, ${act.reason}, ${act.now})`,
    act,
  );
  const dryRun = act.dryRun ?? false;
  const answered = new Map(rows.map((row) => [row.delivery_id, row]));
  const losses = new Map(items.map((item) => [item.delivery_id, lossesOf(item)]));
  return {
    dry_run: dryRun,
    changed: rows.filter(({ action }) => action !== "none" && action !== "refused").length,
    refused: rows.filter(({ action }) => action === "refused").length,
    items: targets.flatMap(({ delivery_id, channel_id, title, platform, target_id }) => {
      const row = answered.get(delivery_id);
      if (!row) return [];
      const correction_id = dryRun ? null : row.correction_id;
      const channel = { id: channel_id, title, platform, target: target_id };
      return [{ ...row, correction_id, channel, losses: losses.get(delivery_id) ?? [] }];
    }),
  };
}

const lossesShape = z.object({ compiled: z.object({ losses: z.array(z.object({ code: z.string() })) }) });

function lossesOf({ meta }: Item): string[] {
  return (lossesShape.safeParse(meta).data?.compiled.losses ?? []).map(({ code }) => code);
}

/** A burst of requests could run into the providers' limits. */
const askedAtOnce = 8;

async function inTurns<T, R>(values: readonly T[], ask: (value: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  for (let first = 0; first < values.length; first += askedAtOnce)
    answers.push(...(await Promise.all(values.slice(first, first + askedAtOnce).map(ask))));
  return answers;
}
