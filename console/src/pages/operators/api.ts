import { ask, tell, useChange, withQuery } from "../../api/index.ts";
import { invited, member, type Role } from "./shapes.ts";

export const topics = { members: "members", invitations: "invitations" } as const;

export function useMemberActions(workspaceId: string) {
  const at = (id: string, query = {}) =>
    withQuery(`/members/${encodeURIComponent(id)}`, { workspace_id: workspaceId, ...query });
  // A change of one's own role changes what one may do here.
  const changed = [topics.members, topics.invitations, "session"];
  return {
    setRole: useChange(
      ({ id, ...body }: { id: string; role: Role; reason: string }) =>
        ask(at(id), member, { method: "PATCH", body }),
      changed,
    ),
    remove: useChange(
      ({ id, reason }: { id: string; reason: string }) => tell(at(id, { reason }), { method: "DELETE" }),
      changed,
    ),
  };
}

export function useInvitationActions(workspaceId: string) {
  const query = { workspace_id: workspaceId };
  return {
    invite: useChange(
      (body: { login: string; role: string }) =>
        ask(withQuery("/invitations", query), invited, { method: "POST", body }),
      [topics.invitations],
    ),
    revoke: useChange(
      ({ id, reason }: { id: string; reason: string }) =>
        tell(withQuery(`/invitations/${encodeURIComponent(id)}`, { ...query, reason }), { method: "DELETE" }),
      [topics.invitations],
    ),
  };
}
