import { Problem } from "../../http/index.ts";
import { messageOf } from "../../kernel/errors/index.ts";
import { defineTask, type Task } from "../../kernel/jobs/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { SiteOrderDeps } from "../competitors/order-competitor.ts";
import { readConnection } from "../connections/connections.ts";
import type { SeoConnection } from "../connections/shape.ts";
import { siteUrlOf } from "../connections/site-url.ts";
import { beginWork, type Ordered } from "../orders/begin-work.ts";
import type { Whose } from "../people/whose.ts";
import type { RunKind } from "../runs/run-kind.ts";
import type { SiteOrder } from "./audit-run.ts";
import {
  type Learning,
  type LearnJob,
  learnJob,
  learnTask,
  type ReadPart,
  readParts,
} from "./learn-later.ts";
import type { SiteKinds } from "./order-site-works.ts";

export interface LearnDeps extends SiteOrderDeps {
  readonly kinds: SiteKinds;
  readonly log: Log;
}

type Part = ReadPart | "audit";

/**
 * Begins what is learnt of a site when it is connected, for nothing: its colours, the map of its pages, its speed. Each is a run
 * of its own, so one that fails touches neither the others nor the connection (E56). Never throws.
 */
export async function learnSite(
  deps: LearnDeps,
  whose: Whose,
  connection: SeoConnection,
): Promise<readonly Ordered[]> {
  if (connection.platform_type !== "wordpress") return [];
  const parts: readonly Part[] = [
    ...(deps.sources.isOn("pagespeed") ? (["audit"] as const) : []),
    ...(deps.sources.isOn("firecrawl") ? readParts : []),
  ];
  const begun = await Promise.allSettled(
    parts.map((part) => beginPart(deps, whose, connection, part, { attempt: 0 })),
  );
  return begun.flatMap((each) => {
    if (each.status === "fulfilled") return [each.value];
    deps.log.warn(
      { connection: connection.id, reason: messageOf(each.reason) },
      "a site cannot be learnt about",
    );
    return [];
  });
}

function beginPart(
  deps: LearnDeps,
  whose: Whose,
  { id, project_id: projectId, identifier }: SeoConnection,
  part: Part,
  asked: Omit<Learning, "connection_id">,
): Promise<Ordered> {
  const { kinds, clock } = deps;
  const byPart: Readonly<Record<Part, RunKind<SiteOrder, unknown>>> = {
    ...{ audit: kinds.audit, branding: kinds.branding, site_map: kinds.siteMap },
  };
  const learning = { connection_id: id, ...asked };
  // A site that is connected again and again is read once a day.
  const requestKey = `site ${id} ${clock.now().toISOString().slice(0, 10)} ${asked.attempt} ${part}`;
  return beginWork(deps, byPart[part], {
    ...{ ...whose, projectId, connectionId: id, requestKey, charges: [] },
    input: { project_id: projectId, url: siteUrlOf(identifier), learning },
  });
}

/** Reads a part that could not be read before, or is read anew; nothing happens if the connection is gone. */
export function createLearnTask(deps: LearnDeps): Task<LearnJob> {
  return defineTask({
    name: learnTask.name,
    schema: learnJob,
    async run({ workspace_id: workspaceId, user_id: userId, connection_id, part, ...asked }) {
      const whose = { workspaceId, userId };
      try {
        const connection = await readConnection(deps.sql, whose, connection_id);
        await beginPart(deps, whose, connection, part, asked);
      } catch (error) {
        if (!(error instanceof Problem && error.code === "not_found")) throw error;
      }
    },
  });
}
