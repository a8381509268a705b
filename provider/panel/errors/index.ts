export * from "./panel-error";
export * from "./refusals";
export * from "./overloaded";
export * from "./no-answer";
export * from "./not-a-list";
export * from "./unsendable";
export * from "./panel-failure";
export * from "./no-such-page";
