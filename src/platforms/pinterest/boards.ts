import { z } from "zod";
import type { ChannelProfile } from "../contract.ts";
import { idShape, ifReadable, readableItems } from "../if-readable.ts";
import { type CallContext, type Connection, call, type Reply } from "./client.ts";
import { boardPages, pageSize } from "./limits.ts";
import { boardNamed } from "./target.ts";

export const boardShape = z.object({
  id: idShape,
  name: ifReadable(z.string()),
  privacy: ifReadable(z.string()),
  follower_count: ifReadable(z.int()),
  owner: ifReadable(z.object({ username: z.string() })),
});
export type Board = z.infer<typeof boardShape>;

const pageShape = z.object({ items: readableItems(boardShape), bookmark: ifReadable(z.string()) });

/** The boards of the account, page by page. */
export async function boardsOf(connection: Connection<CallContext>): Promise<Reply<readonly Board[]>> {
  const boards: Board[] = [];
  let bookmark: string | undefined;
  for (let page = 0; page < boardPages; page++) {
    const query = { page_size: String(pageSize), ...(bookmark && { bookmark }) };
    const reply = await call({ method: "GET", path: "/boards", query }, pageShape, connection);
    if (reply.kind !== "ok") return reply;
    boards.push(...reply.result.items);
    bookmark = reply.result.bookmark;
    if (!bookmark) break;
  }
  return { kind: "ok", result: boards };
}

export function boardOf(id: string, connection: Connection<CallContext>): Promise<Reply<Board>> {
  return call({ method: "GET", path: `/boards/${encodeURIComponent(id)}` }, boardShape, connection);
}

/** The id of the channel's board, looked up if only its link is known. */
export async function boardIdOf(
  connection: Connection<CallContext & { readonly channel: ChannelProfile }>,
): Promise<Reply<string>> {
  const named = boardNamed(connection.context.channel.targetId);
  if ("id" in named) return { kind: "ok", result: named.id };
  const boards = await boardsOf(connection);
  if (boards.kind !== "ok") return boards;
  const found = boardAmong(boards.result, named);
  return found
    ? { kind: "ok", result: found.id }
    : {
        kind: "failed",
        error: {
          category: "PERMANENT",
          scope: "channel",
          code: "channel_unavailable",
          message: `the account has no board at /${named.owner}/${named.name}/`,
        },
      };
}

/** Finds the board of a link. Links spell board names differently, so only letters and digits are compared. */
export function boardAmong(
  boards: readonly Board[],
  { owner, name }: { readonly owner: string; readonly name: string },
): Board | undefined {
  const wanted = lettersOf(decoded(name));
  return boards.find(
    (board) =>
      (board.owner?.username ?? owner).toLowerCase() === owner.toLowerCase() &&
      (board.id === name || (wanted !== "" && lettersOf(board.name ?? "") === wanted)),
  );
}

const lettersOf = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
