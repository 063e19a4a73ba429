export { EndpointPage } from "./endpoint-page.tsx";
export { EndpointsPage } from "./endpoints-page.tsx";
