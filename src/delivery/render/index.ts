/** A post as a channel would show it, before anything is sent. */
export { renderPost } from "./render-post.ts";
export { type RenderReport, renderBody } from "./render-shape.ts";
