import type { Method } from "../twin.ts";
import { getTokenPermissions, groupsGet, groupsGetById } from "./groups.ts";
import { resolveScreenName, usersGet } from "./people.ts";
import { getMessagesUploadServer, getWallUploadServer, saveMessagesPhoto, saveWallPhoto } from "./photos.ts";
import { wallDelete, wallEdit } from "./wall-change.ts";
import { wallPost } from "./wall-post.ts";
import { wallGet, wallGetById } from "./wall-read.ts";

/** Which tokens may call what, with which right. Names are case-sensitive. */
export const methods: Readonly<Record<string, Method>> = {
  "wall.post": { kinds: ["user", "community"], scope: "wall", writes: true, handle: wallPost },
  "wall.edit": { kinds: ["user"], scope: "wall", writes: true, handle: wallEdit },
  "wall.delete": { kinds: ["user"], scope: "wall", writes: true, handle: wallDelete },
  "wall.get": { kinds: ["user"], handle: wallGet },
  "wall.getById": { kinds: ["user"], handle: wallGetById },
  "photos.getWallUploadServer": { kinds: ["user"], scope: "photos", handle: getWallUploadServer },
  "photos.saveWallPhoto": { kinds: ["user"], scope: "photos", handle: saveWallPhoto },
  "photos.getMessagesUploadServer": {
    kinds: ["user", "community"],
    scope: "photos",
    handle: getMessagesUploadServer,
  },
  "photos.saveMessagesPhoto": { kinds: ["user", "community"], scope: "photos", handle: saveMessagesPhoto },
  "groups.get": { kinds: ["user"], scope: "groups", handle: groupsGet },
  "groups.getById": { kinds: ["user", "community", "vkid"], handle: groupsGetById },
  "groups.getTokenPermissions": { kinds: ["community"], handle: getTokenPermissions },
  "users.get": { kinds: ["user", "community", "vkid"], handle: usersGet },
  "utils.resolveScreenName": { kinds: ["user", "community"], handle: resolveScreenName },
};
