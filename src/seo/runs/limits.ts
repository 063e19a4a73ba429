/** The most works that a person may begin within an hour. Pictures are counted one by one. A refused work is not counted. */
export const limits = { texts: 10, images: 20, keywords: 5 } as const;
export type Counted = keyof typeof limits;
