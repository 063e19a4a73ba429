/** What a platform may be unable to show, and what is shown instead. The codes are documented and stable. */
export const lossTexts = {
  heading_as_bold: "a heading is shown as bold text",
  heading_level: "headings of every level look the same",
  list_from_one: "a numbered list counts from one",
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
  jump_as_text: "a link to another place of the text is shown as its text",
  table_as_lines: "a table is shown as lines of text",
  contents_left_out: "the list of contents is left out, because nothing there leads to headings",
  mention_as_text: "a mention of a person from another network is shown as text",
  emoji_as_text: "a custom emoji is shown as an ordinary one",
  many_marks: "the platform may not show formatting beyond its count",
  picture_left_out: "a picture that has no web address is left out",
  pictures_as_card: "pictures are not uploaded, and the card of a link stands for them",
  pictures_beyond: "pictures beyond the number that fits are left out",
  alt_text: "the description of a picture for people who do not see it is not carried",
  image_apart: "a picture inside the text stands beside it, with the other media",
  article_address: "the address of an article and that of its original are not carried",
  article_description: "the description and the structured data of an article are not carried",
  brand_colours: "the brand's colours are not shown",
  article_labels: "the categories and tags of an article are not carried",
  seo_fields: "the site does not take what its search plugin would tell: title, description or key phrase",
  original_untold: "searches are not told where the original of an article stands",
  robots_untold: "search robots are not told what the channel wants of them",
  scripts_left_out: "structured data are left out, because the account may not write scripts",
  labels_left_out: "categories or tags that the account may not make are left out",
  cover_left_out: "the site does not show the cover",
  captions_in_text: "captions of single pictures follow the post's text",
  text_shortened: "the text is cut where it becomes too long, and its end says so",
  text_in_parts: "the text is sent as several messages",
  text_apart: "the text is a message of its own before the media",
  media_in_parts: "the media are sent as several messages",
  animation_as_video: "an animation is shown as a video or a picture",
  button_rows: "rows with more buttons than fit are broken into several",
  buttons_as_text: "buttons are lines of the text, each with its address",
  button_as_link: "a button is where the post's own link leads",
  buttons_dropped: "buttons are not shown",
  buttons_on_text: "the buttons stand under the text, not under the album",
  preview_settings: "which link is previewed, how large and where, is left to the platform",
  not_protected: "forwarding and saving cannot be forbidden",
  no_topic: "the topic is ignored",
  no_reply: "an answer to another post stands by itself",
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
