import { killedAt } from "../suites/killed-at";

killedAt("before the mark");
