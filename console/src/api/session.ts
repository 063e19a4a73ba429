import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ask, Refused, tell } from "./request.ts";
import { type Session, session } from "./shapes.ts";

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

export type Credentials = { readonly login: string; readonly password: string } | { readonly link: string };

export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (credentials: Credentials) => ask("/session", session, { method: "POST", body: credentials }),
    onSuccess: (signedIn) => client.setQueryData<Session | null>(sessionKey, signedIn),
  });
}

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => tell("/session", { method: "DELETE" }),
    onSuccess: () => {
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionKey[0] });
      client.setQueryData<Session | null>(sessionKey, null);
    },
  });
}

export function useSetPassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { current?: string; password: string }) =>
      tell("/session/password", { method: "PUT", body }),
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
