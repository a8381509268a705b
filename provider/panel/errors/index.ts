export * from "./panel-error";
export * from "./refusals";
export * from "./busy";
export * from "./no-answer";
export * from "./not-a-list";
export * from "./unsendable";
export * from "./failure";
