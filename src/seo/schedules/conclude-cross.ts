/** Adaptations of a published post: when the last of them has ended, all are reported together. */
import type { Transaction } from "../../kernel/db/index.ts";
import type { Said } from "../said.ts";
import { platformNames } from "../settings/platform-names.ts";
import type { PlatformType } from "../settings/shape.ts";
import { type Autopublication, requestKeyOf } from "./autopublications.ts";
import { type ConcludeDeps, report } from "./conclude-slot.ts";
import type { Crossed } from "./news.ts";
import { readScheduledPlace } from "./scheduled-place.ts";

interface CrossRun {
  readonly to: number;
  readonly status: string;
  readonly url: string | null;
  readonly error: { readonly message: Said } | null;
}

/** Does nothing while an adaptation is still to be written or delivered. */
export async function concludeCross(
  deps: ConcludeDeps,
  tx: Transaction,
  slot: Autopublication,
): Promise<void> {
  if (slot.state !== "publishing") return;
  const runs = await tx<CrossRun[]>`
    select r.connection_id as to, r.status, r.result ->> 'post_url' as url, r.error from seo.runs r
    where r.workspace_id = ${slot.workspaceId} and r.user_id = ${slot.userId}
      and starts_with(r.request_key, ${`${requestKeyOf(slot)}/cross/`})`;
  if (runs.some(({ status }) => ["queued", "running", "publishing"].includes(status))) return;
  const place = await readScheduledPlace(tx, slot);
  if (!place) return;
  const names = await tx<{ id: number; platform_type: PlatformType; name: string }[]>`
    select c.id, c.platform_type, coalesce(d.title, c.metadata ->> 'title', c.identifier) as name
    from seo.platform_connections c
    left join delivery.channels d on d.workspace_id = c.workspace_id and d.channel_id = c.channel_id
    where c.workspace_id = ${slot.workspaceId} and c.project_id = ${place.projectId}`;
  // A connection that was removed meanwhile is not worth a line.
  const crossed = place.crossTo.flatMap((to): Crossed[] => {
    const found = names.find(({ id }) => id === to);
    const run = runs.find((each) => each.to === to);
    return found
      ? [{ name: `${platformNames[found.platform_type]}: ${found.name}`, outcome: outcomeOf(run) }]
      : [];
  });
  await report(deps, tx, slot, place, crossed);
}

function outcomeOf(run: CrossRun | undefined): Crossed["outcome"] {
  if (!run) return { ok: false, said: notBegun };
  if (run.status === "done") return { ok: true, url: run.url ?? undefined };
  return { ok: false, said: run.error?.message ?? notBegun };
}

const notBegun: Said = {
  ru: "Пропущено: не хватило токенов, подключение недоступно или ошибка на нашей стороне.",
  en: "Left out: too few tokens, a connection that cannot be used, or an error on our side.",
};
