export { ScopeName } from "./scope-name.tsx";
export { TokensPage } from "./tokens-page.tsx";
