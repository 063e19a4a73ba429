import type { ReactNode } from "react";
import { Refused } from "../api/index.ts";
import { Link } from "../router/index.ts";
import { useTexts } from "../texts/index.ts";
import { Empty } from "./empty.tsx";
import { Fault } from "./fault.tsx";
import { Page } from "./page.tsx";
import { Skeleton } from "./skeleton.tsx";

interface Props<T> {
  readonly query: {
    readonly data: T | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  /** Where such things are listed; also the title until the thing is there. */
  readonly list: { readonly path: string; readonly title: string };
  readonly children: (thing: T) => ReactNode;
}

/** The page of one thing: its place while it is read, what to do if it is not there, or what is made of it. */
export function Thing<T>({ query: { data, error, refetch }, list, children }: Props<T>) {
  const { notFound } = useTexts();
  if (data !== undefined && !isGone(error)) return <>{children(data)}</>;
  return (
    <Page title={list.title}>
      {isGone(error) ? (
        <Empty title={notFound.thing} hint={notFound.thingHint}>
          <Link href={list.path}>{list.title}</Link>
        </Empty>
      ) : error ? (
        <Fault error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={240} />
      )}
    </Page>
  );
}

/** An id that is not one at all is refused as a bad request. */
function isGone(error: Error | null): boolean {
  return error instanceof Refused && (error.status === 404 || error.status === 400);
}
