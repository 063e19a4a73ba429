import type { Transaction } from "../../kernel/db/index.ts";
import { compose, type Format, type PublishedTexts } from "../post/compose.ts";
import type { Message } from "../work/governor-contract.ts";

interface Publication {
  readonly objectId: string;
  readonly chatId: string;
  readonly format?: Format | null | undefined;
}

/** Adds to each task the message it will send; none if its text cannot be sent, which the worker will report. */
export async function withMessages<T extends Publication>(
  tx: Transaction,
  workspaceId: string,
  tasks: readonly T[],
): Promise<(T & { readonly message: Message | undefined })[]> {
  if (tasks.length === 0) return [];
  const objectIds = [...new Set(tasks.map(({ objectId }) => objectId))];
  const objects = await tx<{ id: string; texts: PublishedTexts; format: Format }[]>`
    select o.id, o.texts, coalesce(c.format, 'default') as format
    from accounts.objects o
    left join accounts.autopublish c on c.workspace_id = o.workspace_id and c.object_id = o.id
    where o.workspace_id = ${workspaceId} and o.id = any (${objectIds})`;
  const known = new Map(objects.map((object) => [object.id, object]));
  const texts = new Map<string, string | undefined>();
  return tasks.map((task) => {
    const { objectId, chatId } = task;
    const object = known.get(objectId);
    const format = task.format ?? object?.format ?? "default";
    const key = `${objectId} ${format}`;
    if (!texts.has(key)) texts.set(key, object && textOf(object.texts, format));
    const text = texts.get(key);
    return { ...task, message: text === undefined ? undefined : { chatId, text } };
  });
}

function textOf(texts: PublishedTexts, format: Format): string | undefined {
  const composed = compose({ texts, photos: [], photo_mode: "first" }, format);
  return composed.ok ? composed.text.text : undefined;
}
