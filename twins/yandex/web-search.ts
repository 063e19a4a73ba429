import { z } from "zod";
import { escapeHtml } from "../shared/index.ts";
import { resultsFor, type SearchResult } from "../web/results.ts";

const int64 = z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)]);

export const searchBody = z.strictObject({
  query: z.strictObject({
    searchType: z.enum([
      "SEARCH_TYPE_RU",
      "SEARCH_TYPE_TR",
      "SEARCH_TYPE_COM",
      "SEARCH_TYPE_KK",
      "SEARCH_TYPE_BE",
    ]),
    queryText: z.string().min(1).max(400),
    familyMode: z.string().optional(),
    page: int64.default(0),
    fixTypoMode: z.string().optional(),
  }),
  sortSpec: z.object({ sortMode: z.string().optional(), sortOrder: z.string().optional() }).optional(),
  groupSpec: z
    .object({
      groupMode: z.enum(["GROUP_MODE_FLAT", "GROUP_MODE_DEEP"]).optional(),
      groupsOnPage: int64.pipe(z.int().min(1).max(100)).default(10),
      docsInGroup: int64.pipe(z.int().min(1).max(3)).optional(),
    })
    .optional(),
  maxPassages: int64.optional(),
  region: z.string().max(100).optional(),
  l10n: z.string().optional(),
  folderId: z.string().max(50).optional(),
  responseFormat: z.enum(["FORMAT_XML", "FORMAT_HTML"]).optional(),
  userAgent: z.string().max(300).optional(),
});

/** Results as XML in Base64, or the error by which Yandex says that nothing was found. */
export function rawDataOf({ query, groupSpec }: z.output<typeof searchBody>): string {
  const found =
    query.page > 0 ? [] : resultsFor(query.queryText, "yandex").slice(0, groupSpec?.groupsOnPage ?? 10);
  const inner =
    found.length === 0
      ? '<error code="15">Искомая комбинация слов нигде не встречается</error>'
      : `<found priority="all">${found.length * 9100}</found><results><grouping attr="d" mode="deep" groups-on-page="10" docs-in-group="1" curcateg="-1">${found
          .map((each, at) => groupOf(each, at, query.queryText))
          .join("")}</grouping></results>`;
  return Buffer.from(
    `<?xml version="1.0" encoding="utf-8"?>\n<yandexsearch version="1.0"><request><query>${escapeHtml(query.queryText)}</query></request><response date="20261117T103130"><reqid>1348828873568466</reqid>${inner}</response></yandexsearch>`,
  ).toString("base64");
}

function groupOf({ url, domain, title, snippet }: SearchResult, at: number, query: string): string {
  return `<group><categ attr="d" name="${domain}"/><doccount>1</doccount><doc id="Z${at}"><url>${escapeHtml(url)}</url><domain>${domain}</domain><title>${marked(title, query)}</title><headline>${marked(snippet, query)}</headline><modtime>20261014T040000</modtime><passages><passage>${marked(snippet, query)}</passage></passages><mime-type>text/html</mime-type></doc></group>`;
}

/** Words of the query are marked in texts. */
function marked(text: string, query: string): string {
  const words = new Set(query.toLowerCase().split(/\s+/));
  return escapeHtml(text)
    .split(" ")
    .map((word) => (words.has(word.toLowerCase()) ? `<hlword>${word}</hlword>` : word))
    .join(" ");
}
