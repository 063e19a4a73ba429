import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ask, askForAll, tell } from "./request.ts";
import { createdToken, type Scope, tokenList, tokenNetworks } from "./shapes.ts";

const tokensKey = ["tokens"] as const;

export interface NewToken {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly workspace_id?: string;
  readonly expires_in_days?: number;
  /** Never. */
  readonly expires_at?: null;
  /** From where it works; everywhere if there are none. */
  readonly networks?: readonly string[];
}

export function useTokens() {
  return useQuery({
    queryKey: tokensKey,
    queryFn: ({ signal }) => askForAll("/tokens", tokenList, { signal }),
  });
}

export function useCreateToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewToken) => ask("/tokens", createdToken, { method: "POST", body }),
    // The token itself is shown once and must not outlive its dialog in a cache.
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: tokensKey }),
  });
}

export function useSetTokenNetworks() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, networks }: { id: string; networks: readonly string[] }) =>
      ask(`/tokens/${encodeURIComponent(id)}`, tokenNetworks, { method: "PATCH", body: { networks } }),
    onSettled: () => client.invalidateQueries({ queryKey: tokensKey }),
  });
}

export function useRevokeToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => tell(`/tokens/${encodeURIComponent(id)}`, { method: "DELETE" }),
    onSettled: () => client.invalidateQueries({ queryKey: tokensKey }),
  });
}
