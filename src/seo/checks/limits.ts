/** What SEO Master's platforms take, in characters of plain text. */
export const contentLimits = {
  article: { leastCharacters: 500, leastParagraph: 50 },
  telegram: { text: 4096, caption: 1024 },
  vk: { text: 16_384 },
  pinterest: { text: 500, title: 100 },
} as const;

export type Destination = "wordpress" | "telegram" | "vk" | "pinterest";
