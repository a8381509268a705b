import { killedAt } from "../suites/killed-at";

killedAt("after the POST was answered");
