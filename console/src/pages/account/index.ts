export { AccountPage } from "./account-page.tsx";
export { SecondFactorCard } from "./second-factor-card.tsx";
