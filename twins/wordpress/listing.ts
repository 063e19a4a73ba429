import { RestError } from "./errors.ts";
import type { Call, Reply } from "./request.ts";
import { restUrl } from "./twin.ts";

/** One page of a list with the headers about the others. Items that `show` leaves out are still counted. */
export function pageOf<T>(call: Call, all: readonly T[], show: (item: T) => unknown, strict: boolean): Reply {
  const perPage = Number(call.params.per_page ?? 10);
  const page = Number(call.params.page ?? 1);
  const pages = Math.ceil(all.length / perPage);
  // Posts refuse a page beyond the last one; terms return an empty one.
  if (strict && page > pages && all.length > 0)
    throw new RestError(
      400,
      "rest_post_invalid_page_number",
      "The page number requested is larger than the number of pages available.",
    );
  const links = [
    ...(page > 1 ? [`<${pageUrl(call, Math.min(page - 1, pages))}>; rel="prev"`] : []),
    ...(page < pages ? [`<${pageUrl(call, page + 1)}>; rel="next"`] : []),
  ];
  return {
    body: all
      .slice((page - 1) * perPage, page * perPage)
      .map(show)
      .filter((item) => item !== undefined),
    headers: {
      "x-wp-total": String(all.length),
      "x-wp-totalpages": String(pages),
      ...(links.length > 0 && { link: links.join(", ") }),
    },
  };
}

function pageUrl(call: Call, page: number): string {
  const query = new URLSearchParams(call.query);
  query.delete("page");
  query.delete("rest_route");
  query.set("page", String(page));
  const url = restUrl(call.wordpress, call.site, call.route);
  return `${url}${url.includes("?") ? "&" : "?"}${query}`;
}
