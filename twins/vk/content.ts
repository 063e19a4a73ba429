import { linksIn } from "../shared/index.ts";
import { parsedUrl } from "../shared/parsed-url.ts";
import { refuse } from "./errors.ts";
import { limits } from "./limits.ts";
import type { Attachment, Group, Token } from "./model.ts";
import type { Params } from "./params.ts";
import type { Vk } from "./twin.ts";

export interface Content {
  readonly text: string;
  readonly attachments: Attachment[];
}

/** Text and attachments of a post, checked for this wall. */
export function contentOf(vk: Vk, token: Token, params: Params, group: Group | undefined): Content {
  const text = (params.text("message") ?? "").trim();
  const given = params.list("attachments");
  if (text === "" && given.length === 0) throw refuse(100, "message should be set if attachments is not set");
  if (text.length > limits.message) throw refuse(100, "message is too long");
  if (given.length > limits.attachments) throw refuse(100, "attachments: too many");
  const attachments = given.map((each) => attachmentOf(vk, token, each, params));
  const links = attachments.filter(({ type }) => type === "link");
  if (links.length > 1) throw refuse(100, "attachments: only one link can be attached");
  if (group?.links_forbidden && (links.length > 0 || linksIn(text).length > 0)) throw refuse(222);
  return { text, attachments };
}

function attachmentOf(vk: Vk, token: Token, given: string, params: Params): Attachment {
  if (/^https?:\/\//i.test(given)) {
    if (!parsedUrl(given)) throw refuse(100, "attachments: invalid link");
    const title = params.text("link_title");
    return { type: "link", url: given, ...(title && { title }) };
  }
  const [, type, owner, id, key] =
    /^([a-z_]{1,20}?)(-?\d{1,15})_(\d{1,15})(?:_(\w{1,64}))?$/.exec(given) ?? [];
  if (!type) throw refuse(100, `attachments: ${given} is invalid`);
  // Only photos can be uploaded here, so nothing else can be attached.
  const photo = type === "photo" ? vk.store.photo(Number(owner), Number(id)) : undefined;
  if (!photo) throw refuse(100, `attachments: ${given} not found`);
  const own = photo.userId === token.userId || photo.ownerId === -(token.groupId ?? 0);
  const knowsKey = key === photo.accessKey;
  if (photo.secret && !vk.store.world.options.message_photos)
    throw refuse(100, `attachments: ${given} not found`);
  if (photo.secret || !own ? !knowsKey : key !== undefined && !knowsKey) {
    throw refuse(100, `attachments: no access to ${given}`);
  }
  return { type: "photo", ownerId: photo.ownerId, id: photo.id };
}
