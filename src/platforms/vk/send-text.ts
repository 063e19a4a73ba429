import type { CompiledRequest } from "../contract.ts";
import type { RequestOutcome } from "../send-series.ts";
import type { Connection } from "./client.ts";
import { writePost } from "./write-post.ts";

/** Sends a request without pictures. */
export function sendText(
  request: CompiledRequest,
  post: { readonly groupId: number; readonly guid: string },
  connection: Connection,
): Promise<RequestOutcome> {
  return writePost(
    request,
    { method: "wall.post", groupId: post.groupId, params: { guid: post.guid } },
    connection,
  );
}
