import type { CompiledMedia, LentFile, MediaFile, MediaOrder, MediaSource } from "../../platforms/index.ts";
import { photoRules } from "./limits.ts";

type WithPhotos<T> =
  | { readonly ok: true; readonly value: T; readonly missing: number }
  /** A photo is temporarily unavailable. */
  | { readonly ok: false; readonly detail: string };

/** Lends the photos to `use`. A photo that is gone is left out; a temporary failure ends the attempt if `patient`, else the photo is left out. */
export async function withPhotos<T>(
  media: MediaSource,
  photos: readonly CompiledMedia[],
  { accountId, patient }: { readonly accountId: string; readonly patient: boolean },
  use: (files: readonly MediaFile[]) => Promise<T>,
): Promise<WithPhotos<T>> {
  const order: MediaOrder = { account: `telegram-account:${accountId}`, rulesFor: () => photoRules };
  for (let left = [...photos]; left.length > 0; ) {
    const lent = await media.lend(left, order, (files) => use(files.flatMap(fileOf)));
    if (lent.ok) return { ok: true, value: lent.value, missing: photos.length - left.length };
    if (lent.fault.category === "TRANSIENT" && patient) return { ok: false, detail: lent.fault.message };
    left = left.toSpliced(lent.fault.place, 1);
  }
  return { ok: true, value: await use([]), missing: photos.length };
}

/** Accounts never reuse uploads, so every lent file is an upload. */
function fileOf(lent: LentFile): MediaFile[] {
  return lent.kind === "upload" ? [lent.file] : [];
}
