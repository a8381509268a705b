import { killedAt } from "../suites/killed-at";

killedAt("after the end, before the engine recorded it");
