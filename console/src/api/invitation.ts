import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ask } from "./request.ts";
import { sessionKey } from "./session.ts";
import { accepted, invitation } from "./shapes.ts";

/** What an invitation is to. The link's token goes in the body: an address would be logged. */
export function useInvitation(link: string) {
  return useQuery({
    queryKey: ["invitation", link],
    queryFn: ({ signal }) =>
      ask("/invitation", invitation, { method: "POST", body: { invitation: link }, signal }),
    retry: false,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
}

export interface Acceptance {
  readonly invitation: string;
  readonly name?: string;
  readonly password?: string;
}

export function useAcceptInvitation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Acceptance) => ask("/invitation/accept", accepted, { method: "POST", body }),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionKey }),
  });
}
