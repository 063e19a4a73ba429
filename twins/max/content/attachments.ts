import { refuse } from "../errors.ts";
import { fetchImage } from "../files/uploads.ts";
import type { Attachment, Media, MediaType } from "../model.ts";
import type { Store } from "../store.ts";
import type { Max } from "../twin.ts";
import { type AttachmentRequest, checkTogether } from "./attachment-request.ts";

type Request<T extends AttachmentRequest["type"]> = Extract<AttachmentRequest, { type: T }>;

/** Converts requested attachments to those of the message, and fetches pictures given by address. */
export async function attach(max: Max, requests: readonly AttachmentRequest[]): Promise<Attachment[]> {
  checkTogether(requests);
  demandProcessed(max.store, requests);
  const attached: Attachment[] = [];
  for (const request of requests) attached.push(...(await resolve(max, request)));
  return attached;
}

async function resolve(max: Max, request: AttachmentRequest): Promise<Attachment[]> {
  switch (request.type) {
    case "image":
      return images(max, request.payload);
    case "video":
    case "audio":
    case "file":
      return [{ type: request.type, token: request.payload.token }];
    case "sticker":
      return [{ type: "sticker", code: request.payload.code }];
    case "contact":
      return [contact(max.store, request.payload)];
    case "location":
      return [{ type: "location", latitude: request.latitude, longitude: request.longitude }];
    case "share":
      return [share(request.payload)];
    case "inline_keyboard":
      return [{ type: "inline_keyboard", buttons: request.payload.buttons }];
  }
}

async function images(max: Max, payload: Request<"image">["payload"]): Promise<Attachment[]> {
  const { url, token, photos } = payload;
  const given = [url, token, photos].filter((source) => source !== undefined && source !== null);
  if (given.length > 1) throw refuse.payload("`photos`, `url` and `token` are mutually exclusive");
  if (url) return [{ type: "image", token: (await fetchImage(max, url)).token }];
  const tokens = photos ? Object.values(photos).map((photo) => photo.token) : token ? [token] : [];
  if (tokens.length === 0) {
    throw refuse.payload("No `photos`, `url` or `token` provided. Check payload.");
  }
  return tokens.map((each) => ({ type: "image", token: mediaOf(max.store, "image", each).token }));
}

function contact(store: Store, payload: Request<"contact">["payload"]): Attachment {
  const { name, contact_id, vcf_info, vcf_phone } = payload;
  if (!contact_id && !vcf_info && !vcf_phone) {
    throw refuse.payload("contact: `contact_id`, `vcf_info` or `vcf_phone` is required");
  }
  const people = store.world.chats.flatMap((chat) => [...(chat.user ? [chat.user] : []), ...chat.people]);
  const card = ["BEGIN:VCARD", "VERSION:3.0", `FN:${name ?? ""}`, `TEL:${vcf_phone}`, "END:VCARD"].join(
    "\r\n",
  );
  return {
    type: "contact",
    name: name ?? null,
    vcf_info: vcf_info ?? (vcf_phone ? card : null),
    user: people.find(({ user_id }) => user_id === contact_id) ?? null,
  };
}

function share({ url, token }: Request<"share">["payload"]): Attachment {
  const target = url ?? token;
  if (!target || (url && token)) throw refuse.payload("share: exactly one of `url` and `token` is required");
  return { type: "share", url: target };
}

/** Refuses files that are not processed yet. Every refused send advances their processing by one step. */
function demandProcessed(store: Store, requests: readonly AttachmentRequest[]): void {
  const files = requests.flatMap((request) =>
    request.type === "video" || request.type === "audio" || request.type === "file"
      ? mediaOf(store, request.type, request.payload.token)
      : [],
  );
  const waiting = files.filter((media) => media.notReadySends > 0);
  for (const media of waiting) media.notReadySends -= 1;
  if (waiting.length > 0) {
    store.changed();
    throw refuse.notReady();
  }
  const broken = files.find((media) => media.broken !== undefined);
  if (broken) throw refuse.payload(`Key: ${broken.broken}`);
}

function mediaOf(store: Store, type: MediaType, token: string): Media {
  const media = store.media(token, type);
  if (media) return media;
  // Video and audio have their token before their bytes.
  if (store.world.uploads.some((upload) => upload.token === token && upload.type === type)) {
    throw refuse.notReady();
  }
  throw refuse.payload(`Invalid ${type} token`);
}
