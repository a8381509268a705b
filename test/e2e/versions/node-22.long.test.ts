import { livesOn } from "../suites/lives-on";

livesOn(22);
