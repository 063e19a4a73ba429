import type {
  CompiledMedia,
  FileRules,
  Lent,
  LentFile,
  MediaFault,
  MediaFile,
  MediaOrder,
} from "../../platforms/index.ts";
import type { Claims } from "./claims.ts";
import { canBe, unknownType } from "./content-type.ts";
import { type FileError, gone, isFileError, tooLarge, unavailable, wrongKind } from "./file-errors.ts";
import { fitPicture } from "./fit-picture.ts";
import { type Asker, keyOf, lookUp, type MediaDeps, type Original, stored } from "./originals.ts";

export interface Lending {
  readonly asker: Asker;
  readonly order: MediaOrder;
  readonly mayConvert: boolean;
  readonly claims: Claims;
  readonly deps: MediaDeps;
  /** Until when to wait for others who fetch or upload, for all files together. */
  readonly deadline: number;
}

/** A medium whose original is available, and the provider's requirements for it. */
interface Item {
  readonly medium: CompiledMedia;
  readonly place: number;
  readonly original: Original;
  readonly rules: FileRules;
}

/** See `MediaSource.lend`. */
export async function lend<T>(
  media: readonly CompiledMedia[],
  lending: Lending,
  use: (files: readonly LentFile[]) => Promise<T>,
): Promise<Lent<T>> {
  const held: (() => Promise<void>)[] = [];
  try {
    const files = await gather(media, lending, held);
    return isFileError(files) ? { ok: false, fault: files } : { ok: true, value: await use(files) };
  } finally {
    // A claim that cannot be released now ends with its lease.
    await Promise.allSettled(held.map((release) => release()));
  }
}

/** Nothing has been sent yet, so any error here, of the storage or the database, is a clean failure. */
async function gather(
  media: readonly CompiledMedia[],
  lending: Lending,
  held: (() => Promise<void>)[],
): Promise<readonly LentFile[] | MediaFault> {
  try {
    const items = await prepare(media, lending);
    return isFileError(items) ? items : await borrow(items, lending, held);
  } catch (error) {
    lending.deps.log.error({ err: error }, "media could not be prepared");
    const why = error instanceof Error ? error.message : String(error);
    return { ...unavailable(`or another one could not be prepared: ${why}`), place: 0 };
  }
}

/** Makes sure that every original is in our storage and is what the post says it is. */
async function prepare(media: readonly CompiledMedia[], lending: Lending): Promise<Item[] | MediaFault> {
  if (media.length === 0) return [];
  const { asker, claims, deps, order } = lending;
  const known = await lookUp(deps.sql, media, asker, deps.clock.now());
  const items: Item[] = [];
  const errors: MediaFault[] = [];
  await Promise.all(
    media.map(async (medium, place) => {
      const before = known[place];
      if (!before) throw new Error("the database did not answer for every medium");
      const original = await stored(medium, before, asker, claims, deps, lending.deadline);
      if (isFileError(original)) return errors.push({ ...original, place });
      const contentType = original.content_type ?? unknownType;
      if (!canBe(medium.kind, contentType))
        return errors.push({
          ...wrongKind(`is ${contentType} and cannot be posted as ${medium.kind}`),
          place,
        });
      return items.push({ medium, place, original, rules: order.rulesFor(medium, contentType) });
    }),
  );
  const byPlace = (one: { place: number }, other: { place: number }) => one.place - other.place;
  return errors.toSorted(byPlace)[0] ?? items.toSorted(byPlace);
}

/**
 * A file for every item; equal items share one. Claims are always taken in the same order, so that two albums of the same
 * pictures cannot deadlock.
 */
async function borrow(
  items: readonly Item[],
  lending: Lending,
  held: (() => Promise<void>)[],
): Promise<LentFile[] | MediaFault> {
  const files = new Map<string, LentFile>();
  const inOrder = items.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  for (const item of inOrder) {
    if (files.has(nameOf(item))) continue;
    const file = await borrowOne(item, lending, held);
    if (isFileError(file)) return { ...file, place: item.place };
    files.set(nameOf(item), file);
  }
  return items.flatMap((item) => files.get(nameOf(item)) ?? []);
}

