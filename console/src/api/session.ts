import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { ask, Refused, tell } from "./request.ts";
import { type Session, secondStep, session, signInMethods } from "./shapes.ts";

export const sessionKey = ["session"] as const;

/** Who is signed in; null when nobody is. */
export function useSession() {
  return useQuery({
    queryKey: sessionKey,
    queryFn: ({ signal }) => readSession(signal),
    // While the server is unavailable, keep retrying; once it has answered, the session changes only through us.
    refetchInterval: (query) => (query.state.status === "error" ? 3_000 : false),
    staleTime: 60_000,
  });
}

export type Credentials =
  | { readonly login: string; readonly password: string }
  | { readonly link: string }
  | { readonly challenge: string; readonly code: string }
  | { readonly challenge: string; readonly recovery_code: string };

/** Answers with the challenge of the second step if one is to be made; undefined once somebody is signed in. */
export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (credentials: Credentials): Promise<string | undefined> => {
      const answer = await ask("/session", z.union([session, secondStep]), {
        method: "POST",
        body: credentials,
      });
      if ("second_step" in answer) return answer.second_step.challenge;
      client.setQueryData<Session | null>(sessionKey, answer);
      return undefined;
    },
  });
}

/** How to sign in besides password and link. */
export function useSignInMethods() {
  return useQuery({
    queryKey: ["sign-in-methods"],
    queryFn: ({ signal }) => ask("/session/methods", signInMethods, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => tell("/session", { method: "DELETE" }),
    onSuccess: () => {
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionKey[0] });
      client.getMutationCache().clear();
      client.setQueryData<Session | null>(sessionKey, null);
    },
  });
}

export interface PasswordChange {
  readonly current?: string;
  /** Of the second factor, where there is no password to ask for. */
  readonly code?: string;
  readonly password: string;
}

export function useSetPassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: PasswordChange) => tell("/session/password", { method: "PUT", body }),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionKey }),
  });
}

async function readSession(signal: AbortSignal): Promise<Session | null> {
  try {
    return await ask("/session", session, { signal });
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return null;
    throw error;
  }
}

/** Reads again who is signed in, after something about them has changed. */
export function useReadSession(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries();
}
