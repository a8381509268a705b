import { lifeOf } from "./suites/life";

lifeOf("FileRestore", "xml");
