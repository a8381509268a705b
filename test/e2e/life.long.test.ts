import { lifeOf } from "./suites/life";

lifeOf("VmRestore", "xml");
lifeOf("FileRestore", "json");