function nameOf({ original, rules }: Item): string {
  return `${original.blob_ref} ${rules.as}`;
}

async function borrowOne(
  item: Item,
  lending: Lending,
  held: (() => Promise<void>)[],
): Promise<LentFile | FileError> {
  const { asker, claims, deps } = lending;
  const { as } = item.rules;
  const referenceIn = ({ file_ids }: Original): string | undefined => {
    const reference = file_ids[as];
    return reference === undefined || lending.order.refused?.includes(reference) ? undefined : reference;
  };
  const known = referenceIn(item.original);
  if (known !== undefined) return { as, kind: "reference", reference: known };

  const { workspaceId, account } = asker;
  const provider = `${account}:${as}`;
  const key = { workspaceId, blobRef: item.original.blob_ref, purpose: provider };
  const claim = await claims.acquire(
    key,
    async () => {
      const [now] = await lookUp(deps.sql, [item.medium], asker, deps.clock.now());
      return now && referenceIn(now);
    },
    lending.deadline,
  );
  if (claim.kind === "done") return { as, kind: "reference", reference: claim.value, waited: true };
  if (claim.kind === "busy") return unavailable("is still being uploaded for another post");
  held.push(claim.release);
  const file = await fileOf(item, lending);
  if (isFileError(file)) return file;
  return {
    as,
    kind: "upload",
    file,
    async uploaded(reference, goodForMs) {
      const now = deps.clock.now();
      const until = goodForMs === undefined ? null : new Date(now.getTime() + goodForMs);
      await deps.sql`
        select delivery.media_remember(${workspaceId}, ${key.blobRef}, ${provider}, ${reference}, ${until}, ${now})`;
    },
  };
}

/** The original in the form that the provider accepts. */
async function fileOf(item: Item, lending: Lending): Promise<MediaFile | FileError> {
  const found = (await openObject(item.original, lending)) ?? (await fetchedAgain(item, lending));
  if (isFileError(found)) return found;
  const { original, file } = found;
  const { maxBytes, picture } = item.rules;
  const { width, height } = original;
  if (picture)
    return fitPicture({ file, width, height }, { rules: picture, maxBytes, mayConvert: lending.mayConvert });
  return file.size > maxBytes ? tooLarge(`has ${file.size} bytes, at most ${maxBytes} are accepted`) : file;
}

interface Opened {
  readonly original: Original;
  readonly file: MediaFile;
}

/** The object of an original; undefined if the storage has lost it. */
async function openObject(
  original: Original,
  { asker: { workspaceId }, deps: { storage } }: Lending,
): Promise<Opened | undefined> {
  const { origin_url, content_type, file_name, blob_ref } = original;
  const key = keyOf(origin_url);
  if (key !== undefined && !key.startsWith(`media/${workspaceId}/`))
    throw new Error(`the object ${key} is none of this workspace's media`);
  const object = key === undefined ? undefined : await storage.head(key);
  if (!object) return undefined;
  const file: MediaFile = {
    size: object.size,
    contentType: content_type ?? object.contentType,
    fileName: file_name ?? blob_ref,
    async open() {
      const opened = await storage.get(object.key);
      if (!opened) throw new Error(`the object of ${blob_ref} has just disappeared`);
      return opened.body;
    },
  };
  return { original, file };
}

async function fetchedAgain({ medium, original }: Item, lending: Lending): Promise<Opened | FileError> {
  const { asker, claims, deps } = lending;
  if (!original.source_url) return gone("is no longer in the storage, and nobody knows where it came from");
  await deps.sql`select delivery.media_lost(${asker.workspaceId}, ${original.blob_ref}, ${original.origin_url})`;
  const lost = { ...original, is_stored: false, is_fresh: false };
  const again = await stored(medium, lost, asker, claims, deps, lending.deadline);
  if (isFileError(again)) return again;
  return (
    (await openObject(again, lending)) ?? unavailable("was fetched again and is still not in the storage")
  );
}
