export { DeliveriesPage } from "./deliveries-page.tsx";
export { DeliveryPage } from "./delivery-page.tsx";
export { PostPage } from "./post-page.tsx";
export { PostsPage } from "./posts-page.tsx";
