import { z } from "zod";
import { parsedUrl } from "../shared/parsed-url.ts";

/** Pages of one host, and the key for it. */
export interface Submission {
  readonly host: string;
  readonly key: string;
  readonly location: string;
  readonly urls: readonly string[];
}

/** A submission, or the status and text of its refusal. */
export type Read = Submission | { readonly status: 400 | 422; readonly message: string };

const listShape = z.object({
  host: z.string().min(1),
  key: z.string(),
  keyLocation: z.string().optional(),
  urlList: z.array(z.string()).min(1).max(10_000),
});
const oneShape = z.object({ url: z.string().min(1), key: z.string(), keyLocation: z.string().optional() });

/** A POST with a list of pages. */
export function readList(body: unknown): Read {
  const given = listShape.safeParse(body);
  if (!given.success) return { status: 400, message: "Invalid request received" };
  const { host, key, keyLocation, urlList } = given.data;
  return checked(host, key, keyLocation, urlList);
}

/** A GET with one page. */
export function readOne(query: unknown): Read {
  const given = oneShape.safeParse(query);
  if (!given.success || !isWeb(given.data.url)) return { status: 400, message: "Invalid request received" };
  const { url, key, keyLocation } = given.data;
  return checked(new URL(url).host, key, keyLocation, [url]);
}

const keyForm = /^[A-Za-z0-9-]{8,128}$/;
const isWeb = (url: string) => /^https?:$/.test(parsedUrl(url)?.protocol ?? "");

function checked(host: string, key: string, keyLocation: string | undefined, urls: readonly string[]): Read {
  if (!keyForm.test(key)) return refused("The key is not of the form that the protocol asks for");
  if (!urls.every((url) => isWeb(url) && new URL(url).host === host))
    return refused("One or more of the URLs do not belong to the host");
  const protocol = new URL(urls[0] ?? "").protocol;
  const location = keyLocation ?? `${protocol}//${host}/${key}.txt`;
  if (!isWeb(location) || new URL(location).host !== host)
    return refused("The location of the key does not belong to the host");
  // A key in a folder is valid for that folder only.
  const folder = new URL(".", location).pathname;
  if (!urls.every((url) => new URL(url).pathname.startsWith(folder)))
    return refused("One or more of the URLs are outside of the folder of the key");
  return { host, key, location, urls };
}

const refused = (message: string): Read => ({ status: 422, message });
