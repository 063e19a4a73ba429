/** One thing read, and changes that make the server's answers about it stale. */
import {
  keepPreviousData,
  type QueryKey,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import type * as z from "zod/mini";
import { type Query, withQuery } from "./lists.ts";
import { ask } from "./request.ts";

interface ThingOptions {
  readonly topic: string;
  readonly enabled?: boolean;
  /** For what changes without the live stream knowing, such as a wait. */
  readonly everyMs?: number;
}

export function useThing<T>(
  path: string,
  query: Query,
  shape: z.ZodMiniType<T>,
  { topic, enabled = true, everyMs }: ThingOptions,
) {
  return useQuery({
    queryKey: [topic, query.workspace_id ?? "", path, query],
    queryFn: ({ signal }) => ask(withQuery(path, query), shape, { signal }),
    placeholderData: keepPreviousData,
    enabled,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  });
}

/** A change; when it ends, well or badly, everything of the topics is read again. Its answer, which may be a secret, is not kept. */
export function useChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
  topics: readonly string[],
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    gcTime: 0,
    onSettled: () =>
      Promise.all(topics.map((topic) => client.invalidateQueries({ queryKey: [topic] satisfies QueryKey }))),
  });
}
