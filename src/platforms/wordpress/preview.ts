import { mediaPlaceholder } from "../compiled-media.ts";
import type { ChannelProfile, CompiledRequest, Preview } from "../contract.ts";
import { figureHtml, picturePlaces } from "./html.ts";
import { pageShape } from "./page.ts";
import { readHtml } from "./read-html.ts";

export function preview(request: CompiledRequest, _channel: ChannelProfile): Preview {
  const { content, featured, pictures = [], slug, seo, ...page } = pageShape.parse(request.body);
  const placeholder = (place: number) => {
    const medium = request.media[place];
    return medium ? mediaPlaceholder(medium) : "<picture>";
  };
  const shown = content.replace(picturePlaces, (_, place: string) => {
    const said = pictures[Number(place)];
    const url = placeholder(Number(place));
    return figureHtml({ id: `<number of ${url}>`, url, alt: said?.alt, captionHtml: said?.caption });
  });
  const { text, marks } = readHtml(content);
  return {
    http: {
      method: "POST",
      path: "/wp-json/wp/v2/posts",
      query: {},
      body: {
        ...page,
        slug: slug || "<delivery>",
        content: `${shown}\n\n<!-- molva <delivery> -->`.trimStart(),
        ...(featured !== undefined && { featured_media: placeholder(featured) }),
        ...(seo && { seo }),
      },
    },
    shown: { title: page.title, text, marks, media: request.media, buttons: [] },
  };
}
