import { storms } from "../suites/storms";

storms(1);
