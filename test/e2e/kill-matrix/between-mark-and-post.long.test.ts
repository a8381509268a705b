import { killedAt } from "../suites/killed-at";

killedAt("between mark and POST");
