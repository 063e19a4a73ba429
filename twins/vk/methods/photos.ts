import { refuse } from "../errors.ts";
import { lifetimes, limits } from "../limits.ts";
import { levelOf, type Photo, type Received, type Token, type Upload } from "../model.ts";
import type { Params } from "../params.ts";
import type { Call, Reply, Vk } from "../twin.ts";
import { wirePhoto } from "../wire.ts";

const album = { wall: -14, messages: -64 } as const;

export function getWallUploadServer(vk: Vk, { token, params }: Call): Reply {
  const groupId = managedGroup(vk, token, params);
  const upload = newUpload(vk, token, "wall", groupId);
  return { response: { album_id: album.wall, upload_url: addressOf(vk, upload), user_id: upload.userId } };
}

export function getMessagesUploadServer(vk: Vk, { token, params }: Call): Reply {
  params.int("peer_id");
  const upload = newUpload(vk, token, "messages", token.groupId ?? 0);
  return {
    response: {
      album_id: album.messages,
      upload_url: addressOf(vk, upload),
      user_id: upload.userId,
      group_id: upload.groupId,
    },
  };
}

export function saveWallPhoto(vk: Vk, { token, params }: Call): Reply {
  const groupId = managedGroup(vk, token, params);
  const received = receivedBy(vk, token, params, "wall");
  if (received.upload.groupId !== groupId) throw refuse(121);
  const caption = params.text("caption") ?? "";
  if (caption.length > limits.caption) throw refuse(100, "caption is too long");
  return { response: [wirePhoto(vk, save(vk, received, caption))] };
}

export function saveMessagesPhoto(vk: Vk, { token, params }: Call): Reply {
  return { response: [wirePhoto(vk, save(vk, receivedBy(vk, token, params, "messages"), ""))] };
}

/** The community of `group_id`, which is positive here, if the token's holder may post for it. */
function managedGroup({ store }: Vk, token: Token, params: Params): number {
  const groupId = params.int("group_id");
  if (groupId === undefined || groupId === 0) return 0;
  const group = groupId > 0 ? store.group(groupId) : undefined;
  if (!group) throw refuse(125);
  const member = levelOf(group, token.userId) > 0 || group.members.includes(token.userId ?? 0);
  if (levelOf(group, token.userId) < 2 && !(group.wall === 1 && member)) throw refuse(203);
  return groupId;
}

function newUpload(
  { store, context }: Vk,
  token: Token,
  purpose: Upload["purpose"],
  groupId: number,
): Upload {
  const upload: Upload = {
    key: store.newKey(40),
    purpose,
    token: token.token,
    groupId,
    userId: token.userId ?? 0,
    expiresAt: context.clock.now() + lifetimes.uploadMs,
  };
  store.world.uploads.push(upload);
  store.changed();
  return upload;
}

const addressOf = ({ context }: Vk, { key }: Upload) => `${context.options.baseUrl}/vk/_upload/${key}`;

/** The upload server's answer must be returned unchanged, with the same token. */
function receivedBy({ store }: Vk, token: Token, params: Params, purpose: Upload["purpose"]): Received {
  const server = params.needInt("server");
  const hash = params.needText("hash");
  const photo = params.needText("photo");
  if (photo === "[]") throw refuse(100, "photo is undefined");
  const received = store.world.received.find((each) => each.hash === hash);
  if (!received || received.upload.token !== token.token || received.upload.purpose !== purpose)
    throw refuse(121);
  if (received.server !== server) throw refuse(118);
  if (received.photo !== photo) throw refuse(121);
  return received;
}

/** Saving twice gives the same photo. */
function save({ store, context }: Vk, received: Received, caption: string): Photo {
  const { upload, blob, width, height } = received;
  const wall = upload.purpose === "wall";
  // Photos for messages of a community belong to it; a person's photos belong to the person, whatever the wall.
  const ownerId = wall && upload.groupId > 0 ? -upload.groupId : upload.userId || -upload.groupId;
  const before = received.savedAs === undefined ? undefined : store.photo(ownerId, received.savedAs);
  if (before) return before;
  const photo: Photo = {
    id: 456_239_000 + store.newId(),
    ownerId,
    albumId: album[upload.purpose],
    userId: upload.userId || 100,
    accessKey: store.newKey(18),
    blob,
    width,
    height,
    caption,
    date: context.clock.now(),
    secret: !wall,
  };
  received.savedAs = photo.id;
  store.world.photos.push(photo);
  store.changed();
  return photo;
}
