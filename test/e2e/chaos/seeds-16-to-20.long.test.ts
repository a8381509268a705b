import { storms } from "../suites/storms";

storms(16);
