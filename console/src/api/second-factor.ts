import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ask, tell } from "./request.ts";
import { begunFactor, recoveryCodes, secondFactor } from "./shapes.ts";

const factorKey = ["second-factor"] as const;
const path = "/session/second-factor";

/** What shows that it is really the operator: a code, and the password of who has one. */
export type Proof = { readonly password?: string } & (
  | { readonly code: string }
  | { readonly recovery_code: string }
);

export function useSecondFactor() {
  return useQuery({ queryKey: factorKey, queryFn: ({ signal }) => ask(path, secondFactor, { signal }) });
}

/** Secrets and codes are shown once and must not outlive their card in a cache. */
const uncached = { gcTime: 0 } as const;

export function useBeginFactor() {
  return useMutation({
    ...uncached,
    mutationFn: (body: { password?: string }) => ask(path, begunFactor, { method: "POST", body }),
  });
}

export function useConfirmFactor() {
  return useMutation({
    ...uncached,
    mutationFn: (code: string) => ask(`${path}/confirm`, recoveryCodes, { method: "POST", body: { code } }),
  });
}

export function useRenewRecoveryCodes() {
  const client = useQueryClient();
  return useMutation({
    ...uncached,
    mutationFn: (body: Proof) => ask(`${path}/recovery-codes`, recoveryCodes, { method: "POST", body }),
    onSuccess: () => client.invalidateQueries({ queryKey: factorKey }),
  });
}

export function useRemoveFactor() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Proof) => tell(`${path}/remove`, { method: "POST", body }),
    onSuccess: () => client.invalidateQueries(),
  });
}
