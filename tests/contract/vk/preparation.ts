import type { Preparation } from "../preparation.ts";

/** A public page that its administrator posts for, with keys of every kind. */
export const world = {
  shop: 101,
  rival: 102,
  administrator: "vk1.a.administrator",
  moderator: "vk1.a.moderator",
  community: "vk1.a.community",
  rivalKey: "vk1.a.rival-community",
  vkId: "vk1.a.signed-in-by-vk-id",
} as const;

const changed = (body: object) => ({ method: "PATCH", path: `/vk/groups/${world.shop}`, body });

export const preparation: Preparation = {
  credential: { token: world.administrator },
  wrongCredential: { token: "vk1.a.nobodys-key" },
  targetId: String(world.shop),
  absentTarget: "999999",
  world: [
    { path: "/vk/users", body: { id: 5, first_name: "shop_bot", last_name: "Смирнова" } },
    { path: "/vk/users", body: { id: 6, first_name: "Олег", last_name: "Панин" } },
    {
      path: "/vk/groups",
      body: {
        id: world.shop,
        name: "Лавка чая",
        screen_name: "tea_shop",
        members_count: 1240,
        managers: [
          { user_id: 5, role: "administrator" },
          { user_id: 6, role: "moderator" },
        ],
      },
    },
    { path: "/vk/groups", body: { id: world.rival, name: "Кофе", screen_name: "coffee" } },
    { path: "/vk/tokens", body: { token: world.administrator, kind: "user", user_id: 5 } },
    { path: "/vk/tokens", body: { token: world.moderator, kind: "user", user_id: 6 } },
    { path: "/vk/tokens", body: { token: world.community, kind: "community", group_id: world.shop } },
    { path: "/vk/tokens", body: { token: world.rivalKey, kind: "community", group_id: world.rival } },
    { path: "/vk/tokens", body: { token: world.vkId, kind: "vkid", user_id: 5 } },
  ],
  // The wall of a day is too short for the longest tests.
  options: { path: "/vk/options", body: { posts_per_day: 10_000 } },
  without: [
    "marks",
    "buttons",
    "series",
    "silence",
    "replies",
    "waits",
    "video",
    "animation",
    "audio",
    "document",
  ],
  methods: {
    text: "wall.post",
    photo: "wall.post",
    upload: "upload",
    edit: "wall.edit",
    remove: "wall.delete",
  },
  largestFiles: [{ kind: "photo", bytes: 50 * 1024 * 1024 }],
  pictures: { largest: [13_000, 1_000], beyond: [13_001, 1_000] },
  troubles: [
    {
      name: "a key of nobody",
      credential: { token: "vk1.a.nobodys-key" },
      step: "token",
      finding: "token_refused",
    },
    { name: "a VK ID key", credential: { token: world.vkId }, step: "token", finding: "vk_id_key" },
    { name: "a community that is not there", targetId: "999999", step: "chat", finding: "chat_not_found" },
    {
      name: "a wall that is switched off",
      control: changed({ wall: 0 }),
      step: "chat",
      finding: "wall_off",
    },
    {
      name: "a person who only moderates",
      credential: { token: world.moderator },
      step: "rights",
      finding: "not_administrator",
    },
    {
      name: "a key of another community",
      credential: { token: world.rivalKey },
      step: "rights",
      finding: "key_of_another_community",
    },
    {
      name: "a community's key without the right to the wall",
      credential: { token: world.community },
      control: { method: "PATCH", path: `/vk/tokens/${world.community}`, body: { scopes: ["photos"] } },
      step: "rights",
      finding: "may_not_post",
    },
    {
      name: "a community's key where pictures are to be uploaded",
      credential: { token: world.community },
      step: "rights",
      finding: "photos_need_person_key",
    },
    {
      name: "a person's key without the right to photos",
      control: {
        method: "PATCH",
        path: `/vk/tokens/${world.administrator}`,
        body: { scopes: ["wall", "groups"] },
      },
      step: "rights",
      finding: "may_not_upload",
    },
  ],
};
