import type { Content } from "./shapes.ts";
import { usePostsTexts } from "./use-posts-texts.ts";

/** A post as it was given: its text with the marks of its sender, and where its media are. */
export function PostContent({ content }: { content: Content }) {
  const { post: texts, list } = usePostsTexts();
  const types: Readonly<Record<string, string>> = texts.mediaTypes;
  const { title, text, media, buttons } = content;
  return (
    <div className="post-content">
      {title && <h3>{title}</h3>}
      {text === "" ? <p className="quiet">{list.noText}</p> : <p className="post-text">{text}</p>}
      {media.length > 0 && (
        <ul className="post-media" aria-label={texts.media}>
          {media.map(({ type, url, alt, caption }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list of a stored post never changes its order
            <li key={at}>
              <b>{types[type] ?? type}</b>
              {url && isWeb(url) ? (
                <a href={url} target="_blank" rel="noopener noreferrer">
                  {alt ?? caption ?? url}
                </a>
              ) : (
                <span>{alt ?? caption ?? url ?? texts.atProvider}</span>
              )}
            </li>
          ))}
        </ul>
      )}
      {buttons.length > 0 && (
        <p>
          {texts.buttons}:{" "}
          {buttons
            .flat()
            .map(({ text: label, url }) => `${label} (${url})`)
            .join(", ")}
        </p>
      )}
    </div>
  );
}

/** Foreign addresses: nothing but the web may become a link. */
const isWeb = (url: string) => /^https?:\/\//i.test(url);
