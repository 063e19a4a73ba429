import { z } from "zod";
import { refusedAs, walk } from "../check-walk.ts";
import type { ChannelCheck, CheckContext, CheckFinding, CheckStep, SendError } from "../contract.ts";
import type { WithToken } from "../token-credential.ts";
import { wallRulesOf } from "./channel-settings.ts";
import { type Connection, call } from "./client.ts";
import { type Key, keyOf } from "./key.ts";
import { communityOf } from "./target.ts";
import { type Group, groupNamed } from "./wall.ts";

/** VK's level of an editor; moderators, one level lower, may not post for the community. */
const editorLevel = 2;
const wallSwitchedOff = 0;

/** Checks whose key it is, whether the community exists, and whether the key may post and upload there. */
export function check(connection: Connection<WithToken<CheckContext>>): Promise<ChannelCheck> {
  const { channel } = connection.context;
  const community = communityOf(channel.targetId);
  let key: Key;
  let group: Group;

  return walk([
    async () => {
      const reply = await keyOf(connection);
      if (reply.kind !== "ok") return refusedAs("token", reply.error, tokenFinding);
      key = reply.result;
      const bot = key.kind === "community" ? (key.group.name ?? `club${key.group.id}`) : key.name;
      return { step: "token", finding: "ok", facts: { bot } };
    },
    async () => {
      const reply = await groupNamed("id" in community ? community.id : community.name, connection);
      if (reply.kind !== "ok") return refusedAs("chat", reply.error, () => "chat_not_found");
      group = reply.result;
      const facts = { chat: group.name ?? `club${group.id}` };
      if (group.deactivated) return { step: "chat", finding: "community_closed", facts };
      if (group.wall === wallSwitchedOff) return { step: "chat", finding: "wall_off", facts };
      return { step: "chat", finding: "ok", facts };
    },
    async () => {
      const finding = postingFinding(key, group);
      return finding.finding === "ok" ? photosFinding(key, group, connection) : finding;
    },
  ]);
}

function tokenFinding({ code }: SendError): CheckFinding {
  return code === "key_of_wrong_kind" ? "vk_id_key" : "token_refused";
}

function postingFinding(key: Key, group: Group): CheckStep {
  if (key.kind === "community") {
    if (key.group.id !== group.id)
      return {
        step: "rights",
        finding: "key_of_another_community",
        facts: { owner: key.group.name ?? "", number: String(key.group.id) },
      };
    return { step: "rights", finding: key.rights.has("wall") ? "ok" : "may_not_post" };
  }
  const level = group.admin_level ?? (group.is_admin ? editorLevel : 0);
  return { step: "rights", finding: level >= editorLevel ? "ok" : "not_administrator" };
}

/** Requests an upload address, without uploading anything. */
async function photosFinding(
  key: Key,
  group: Group,
  connection: Connection<WithToken<CheckContext>>,
): Promise<CheckStep> {
  const { channel } = connection.context;
  const rules = wallRulesOf(channel);
  if (channel.sendMode === "text" || (rules.ok && rules.wall.photos === "link"))
    return { step: "rights", finding: "ok" };
  const params = { group_id: group.id };
  const reply = await call(
    "photos.getWallUploadServer",
    params,
    z.object({ upload_url: z.url() }),
    connection,
  );
  if (reply.kind === "ok") return { step: "rights", finding: "ok" };
  return refusedAs("rights", reply.error, () =>
    key.kind === "community" ? "photos_need_person_key" : "may_not_upload",
  );
}
