import type { MediaSource } from "../../platforms/index.ts";
import { type ClaimTimes, createClaims } from "./claims.ts";
import { lend } from "./lend.ts";
import { lookUp, type MediaDeps } from "./originals.ts";

/** Whose media are meant; a delivery has all of these fields. */
export interface MediaOwner {
  readonly workspace_id: string;
  readonly created_at: Date;
  /** The settings of the channel. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export type MediaFor = (owner: MediaOwner) => MediaSource;

/**
 * Media of posts: each is fetched once into our storage and uploaded once to every account that sends it, however many
 * deliveries and processes need it at the same time.
 */
export function createMedia(deps: MediaDeps, times?: ClaimTimes): MediaFor {
  const claims = createClaims(deps, times);
  return ({ workspace_id: workspaceId, created_at: since, settings }) => ({
    lend: (media, order, use) => {
      const asker = { workspaceId, since, account: order.account };
      const mayConvert = settings.convert_images !== false;
      return lend(media, { asker, order, mayConvert, claims, deps, deadline: claims.deadline() }, use);
    },
    async known(medium, { account, rulesFor }) {
      const asker = { workspaceId, since, account };
      const [known] = await lookUp(deps.sql, [medium], asker, deps.clock.now());
      return known?.content_type ? known.file_ids[rulesFor(medium, known.content_type).as] : undefined;
    },
  });
}
