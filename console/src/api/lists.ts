/** Lists that the server gives page by page, as `{ items, next }`. */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { ask } from "./request.ts";

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A path with its query; empty values are left out. */
export function withQuery(path: string, query: Query): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== "") given.set(name, String(value));
  const text = given.toString();
  return text === "" ? path : `${path}?${text}`;
}

export interface PagedList<T> {
  readonly items: readonly T[] | undefined;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
  readonly refetch: () => void;
}

interface ListOptions {
  /** The first parts of the query key: the topic, which the live stream knows, and the workspace. */
  readonly topic: string;
  readonly limit?: number;
  readonly enabled?: boolean;
}

/** A list of a workspace. Further pages are asked for when the person wants them. */
export function useList<T>(
  path: string,
  query: Query,
  item: z.ZodMiniType<T>,
  { topic, limit = 50, enabled = true }: ListOptions,
): PagedList<T> {
  const found = useInfiniteQuery({
    queryKey: [topic, query.workspace_id ?? "", path, query, limit],
    queryFn: ({ signal, pageParam }) =>
      ask(withQuery(path, { ...query, limit, after: pageParam }), pageOf(item), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
    enabled,
  });
  return {
    items: found.data?.pages.flatMap((page) => page.items),
    error: found.error,
    hasMore: found.hasNextPage,
    isLoadingMore: found.isFetchingNextPage,
    loadMore: () => void found.fetchNextPage(),
    refetch: () => void found.refetch(),
  };
}

function pageOf<T>(item: z.ZodMiniType<T>) {
  return z.object({ items: z.array(item), next: z.nullable(z.string()) });
}
