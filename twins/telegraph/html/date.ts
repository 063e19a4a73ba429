/** Telegraph writes its dates in English, whatever the page's language. */
const format = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

export function dateHtml(at: number): string {
  return `<time datetime="${new Date(at).toISOString()}">${format.format(at)}</time>`;
}
