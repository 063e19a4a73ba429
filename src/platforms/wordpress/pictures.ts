import { z } from "zod";
import type { CompiledMedia, MediaOrder, SendContext, SendError } from "../contract.ts";
import { mediaError } from "../send-error.ts";
import { call, type Line, withoutDoubt } from "./client.ts";
import { olderPictureRules, pictureRules } from "./limits.ts";
import type { Page } from "./page.ts";
import type { Site } from "./site.ts";
import { type LibraryPicture, type SaidOfPicture, upload } from "./upload.ts";

export interface Library {
  readonly pictures: readonly LibraryPicture[];
  /** Waited for the upload of another delivery, so the turn has passed. */
  readonly waited: boolean;
}

/**
 * Puts every picture of a page into the site's media library, each once; one that the owner has deleted is uploaded
 * again.
 */
export async function shelve(
  media: readonly CompiledMedia[],
  page: Pick<Page, "pictures" | "slug">,
  site: Site,
  { line, context }: { readonly line: Line; readonly context: SendContext },
): Promise<Library | { readonly error: SendError }> {
  const pictures: LibraryPicture[] = [];
  let waited = false;
  for (const [place, item] of media.entries()) {
    const { alt, caption } = page.pictures?.[place] ?? {};
    // Pictures have slugs of their own: the page's slug and its numbered variants are left to pages.
    const said = { alt, caption, name: `${page.slug || "page"}-photo-${place + 1}` };
    const one = await shelveOne(item, place, said, site, { line, context });
    if ("error" in one) return one;
    waited ||= one.waited;
    pictures.push(one.picture);
  }
  return { pictures, waited };
}

interface Shelved {
  readonly picture: LibraryPicture;
  readonly waited: boolean;
}

type Lending = { readonly line: Line; readonly context: SendContext };

async function shelveOne(
  item: CompiledMedia,
  place: number,
  said: SaidOfPicture,
  site: Site,
  lending: Lending,
): Promise<Shelved | { readonly error: SendError }> {
  const refused: string[] = [];
  for (const rulesFor of [pictureRules, olderPictureRules]) {
    for (;;) {
      const order = { ...mediaOrder(site, rulesFor), refused: [...refused] };
      const lent = await lending.context.media.lend([item], order, async ([file]) => {
        if (!file) throw new Error("one file was asked for and none was lent");
        if (file.kind === "reference") {
          const picture = await stillThere(file.reference, lending.line);
          if (picture === "gone") return { gone: file.reference };
          return "error" in picture ? picture : { picture, waited: file.waited ?? false };
        }
        await lending.context.turn?.();
        const uploaded = await upload(file.file, said, lending.line);
        if (!uploaded.ok) return { error: uploaded.error, contentType: file.file.contentType };
        // Only a cache: a picture that cannot be stored costs one more upload.
        await file.uploaded(referenceTo(uploaded.picture)).catch(() => {});
        return { picture: uploaded.picture, waited: false };
      });
      if (!lent.ok) return { error: mediaError(lent.fault, place) };
      const { value } = lent;
      if ("gone" in value) {
        if (refused.includes(value.gone)) return { error: lost(place) };
        refused.push(value.gone);
        continue;
      }
      if ("picture" in value) return value;
      const { error } = value;
      const isOlderSite =
        error.code === "media_rejected" && "contentType" in value && value.contentType === "image/webp";
      if (isOlderSite && rulesFor === pictureRules) break;
      return { error: { ...error, message: `picture ${place + 1}: ${error.message}` } };
    }
  }
  return { error: lost(place) };
}

const lost = (place: number): SendError => ({
  category: "TRANSIENT",
  scope: "delivery",
  code: "upload_refused",
  message: `picture ${place + 1} is not in the site's library, though it was uploaded`,
});

const referenceTo = ({ id, url }: LibraryPicture): string => `${id} ${url}`;

const pictureShape = z.object({ id: z.int(), source_url: z.url() });

/** A picture that was uploaded before: its address is requested, because its owner may have deleted it. */
async function stillThere(
  reference: string,
  line: Line,
): Promise<LibraryPicture | "gone" | { readonly error: SendError }> {
  const id = /^(\d+) /.exec(reference)?.[1];
  if (id === undefined) return "gone";
  const query = { _fields: "id,source_url" };
  const reply = await call({ method: "GET", route: `/wp/v2/media/${id}`, query }, pictureShape, line);
  if (reply.kind === "ok") return { id, url: reply.result.source_url };
  return reply.error.code === "post_unavailable" ? "gone" : { error: withoutDoubt(reply).error };
}

function mediaOrder({ account }: Site, rulesFor: typeof pictureRules): MediaOrder {
  return { account, rulesFor: (_media, contentType) => rulesFor(contentType) };
}
