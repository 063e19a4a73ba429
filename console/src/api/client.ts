import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { Refused } from "./request.ts";
import { sessionKey } from "./session.ts";

/** The cache of everything asked. After a 401 the server is asked again who is signed in. */
export function createClient(): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof Refused && error.status === 401)
      void client.invalidateQueries({ queryKey: sessionKey });
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // The server is often on this very machine, so the browser's idea of being offline does not matter.
      queries: { retry: false, networkMode: "always" },
      mutations: { retry: false, networkMode: "always" },
    },
  });
  return client;
}
