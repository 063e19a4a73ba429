import type { CompiledRequest } from "../contract.ts";
import type { RequestOutcome } from "../send-series.ts";
import type { Connection } from "./client.ts";
import { writePost } from "./write-post.ts";

/** Sends a request with pictures: uploads each once, then creates one post with all of them. */
export async function sendMedia(
  request: CompiledRequest,
  post: { readonly groupId: number; readonly guid: string },
  connection: Connection,
): Promise<RequestOutcome> {
  const writing = { method: "wall.post", groupId: post.groupId, params: { guid: post.guid } } as const;
  const outcome = await writePost(request, writing, connection);
  if (outcome.kind !== "failed" || outcome.error.code !== "person_key_needed") return outcome;
  const message = `${outcome.error.message} A community's key cannot upload pictures: use a person's key, or set photos=link for the channel`;
  return { ...outcome, error: { ...outcome.error, message } };
}
