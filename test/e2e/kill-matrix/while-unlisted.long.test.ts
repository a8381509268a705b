import { killedAt } from "../suites/killed-at";

killedAt("while unlisted");
