/** Files on their way to a chat: their bytes are committed with the step and deleted once they are sent. */
import { z } from "zod";
import type { Transaction } from "../../kernel/db/index.ts";
import type { NewId } from "../../kernel/ids/index.ts";
import { pictureShape, type Source } from "../flow/outgoing.ts";
import type { OutgoingFile } from "../messenger.ts";
import type { EngineDeps } from "./deps.ts";
import { later } from "./deps.ts";
import type { Said } from "./dialogue.ts";
import type { StoredScreen } from "./render.ts";

/** As a step stores it. */
export const sourceShape = z.union([pictureShape, z.object({ file: z.uuid() })]);
export type StoredSource = z.infer<typeof sourceShape>;

interface Keeping {
  readonly tx: Transaction;
  readonly chat: { readonly workspaceId: string; readonly bot: string; readonly chatId: string };
  readonly newId: NewId;
  readonly now: Date;
}

/** Replaces bytes by the ids of rows. */
export async function keepFiles(
  { screen, says }: { screen: StoredScreen; says: readonly Said[] },
  { tx, chat: { workspaceId, bot, chatId }, newId, now }: Keeping,
): Promise<{ screen: object; says: readonly object[] }> {
  const kept = async (source: Source): Promise<StoredSource> => {
    if (!("bytes" in source)) return source;
    const file = newId();
    await tx`
      insert into dialogs.files (file_id, workspace_id, bot, chat_id, bytes, created_at)
      values (${file}, ${workspaceId}, ${bot}, ${chatId}, ${Buffer.from(source.bytes)}, ${now})`;
    return { file };
  };
  const storedSays: object[] = [];
  for (const said of says) {
    if ("photo" in said) storedSays.push({ ...said, photo: await kept(said.photo) });
    else if ("document" in said) storedSays.push({ ...said, document: await kept(said.document) });
    else if ("album" in said) {
      const album: object[] = [];
      for (const { photo, caption } of said.album) album.push({ photo: await kept(photo), caption });
      storedSays.push({ album });
    } else storedSays.push(said);
  }
  return {
    screen: { ...screen, ...(screen.picture && { picture: await kept(screen.picture) }) },
    says: storedSays,
  };
}

/** Undefined if it is no longer there. */
export async function fetchFile<Services>(
  source: StoredSource,
  { sql, files, log, key }: EngineDeps<Services>,
): Promise<OutgoingFile | undefined> {
  if ("url" in source) return source;
  if ("file" in source) {
    const [row] = await sql<{ bytes: Uint8Array }[]>`
      select bytes from dialogs.files where file_id = ${source.file}`;
    return row;
  }
  const bytes = await files?.(source.stored);
  if (!bytes) log.error({ bot: key.bot, file: source.stored }, "a file to be sent is not there");
  return bytes && { bytes };
}

/** Files of messages that were sent, and of screens of two days ago. */
export async function forgetFiles<Services>(
  { sql, key, clock }: EngineDeps<Services>,
  keptMs: number,
): Promise<void> {
  await sql`
    delete from dialogs.files where workspace_id = ${key.workspaceId} and bot = ${key.bot}
      and created_at < ${later(clock.now(), -keptMs)}`;
}
