/** Everything a platform may be unable to show, and what is done instead. The codes are documented and stable. */
export const lossTexts = {
  heading_as_bold: "a heading is shown as bold text",
  heading_level: "headings of every level look the same",
  list_as_bullets: "a list is shown as lines with bullets or numbers",
  quote_as_text: "a quote is shown as ordinary text",
  quote_not_expandable: "an expandable quote is shown whole",
  quote_in_quote: "a quote inside a quote is part of the outer one",
  highlight_as_text: "highlighted text is shown as ordinary text",
  spoiler_shown: "a spoiler is shown openly",
  formatting_dropped: "formatting is not shown",
  code_as_text: "code is shown as ordinary text",
  code_language: "the language of a code block is not shown",
  link_as_text: "a link is shown as its text and address",
  mention_as_text: "a mention of a person from another network is shown as text",
  emoji_as_text: "a custom emoji is shown as an ordinary one",
  many_marks: "the platform may not show formatting beyond its count",
  alt_text: "the description of a picture for people who do not see it is not carried",
  captions_in_text: "captions of single pictures follow the post's text",
  text_in_parts: "the text is sent as several messages",
  text_apart: "the text is a message of its own before the media",
  media_in_parts: "the media are sent as several messages",
  animation_as_video: "an animation is shown as a video or a picture",
  button_rows: "rows with more buttons than fit are broken into several",
  buttons_on_text: "the buttons stand under the text, not under the album",
  preview_settings: "which link is previewed, how large and where, is left to the platform",
  not_protected: "forwarding and saving cannot be forbidden",
  no_topic: "the topic is ignored",
} as const;

export type LossCode = keyof typeof lossTexts;

/** Something the platform cannot show, and what was done instead. */
export interface Loss {
  readonly code: LossCode;
  readonly message: string;
}

/** Collects losses, each code once. */
export interface LossLog {
  add(code: LossCode): void;
  readonly losses: readonly Loss[];
}

export function createLossLog(): LossLog {
  const losses: Loss[] = [];
  return {
    losses,
    add(code) {
      if (!losses.some((loss) => loss.code === code)) losses.push({ code, message: lossTexts[code] });
    },
  };
}
