/** How long a consent link is valid, and how long a grant is kept for its product. */
export const goodForMs = 30 * 60_000;
