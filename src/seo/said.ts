/** A text for people, in both languages. */
export interface Said {
  readonly ru: string;
  readonly en: string;
}
